"""The code, sentence and detail of every refusal of the rules."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from game.rules import (
    Refusal,
    check_seed,
    deal,
    find_ruleset,
    make_record,
    parse_record,
    start,
    why_illegal,
)
from game.rules.cards import parse_card, parse_cards
from game.rules.moves import parse_move
from game.rules.rulesets import Avoid
from game.rules.snapshot import from_text, to_text
from tests.rules.table import BOUND, TAVERN, play

ROOM = ["5S", "8D", "4H", "JC", "2S"]
RECORD = """\
[Ruleset "tavern-1"]
[Difficulty "normal"]
[Seed "tavern"]
[Result "abandoned -195"]

1. avoid 2H 5Cb 6D 2. 8Cw abandoned -195
"""
SNAPSHOT = to_text(start(TAVERN, deal("tavern")))
POSITIONS: tuple[tuple[Callable[[], object], str], ...] = (
    (lambda: parse_card("1C"), "'1C' is not one of the 44 cards."),
    (lambda: parse_cards(["8D", "8D"]), "A card appears twice."),
    (lambda: start(TAVERN, []), "A dungeon has at least one card."),
    (lambda: start(TAVERN, ROOM, kill_stack=["9C"]), "A kill stack needs a weapon."),
    (lambda: start(TAVERN, ROOM, weapon="9C"), "9C is not a weapon."),
    (
        lambda: start(TAVERN, ROOM, weapon="5D", kill_stack=["2H"]),
        "A kill stack holds monsters only.",
    ),
    (lambda: start(TAVERN, ROOM, weapon="8D"), "A card appears twice."),
    (
        lambda: start(TAVERN, ROOM, weapon="5D", kill_stack=["9C", "5S"]),
        "A card appears twice.",
    ),
    (
        lambda: from_text("0" + SNAPSHOT[1:], TAVERN, "normal", deal("tavern")),
        "That snapshot has another version.",
    ),
    (
        lambda: from_text("1|x" + SNAPSHOT[3:], TAVERN, "normal", deal("tavern")),
        "That is not a snapshot.",
    ),
    (
        lambda: make_record("tavern-1", "normal", "a", [], "cleared"),
        "'cleared' is not a way to break off a run.",
    ),
    (
        lambda: make_record("tavern-1", "normal", "a", [], headers={"x" * 50: ""}),
        f"'{'x' * 40}' is not a header of a record.",
    ),
    (lambda: parse_record(7), "That is not a record of a run."),
    (
        lambda: parse_record('[Result "playing"]\nplaying'),
        "The record lacks Ruleset, Difficulty, Seed.",
    ),
    (
        lambda: parse_record(RECORD.replace("-195", "-194")),
        "The result is 'abandoned -194', but the moves lead to 'abandoned -195'.",
    ),
    (
        lambda: parse_record("[" + "x" * 80),
        f"'[{'x' * 59}' is not a header of a record.",
    ),
    (lambda: parse_record('[Result ""]'), "The record does not end with its result."),
    (lambda: parse_record("playing"), "The record does not end with its result."),
)


@pytest.mark.parametrize(("call", "text"), POSITIONS)
def test_invalid_position(call: Callable[[], object], text: str) -> None:
    with pytest.raises(Refusal) as refused:
        call()
    refusal = refused.value
    assert (refusal.code, refusal.text, refusal.detail) == (
        "position.invalid",
        text,
        {},
    )
    assert str(refusal) == f"position.invalid: {text}"
    assert refusal.args == (text,)


@pytest.mark.parametrize("health", [0, 26])
def test_health_out_of_range(health: int) -> None:
    with pytest.raises(Refusal) as refused:
        start(BOUND, ROOM, "easy", health)
    assert refused.value.text == "Health must be 1 to 25."
    assert refused.value.detail == {"health": health}
    assert start(BOUND, ROOM, "easy", 1).last_met_at == 1


@pytest.mark.parametrize(
    ("seed", "text"),
    [
        ("", "A seed is text of 1 to 64 characters."),
        ("a\tb", "A seed has only printable ASCII characters."),
        (" a", "A seed has no spaces at either end."),
    ],
)
def test_invalid_seed(seed: str, text: str) -> None:
    with pytest.raises(Refusal) as refused:
        check_seed(seed)
    assert (refused.value.code, refused.value.text) == ("seed.invalid", text)


def test_malformed_move() -> None:
    with pytest.raises(Refusal) as refused:
        parse_move("x" * 50)
    shown = "'" + "x" * 39
    assert (refused.value.code, refused.value.detail) == (
        "move.malformed",
        {"move": shown},
    )
    assert refused.value.text == (
        f"{shown} is not a move. A move is avoid, a weapon or potion such as 8D, or a"
        " monster with w (armed) or b (bare-handed) such as JSw."
    )


def test_unknown_ruleset_and_difficulty() -> None:
    with pytest.raises(Refusal) as refused:
        find_ruleset("tavern-2")
    assert refused.value.text == "There is no ruleset 'tavern-2'."
    with pytest.raises(Refusal) as refused:
        TAVERN.difficulty("hard")
    assert refused.value.text == "tavern-1 has no difficulty 'hard'."


WORN = start(TAVERN, ROOM, weapon="6D", kill_stack=["JS"])
BOUND_WORN = start(BOUND, ["KC", *ROOM], weapon="6D", kill_stack=["QC"])
NEVER = start(replace(TAVERN, avoid=Avoid.NEVER), ROOM)
ILLEGAL = (
    (play(start(TAVERN, ["2H"]), "2H"), "avoid", "The run is over: cleared."),
    (start(TAVERN, ROOM), "2Sb", "2S is not in the room."),
    (start(TAVERN, ROOM), "JCw", "You hold no weapon."),
    (WORN, "JCw", "That weapon only reaches monsters below 11."),
    (BOUND_WORN, "KCw", "That weapon only reaches monsters up to 12."),
    (NEVER, "avoid", "This ruleset does not allow avoiding."),
    (start(TAVERN, ROOM[:3]), "avoid", "Only a full room can be avoided."),
    (
        play(start(TAVERN, ROOM), "4H"),
        "avoid",
        "You have already faced a card in this room.",
    ),
    (
        play(start(TAVERN, ROOM), "avoid"),
        "avoid",
        "You avoided the room before this one.",
    ),
    (start(TAVERN, ROOM[:4]), "avoid", "No cards are left under the room."),
)


@pytest.mark.parametrize(("state", "move", "text"), ILLEGAL)
def test_illegal_move(state, move: str, text: str) -> None:
    refusal = why_illegal(state, move)
    assert refusal is not None
    assert refusal.text == text
    assert refusal.detail["move"] == move
