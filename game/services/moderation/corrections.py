"""Puts ratings right after an act: further lines of the ledger, never a changed one."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from game.contest.moderation.corrections import corrected_changes
from game.models import Account, Act, Entrant, Race, Rating, RatingChange
from game.services.boards.ratings import skill_before

# Points; less is the rounding of sums.
CLOSE: Final = 1e-6


def race_correct(race: Race, *, act: Act, at: datetime) -> dict[str, float]:
    """Add to the ledger what a settled race should have done and has not; by account.

    Called under the race's lock, once it stands as it is to stand. Only ratings move;
    deviations stay, since as many races have been run. Does nothing where all is right.
    """
    pool = RatingChange.objects.filter(race=race, act=None)
    concerned = list(pool.values_list("account_id", "pool"))
    if not concerned:
        return {}
    ratings = Rating.objects.filter(
        account_id__in=[account for account, _ in concerned],
        ruleset=race.ruleset,
        pool=concerned[0][1],
    )
    locked = ratings.order_by("id").select_for_update(no_key=True)
    rows = {row.account_id: row for row in locked}
    given = {}
    for change, points in corrections_due(race):
        row = rows[change.account_id]
        _add(change, row, points, act, at)
        given[change.account_id] = points
    return given


def corrections_due(race: Race) -> list[tuple[RatingChange, float]]:
    """What is missing in the ledger of a race, beside each line that applied it."""
    lines = list(RatingChange.objects.filter(race=race).order_by("id"))
    applied = [line for line in lines if line.act_id is None]
    moved: dict[str, float] = defaultdict(float)
    for line in lines:
        moved[line.account_id] += line.rating_after - line.rating_before
    missing = [
        (line, points - moved[line.account_id])
        for line, points in zip(applied, _moves(race, applied), strict=True)
    ]
    return [(line, points) for line, points in missing if abs(points) > CLOSE]


def _moves(race: Race, applied: Sequence[RatingChange]) -> list[float]:
    entrants = list(Entrant.objects.filter(race=race, left_at=None))
    places = {one.account_id: one.place or len(entrants) for one in entrants}
    accounts = [line.account_id for line in applied]
    marked = set(
        Account.objects.filter(
            id__in=accounts, cheat_marked_at__isnull=False
        ).values_list("id", flat=True)
    )
    return corrected_changes(
        [skill_before(line) for line in applied],
        [places[account] for account in accounts],
        is_void=race.voided_at is not None,
        cheats={number for number, one in enumerate(accounts) if one in marked},
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
