"""Which paces are flagged."""

import random

import pytest

from game.contest.moderation.patterns import Pace, measure_pace


def hands(seed: int, mean_ms: int, moves: int = 40) -> list[int]:
    """Return pauses like those of people: log-normal, deviating by half their mean."""
    rnd = random.Random(seed)
    return [round(mean_ms * rnd.lognormvariate(0, 0.5)) for _ in range(moves)]


@pytest.mark.parametrize("mean_ms", [400, 900, 3000])
def test_pace_of_people_is_not_flagged(mean_ms: int) -> None:
    for seed in range(200):
        pace = measure_pace(hands(seed, mean_ms))
        assert not pace.is_fast
        assert not pace.is_regular


def test_pace_of_a_program_is_flagged() -> None:
    assert measure_pace([80] * 30).is_fast
    assert measure_pace([1000 + n % 3 for n in range(30)]).is_regular
    assert not measure_pace([1000 + n % 3 for n in range(30)]).is_fast


def test_short_runs_are_not_flagged() -> None:
    for pauses in ([], [0], [10] * 19):
        pace = measure_pace(pauses)
        assert not pace.is_fast
        assert not pace.is_regular
    assert measure_pace([]) == Pace(0, 0, 1.0)
