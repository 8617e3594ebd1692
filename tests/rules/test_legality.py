"""Each refusal's code, detail and sentence; the order of legal moves."""

from dataclasses import replace

import pytest

from game.rules import (
    MOVES,
    IllegalMove,
    Refusal,
    Ruleset,
    State,
    apply,
    legal_moves,
    start,
    why_illegal,
)
from game.rules.rulesets import Avoid
from game.rules.state import reach
from tests.rules.table import BOUND, TAVERN, play

ROOM = ["5S", "8D", "4H", "JC", "2S"]
WORN = start(TAVERN, ROOM, weapon="6D", kill_stack=["JS"])
NEVER = replace(TAVERN, avoid=Avoid.NEVER)

REFUSALS = [
    (play(start(TAVERN, ["2H"]), "2H"), "avoid", "over", {}),
    (start(TAVERN, ROOM), "2Sb", "no_such_card", {}),
    (start(TAVERN, ROOM), "JCw", "no_weapon", {}),
    (
        WORN,
        "JCw",
        "weapon_limit",
        {"weapon": "6D", "limit": 11, "limit_inclusive": False, "value": 11},
    ),
    (
        start(BOUND, ["KC", *ROOM], weapon="6D", kill_stack=["QC"]),
        "KCw",
        "weapon_limit",
        {"weapon": "6D", "limit": 12, "limit_inclusive": True, "value": 13},
    ),
    (play(start(TAVERN, ROOM), "4H"), "avoid", "avoid_after_facing", {}),
    (play(start(TAVERN, ROOM), "avoid"), "avoid", "avoid_twice", {}),
    (start(TAVERN, ROOM[:3]), "avoid", "avoid_not_full", {}),
    (start(TAVERN, ROOM[:4]), "avoid", "avoid_empty_dungeon", {}),
    (start(NEVER, ROOM), "avoid", "avoid_never", {}),
]


@pytest.mark.parametrize(
    ("state", "move", "code", "detail"), REFUSALS, ids=[r[2] for r in REFUSALS]
)
def test_refusals(
    state: State, move: str, code: str, detail: dict[str, object]
) -> None:
    refusal = why_illegal(state, move)
    assert isinstance(refusal, IllegalMove)
    assert isinstance(refusal, Refusal)
    assert refusal.code == f"move.illegal.{code}"
    assert refusal.detail == {"move": move, **detail}
    assert refusal.text.endswith(".")
    assert str(refusal) == f"{refusal.code}: {refusal.text}"
    assert move not in legal_moves(state)
    with pytest.raises(IllegalMove) as raised:
        apply(state, move)
    assert raised.value.code == refusal.code


def test_table_has_every_refusal() -> None:
    assert len({code for _, _, code, _ in REFUSALS}) == 9


def test_weapon_limit_sentence() -> None:
    strict = why_illegal(WORN, "JCw")
    assert strict is not None
    assert "below 11" in strict.text
    inclusive = why_illegal(REFUSALS[4][0], "KCw")
    assert inclusive is not None
    assert "up to 12" in inclusive.text


def test_order_of_the_listed_moves() -> None:
    state = start(TAVERN, ROOM, weapon="6D")
    assert legal_moves(state) == ("5Sw", "5Sb", "8D", "4H", "JCw", "JCb", "avoid")
    assert legal_moves(WORN) == ("5Sw", "5Sb", "8D", "4H", "JCb", "avoid")
    assert all(move is MOVES[move] for move in legal_moves(state))


def test_ruleset_without_avoiding_differs_only_in_that() -> None:
    kept = [move for move in legal_moves(start(TAVERN, ROOM)) if move != "avoid"]
    assert list(legal_moves(start(NEVER, ROOM))) == kept


def test_a_legal_move_has_no_refusal(ruleset: Ruleset) -> None:
    state = start(ruleset, ROOM, weapon="6D")
    assert all(why_illegal(state, move) is None for move in legal_moves(state))


def test_reach_of_a_weapon() -> None:
    assert reach(start(TAVERN, ROOM)) == 0
    assert reach(start(TAVERN, ROOM, weapon="6D")) == 14
    assert reach(WORN) == 10
    assert reach(start(BOUND, ROOM, weapon="6D", kill_stack=["QC", "JS"])) == 11
