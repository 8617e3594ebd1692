"""How a move changed the chance of a clearance, given what the player could know.

The unseen cards are shuffled many times and each order is played out by the greedy
player. So a chance is that of a simple player, and it has a sampling error. The loss
that `review` computes knows the order and is exact: a move may have lost points in
hindsight and still have been right.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from game.analysis.assessment import ANALYSIS_VERSION, Progress
from game.analysis.players import SeededRandom, view_of
from game.analysis.players.options import Option, avoid_option, room_options
from game.analysis.players.reference import (
    SamplingPlayer,
    evaluator_for,
    playout_scores,
    sample_futures,
    sample_values,
)
from game.analysis.players.view import View
from game.analysis.solver.encoding import code_of, solver_rules
from game.analysis.solver.position import weapon_code
from game.analysis.statistics import standard_error
from game.rules import Card, Move, Ruleset, State, apply, parse_move, start

PILOT_SAMPLES: Final = 30
SAMPLES: Final = 200
_CHOOSER: Final = SamplingPlayer("chances-1", samples=PILOT_SAMPLES)


@dataclass(frozen=True, slots=True)
class ChanceChange:
    """The clearance chance before a move, with the best option found, and after it.

    `change` is after - before (-1..1), `error` its standard error; the chances and the
    error are in 0..1. Both chances are sampled over the same futures, so the error of
    the change is smaller than theirs.
    """

    index: int
    before: float
    after: float
    change: float
    error: float


def chances(
    ruleset: Ruleset,
    deck: Sequence[Card],
    moves: Sequence[Move | str],
    difficulty: str = "normal",
    *,
    samples: int = SAMPLES,
    progress: Progress | None = None,
) -> tuple[ChanceChange, ...]:
    """The chance change of each move. About 10 s of one core for a whole run.

    Deterministic: the same run gives the same values. Raises IllegalMove,
    MalformedMove.
    """
    changes = []
    for change in iter_chances(ruleset, deck, moves, difficulty, samples=samples):
        changes.append(change)
        if progress:
            progress(len(changes), len(moves))
    return tuple(changes)


def iter_chances(
    ruleset: Ruleset,
    deck: Sequence[Card],
    moves: Sequence[Move | str],
    difficulty: str = "normal",
    *,
    samples: int = SAMPLES,
    order: Sequence[int] | None = None,
) -> Iterator[ChanceChange]:
    """As `chances`, one by one, for callers that may have to stop early.

    `order`: the indices of the moves to compute, in that order (default: all). The
    values do not depend on it.
    """
    steps = []
    state = start(ruleset, deck, difficulty)
    for text in moves:
        move = parse_move(text)
        after, _ = apply(state, move)
        steps.append((state, move, after))
        state = after
    for index in range(len(steps)) if order is None else order:
        room = "/".join(steps[index][0].room)
        rng = SeededRandom(f"chances/{ANALYSIS_VERSION}/{index}/{room}")
        yield _change(index, steps[index], samples, rng)


def _change(
    index: int, step: tuple[State, Move, State], samples: int, rng: SeededRandom
) -> ChanceChange:
    state, move, after = step
    view = view_of(state)
    options = _CHOOSER.candidates(view)
    carried_card = _after(view, move, after)
    if not options or not carried_card:
        alive = _wins_of_best(view, options, rng, samples)
        before = sum(alive) / samples if alive else 0.0
        return ChanceChange(index, before, 0.0, -before, standard_error(alive))
    pilot = sample_futures(view, rng, PILOT_SAMPLES)
    best, actual = _best(view, options, pilot), _best(view, carried_card, pilot)
    futures = sample_futures(view, rng, samples)
    won = _wins(view, best, futures)
    if best[2:] == actual[2:] and (best.moves[0] == "avoid") == (move == "avoid"):
        rate = sum(won) / samples
        return ChanceChange(index, rate, rate, 0.0, 0.0)
    won_after = _wins(view, actual, futures)
    gaps = [b - a for a, b in zip(won, won_after, strict=True)]
    mean = sum(gaps) / samples
    return ChanceChange(
        index, sum(won) / samples, sum(won_after) / samples, mean, standard_error(gaps)
    )


def _after(view: View, move: Move, after: State) -> list[Option]:
    """The options that are still possible after the move; none after a death."""
    if move == "avoid":
        return [avoid_option(view)]
    if after.status == "died":
        return []
    if view.faces > 1:
        return room_options(view_of(after))[: _CHOOSER.considered]
    carried_card = code_of(after.room[0]) if after.room and len(view.room) > 1 else 0
    return [Option(0.0, (move,), carried_card, after.health, weapon_code(after))]


def _best(view: View, options: list[Option], futures: list[bytes]) -> Option:
    if len(options) == 1:
        return options[0]
    values = sample_values(view, options, futures)
    return options[values.index(max(values))]


def _wins(view: View, option: Option, futures: list[bytes]) -> list[int]:
    evaluator = evaluator_for(solver_rules(view.ruleset, view.cap))
    return [int(end > 0) for end in playout_scores(view, option, futures, evaluator)]


def _wins_of_best(
    view: View, options: list[Option], rng: SeededRandom, samples: int
) -> list[int]:
    if not options:
        return []
    best = _best(view, options, sample_futures(view, rng, PILOT_SAMPLES))
    return _wins(view, best, sample_futures(view, rng, samples))
