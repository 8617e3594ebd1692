"""Glicko-2 ratings; a race of n entrants counts as its pairs, each weighted 1/(n-1).

Source: Mark Glickman, "Example of the Glicko-2 system" (glicko.net/glicko/glicko2.pdf);
its variable names are kept, and its worked example is a test. A race is one rating
period, so every rating can be rebuilt from the ledger of changes.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

TAU: Final = 0.5
SCALE: Final = 173.7178
PROVISIONAL_ABOVE: Final = 110.0
CONVERGENCE: Final = 0.000001


class Skill(NamedTuple):
    """A rating with its deviation and volatility."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06

    @property
    def is_provisional(self) -> bool:
        """Whether it is shown as provisional. Boards require a lower deviation."""
        return self.deviation > PROVISIONAL_ABOVE


INITIAL_SKILL: Final = Skill()


class Game(NamedTuple):
    """One comparison; `score` is 1 if won, 0.5 if tied, 0 if lost."""

    other: Skill
    score: float
    weight: float = 1.0


def rate(skill: Skill, games: Sequence[Game]) -> Skill:
    """The skill after one rating period; without games only the deviation grows."""
    mu, phi = (skill.rating - 1500.0) / SCALE, skill.deviation / SCALE
    inverse, gained = 0.0, 0.0
    for game in games:
        impact = _impact(game.other.deviation / SCALE)
        expected = _expected(mu, (game.other.rating - 1500.0) / SCALE, impact)
        inverse += game.weight * impact**2 * expected * (1.0 - expected)
        gained += game.weight * impact * (game.score - expected)
    if inverse == 0.0:
        wider = min(math.hypot(phi, skill.volatility) * SCALE, INITIAL_SKILL.deviation)
        return skill._replace(deviation=wider)
    variance = 1.0 / inverse
    sigma = _volatility(skill.volatility, variance * gained, phi, variance)
    phi_star = math.hypot(phi, sigma)
    phi_after = 1.0 / math.sqrt(1.0 / phi_star**2 + inverse)
    mu_after = mu + phi_after**2 * gained
    return Skill(mu_after * SCALE + 1500.0, phi_after * SCALE, sigma)


def rate_race(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """The skills after a race, from the skills before it and the places."""
    weight = 1.0 / (len(skills) - 1) if len(skills) > 1 else 0.0
    return [
        rate(
            skill,
            [
                Game(
                    skills[other], _pair_score(places[own_index], places[other]), weight
                )
                for other in range(len(skills))
                if other != own_index
            ],
        )
        for own_index, skill in enumerate(skills)
    ]


class RatedResult(NamedTuple):
    """The place of an entrant, None if disqualified; whether a program played."""

    place: int | None
    by_program: bool


def rated_places(results: Sequence[RatedResult]) -> list[int]:
    """The places by which a race changes ratings.

    Disqualified entrants are last. A program in a race with people is placed behind all
    of them: it must not win rating from a person, and a move by token must not save
    anybody from a defeat. Among programs alone the places count as they are.
    """
    last = len(results)
    with_people = any(not result.by_program for result in results)
    return [
        last + 1 if result.by_program and with_people else result.place or last
        for result in results
    ]


def _pair_score(mine: int, other: int) -> float:
    if mine == other:
        return 0.5
    return 1.0 if mine < other else 0.0


def _impact(phi: float) -> float:
    """g(phi): the weight of a result falls with the opponent's deviation."""
    return 1.0 / math.sqrt(1.0 + 3.0 * phi**2 / math.pi**2)


def _expected(mu: float, other: float, impact: float) -> float:
    return 1.0 / (1.0 + math.exp(-impact * (mu - other)))


def _volatility(sigma: float, delta: float, phi: float, variance: float) -> float:
    """Step 5: the root of f by the Illinois variant of regula falsi."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        e = math.exp(x)
        width = phi**2 + variance + e
        return e * (delta**2 - width) / (2.0 * width**2) - (x - a) / TAU**2

    low = a
    if delta**2 > phi**2 + variance:
        high = math.log(delta**2 - phi**2 - variance)
    else:
        k = 1
        while f(a - k * TAU) < 0.0:
            k += 1
        high = a - k * TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > CONVERGENCE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0.0:
            low, f_low = high, f_high
        else:
            f_low /= 2.0
        high, f_high = middle, f_middle
    return math.exp(low / 2.0)
