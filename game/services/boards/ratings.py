"""Ratings: applied once a race, under the ratings' own locks, into a ledger."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from game.contest.rating import INITIAL_SKILL, Skill, rate_race
from game.models import Entrant, Race, Rating, RatingChange
from game.selectors.races.snapshots import rating_step
from game.selectors.races.tables import rating_pool_of
from game.services.core.failpoints import failpoint


def race_rate(
    race: Race, entrants: Sequence[Entrant], *, at: datetime
) -> dict[str, dict[str, Any]]:
    """Apply a settled race to its entrants' ratings; what each gained, by account.

    Called under the race's lock. Guests and house players are not rated, and a race
    with fewer than two who are changes nothing. The disqualified come last.
    """
    rated = rated_entrants(entrants)
    if len(rated) < 2:
        return {}
    before = _locked(race, rated, at)
    last = len(entrants)
    skills = [_skill(before[one.account_id]) for one in rated]
    places = [one.place or last for one in rated]
    after = rate_race(skills, places)
    gained = {}
    for one, place, old, new in zip(rated, places, skills, after, strict=True):
        change = _change(race, one, place, (old, new), at)
        change.save(force_insert=True)
        failpoint("rating_mid")
        _apply(before[one.account_id], new, at)
        gained[one.account_id] = {
            "rating_before": round(old.rating),
            "rating_change": rating_step(change),
        }
    return gained


def rated_entrants(entrants: Sequence[Entrant]) -> list[Entrant]:
    """Those whose rating is at stake: no guests, house players or ghosts."""
    return [
        one
        for one in entrants
        if one.kind == Entrant.Kind.PLAYER and rating_pool_of(one.account)
    ]


@transaction.atomic
def ratings_rebuild(*, at: datetime) -> tuple[int, int]:
    """Make every rating the last line of its ledger; (ratings, how many were wrong).

    Changes are numbered under their rating's lock, so their ids are their order.
    """
    rows = Rating.objects.order_by("id").select_for_update(no_key=True)
    known = {(row.account_id, row.ruleset, row.pool): row for row in rows}
    last: dict[tuple[str, str, str], tuple[Skill, int]] = {}
    for change in RatingChange.objects.order_by("id").iterator():
        chain = (change.account_id, change.ruleset, change.pool)
        races = last[chain][1] if chain in last else 0
        last[chain] = (skill_after(change), races + (change.act_id is None))
    mended = 0
    for chain, (skill, races) in last.items():
        row = known.pop(chain, None)
        if row is None:
            row = Rating(account_id=chain[0], ruleset=chain[1], pool=chain[2])
        elif (_skill(row), row.races) == (skill, races):
            continue
        row.rating, row.deviation, row.volatility = skill
        row.races, row.changed_at = races, at
        row.save()
        mended += 1
    for row in known.values():
        row.delete()
        mended += 1
    return len(last), mended


def skill_before(change: RatingChange) -> Skill:
    """The skill that a line of the ledger began from."""
    return Skill(
        change.rating_before, change.deviation_before, change.volatility_before
    )


def skill_after(change: RatingChange) -> Skill:
    """The skill that a line of the ledger came to."""
    return Skill(change.rating_after, change.deviation_after, change.volatility_after)


def _locked(race: Race, rated: Sequence[Entrant], at: datetime) -> dict[str, Rating]:
    """The ratings of these people, made where they are missing, locked by id."""
    for one in sorted(rated, key=lambda entrant: entrant.account_id):
        Rating.objects.get_or_create(
            account_id=one.account_id,
            ruleset=race.ruleset,
            pool=rating_pool_of(one.account),
            defaults={**INITIAL_SKILL._asdict(), "changed_at": at},
        )
    rows = Rating.objects.filter(
        account__in=[one.account_id for one in rated],
        ruleset=race.ruleset,
        pool=rating_pool_of(rated[0].account),
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
    race: Race, one: Entrant, place: int, skills: tuple[Skill, Skill], at: datetime
) -> RatingChange:
    old, new = skills
    return RatingChange(
        race=race,
        account_id=one.account_id,
        ruleset=race.ruleset,
        pool=rating_pool_of(one.account),
        place=place,
        rating_before=old.rating,
        deviation_before=old.deviation,
        volatility_before=old.volatility,
        rating_after=new.rating,
        deviation_after=new.deviation,
        volatility_after=new.volatility,
        at=at,
    )
