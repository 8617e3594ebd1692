"""Starting a run, and refused start positions."""

from typing import Any

import pytest

from game.rules import CARDS, InvalidPosition, Ruleset, UnknownRuleset, deal, start
from tests.rules.table import BOUND, TAVERN, play


def test_first_position(ruleset: Ruleset) -> None:
    deck = deal("tavern")
    state = start(ruleset, deck)
    assert state.room == deck[:4]
    assert state.dungeon == deck[4:]
    assert (state.health, state.cap, state.status) == (20, 20, "playing")
    assert (state.weapon, state.kill_stack, state.discard) == (None, (), ())
    assert (state.index, state.known, state.bottom) == (0, 0, ())
    assert (state.faced_in_room, state.potion_used, state.avoided_last) == (0, 0, 0)


@pytest.mark.parametrize(
    ("key", "health"), [("easy", 25), ("normal", 20), ("hard", 14)]
)
def test_difficulties(key: str, health: int) -> None:
    state = start(BOUND, deal("tavern"), difficulty=key)
    assert (state.difficulty, state.health, state.cap) == (key, health, health)


def test_the_cap_is_the_difficultys() -> None:
    easy = start(BOUND, ["9H", "2S"], difficulty="easy", health=20)
    assert play(easy, "9H").health == 25
    hard = start(BOUND, ["9H", "2S"], difficulty="hard", health=10)
    assert play(hard, "9H").health == 14


def test_single_positions(ruleset: Ruleset) -> None:
    codes = (code for code in ["8C", "4H"])
    state = start(ruleset, codes, health=17, weapon="5D", kill_stack=["9C"])
    assert state.room == ("8C", "4H")
    assert all(card is CARDS[card] for card in state.room)
    assert (state.health, state.cap) == (17, 20)
    assert (state.weapon, state.kill_stack) == ("5D", ("9C",))
    assert not state.room_full


@pytest.mark.parametrize(
    "given",
    [
        {"deck": []},
        {"deck": ["8D", "8D"]},
        {"deck": ["8D", "1C"]},
        {"deck": "8D"},
        {"deck": [8]},
        {"deck": ["8D"], "health": 0},
        {"deck": ["8D"], "health": -1},
        {"deck": ["8D"], "health": 21},
        {"deck": ["8D"], "weapon": "8D"},
        {"deck": ["8D"], "weapon": "8C"},
        {"deck": ["8D"], "weapon": "8H"},
        {"deck": ["8D"], "weapon": "no"},
        {"deck": ["8D"], "kill_stack": ["9C"]},
        {"deck": ["8D"], "weapon": "5D", "kill_stack": ["4H"]},
        {"deck": ["9C"], "weapon": "5D", "kill_stack": ["9C"]},
        {"deck": ["8D"], "weapon": "5D", "kill_stack": ["9C", "9C"]},
        {"deck": ["8D"], "weapon": "5D", "kill_stack": "9C"},
    ],
    ids=repr,
)
def test_invalid_positions(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidPosition) as refused:
        start(TAVERN, **given)
    assert refused.value.code == "position.invalid"


def test_unknown_difficulty() -> None:
    with pytest.raises(UnknownRuleset):
        start(TAVERN, deal("tavern"), difficulty="hard")


def test_states_are_immutable_and_comparable() -> None:
    one, other = (start(TAVERN, deal("tavern")) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert play(one, "3H") == play(other, "3H") != one
    assert one == other
