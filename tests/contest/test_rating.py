"""Glicko-2: Glickman's worked example and general properties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.contest.rating import INITIAL_SKILL, Game, Skill, rate, rate_race


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
    assert INITIAL_SKILL.provisional
    assert Skill(1500, 110.1).provisional
    assert not Skill(1500, 110.0).provisional


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
