"""Which races may be rated."""

import pytest

from game.contest.errors import RaceRefusal
from game.contest.rated_terms import (
    rematch_is_rated,
    require_rated_size,
    require_rated_terms,
)


@pytest.mark.parametrize(
    ("seats", "is_against_bot", "code", "detail"),
    [
        (3, False, "race.rated_two_seats", {"seats": 2}),
        (8, False, "race.rated_two_seats", {"seats": 2}),
        (2, True, "race.rated_with_house", {}),
        (8, True, "race.rated_with_house", {}),
    ],
)
def test_refused_terms(
    seats: int, is_against_bot: bool, code: str, detail: dict[str, int]
) -> None:
    with pytest.raises(RaceRefusal) as refused:
        require_rated_terms(seats=seats, is_against_bot=is_against_bot)
    assert (refused.value.code, refused.value.detail) == (code, detail)


def test_two_players_may_race_for_ratings() -> None:
    require_rated_terms(seats=2, is_against_bot=False)


def test_only_the_system_pairs_larger_rated_races() -> None:
    require_rated_size(8, is_paired=True)
    require_rated_size(2, is_paired=False)
    with pytest.raises(RaceRefusal, match="two seats"):
        require_rated_size(3, is_paired=False)


def test_rematch_of_a_larger_rated_race_is_unrated() -> None:
    cases = [(True, 2), (True, 3), (False, 2)]
    assert [rematch_is_rated(rated=rated, seats=seats) for rated, seats in cases] == [
        *(True, False, False)
    ]
