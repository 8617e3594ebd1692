"""The fair-play measure: what it adds up, and that it never asks how well one plays."""

import pytest

from game.analysis import PLAYERS, Chance, solve, view_of
from game.analysis.screening import (
    COVARIANCE,
    FEWEST_RUNS,
    RoomLuck,
    Signal,
    rank_of,
    screen,
    standing,
)
from game.rules import RULESETS, apply, deal, start


def played(seed: str, name: str = "greedy-1"):
    state = start(RULESETS["tavern-1"], deal(seed))
    chance, moves = Chance(seed), []
    while state.status == "playing":
        for move in PLAYERS[name].plan(view_of(state), chance):
            state, _ = apply(state, move)
            moves.append(move)
    return moves


def signal(*ranks: float, variance: float = 0.05) -> Signal:
    return Signal("1", tuple(RoomLuck(0, rank, variance) for rank in ranks))


def test_ranks_are_fair_over_the_costs_whatever_the_ties():
    for costs in ([0, 0, 0, 5], [1, 2, 3, 4, 5], [0] * 6, [7, 7, 0, 0]):
        ranks = [rank_of(cost, costs) for cost in costs]
        assert sum(ranks) == pytest.approx(0)
        assert all(-0.5 <= rank <= 0.5 for rank in ranks)
    assert rank_of(0, [0, 1, 2]) == 0.5
    assert rank_of(2, [0, 1, 2]) == -0.5


def test_a_run_is_screened_at_each_room_that_hid_something():
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


def test_the_solver_s_line_ranks_high():
    root = start(RULESETS["tavern-1"], deal("screen-2"))
    found = screen(RULESETS["tavern-1"], deal("screen-2"), solve(root).line[:16])
    assert found.luck > 0
    assert min(room.rank for room in found.rooms) > -0.3


def test_progress_counts_moves():
    told: list[tuple[int, int]] = []
    moves = played("screen-3")[:4]
    screen(
        RULESETS["tavern-1"],
        deal("screen-3"),
        moves,
        progress=lambda *at: told.append(at),
    )
    assert told == [(n, 4) for n in range(1, 5)]


def test_standing_adds_runs_up():
    one = signal(0.5, 0.5, -0.5)
    found = standing([one, one])
    assert (found.runs, found.rooms, found.luck) == (2, 6, 1.0)
    assert found.deviations == pytest.approx(1.0 / (6 * 0.05 * COVARIANCE) ** 0.5)
    assert not found.flagged


def test_a_few_runs_are_never_enough_to_flag():
    wild = signal(*[0.5] * 40)
    assert not standing([wild] * (FEWEST_RUNS - 1)).flagged
    assert standing([wild] * FEWEST_RUNS).flagged


def test_rooms_that_could_not_tell_count_nothing():
    dull = signal(0.0, 0.0, variance=0.0)
    assert standing([dull] * 9).deviations == 0.0
    assert standing([]).deviations == 0.0
