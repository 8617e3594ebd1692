"""The reference players: random, greedy, and greedy over sampled futures.

A player's name includes its version. Once published, its choices never change; a
different way of playing is a new version. It gets a `View` and a `SeededRandom` only.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache

from game.analysis.players.evaluation import GreedyEvaluator
from game.analysis.players.options import (
    Option,
    avoid_option,
    least_bad_death,
    room_options,
)
from game.analysis.players.seeded_random import SeededRandom
from game.analysis.players.view import View
from game.analysis.solver.encoding import ONE, SolverRules, code_of, solver_rules
from game.rules import Move


class Player(ABC):
    """Plays from a view. The same view and random numbers give the same choice."""

    name: str

    @abstractmethod
    def plan(self, view: View, rng: SeededRandom) -> tuple[Move, ...]:
        """The moves to the end of this room, or ("avoid",)."""

    def move(self, view: View, rng: SeededRandom) -> Move:
        """The first move of the plan."""
        return self.plan(view, rng)[0]


@lru_cache(maxsize=8)
def evaluator_for(rules: SolverRules) -> GreedyEvaluator:
    """The evaluator for these rules, shared because its cache holds for every run."""
    return GreedyEvaluator(rules)


@dataclass(frozen=True, slots=True)
class RandomPlayer(Player):
    """Plays any legal move, each with the same probability."""

    name: str

    def plan(self, view: View, rng: SeededRandom) -> tuple[Move, ...]:
        """One move; the next one is drawn separately."""
        return (view.legal[rng.below(len(view.legal))],)


@dataclass(frozen=True, slots=True)
class GreedyPlayer(Player):
    """Plays the option with the highest value; uses no random numbers."""

    name: str

    def plan(
        self,
        view: View,
        rng: SeededRandom,  # noqa: ARG002 - not used
    ) -> tuple[Move, ...]:
        """The option with the highest value, or the least bad death."""
        options = room_options(view)
        if view.may_avoid:
            options.append(avoid_option(view))
        if not options:
            return least_bad_death(view)
        return max(options, key=lambda option: option.value).moves


@dataclass(frozen=True, slots=True)
class SamplingPlayer(Player):
    """Plays the option whose greedy playouts over sampled futures are best.

    A future is a random order of the unseen cards. All options share the same `samples`
    futures, which makes their difference far less noisy than their values. Only the
    `considered` options with the highest greedy values are sampled, and avoiding.
    """

    name: str
    samples: int
    considered: int = 12

    def plan(self, view: View, rng: SeededRandom) -> tuple[Move, ...]:
        """The best option; nothing is sampled if there is only one."""
        options = self.candidates(view)
        if not options:
            return least_bad_death(view)
        if len(options) == 1:
            return options[0].moves
        values = sample_values(view, options, sample_futures(view, rng, self.samples))
        return options[values.index(max(values))].moves

    def candidates(self, view: View) -> list[Option]:
        """The options to sample, including avoiding if allowed."""
        options = room_options(view)[: self.considered]
        if view.may_avoid:
            options.append(avoid_option(view))
        return options


def sample_futures(view: View, rng: SeededRandom, count: int) -> list[bytes]:
    """Possible orders of the pile: unseen cards shuffled, then the known bottom."""
    unseen = bytes(map(code_of, view.unseen))
    bottom = bytes(map(code_of, view.bottom))
    return [rng.shuffled(unseen)[: view.unseen_left] + bottom for _ in range(count)]


def sample_values(
    view: View, options: list[Option], futures: list[bytes]
) -> list[float]:
    """The mean value of each option over the futures."""
    evaluator = evaluator_for(solver_rules(view.ruleset, view.cap))
    return [
        sum(
            evaluator.score_value(end)
            for end in playout_scores(view, option, futures, evaluator)
        )
        / len(futures)
        for option in options
    ]


def playout_scores(
    view: View, option: Option, futures: list[bytes], evaluator: GreedyEvaluator
) -> list[int]:
    """The score of a greedy playout after the option, for each future."""
    if option.moves[0] == "avoid":
        room = bytes(map(code_of, view.room))
        return [
            evaluator.play_out(pile + room, option.health, option.weapon, False)
            for pile in futures
        ]
    carried_card = ONE[option.left] if option.left else b""
    return [
        evaluator.play_out(carried_card + pile, option.health, option.weapon, True)
        for pile in futures
    ]
