"""Assesses dungeons with `game.analysis` and stores the assessments.

An assessment is hidden until its dungeon is revealed; then `selectors/dailies/dailies`
shows it.
"""

from datetime import datetime
from typing import NamedTuple

from game import analysis
from game.models import Assessment, Dungeon
from game.rules import State, deal, find_ruleset, start


class SeedAssessment(NamedTuple):
    """How hard a dungeon is: a fixed player cleared `cleared` of `games`.

    `best`: the best possible score, None if it is not proven.
    """

    winnable: bool
    best: int | None
    cleared: int
    games: int
    band: str
    version: str


def seed_is_winnable(ruleset: str, difficulty: str, seed: str) -> bool:
    """Whether the dungeon is proven winnable. Takes well under a second."""
    return bool(analysis.is_winnable(_first_room(ruleset, difficulty, seed)))


def seed_assess(ruleset: str, difficulty: str, seed: str) -> SeedAssessment:
    """Assess a dungeon; about 15 s. An unwinnable one is "hard" without any games."""
    if not seed_is_winnable(ruleset, difficulty, seed):
        return SeedAssessment(False, None, 0, 0, "hard", analysis.ANALYSIS_VERSION)
    assessment = analysis.assess(find_ruleset(ruleset), deal(seed), difficulty)
    best = assessment.best if assessment.proven else None
    return SeedAssessment(
        True,
        best,
        assessment.clearances,
        assessment.games,
        assessment.band,
        assessment.version,
    )


def assessment_store(
    dungeon: Dungeon, difficulty: str, assessment: SeedAssessment, *, at: datetime
) -> bool:
    """Store an assessment; False if the dungeon already has one."""
    _, is_new = Assessment.objects.get_or_create(
        dungeon=dungeon,
        defaults={
            "difficulty": difficulty,
            "version": assessment.version,
            "winnable": assessment.winnable,
            "best": assessment.best,
            "cleared": assessment.cleared,
            "games": assessment.games,
            "band": assessment.band,
            "assessed_at": at,
        },
    )
    return is_new


def _first_room(ruleset: str, difficulty: str, seed: str) -> State:
    return start(find_ruleset(ruleset), deal(seed), difficulty)
