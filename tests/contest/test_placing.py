"""Places: ties, formats, cleared before died."""

from hypothesis import given
from hypothesis import strategies as st

from game.contest.placing import EntrantResult, assign_places
from game.contest.race import Format

SCORE, SPEED = Format.SCORE, Format.SPEED


def placed(form: Format, *results: EntrantResult) -> list[int | None]:
    found = assign_places(form, results)
    return [found[one.seat] for one in results]


def test_equal_scores_share_a_place() -> None:
    results = [
        EntrantResult(seat, False, score, 0)
        for seat, score in enumerate((-5, -9, -9, -20), start=1)
    ]
    assert placed(SCORE, *results) == [1, 2, 2, 4]


def test_time_does_not_count_in_score_races() -> None:
    quick, slow = EntrantResult(1, True, 12, 1000), EntrantResult(2, True, 12, 500_000)
    assert placed(SCORE, quick, slow) == [1, 1]


def test_cleared_run_places_above_death_with_equal_score() -> None:
    assert placed(
        SCORE, EntrantResult(1, False, 0, 0), EntrantResult(2, True, 0, 0)
    ) == [2, 1]


def test_speed_compares_whole_seconds_then_score() -> None:
    first = EntrantResult(1, True, 3, 61_999)
    same_second = EntrantResult(2, True, 9, 61_001)
    later = EntrantResult(3, True, 20, 62_000)
    dead = EntrantResult(4, False, -3, 5_000)
    deader = EntrantResult(5, False, -4, 1_000)
    assert placed(SPEED, first, same_second, later, dead, deader) == [2, 1, 3, 4, 5]
    assert placed(SPEED, first, same_second._replace(score=3)) == [1, 1]


def test_disqualified_entrants_have_no_place() -> None:
    out = EntrantResult(1, True, 30, 1, is_disqualified=True)
    assert placed(SCORE, out, EntrantResult(2, False, -9, 1)) == [None, 1]


RESULTS = st.lists(
    st.tuples(st.booleans(), st.integers(-20, 20), st.integers(0, 5000)),
    min_size=1,
    max_size=8,
)


@given(RESULTS, st.sampled_from(Format))
def test_places_are_a_competition_ranking(drawn, form: Format) -> None:
    results = [EntrantResult(seat, *one) for seat, one in enumerate(drawn)]
    found = assign_places(form, results)
    ranks = sorted(rank for rank in found.values() if rank is not None)
    for at, rank in enumerate(ranks, start=1):
        assert rank == (ranks[at - 2] if at > 1 and ranks[at - 2] == rank else at)
    assert assign_places(form, list(reversed(results))) == found
