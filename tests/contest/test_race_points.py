"""Points of rated races: who pays, how often, and at most how much a day."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.contest.race_points import (
    MAX_POINTS_A_DAY,
    PlacedEntrant,
    SettledRace,
    account_day_points,
    gives_points,
)

NOON = datetime(2027, 3, 17, 12, tzinfo=UTC)


def race(number: int, places: str, minute: int | None = None) -> SettledRace:
    """A race from "ada1 bob2 rob2b": name, place, b for the pool of bots."""
    entrants = [
        PlacedEntrant(
            one.rstrip("b").rstrip("0123456789"),
            "bots" if one.endswith("b") else "people",
            int("".join(filter(str.isdigit, one))),
        )
        for one in places.split()
    ]
    at = NOON + timedelta(minutes=number if minute is None else minute)
    return SettledRace(f"r{number}", at, tuple(entrants))


@pytest.mark.parametrize(
    ("races", "points"),
    [
        (["ada1 bo2"], [5]),
        (["ada2 bo1"], [0]),
        (["ada1 bo1"], [0]),
        (["ada1 bo1 cy1 di1 ed1 fi1 gil1 hal1"], [0]),
        (["ada2 bo1 cy2 di4 ed5"], [10]),
        # Every meeting counts, whoever won it.
        (["ada1 bo2"] * 4, [5, 2, 1, 0]),
        (["ada2 bo1", "ada1 bo1", "ada1 bo2", "ada1 bo2"], [0, 0, 1, 0]),
        (["ada1 bo2", "ada1 cy2", "ada1 bo2", "ada1 cy2"], [5, 5, 2, 2]),
        # Opponents who are ranked among bots do not pay.
        (["ada1 rob2b cy3"], [5]),
        ([f"ada1 {name}2" for name in "klmnopqr"], [5] * 6 + [0] * 2),
        (["ada1 k2 l2 m2 n2 o2", "ada1 p2 q2 r2"], [25, 5]),
        (["bo1 cy2", "ada1 cy2"], [5]),
        ([], []),
    ],
)
def test_points_of_a_day(races: list[str], points: list[int]) -> None:
    made = [race(number, places) for number, places in enumerate(races)]
    assert list(account_day_points("ada", made).values()) == points


def test_races_are_taken_in_the_order_of_settling() -> None:
    late, first, second = (
        race(1, "ada1 bo2", 9),
        race(3, "ada1 bo2", 5),
        race(2, "ada1 bo2", 5),
    )
    found = account_day_points("ada", [late, first, second])
    assert found == {"r2": 5, "r3": 2, "r1": 1}


@given(
    st.lists(
        st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 8), min_size=2),
        max_size=30,
    )
)
def test_points_of_any_day_are_bounded(days: list[dict[str, int]]) -> None:
    races = [
        race(number, " ".join(f"{name}{place}" for name, place in places.items()))
        for number, places in enumerate(days)
    ]
    for name in "abcdefgh":
        found = account_day_points(name, races)
        own = {f"r{number}": p for number, p in enumerate(days) if name in p}
        assert set(found) == set(own)
        assert min(found.values(), default=0) >= 0
        assert sum(found.values()) <= MAX_POINTS_A_DAY
        last = [one for one, p in own.items() if p[name] == max(p.values())]
        assert not any(found[race_id] for race_id in last)


def test_only_rated_races_of_paired_entrants_give_points() -> None:
    cases = [(rated, paired) for rated in (False, True) for paired in (False, True)]
    given = [gives_points(is_rated=rated, is_paired=paired) for rated, paired in cases]
    assert given == [False, False, False, True]
