"""Assesses dungeons with `game.analysis`, and keeps what it found.

The seam between the pure analysis and whoever draws dungeons. What is found stays
hidden until the dungeon is revealed; then `selectors/dailies/dailies` shows it.
"""

from datetime import datetime
from typing import NamedTuple

from game import analysis
from game.models import Assessment, Dungeon
from game.rules import State, deal, find_ruleset, start


class Found(NamedTuple):
    """What a dungeon is: `cleared` of `games` of a fixed player make its `band`."""

    winnable: bool
    best: int | None
    cleared: int
    games: int
    band: str
    version: str


def seed_is_winnable(ruleset: str, difficulty: str, seed: str) -> bool:
    """Whether the dungeon is proven winnable: well under a second."""
    return bool(analysis.winnable(_first_room(ruleset, difficulty, seed)))


def seed_assess(ruleset: str, difficulty: str, seed: str) -> Found:
    """All of it: some fifteen seconds. An unwinnable dungeon is hard without a game."""
    if not seed_is_winnable(ruleset, difficulty, seed):
        return Found(False, None, 0, 0, "hard", analysis.ANALYSIS_VERSION)
    found = analysis.assess(find_ruleset(ruleset), deal(seed), difficulty)
    best = found.best if found.proven else None
    return Found(True, best, found.clearances, found.games, found.band, found.version)


def assessment_store(
    dungeon: Dungeon, difficulty: str, found: Found, *, at: datetime
) -> None:
    """Keep an assessment; the first one of a dungeon stands."""
    Assessment.objects.get_or_create(
        dungeon=dungeon,
        defaults={
            "difficulty": difficulty,
            "version": found.version,
            "winnable": found.winnable,
            "best": found.best,
            "cleared": found.cleared,
            "games": found.games,
            "band": found.band,
            "assessed_at": at,
        },
    )


def _first_room(ruleset: str, difficulty: str, seed: str) -> State:
    return start(find_ruleset(ruleset), deal(seed), difficulty)
