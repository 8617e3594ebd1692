"""What a move did to the chance of a clearance, as far as the player could know.

Sampling: the unseen cards are shuffled many times and played out by the greedy player.
So the chance is that of a plain player from there, and it has an error; the hindsight
loss of `review` has neither. A move may cost points in hindsight and have been right.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from game.analysis.par import ANALYSIS_VERSION, Progress
from game.analysis.players import Chance, view_of
from game.analysis.players.options import Option, avoiding, options_of
from game.analysis.players.reference import (
    SamplingPlayer,
    ends_of,
    futures_of,
    judgement_of,
    sampled_values,
)
from game.analysis.players.view import View
from game.analysis.solver.position import weapon_code
from game.analysis.solver.terms import code_of, terms_of
from game.rules import Card, Move, Ruleset, State, apply, parse_move, start

PILOT: Final = 30
SAMPLES: Final = 200
_CHOOSER: Final = SamplingPlayer("chances-1", samples=PILOT)


@dataclass(frozen=True, slots=True)
class ChanceChange:
    """The clearance chance with the best option found before a move, and after it.

    `error` is the standard error of `change` (after - before); both chances are taken
    over the same futures, so it is smaller than theirs. All in 0..1.
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
    """The change of each move. About 10 s of one core for a whole run.

    Deterministic: the same run gives the same figures. Raises IllegalMove.
    """
    changes = []
    for change in each_chance(ruleset, deck, moves, difficulty, samples=samples):
        changes.append(change)
        if progress:
            progress(len(changes), len(moves))
    return tuple(changes)


def each_chance(
    ruleset: Ruleset,
    deck: Sequence[Card],
    moves: Sequence[Move | str],
    difficulty: str = "normal",
    *,
    samples: int = SAMPLES,
    order: Sequence[int] | None = None,
) -> Iterator[ChanceChange]:
    """The same one by one, for who may have to stop before the last.

    `order`: the indices of the moves wanted, the dearest first perhaps; no figure
    depends on it.
    """
    taken = []
    state = start(ruleset, deck, difficulty)
    for text in moves:
        move = parse_move(text)
        after, _ = apply(state, move)
        taken.append((state, move, after))
        state = after
    for index in range(len(taken)) if order is None else order:
        room = "/".join(taken[index][0].room)
        chance = Chance(f"chances/{ANALYSIS_VERSION}/{index}/{room}")
        yield _change(index, taken[index], samples, chance)


def _change(
    index: int, step: tuple[State, Move, State], samples: int, chance: Chance
) -> ChanceChange:
    state, move, after = step
    view = view_of(state)
    open_to = _CHOOSER.candidates(view)
    left = _after(view, move, after)
    if not open_to or not left:
        alive = _wins(view, open_to, chance, samples)
        before = sum(alive) / samples if alive else 0.0
        return ChanceChange(index, before, 0.0, -before, _error(alive))
    pilot = futures_of(view, chance, PILOT)
    best, taken = _best(view, open_to, pilot), _best(view, left, pilot)
    futures = futures_of(view, chance, samples)
    won = _won(view, best, futures)
    if best[2:] == taken[2:] and (best.moves[0] == "avoid") == (move == "avoid"):
        rate = sum(won) / samples
        return ChanceChange(index, rate, rate, 0.0, 0.0)
    also = _won(view, taken, futures)
    gaps = [b - a for a, b in zip(won, also, strict=True)]
    mean = sum(gaps) / samples
    return ChanceChange(
        index, sum(won) / samples, sum(also) / samples, mean, _error(gaps)
    )


def _after(view: View, move: Move, after: State) -> list[Option]:
    """The options that the move left open; none after a death."""
    if move == "avoid":
        return [avoiding(view)]
    if after.status == "died":
        return []
    if view.faces > 1:
        return options_of(view_of(after))[: _CHOOSER.considered]
    left = code_of(after.room[0]) if after.room and len(view.room) > 1 else 0
    return [Option(0.0, (move,), left, after.health, weapon_code(after))]


def _best(view: View, options: list[Option], futures: list[bytes]) -> Option:
    if len(options) == 1:
        return options[0]
    values = sampled_values(view, options, futures)
    return options[values.index(max(values))]


def _won(view: View, option: Option, futures: list[bytes]) -> list[int]:
    judgement = judgement_of(terms_of(view.ruleset, view.cap))
    return [int(end > 0) for end in ends_of(view, option, futures, judgement)]


def _wins(view: View, options: list[Option], chance: Chance, samples: int) -> list[int]:
    if not options:
        return []
    best = _best(view, options, futures_of(view, chance, PILOT))
    return _won(view, best, futures_of(view, chance, samples))


def _error(values: list[int]) -> float:
    """The standard error of the mean of these."""
    count = len(values)
    if count < 2:
        return 0.0
    mean = sum(values) / count
    return math.sqrt(sum((v - mean) ** 2 for v in values) / (count - 1) / count)
