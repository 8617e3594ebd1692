"""Glicko-2: Glickman's worked example and general properties."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.contest.rating import (
    INITIAL_SKILL,
    Game,
    RatedResult,
    Skill,
    rate,
    rate_race,
    rated_places,
)


def test_glickmans_example() -> None:
    """http://www.glicko.net/glicko/glicko2.pdf, the worked example."""
    games = [
        Game(Skill(1400, 30), 1.0),
        Game(Skill(1550, 100), 0.0),
        Game(Skill(1700, 300), 0.0),
    ]
    after = rate(Skill(1500, 200, 0.06), games)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_without_games_only_the_deviation_grows() -> None:
    after = rate(Skill(1700, 100, 0.06), [])
    assert (after.rating, after.volatility) == (1700, 0.06)
    assert 100 < after.deviation < 101
    assert rate(INITIAL_SKILL, []) == INITIAL_SKILL


def test_provisional_until_the_deviation_is_small() -> None:
    assert INITIAL_SKILL.is_provisional
    assert Skill(1500, 110.1).is_provisional
    assert not Skill(1500, 110.0).is_provisional


def test_equal_players_change_by_the_same_amount() -> None:
    won, lost = rate_race([INITIAL_SKILL, INITIAL_SKILL], [1, 2])
    assert won.rating - 1500 == pytest.approx(1500 - lost.rating)
    assert won.deviation == pytest.approx(lost.deviation)
    assert won.deviation < 350
    shared = rate_race([INITIAL_SKILL, INITIAL_SKILL], [1, 1])
    assert [round(one.rating) for one in shared] == [1500, 1500]


def test_large_race_changes_ratings_no_more_than_a_duel() -> None:
    duel = rate_race([INITIAL_SKILL, INITIAL_SKILL], [1, 2])[0]
    eight = rate_race([INITIAL_SKILL] * 8, list(range(1, 9)))
    assert eight[0].rating == pytest.approx(duel.rating, abs=1)
    assert [one.rating for one in eight] == sorted(
        (one.rating for one in eight), reverse=True
    )


def test_volatility_converges_after_a_great_upset() -> None:
    low, high = Skill(1000, 50), Skill(2400, 50)
    after = rate_race([low, high], [1, 2])
    assert after[0].rating > low.rating
    assert after[1].rating < high.rating


SKILLS = st.builds(
    Skill, st.floats(600, 2800), st.floats(30, 350), st.floats(0.03, 0.1)
)


@given(st.lists(st.tuples(SKILLS, st.integers(1, 8)), min_size=2, max_size=8))
def test_ratings_stay_finite_and_deviation_shrinks(drawn) -> None:
    skills, places = zip(*drawn, strict=True)
    for before, after in zip(skills, rate_race(skills, places), strict=True):
        assert 0 < after.deviation <= before.deviation + 20
        assert abs(after.rating - before.rating) < 1500
        assert 0 < after.volatility < 1


def _reference(skill: Skill, games: list[Game]) -> Skill:
    """Glickman's steps 2 to 8, with the volatility found by bisection."""
    mu, phi = (skill.rating - 1500) / 173.7178, skill.deviation / 173.7178
    tau = 0.5
    inverse = gain = 0.0
    for other, result, weight in games:
        mu_j, phi_j = (other.rating - 1500) / 173.7178, other.deviation / 173.7178
        g = 1 / math.sqrt(1 + 3 * phi_j * phi_j / (math.pi * math.pi))
        expected = 1 / (1 + math.exp(-g * (mu - mu_j)))
        inverse += weight * g * g * expected * (1 - expected)
        gain += weight * g * (result - expected)
    v = 1 / inverse
    delta = v * gain

    def slope(x: float) -> float:
        e = math.exp(x)
        d = phi * phi + v + e
        return e * (delta * delta - d) / (2 * d * d) - (
            x - math.log(skill.volatility**2)
        ) / (tau * tau)

    low, high = -60.0, 20.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    sigma = math.exp(low / 2)
    star = phi * phi + sigma * sigma
    after = 1 / math.sqrt(1 / star + inverse)
    return Skill((mu + after * after * gain) * 173.7178 + 1500, after * 173.7178, sigma)


PERIODS = (
    (Skill(1500, 200, 0.06), [Game(Skill(1400, 30), 1), Game(Skill(1700, 300), 0)]),
    (Skill(1500, 350, 0.06), [Game(Skill(1500, 350), 0.5)]),
    (Skill(1620, 60, 0.05), [Game(Skill(1480, 45), 0, 0.5), Game(Skill(1), 1, 0.5)]),
    # So surprising that the volatility rises a lot, and so calm that it falls.
    (Skill(1500, 30, 0.06), [Game(Skill(2100, 30), 1)] * 3),
    (Skill(2900, 30, 0.2), [Game(Skill(900, 30), 0)] * 3),
    (Skill(1500, 30, 1.9), [Game(Skill(1500, 30), 0.5)] * 30),
    (Skill(1500, 50, 3.0), [Game(Skill(1500, 50), 0.5)] * 90),
)


@pytest.mark.parametrize(("skill", "games"), PERIODS)
def test_rating_period_agrees_with_the_reference(skill, games: list[Game]) -> None:
    found, expected = rate(skill, games), _reference(skill, games)
    assert found == pytest.approx(expected, rel=1e-6)


def test_race_counts_each_pair_once() -> None:
    skills = [Skill(1500, 200), Skill(1400, 30), Skill(1550, 100), Skill(1700, 300)]
    results = ((0.5, 1, 1), (0.5, 1, 1), (0, 0, 0), (0, 0, 1))
    found = rate_race(skills, [1, 1, 4, 3])
    for mine, scores in enumerate(results):
        others = [skill for at, skill in enumerate(skills) if at != mine]
        pairs = zip(others, scores, strict=True)
        games = [Game(skill, score, 1 / 3) for skill, score in pairs]
        assert found[mine] == rate(skills[mine], games)
    assert rate_race([Skill(1600, 80)], [1]) == [rate(Skill(1600, 80), [])]


def test_deviation_grows_to_350_at_most() -> None:
    assert rate(Skill(1700, 349.9, 0.5), []).deviation == 350
    assert rate(Skill(1500, 100, 0.3), []).deviation == pytest.approx(
        math.sqrt(100**2 + (0.3 * 173.7178) ** 2)
    )


@pytest.mark.parametrize(
    ("results", "places"),
    [
        ([(1, False), (2, False)], [1, 2]),
        ([(None, False), (1, False)], [2, 1]),
        ([(1, True), (2, False)], [3, 2]),
        ([(1, True), (2, False), (3, True), (None, False)], [5, 2, 5, 4]),
        ([(1, True), (2, True)], [1, 2]),
        ([(None, True), (1, True)], [2, 1]),
    ],
)
def test_program_is_rated_behind_all_people(
    results: list[tuple[int | None, bool]], places: list[int]
) -> None:
    assert rated_places([RatedResult(*one) for one in results]) == places
