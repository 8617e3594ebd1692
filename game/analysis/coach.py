"""Advice for a position that is still being played, from what its player can know.

The coach plays like a sampling player: it tries its options against random orders of
the unseen cards. It gets a `View`, never a state, so advice about a secret dungeon
cannot depend on a card that the player has not seen.
"""

from dataclasses import dataclass
from typing import Final, Literal

from game.analysis.players import SeededRandom
from game.analysis.players.options import Option, least_bad_death
from game.analysis.players.reference import (
    SamplingPlayer,
    evaluator_for,
    playout_scores,
    sample_futures,
    sample_values,
)
from game.analysis.players.view import View
from game.analysis.solver.encoding import solver_rules
from game.analysis.statistics import standard_error
from game.rules import Move
from game.rules.moves import Action

COACH_VERSION: Final = "1"
CHOICE_SAMPLES: Final = 50
CHANCE_SAMPLES: Final = 200
_CHOOSER: Final = SamplingPlayer(f"coach-{COACH_VERSION}", samples=CHOICE_SAMPLES)

Theme = Literal["avoid", "equip", "drink", "armed", "bare", "lost"]


@dataclass(frozen=True, slots=True)
class Advice:
    """The best plan found for a room, and the chance to clear the dungeon with it.

    `plan`: the moves to the end of the room. `theme`: what its first move is about;
    "lost" if no order of the room is survived. `chance` (0..1) is that of a simple
    player after the plan, `error` its standard error.
    """

    plan: tuple[Move, ...]
    theme: Theme
    chance: float
    error: float


def advise(view: View) -> Advice:
    """The coach's advice; the same view always gives the same. Under a second."""
    options = _CHOOSER.candidates(view)
    if not options:
        return Advice(least_bad_death(view), "lost", 0.0, 0.0)
    rng = SeededRandom(f"coach/{COACH_VERSION}/{'/'.join(view.room)}/{view.health}")
    best = _best(view, options, sample_futures(view, rng, CHOICE_SAMPLES))
    evaluator = evaluator_for(solver_rules(view.ruleset, view.cap))
    futures = sample_futures(view, rng, CHANCE_SAMPLES)
    wins = [int(end > 0) for end in playout_scores(view, best, futures, evaluator)]
    return Advice(
        best.moves,
        _theme(best.moves[0]),
        sum(wins) / len(wins),
        standard_error(wins),
    )


def _best(view: View, options: list[Option], futures: list[bytes]) -> Option:
    if len(options) == 1:
        return options[0]
    values = sample_values(view, options, futures)
    return options[values.index(max(values))]


def _theme(move: Move) -> Theme:
    match move.action:
        case Action.AVOID:
            return "avoid"
        case Action.EQUIP:
            return "equip"
        case Action.DRINK:
            return "drink"
    return "armed" if move.armed else "bare"
