"""Reviews of finished runs, and the chances that the player could know."""

import pytest

from game.analysis import PLAYERS, SeededRandom, chances, review, solve, view_of
from game.analysis.review import TURNING_POINTS, card_name, describe_move
from game.analysis.solver.solve import Budget
from game.rules import (
    CARDS,
    RULESETS,
    apply,
    broken_off_score,
    deal,
    fold,
    legal_moves,
    parse_move,
    score,
    start,
)


def played(key: str, seed: str, name: str = "greedy-1"):
    """The moves of a run by a reference player."""
    state = start(RULESETS[key], deal(seed))
    rng, moves = SeededRandom(seed), []
    while state.status == "playing":
        for move in PLAYERS[name].plan(view_of(state), rng):
            state, _ = apply(state, move)
            moves.append(move)
    return moves


@pytest.mark.parametrize(
    ("key", "name"),
    [("tavern-1", "random-1"), *((key, "greedy-1") for key in RULESETS)],
)
def test_values_equal_those_of_the_solver_at_each_position(key, name):
    """Compares bisection with a full search at each position."""
    moves = played(key, "review-1", name)
    found = review(RULESETS[key], deal("review-1"), moves)
    state = start(RULESETS[key], deal("review-1"))
    values = []
    for move in moves:
        values.append(solve(state).best)
        state, _ = apply(state, move)
    assert list(found.values) == [*values, score(state)]
    assert found.proven
    assert found.given_up == 0


@pytest.mark.parametrize("key", RULESETS)
def test_better_lines_replay_to_the_value_before_the_move(key):
    moves = played(key, "review-2")
    found = review(RULESETS[key], deal("review-2"), moves)
    costly = [one for one in found.moves if one.loss]
    assert costly
    for one in costly:
        assert one.better == one.line[0]
        assert one.better != one.move
        end = fold(RULESETS[key], deal("review-2"), [*moves[: one.index], *one.line])
        assert score(end) == one.before
    assert all(one.better is None for one in found.moves if not one.loss)


def test_losses_add_up_to_best_less_final_score():
    moves = played("tavern-1", "review-3")
    found = review(RULESETS["tavern-1"], deal("review-3"), moves)
    assert sum(one.loss for one in found.moves) == found.values[0] - found.values[-1]
    assert len(found.values) == len(moves) + 1


def test_turning_points_are_the_costliest_moves_in_order_of_play():
    moves = played("tavern-1", "review-3")
    found = review(RULESETS["tavern-1"], deal("review-3"), moves)
    points = found.turning_points
    assert 0 < len(points) <= TURNING_POINTS
    assert [one.index for one in points] == sorted(one.index for one in points)
    costliest = max(found.moves, key=lambda one: one.loss)
    assert costliest.loss in [one.loss for one in points]
    for one in points:
        assert one.text.startswith(f"Move {one.index + 1}: ")
        assert one.text.endswith("possible.")


@pytest.mark.parametrize("seed", ["review-2", "review-8", "review-9"])
def test_move_that_lost_the_clearance_is_a_turning_point(seed):
    moves = played("tavern-1", seed, "random-1")
    found = review(RULESETS["tavern-1"], deal(seed), moves)
    (lost,) = [one.index for one in found.moves if one.before > 0 >= one.after]
    assert lost in [one.index for one in found.turning_points]


def test_perfect_run_has_no_turning_points():
    root = start(RULESETS["tavern-1"], deal("review-4"))
    found = review(RULESETS["tavern-1"], deal("review-4"), solve(root).line)
    assert set(found.values) == {found.values[0]}
    assert found.turning_points == ()
    assert found.accuracy == 1.0


def test_broken_off_run_reports_the_points_given_up():
    moves = played("tavern-1", "review-5")[:5]
    found = review(RULESETS["tavern-1"], deal("review-5"), moves)
    end = fold(RULESETS["tavern-1"], deal("review-5"), moves)
    assert found.values[-1] == broken_off_score(end)
    assert found.given_up == solve(end).best - broken_off_score(end)
    assert sum(m.loss for m in found.moves) == found.values[0] - solve(end).best


def test_run_broken_off_before_its_first_move():
    found = review(RULESETS["tavern-1"], deal("review-5"), [])
    assert found.values == (-208,)
    assert (found.moves, found.accuracy) == ((), None)


def test_breaking_off_can_beat_playing_on_in_the_original():
    """In original-1 a death counts the health below 0; an abandoned run counts 0."""
    rules = RULESETS["original-1"]
    deck = ["AC", "AS", "KC", "KS", "QC", "QS", "JC"]
    root = start(rules, deck, health=1)
    assert solve(root).best < broken_off_score(root)


def test_progress_rises_to_the_number_of_positions():
    reported: list[tuple[int, int]] = []
    moves = played("tavern-1", "review-6")
    review(
        RULESETS["tavern-1"],
        deal("review-6"),
        moves,
        progress=lambda *at: reported.append(at),
    )
    assert reported == sorted(reported)
    assert reported[-1] == (len(moves) + 1, len(moves) + 1)


def test_values_never_rise_if_the_budget_runs_out():
    moves = played("flee-1", "review-7", "random-1")
    found = review(
        RULESETS["flee-1"], deal("review-7"), moves, budget=Budget(max_states=50)
    )
    assert list(found.values) == sorted(found.values, reverse=True)
    assert not found.proven


def test_describe_move():
    state = start(RULESETS["tavern-1"], ["8D", "JS", "5H", "4H"], weapon="6D")
    said = {
        str(move): describe_move(state, parse_move(move)) for move in legal_moves(state)
    }
    assert said["JSw"] == "fighting the jack of spades with the 6 of diamonds"
    assert said["JSb"] == "fighting the jack of spades bare-handed"
    assert said["8D"] == "taking up the 8 of diamonds"
    assert said["5H"] == "drinking the 5 of hearts"
    state, _ = apply(state, "5H")
    assert describe_move(state, parse_move("4H")) == "wasting the 4 of hearts"
    assert describe_move(state, parse_move("avoid")) == "avoiding the room"
    assert card_name(CARDS["TC"]) == "the 10 of clubs"


@pytest.mark.parametrize("key", ["tavern-1", "bound-1"])
def test_chances_are_deterministic_and_in_range(key):
    moves = played(key, "chances-1")[:7]
    found = chances(RULESETS[key], deal("chances-1"), moves, samples=30)
    assert found == chances(RULESETS[key], deal("chances-1"), moves, samples=30)
    assert [one.index for one in found] == list(range(len(moves)))
    for one in found:
        assert 0 <= one.before <= 1
        assert 0 <= one.after <= 1
        assert one.change == pytest.approx(one.after - one.before)
        assert one.error >= 0


def test_deadly_move_leaves_no_chance():
    moves = played("tavern-1", "chances-2", "random-1")
    assert fold(RULESETS["tavern-1"], deal("chances-2"), moves).status == "died"
    last = chances(RULESETS["tavern-1"], deal("chances-2"), moves, samples=20)[-1]
    assert last.after == 0.0
    assert last.change == -last.before
