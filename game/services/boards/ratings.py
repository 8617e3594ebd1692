"""Updates ratings after a race, with a ledger of all changes."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from game.contest.rating import (
    INITIAL_SKILL,
    RatedResult,
    Skill,
    rate_race,
    rated_places,
)
from game.models import Entrant, Race, Rating, RatingChange, RatingPool
from game.selectors.races.loading import rating_pool_of
from game.selectors.races.snapshots import rating_step
from game.services.core.failpoints import failpoint


def race_rate(
    race: Race, entrants: Sequence[Entrant], *, at: datetime
) -> dict[str, dict[str, Any]]:
    """Update the ratings of a settled race's entrants.

    Returns {rating_before, rating_change} by account. The caller holds the race's lock.
    Guests and the server's bots are not rated; with fewer than two rated entrants
    nothing changes. The pool is that of bots if programs played every run, else that
    of people; `game.contest.rating.rated_places` has the places.
    """
    rated = rated_entrants(entrants)
    if len(rated) < 2:
        return {}
    pool = race_pool(rated)
    before = _lock_ratings(race, rated, pool, at)
    skills = [_skill(before[entrant.account_id]) for entrant in rated]
    places = entrants_rated_places(rated)
    after = rate_race(skills, places)
    gained = {}
    for entrant, place, old, new in zip(rated, places, skills, after, strict=True):
        change = _change(race, entrant, pool, place, (old, new), at)
        change.save(force_insert=True)
        failpoint("rating_mid")
        _apply(before[entrant.account_id], new, at)
        gained[entrant.account_id] = {
            "rating_before": round(old.rating),
            "rating_change": rating_step(change),
        }
    return gained


def rated_entrants(entrants: Sequence[Entrant]) -> list[Entrant]:
    """The entrants to be rated: no guests, server bots or ghosts."""
    return [
        entrant
        for entrant in entrants
        if entrant.kind == Entrant.Kind.PLAYER and rating_pool_of(entrant.account)
    ]


def race_pool(rated: Sequence[Entrant]) -> RatingPool:
    """The pool in which these entrants are rated, after their runs have ended."""
    is_bots = all(_is_by_program(entrant) for entrant in rated)
    return RatingPool.BOT if is_bots else RatingPool.LIVE


def entrants_rated_places(rated: Sequence[Entrant]) -> list[int]:
    """The places by which these entrants are rated; fetch them with their runs."""
    return rated_places(
        [RatedResult(entrant.place, _is_by_program(entrant)) for entrant in rated]
    )


def _is_by_program(entrant: Entrant) -> bool:
    return entrant.run is not None and entrant.run.by_program


@transaction.atomic
def ratings_rebuild(*, at: datetime) -> tuple[int, int]:
    """Rebuild every rating from the ledger; (number of ratings, how many changed).

    Changes get their ids under the lock of their rating, so ids are in order.
    """
    rows = Rating.objects.order_by("id").select_for_update(no_key=True)
    known = {(row.account_id, row.ruleset, row.pool): row for row in rows}
    last: dict[tuple[str, str, str], tuple[Skill, int]] = {}
    for change in RatingChange.objects.order_by("id").iterator():
        chain = (change.account_id, change.ruleset, change.pool)
        races = last[chain][1] if chain in last else 0
        last[chain] = (skill_after(change), races + (change.act_id is None))
    corrected = 0
    for chain, (skill, races) in last.items():
        row = known.pop(chain, None)
        if row is None:
            row = Rating(account_id=chain[0], ruleset=chain[1], pool=chain[2])
        elif (_skill(row), row.races) == (skill, races):
            continue
        row.rating, row.deviation, row.volatility = skill
        row.races, row.changed_at = races, at
        row.save()
        corrected += 1
    for row in known.values():
        row.delete()
        corrected += 1
    return len(last), corrected


def skill_before(change: RatingChange) -> Skill:
    """The skill before a change of the ledger."""
    return Skill(
        change.rating_before, change.deviation_before, change.volatility_before
    )


def skill_after(change: RatingChange) -> Skill:
    """The skill after a change of the ledger."""
    return Skill(change.rating_after, change.deviation_after, change.volatility_after)


def _lock_ratings(
    race: Race, rated: Sequence[Entrant], pool: RatingPool, at: datetime
) -> dict[str, Rating]:
    """The ratings of these entrants, created if missing, locked in order of id."""
    for entrant in sorted(rated, key=lambda entrant: entrant.account_id):
        Rating.objects.get_or_create(
            account_id=entrant.account_id,
            ruleset=race.ruleset,
            pool=pool,
            defaults={**INITIAL_SKILL._asdict(), "changed_at": at},
        )
    rows = Rating.objects.filter(
        account__in=[entrant.account_id for entrant in rated],
        ruleset=race.ruleset,
        pool=pool,
    )
    locked = rows.order_by("id").select_for_update(no_key=True)
    return {row.account_id: row for row in locked}


def _skill(row: Rating) -> Skill:
    return Skill(row.rating, row.deviation, row.volatility)


def _apply(row: Rating, skill: Skill, at: datetime) -> None:
    row.rating, row.deviation, row.volatility = skill
    row.races += 1
    row.changed_at = at
    row.save()


def _change(
    race: Race,
    entrant: Entrant,
    pool: RatingPool,
    place: int,
    skills: tuple[Skill, Skill],
    at: datetime,
) -> RatingChange:
    old, new = skills
    return RatingChange(
        race=race,
        account_id=entrant.account_id,
        ruleset=race.ruleset,
        pool=pool,
        place=place,
        rating_before=old.rating,
        deviation_before=old.deviation,
        volatility_before=old.volatility,
        rating_after=new.rating,
        deviation_after=new.deviation,
        volatility_after=new.volatility,
        at=at,
    )
