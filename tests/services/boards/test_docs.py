"""docs/fairness.md and docs/races.md have the numbers of rated play of the code."""

from game.contest.moderation.collusion import (
    EARLY_END_CARDS,
    MIN_MEETINGS,
    MIN_RESULTS,
    THROWN_SHARE,
    WON_SHARE,
)
from game.contest.race_points import MAX_POINTS_A_DAY, POINTS_BY_MEETING
from game.contest.rated_terms import MAX_CHOSEN_RATED_SEATS
from tests.parts import ROOT

FAIRNESS, RACES = (
    " ".join((ROOT / "docs" / name).read_text().split())
    for name in ("fairness.md", "races.md")
)


def test_points_of_races() -> None:
    first, second, third = POINTS_BY_MEETING
    assert f"gives {first} points; at the second meeting of a UTC day {second}, at" in (
        FAIRNESS
    )
    assert f"the third {third}, then nothing" in FAIRNESS
    assert f"at most {MAX_POINTS_A_DAY} points from races for each day" in FAIRNESS
    assert (
        f"gives {first} points at the first meeting of a UTC day, {second} at" in RACES
    )
    assert f"{third} at the third, then none" in RACES
    assert f"at most {MAX_POINTS_A_DAY} points for each day and ruleset" in RACES


def test_limits_of_rated_races_and_flags() -> None:
    assert MAX_CHOSEN_RATED_SEATS == 2
    assert "A rated race that a player creates has two seats" in FAIRNESS
    assert "that a player creates has two seats" in RACES
    assert (MIN_RESULTS, WON_SHARE, THROWN_SHARE) == (10, 0.9, 0.5)
    assert "won at least nine tenths of ten or more results" in FAIRNESS
    assert "half of those results were thrown" in FAIRNESS
    assert (MIN_MEETINGS, EARLY_END_CARDS) == (3, 6)
    assert "met three times or more" in FAIRNESS
    assert "faced at most six cards" in FAIRNESS
