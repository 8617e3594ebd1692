"""The reference players: random, greedy, and greedy with sampled futures.

A player is a name with a version; once published its choices never change, only a new
version may play otherwise. It sees a `View` and a `Chance`, and nothing else.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache

from game.analysis.players.chance import Chance
from game.analysis.players.judgement import Judgement
from game.analysis.players.options import Option, avoiding, last_stand, options_of
from game.analysis.players.view import View
from game.analysis.solver.terms import ONE, Terms, code_of, terms_of
from game.rules import Move


class Player(ABC):
    """Plays from what can be seen. The same view and chance give the same choice."""

    name: str

    @abstractmethod
    def plan(self, view: View, chance: Chance) -> tuple[Move, ...]:
        """The moves to the end of this room, or ("avoid",)."""

    def move(self, view: View, chance: Chance) -> Move:
        """The first move of the plan."""
        return self.plan(view, chance)[0]


@lru_cache(maxsize=8)
def judgement_of(terms: Terms) -> Judgement:
    """One judgement for each set of terms: what it remembers holds for every run."""
    return Judgement(terms)


@dataclass(frozen=True, slots=True)
class RandomPlayer(Player):
    """Any legal move, each as likely."""

    name: str

    def plan(self, view: View, chance: Chance) -> tuple[Move, ...]:
        """One move only: the next is drawn anew."""
        return (view.legal[chance.below(len(view.legal))],)


@dataclass(frozen=True, slots=True)
class GreedyPlayer(Player):
    """The option of the greatest worth; takes no chance."""

    name: str

    def plan(
        self,
        view: View,
        chance: Chance,  # noqa: ARG002 - it takes none
    ) -> tuple[Move, ...]:
        """The same for the same view, always."""
        options = options_of(view)
        if view.may_avoid:
            options.append(avoiding(view))
        if not options:
            return last_stand(view)
        return max(options, key=lambda option: option.worth).moves


@dataclass(frozen=True, slots=True)
class SamplingPlayer(Player):
    """The best options by worth, each played out greedily over the same futures.

    A future is the unseen cards in a random order; all options share the `samples`
    futures, which makes their difference far less noisy than their values.
    """

    name: str
    samples: int
    considered: int = 12

    def plan(self, view: View, chance: Chance) -> tuple[Move, ...]:
        """Samples only where there is a choice."""
        options = self.candidates(view)
        if not options:
            return last_stand(view)
        if len(options) == 1:
            return options[0].moves
        values = sampled_values(view, options, futures_of(view, chance, self.samples))
        return options[values.index(max(values))].moves

    def candidates(self, view: View) -> list[Option]:
        """The options worth sampling, avoiding among them."""
        options = options_of(view)[: self.considered]
        if view.may_avoid:
            options.append(avoiding(view))
        return options


def futures_of(view: View, chance: Chance, count: int) -> list[bytes]:
    """Orders of the pile as it may be: unseen cards shuffled, then the known bottom."""
    unseen = bytes(map(code_of, view.unseen))
    bottom = bytes(map(code_of, view.bottom))
    return [chance.shuffled(unseen)[: view.unseen_left] + bottom for _ in range(count)]


def sampled_values(
    view: View, options: list[Option], futures: list[bytes]
) -> list[float]:
    """The mean worth of each option over the futures."""
    judgement = judgement_of(terms_of(view.ruleset, view.cap))
    return [
        sum(judgement.value(end) for end in ends_of(view, option, futures, judgement))
        / len(futures)
        for option in options
    ]


def ends_of(
    view: View, option: Option, futures: list[bytes], judgement: Judgement
) -> list[int]:
    """The scores to which an option leads over the futures, played out greedily."""
    if option.moves[0] == "avoid":
        room = bytes(map(code_of, view.room))
        return [
            judgement.play_out(pile + room, option.health, option.weapon, False)
            for pile in futures
        ]
    left = ONE[option.left] if option.left else b""
    return [
        judgement.play_out(left + pile, option.health, option.weapon, True)
        for pile in futures
    ]
