"""The effects of each move, and that the state before it does not change."""

import pytest

from game.rules import CARDS, IllegalMove, Ruleset, State, apply, start
from game.rules.effects import (
    Avoided,
    Cleared,
    Dealt,
    Died,
    Equipped,
    Fought,
    Healed,
    Wasted,
    as_json,
)
from game.rules.schemas import Effect as EffectJson
from tests.rules.table import TAVERN, play

JC = CARDS["JC"]
DECK = ["5S", "8D", "4H", "JC", "2S", "3H", "6D", "7C"]


def _effects(state: State, move: str) -> list[EffectJson]:
    return [as_json(effect) for effect in apply(state, move)[1]]


def test_fought() -> None:
    armed = start(TAVERN, DECK, weapon="3D")
    assert _effects(armed, "JCw") == [
        {"kind": "fought", "card": "JC", "armed": True, "damage": 8, "health": 12}
    ]
    assert _effects(armed, "JCb") == [
        {"kind": "fought", "card": "JC", "armed": False, "damage": 11, "health": 9}
    ]
    assert _effects(start(TAVERN, DECK, weapon="9D"), "5Sw") == [
        {"kind": "fought", "card": "5S", "armed": True, "damage": 0, "health": 20}
    ]


def test_equipped() -> None:
    assert _effects(start(TAVERN, DECK), "8D") == [
        {"kind": "equipped", "card": "8D", "discarded": []}
    ]
    held = start(TAVERN, DECK, weapon="3D", kill_stack=["QC", "9S"])
    assert _effects(held, "8D") == [
        {"kind": "equipped", "card": "8D", "discarded": ["3D", "QC", "9S"]}
    ]


def test_healed_and_wasted() -> None:
    state = start(TAVERN, ["4H", "9H", "2S", "3S", "5H"], health=18)
    assert _effects(state, "4H") == [
        {"kind": "healed", "card": "4H", "amount": 2, "health": 20}
    ]
    assert _effects(play(state, "4H"), "9H") == [{"kind": "wasted", "card": "9H"}]
    full = start(TAVERN, ["4H", "9H", "2S", "3S", "5H"])
    assert _effects(full, "4H") == [
        {"kind": "healed", "card": "4H", "amount": 0, "health": 20}
    ]


def test_avoided_then_dealt() -> None:
    state = start(TAVERN, ["2S", "3S", "4S", "5S", "6S"])
    assert _effects(state, "avoid") == [
        {"kind": "avoided", "cards": ["2S", "3S", "4S", "5S"]},
        {"kind": "dealt", "cards": ["6S", "2S", "3S", "4S"]},
    ]


def test_dealt_behind_the_carried_card() -> None:
    state = play(start(TAVERN, DECK), "5Sb", "8D")
    after, effects = apply(state, "JCw")
    assert after.room == ("4H", "2S", "3H", "6D")
    assert effects == (Fought(JC, True, 3, 12), Dealt(after.room[1:]))


def test_nothing_is_dealt_from_an_empty_pile() -> None:
    state = play(start(TAVERN, DECK[:4]), "5Sb", "8D")
    after, effects = apply(state, "4H")
    assert [effect.kind for effect in effects] == ["healed"]
    assert (after.room, after.room_full, after.faced_in_room) == (("JC",), False, 0)


def test_died_deals_nothing() -> None:
    state = play(start(TAVERN, DECK, health=14), "4H", "5Sb")
    state, effects = apply(state, "JCb")
    assert effects[0].kind == "fought"
    assert state.status == "playing"
    state = play(start(TAVERN, DECK, health=11), "8D", "5Sb")
    after, effects = apply(state, "JCb")
    assert effects == (Fought(JC, False, 11, -5), Died(JC))
    assert after.room == ("4H",)
    assert after.dungeon == tuple(DECK[4:])
    assert "JC" in after.discard


def test_cleared() -> None:
    state = start(TAVERN, ["2H"], health=9)
    assert apply(state, "2H")[1] == (Healed(CARDS["2H"], 2, 11), Cleared())
    assert as_json(Cleared()) == {"kind": "cleared"}


def test_effects_of_different_kinds_are_not_equal() -> None:
    assert len({Wasted(JC), Died(JC)}) == len({Avoided((JC,)), Dealt((JC,))}) == 2
    assert Equipped(JC, ()) == Equipped(JC, ())


def test_the_state_before_is_unchanged(ruleset: Ruleset) -> None:
    state = start(ruleset, DECK, weapon="3D")
    before = tuple(state)
    for move in ("5Sw", "8D", "4H", "JCb", "avoid"):
        after, _ = apply(state, move)
        assert after.index == 1
        assert tuple(state) == before
    with pytest.raises(IllegalMove):
        apply(state, "7Cb")
    assert tuple(state) == before


def test_potion_and_avoid_are_allowed_again_in_the_next_room() -> None:
    state = play(start(TAVERN, DECK), "avoid", "3H")
    assert state.potion_used
    assert state.avoided_last
    state = play(state, "2Sb", "6D")
    assert not state.potion_used
    assert not state.avoided_last


def test_last_card_and_health_before_it() -> None:
    state = play(start(TAVERN, DECK), "5Sb", "4H")
    assert (state.last, state.last_met_at, state.health) == ("4H", 15, 19)
    avoided = play(start(TAVERN, DECK), "avoid")
    assert (avoided.last, avoided.last_met_at) == (None, 20)
