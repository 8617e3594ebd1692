"""Screening: ranks, signals of runs, and the summary of an account."""

import pytest

from game.analysis import PLAYERS, SeededRandom, solve, view_of
from game.analysis.screening import (
    COVARIANCE,
    MIN_RUNS,
    RoomLuck,
    Signal,
    cost_rank,
    screen,
    summarize_signals,
)
from game.rules import RULESETS, apply, deal, start


def played(seed: str, name: str = "greedy-1"):
    state = start(RULESETS["tavern-1"], deal(seed))
    rng, moves = SeededRandom(seed), []
    while state.status == "playing":
        for move in PLAYERS[name].plan(view_of(state), rng):
            state, _ = apply(state, move)
            moves.append(move)
    return moves


def signal(*ranks: float, variance: float = 0.05) -> Signal:
    return Signal("1", tuple(RoomLuck(0, rank, variance) for rank in ranks))


def test_ranks_average_zero_even_with_ties():
    for costs in ([0, 0, 0, 5], [1, 2, 3, 4, 5], [0] * 6, [7, 7, 0, 0]):
        ranks = [cost_rank(cost, costs) for cost in costs]
        assert sum(ranks) == pytest.approx(0)
        assert all(-0.5 <= rank <= 0.5 for rank in ranks)
    assert cost_rank(0, [0, 1, 2]) == 0.5
    assert cost_rank(2, [0, 1, 2]) == -0.5


def test_screen_ranks_each_room_with_unseen_cards():
    moves = played("screen-1")[:5]
    found = screen(RULESETS["tavern-1"], deal("screen-1"), moves)
    assert found == screen(RULESETS["tavern-1"], deal("screen-1"), moves)
    indexes = [room.index for room in found.rooms]
    assert indexes[0] == 0
    assert indexes == sorted(set(indexes))
    for room in found.rooms:
        assert -0.5 <= room.rank <= 0.5
        assert 0 <= room.variance <= 0.25
    assert found.luck == pytest.approx(sum(room.rank for room in found.rooms))


def test_solver_line_ranks_high():
    root = start(RULESETS["tavern-1"], deal("screen-2"))
    found = screen(RULESETS["tavern-1"], deal("screen-2"), solve(root).line[:16])
    assert found.luck > 0
    assert min(room.rank for room in found.rooms) > -0.3


def test_progress_counts_moves():
    reported: list[tuple[int, int]] = []
    moves = played("screen-3")[:4]
    screen(
        RULESETS["tavern-1"],
        deal("screen-3"),
        moves,
        progress=lambda *at: reported.append(at),
    )
    assert reported == [(n, 4) for n in range(1, 5)]


def test_summary_adds_up_runs():
    one = signal(0.5, 0.5, -0.5)
    found = summarize_signals([one, one])
    assert (found.runs, found.rooms, found.luck) == (2, 6, 1.0)
    assert found.deviations == pytest.approx(1.0 / (6 * 0.05 * COVARIANCE) ** 0.5)
    assert not found.needs_review


def test_account_with_too_few_runs_is_not_flagged():
    extreme = signal(*[0.5] * 40)
    assert not summarize_signals([extreme] * (MIN_RUNS - 1)).needs_review
    assert summarize_signals([extreme] * MIN_RUNS).needs_review


def test_rooms_without_variance_count_nothing():
    neutral = signal(0.0, 0.0, variance=0.0)
    assert summarize_signals([neutral] * 9).deviations == 0.0
    assert summarize_signals([]).deviations == 0.0
