"""Single positions that engines of Scoundrel get wrong, under each of the four texts.

Where the texts differ, the test has the right result for each of them.
"""

import random

import pytest

from game.rules import (
    MOVES,
    IllegalMove,
    Ruleset,
    State,
    apply,
    broken_off_score,
    deal,
    legal_moves,
    score,
    start,
    why_illegal,
)
from tests.rules.table import BOUND, COMPARED, immortal, play, random_walk

pytestmark = pytest.mark.parametrize("rules", COMPARED, ids=lambda r: r.key)

Scores = tuple[int, int, int, int]
KEYS = [rules.key for rules in COMPARED]


def _of(rules: Ruleset, values: Scores) -> int:
    """The value for these rules of four given as tavern, bound, flee, original."""
    return values[KEYS.index(rules.key)]


def _refused(state: State, move: str, code: str) -> None:
    assert move not in legal_moves(state)
    with pytest.raises(IllegalMove) as refused:
        apply(state, move)
    assert refused.value.code == f"move.illegal.{code}"


def _equal_only_when_bound(rules: Ruleset, state: State, move: str) -> None:
    if rules is BOUND:
        assert move in legal_moves(state)
    else:
        _refused(state, move, "weapon_limit")


# --- the weapon and its limit ---------------------------------------------------


def test_weapon_5_after_a_9_against_a_9(rules: Ruleset) -> None:
    state = start(rules, ["9C", "2H"], weapon="5D", kill_stack=["9S"])
    _equal_only_when_bound(rules, state, "9Cw")
    assert play(state, "9Cb").health == 11
    if rules is BOUND:
        assert play(state, "9Cw").health == 16


def test_a_weaker_kill_lowers_the_limit(rules: Ruleset) -> None:
    state = play(start(rules, ["5D", "QS", "6S", "QC"]), "5D", "QSw", "6Sw")
    assert state.health == 20 - 7 - 1
    assert state.kill_stack == ("QS", "6S")
    _refused(state, "QCw", "weapon_limit")


def test_a_bare_handed_kill_leaves_the_limit(rules: Ruleset) -> None:
    state = play(start(rules, ["5D", "QS", "6S", "QC", "JC"]), "5D", "QSw", "6Sb")
    assert state.health == 20 - 7 - 6
    assert state.kill_stack == ("QS",)
    assert "6S" in state.discard
    assert "JCw" in legal_moves(state)
    _equal_only_when_bound(rules, state, "QCw")


def test_a_new_weapon_is_fresh_and_replaces(rules: Ruleset) -> None:
    state = start(rules, ["2D", "AS", "3H"], weapon="9D", kill_stack=["4C"])
    state = play(state, "2D", "ASw")
    assert state.health == 20 - 12
    assert (state.weapon, state.kill_stack) == ("2D", ("AS",))
    assert state.discard == ("9D", "4C")


def test_a_free_kill_still_wears_the_weapon(rules: Ruleset) -> None:
    state = start(rules, ["3C", "3S", "4S", "2S"], weapon="TD")
    state = play(state, "3Cw")
    assert state.health == 20
    assert state.kill_stack == ("3C",)
    _equal_only_when_bound(rules, state, "3Sw")
    _refused(state, "4Sw", "weapon_limit")
    assert "2Sw" in legal_moves(state)


def test_weapon_7_after_a_2_against_a_2(rules: Ruleset) -> None:
    state = start(rules, ["2S", "3H"], weapon="7D", kill_stack=["2C"])
    _equal_only_when_bound(rules, state, "2Sw")
    assert play(state, "2Sb").health == 18


def test_armed_without_a_weapon(rules: Ruleset) -> None:
    state = start(rules, ["2S", "3H"])
    _refused(state, "2Sw", "no_weapon")


def test_bare_handed_is_allowed_with_a_usable_weapon(rules: Ruleset) -> None:
    state = start(rules, ["9C", "3H"], weapon="TD")
    after = play(state, "9Cb")
    assert after.health == 11
    assert (after.weapon, after.kill_stack) == ("TD", ())


# --- potions --------------------------------------------------------------------


def test_a_potion_stops_at_the_cap(rules: Ruleset) -> None:
    assert play(start(rules, ["9H", "2S"], health=17), "9H").health == 20


def test_a_potion_at_full_health_uses_the_allowance(rules: Ruleset) -> None:
    state = start(rules, ["4H", "TS", "9H", "2C", "5H", "2D", "3D"])
    healths = []
    for code in ("4H", "TSb", "9H"):
        state = play(state, code)
        healths.append(state.health)
    assert healths == [20, 10, 10]
    assert not state.potion_used
    assert play(state, "5H").health == 15


def test_two_potions_in_the_last_room(rules: Ruleset) -> None:
    state = play(start(rules, ["5H", "7H"], health=5), "5H")
    assert (state.health, state.status) == (10, "playing")
    state = play(state, "7H")
    assert (state.health, state.status) == (10, "cleared")
    assert score(state) == 10


# --- avoiding -------------------------------------------------------------------

NINE_CARDS = ["2S", "3S", "4S", "5S", "2H", "3H", "4H", "5H", "6H"]


def test_avoid_after_one_card(rules: Ruleset) -> None:
    state = play(start(rules, NINE_CARDS), "2Sb")
    _refused(state, "avoid", "avoid_after_facing")


def test_avoid_twice(rules: Ruleset) -> None:
    state = play(start(rules, NINE_CARDS), "avoid")
    _refused(state, "avoid", "avoid_twice")


def test_avoid_face_avoid(rules: Ruleset) -> None:
    state = play(start(rules, NINE_CARDS), "avoid", "2H", "3H", "4H")
    assert "avoid" in legal_moves(state)
    assert play(state, "avoid").avoided_last


def test_the_avoided_room_lies_in_order(rules: Ruleset) -> None:
    state = play(start(rules, NINE_CARDS), "avoid")
    assert state.room == ("2H", "3H", "4H", "5H")
    assert state.dungeon == ("6H", "2S", "3S", "4S", "5S")
    assert state.bottom == ("2S", "3S", "4S", "5S")


def test_avoiding_over_a_pile_of_one(rules: Ruleset) -> None:
    state = play(start(rules, ["2S", "3S", "4S", "5S", "6S"]), "avoid")
    assert state.room == ("6S", "2S", "3S", "4S")
    assert state.dungeon == state.bottom == ("5S",)


def test_avoid_in_the_last_room(rules: Ruleset) -> None:
    state = play(start(rules, NINE_CARDS[:5]), "2Sb", "3Sb", "4Sb")
    assert state.room == ("5S", "2H")
    _refused(state, "avoid", "avoid_not_full")


def test_avoid_a_full_room_over_an_empty_dungeon(rules: Ruleset) -> None:
    _refused(start(rules, NINE_CARDS[:4]), "avoid", "avoid_empty_dungeon")


# --- the end --------------------------------------------------------------------


def test_the_last_room_needs_both_cards(rules: Ruleset) -> None:
    state = play(start(rules, NINE_CARDS[:5]), "2Sb", "3Sb", "4Sb", "2H")
    assert (state.status, state.room) == ("playing", ("5S",))
    assert score(state) is None
    assert play(state, "5Sb").status == "cleared"


def test_an_empty_pile_is_not_the_end(rules: Ruleset) -> None:
    state = start(rules, ["2S", "2H"])
    assert state.dungeon == ()
    assert state.status == "playing"
    assert legal_moves(state) == ("2Sb", "2H")


def test_all_monsters_dead_is_not_the_end(rules: Ruleset) -> None:
    deck = deal("tavern")
    monsters = [card for card in deck if card.is_monster]
    rest = [card for card in deck if not card.is_monster]
    state = start(immortal(rules), monsters + rest)
    while any(card.is_monster for card in state.room):
        card = next(card for card in state.room if card.is_monster)
        state = play(state, f"{card}b")
    assert state.health == 300 - 208
    assert state.status == "playing"
    assert score(state) is None
    *_, last = random_walk(state, random.Random(1))
    assert last.after.status == "cleared"


def test_health_0_is_death_at_once(rules: Ruleset) -> None:
    state = play(start(rules, ["AS", "2H", "3D", "4S", "5S"], health=14), "ASb")
    assert (state.health, state.status) == (0, "died")
    assert legal_moves(state) == ()
    for move in MOVES:
        _refused(state, move, "over")


def test_no_potion_after_a_lethal_monster(rules: Ruleset) -> None:
    state = play(start(rules, ["KS", "9H", "2S", "3S"], health=5), "KSb")
    assert state.health == -8
    _refused(state, "9H", "over")


def test_death_on_the_very_last_card(rules: Ruleset) -> None:
    state = play(start(rules, ["9S"], health=9), "9Sb")
    assert (state.status, score(state)) == ("died", 0)
    state = play(start(rules, ["9S"], health=3), "9Sb")
    assert (state.status, score(state)) == ("died", _of(rules, (-6, -6, 0, -6)))


def test_the_score_of_a_death(rules: Ruleset) -> None:
    state = play(start(rules, ["9S", "KC", "2H", "3D", "5S"], health=3), "9Sb")
    assert score(state) == _of(rules, (-24, -24, -5, -11))


@pytest.mark.parametrize(
    ("health", "last", "scores"),
    [
        (13, ["7H"], (27, 20, 20, 27)),
        (20, ["5H", "7H"], (27, 20, 27, 27)),
        (20, ["TH"], (30, 20, 30, 30)),
        (8, ["5H"], (13, 13, 13, 13)),
        (20, ["5H", "2D"], (20, 20, 20, 20)),
        (13, ["7H", "2S"], (18, 18, 18, 18)),
        (10, ["5H", "7H"], (15, 15, 15, 15)),
        (15, ["5H", "7H"], (27, 20, 27, 27)),
    ],
)
def test_the_score_of_a_clearance(
    rules: Ruleset, health: int, last: list[str], scores: Scores
) -> None:
    codes = [card + "b" if card[1] == "S" else card for card in last]
    state = play(start(rules, last, health=health), *codes)
    assert state.status == "cleared"
    assert score(state) == broken_off_score(state) == _of(rules, scores)


# --- what is refused whatever the position ---------------------------------------


def test_a_card_that_is_not_here(rules: Ruleset) -> None:
    state = start(rules, NINE_CARDS)
    for move in ("2H", "6H", "ASb", "ASw", "TD"):
        _refused(state, move, "no_such_card")


def test_a_card_already_faced(rules: Ruleset) -> None:
    state = play(start(rules, NINE_CARDS), "2Sb")
    _refused(state, "2Sb", "no_such_card")
    _refused(state, "2Sw", "no_such_card")


def test_any_move_after_the_end(rules: Ruleset) -> None:
    state = play(start(rules, ["2H"]), "2H")
    assert legal_moves(state) == ()
    for move in MOVES:
        refusal = why_illegal(state, move)
        assert refusal is not None
        assert refusal.code == "move.illegal.over"
        assert refusal.detail == {"move": move}


def test_runs_of_one_seed_are_independent(rules: Ruleset) -> None:
    """Two runs are played in turns, with the global random generator used between."""
    alone, _ = _first_moves(rules, 12)
    one, other = (start(rules, deal("twins")) for _ in range(2))
    for move in alone:
        random.seed(random.random())
        one, effects = apply(one, move)
        random.shuffle([1, 2, 3])
        other, others = apply(other, move)
        assert (one, effects) == (other, others)
    assert one == _first_moves(rules, 12)[1]


def _first_moves(rules: Ruleset, count: int) -> tuple[list[str], State]:
    state = start(rules, deal("twins"))
    moves: list[str] = []
    while state.status == "playing" and len(moves) < count:
        moves.append(str(legal_moves(state)[len(moves) % 2]))
        state = play(state, moves[-1])
    return moves, state
