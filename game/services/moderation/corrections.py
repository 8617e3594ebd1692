"""Corrects ratings after an act: adds lines to the ledger and changes none."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from game.contest.moderation.corrections import corrected_changes
from game.models import Account, Act, Entrant, Race, Rating, RatingChange
from game.services.boards.ratings import entrants_rated_places, skill_before

# Differences below this many points come from rounding.
TOLERANCE: Final = 1e-6


def race_correct_ratings(race: Race, *, act: Act, at: datetime) -> dict[str, float]:
    """Add the corrections due to the ledger; return the points by account.

    Call it under the race's lock after the race's state and places are written. Only
    ratings change; deviations stay, because the number of races is the same.
    """
    pool = RatingChange.objects.filter(race=race, act=None)
    rated = list(pool.values_list("account_id", "pool"))
    if not rated:
        return {}
    ratings = Rating.objects.filter(
        account_id__in=[account for account, _ in rated],
        ruleset=race.ruleset,
        pool=rated[0][1],
    )
    locked = ratings.order_by("id").select_for_update(no_key=True)
    rows = {row.account_id: row for row in locked}
    corrected = {}
    for change, points in corrections_due(race):
        row = rows[change.account_id]
        _add(change, row, points, act, at)
        corrected[change.account_id] = points
    return corrected


def corrections_due(race: Race) -> list[tuple[RatingChange, float]]:
    """Return the ledger lines of a race that need a correction, with its points."""
    lines = list(RatingChange.objects.filter(race=race).order_by("id"))
    first_lines = [line for line in lines if line.act_id is None]
    applied_points: dict[str, float] = defaultdict(float)
    for line in lines:
        applied_points[line.account_id] += line.rating_after - line.rating_before
    missing = [
        (line, points - applied_points[line.account_id])
        for line, points in zip(
            first_lines, _changes_due(race, first_lines), strict=True
        )
    ]
    return [(line, points) for line, points in missing if abs(points) > TOLERANCE]


def _changes_due(race: Race, first_lines: Sequence[RatingChange]) -> list[float]:
    accounts = [line.account_id for line in first_lines]
    rows = Entrant.objects.filter(race=race, left_at=None, account_id__in=accounts)
    entrants = list(rows.select_related("run"))
    numbers = entrants_rated_places(entrants)
    places = dict(
        zip((entrant.account_id for entrant in entrants), numbers, strict=True)
    )
    cheats = set(
        Account.objects.filter(
            id__in=accounts, cheat_marked_at__isnull=False
        ).values_list("id", flat=True)
    )
    return corrected_changes(
        [skill_before(line) for line in first_lines],
        [places[account] for account in accounts],
        is_void=race.voided_at is not None,
        cheats={
            number for number, account_id in enumerate(accounts) if account_id in cheats
        },
    )


def _add(
    change: RatingChange, row: Rating, points: float, act: Act, at: datetime
) -> None:
    before = row.rating
    row.rating, row.changed_at = before + points, at
    row.save(update_fields=["rating", "changed_at"])
    RatingChange(
        race_id=change.race_id,
        account_id=change.account_id,
        act=act,
        ruleset=change.ruleset,
        pool=change.pool,
        place=change.place,
        rating_before=before,
        deviation_before=row.deviation,
        volatility_before=row.volatility,
        rating_after=row.rating,
        deviation_after=row.deviation,
        volatility_after=row.volatility,
        at=at,
    ).save(force_insert=True)
