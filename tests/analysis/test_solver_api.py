"""The solver's public functions: budgets, proof flags, lines, finished runs."""

import itertools

import pytest

from game.analysis import is_winnable, solve
from game.analysis.solver.position import position_of
from game.analysis.solver.solve import Budget, search_best
from game.rules import RULESETS, Move, apply, deal, score, start

HARD = "bench-7"  # needs tens of thousands of positions to prove


def replay_score(state, line):
    for move in line:
        state, _ = apply(state, move)
    return score(state)


@pytest.mark.parametrize("key", RULESETS)
def test_line_of_a_whole_dungeon_replays_to_the_best_score(key):
    state = start(RULESETS[key], deal("open-tavern-1-86"))
    found = solve(state)
    assert found.is_proven
    assert found.bound == found.best
    assert all(isinstance(move, Move) for move in found.line)
    assert replay_score(state, found.line) == found.best


@pytest.mark.parametrize("key", RULESETS)
@pytest.mark.parametrize("health", [1, 2, 4])
def test_best_death_of_a_lost_dungeon_is_found(key, health):
    state = start(RULESETS[key], deal(f"weak-{health}"), health=health)
    found = solve(state)
    assert found.is_proven
    assert replay_score(state, found.line) == found.best
    assert is_winnable(state) == (found.best > 0)


def test_solving_a_finished_run_gives_its_score():
    state = start(RULESETS["tavern-1"], ["AC", "KC"], health=3)
    state, _ = apply(state, "ACb")
    found = solve(state)
    assert (found.best, found.is_proven, found.line) == (score(state), True, ())
    assert is_winnable(state) is False


def test_state_budget_gives_an_unproven_score_and_a_bound():
    state = start(RULESETS["tavern-1"], deal(HARD))
    best = solve(state).best
    found = solve(state, max_states=1)
    assert not found.is_proven
    assert found.best <= best <= found.bound
    assert found.expanded < 1000
    assert replay_score(state, found.line) == found.best


def test_larger_budget_never_finds_a_lower_score():
    state = start(RULESETS["flee-1"], deal(HARD))
    bests = [solve(state, max_states=n).best for n in (1, 300, 3000, 100_000)]
    assert bests == sorted(bests)


def test_time_budget_uses_the_given_clock():
    ticks = itertools.count()
    state = start(RULESETS["flee-1"], deal(HARD))
    found = solve(state, 10.0, clock=lambda: float(next(ticks)))
    assert not found.is_proven
    assert 9 <= next(ticks) <= 15
    assert replay_score(state, found.line) == found.best


def test_clock_is_not_read_without_a_budget():
    def clock():
        raise AssertionError("read")

    state = start(RULESETS["tavern-1"], deal("calm"))
    assert solve(state, clock=clock).is_proven
    assert is_winnable(state, clock=clock) is True


def test_lost_position_has_a_line_with_an_empty_budget():
    state = start(RULESETS["original-1"], deal("weak-2"), health=2)
    found = solve(state, max_states=0)
    assert replay_score(state, found.line) == found.best


def test_winnable_is_none_if_the_budget_runs_out():
    lost = start(RULESETS["tavern-1"], deal("lost-28"), health=2)
    assert solve(lost).best <= 0
    assert is_winnable(lost) is False
    assert is_winnable(lost, max_states=0) is None


@pytest.mark.parametrize("key", RULESETS)
def test_known_bounds_do_not_change_the_result(key):
    state = start(RULESETS[key], deal("known"))
    best = solve(state).best
    root = position_of(state)
    for low in (None, best - 3, best):
        found = search_best(root, Budget(), low=low, high=best)
        assert (found.best, found.is_proven) == (best, True)
    assert search_best(root, Budget(), low=best).end is None


def test_solve_is_deterministic():
    state = start(RULESETS["bound-1"], deal("twice"), difficulty="hard")
    assert solve(state) == solve(state)
