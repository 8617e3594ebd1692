"""Rating changes of a race after moderation."""

import pytest

from game.contest.moderation.corrections import corrected_changes
from game.contest.rating import INITIAL_SKILL, Skill, rate_race

SKILLS = [Skill(1600.0, 80.0), Skill(1500.0, 120.0), Skill(1450.0, 200.0)]
PLACES = [1, 2, 3]


def moves(skills: list[Skill], places: list[int]) -> list[float]:
    after = rate_race(skills, places)
    return [new.rating - old.rating for new, old in zip(after, skills, strict=True)]


def test_race_without_changes_keeps_its_rating_changes() -> None:
    assert corrected_changes(SKILLS, PLACES) == moves(SKILLS, PLACES)


def test_void_race_changes_no_rating() -> None:
    assert corrected_changes(SKILLS, PLACES, is_void=True) == [0.0, 0.0, 0.0]


def test_points_lost_to_a_cheat_are_returned() -> None:
    due = corrected_changes([INITIAL_SKILL, INITIAL_SKILL], [1, 2], cheats={0})
    assert due[0] == moves([INITIAL_SKILL, INITIAL_SKILL], [1, 2])[0]
    assert due[1] == 0.0


def test_correction_never_lowers_the_rating_of_others() -> None:
    before = moves(SKILLS, PLACES)
    due = corrected_changes(SKILLS, PLACES, cheats={0})
    assert all(now >= was for now, was in zip(due, before, strict=True))
    without = moves(SKILLS[1:], PLACES[1:])
    assert due[1:] == [max(a, b) for a, b in zip(before[1:], without, strict=True)]
    # A player who beat the cheat keeps the points.
    won = corrected_changes([INITIAL_SKILL, INITIAL_SKILL], [2, 1], cheats={0})
    assert won[1] == pytest.approx(moves([INITIAL_SKILL, INITIAL_SKILL], [2, 1])[1])
