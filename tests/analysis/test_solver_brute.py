"""Compares the solver with brute force on the engine, for every ruleset.

`SOLVER_SWEEP=1500 python -m pytest tests/analysis/test_solver_brute.py` uses that many
dungeons for each ruleset and difficulty instead of 22.
"""

import os
import random

import pytest

from game.analysis import is_winnable, solve
from game.rules import apply, score, start
from tests.analysis.brute import (
    EVERY_RULESET,
    LEVELS,
    Memo,
    best_score,
    every_line,
    random_run,
    short_deck,
    short_start,
)

DUNGEONS = int(os.environ.get("SOLVER_SWEEP", "22"))


def check(state, memo: Memo) -> None:
    """Compare score, proof, winnable and the replayed line with the brute force."""
    best = best_score(state, memo)
    found = solve(state)
    assert (found.best, found.is_proven, found.bound) == (best, True, best), state
    assert is_winnable(state) == (best > 0), state
    for move in found.line:
        state, _ = apply(state, move)
    assert score(state) == best


@pytest.mark.timeout(0 if DUNGEONS > 100 else 120)
@pytest.mark.parametrize(("key", "difficulty"), LEVELS)
def test_every_position_of_random_runs(key: str, difficulty: str) -> None:
    rules = EVERY_RULESET[key]
    rng = random.Random(f"{key}/{difficulty}")
    seen = {"mid_room": 0, "avoided": 0, "lost": 0}
    for number in range(DUNGEONS):
        memo: Memo = {}
        size = 14 if number % 16 == 7 else rng.randint(5, 10)
        root = short_start(rng, rules, difficulty, size)
        for state in random_run(rng, root, survives=number % 2 == 0):
            check(state, memo)
            seen["mid_room"] += state.faced_in_room > 0
            seen["avoided"] += state.avoided_last
            seen["lost"] += best_score(state, memo) <= 0
    assert seen["mid_room"] > DUNGEONS
    assert seen["lost"] > DUNGEONS / 3
    assert key.endswith("never-avoid") or seen["avoided"] > DUNGEONS / 3


@pytest.mark.parametrize(("key", "difficulty"), LEVELS)
def test_decks_of_up_to_four_cards(key: str, difficulty: str) -> None:
    rules = EVERY_RULESET[key]
    rng = random.Random(f"short/{key}/{difficulty}")
    for size in (1, 2, 3, 4) * 5:
        root = short_start(rng, rules, difficulty, size)
        for state in random_run(rng, root, survives=False):
            check(state, {})


@pytest.mark.parametrize("key", EVERY_RULESET)
def test_brute_force_equals_enumeration_without_memo(key: str) -> None:
    """A wrong memo key could hide a mistake; enumeration without a memo cannot."""
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


def test_potion_count_inside_a_room() -> None:
    """Three rooms remain here, although a third of the cards are only two."""
    rules = EVERY_RULESET["tavern-1-never-avoid"]
    deck = ["9H", "2C", "TH", "8C", "4H", "5H", "2D"]
    state = start(rules, deck, health=8, weapon="3D", kill_stack=["KC"])
    for move in ("2Cw", "9H"):
        state, _ = apply(state, move)
    check(state, {})
