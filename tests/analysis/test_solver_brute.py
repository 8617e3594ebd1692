"""The solver against trying everything on the engine: no mismatch, in any ruleset.

SOLVER_SWEEP=1500 python -m pytest tests/analysis/test_solver_brute.py  walks that many
dungeons for each ruleset and difficulty instead of the usual few.
"""

import os
import random

import pytest

from game.analysis import solve, winnable
from game.rules import apply, score, start
from tests.analysis.brute import (
    EVERY_RULESET,
    LEVELS,
    Memo,
    best_score,
    every_line,
    short_deck,
    short_start,
    walk,
)

WALKS = int(os.environ.get("SOLVER_SWEEP", "22"))


def check(state, memo: Memo) -> None:
    """Score, proof, winnable and the replayed line, against the brute force."""
    best = best_score(state, memo)
    found = solve(state)
    assert (found.best, found.proven, found.bound) == (best, True, best), state
    assert winnable(state) == (best > 0), state
    for move in found.line:
        state, _ = apply(state, move)
    assert score(state) == best


@pytest.mark.timeout(0 if WALKS > 100 else 120)
@pytest.mark.parametrize(("key", "difficulty"), LEVELS)
def test_every_position_of_short_walks(key: str, difficulty: str) -> None:
    rules = EVERY_RULESET[key]
    rng = random.Random(f"{key}/{difficulty}")
    seen = {"mid_room": 0, "avoided": 0, "lost": 0}
    for number in range(WALKS):
        memo: Memo = {}
        size = 14 if number % 16 == 7 else rng.randint(5, 10)
        root = short_start(rng, rules, difficulty, size)
        for state in walk(rng, root, hardy=number % 2 == 0):
            check(state, memo)
            seen["mid_room"] += state.faced_in_room > 0
            seen["avoided"] += state.avoided_last
            seen["lost"] += best_score(state, memo) <= 0
    assert seen["mid_room"] > WALKS
    assert seen["lost"] > WALKS / 3
    assert key.endswith("relentless") or seen["avoided"] > WALKS / 3


@pytest.mark.parametrize(("key", "difficulty"), LEVELS)
def test_the_shortest_decks(key: str, difficulty: str) -> None:
    rules = EVERY_RULESET[key]
    rng = random.Random(f"short/{key}/{difficulty}")
    for size in (1, 2, 3, 4) * 5:
        root = short_start(rng, rules, difficulty, size)
        for state in walk(rng, root, hardy=False):
            check(state, {})


@pytest.mark.parametrize("key", EVERY_RULESET)
def test_the_brute_force_itself_against_every_line(key: str) -> None:
    """Its memory could hide a mistake; enumeration without one cannot."""
    rng = random.Random(f"lines/{key}")
    for _ in range(4):
        state = start(EVERY_RULESET[key], short_deck(rng, 5, potions=True), health=7)
        ends = []
        for line in every_line(state):
            end = state
            for move in line:
                end, _ = apply(end, move)
            ends.append(score(end) or 0)
        assert max(ends) == best_score(state, {})
        assert solve(state).best == max(ends)


def test_a_room_half_done_over_a_pile_of_another_length() -> None:
    """Rooms still to come are more than a third of the cards here: three, not two."""
    rules = EVERY_RULESET["tavern-1-relentless"]
    deck = ["9H", "2C", "TH", "8C", "4H", "5H", "2D"]
    state = start(rules, deck, health=8, weapon="3D", kill_stack=["KC"])
    for move in ("2Cw", "9H"):
        state, _ = apply(state, move)
    check(state, {})
