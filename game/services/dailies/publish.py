"""Draws dailies ahead of time, chooses their dungeons, and finds them.

The periodic task, a command or the first reader may call these functions, also twice or
at the same time: the resulting rows are the same. `game.contest.drawing` has the rule
by which a dungeon is chosen. What these functions publish is added to the chain of
commitments in the same transaction.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from secrets import token_hex
from typing import NamedTuple

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Q

from game.contest.calendar import (
    PUBLISH_AHEAD_DAYS,
    Band,
    daily_window,
    day_of,
    planned_band,
)
from game.contest.drawing import (
    MAX_CANDIDATES,
    SelectionReason,
    candidate_seed,
    meets_plan,
)
from game.models import BeaconRound, Daily, Dungeon, new_id
from game.rules import find_ruleset, seal_of
from game.services.analysis.assessments import (
    SeedAssessment,
    assessment_store,
    seed_assess,
    seed_is_winnable,
)
from game.services.core.errors import not_found
from game.services.core.failpoints import failpoint
from game.services.dailies.beacons import (
    DayKey,
    beacon_named_round,
    beacon_network,
    day_key_find,
    day_key_without_beacon,
)
from game.services.dailies.commitments import (
    assessed_entry,
    chosen_entry,
    commitments_add,
    commitments_lock,
    drawn_entry,
)
from game.services.runs.daily_lock import daily_lock_exclusive
from game.services.runs.dungeons import dungeon_create, seed_decrypt, seed_encrypt

log = structlog.get_logger(__name__)

DIFFICULTY = "normal"
# A daily without a dungeon this long before it opens gets the first winnable candidate.
CHOOSE_WINNABLE_BEFORE = timedelta(minutes=10)


def dailies_publish(*, at: datetime) -> int:
    """Draw the missing dailies of today and the next 30 days; how many."""
    if not _missing_days(at):
        return 0
    with transaction.atomic():
        # Another process may draw the same days at this moment: the second one finds
        # them drawn.
        commitments_lock()
        new_dailies = [
            daily_build(on, ruleset, at=at) for on, ruleset in _missing_days(at)
        ]
        dailies_add(new_dailies, at=at)
    failpoint("daily_after_insert")
    return len(new_dailies)


def dailies_add(dailies: Sequence[Daily], *, at: datetime) -> None:
    """Store new dailies, and add their draws to the chain."""
    Daily.objects.bulk_create(dailies)
    commitments_add([drawn_entry(daily) for daily in dailies], at=at)


def _missing_days(at: datetime) -> list[tuple[date, str]]:
    """The days and rulesets of today and the next 30 days that are not drawn."""
    today = day_of(at)
    days = [today + timedelta(days=n) for n in range(PUBLISH_AHEAD_DAYS + 1)]
    existing = set(
        Daily.objects.filter(on__gte=days[0], on__lte=days[-1]).values_list(
            "on", "ruleset"
        )
    )
    wanted = [(on, ruleset) for on in days for ruleset in settings.DAILY_RULESETS]
    return [day for day in wanted if day not in existing]


def daily_find(*, on: date, ruleset: str, at: datetime) -> Daily:
    """The daily of a day; it is drawn and its dungeon chosen now if that was not done.

    Raises UnknownRuleset, daily.not_found (in the past, or too far ahead).
    """
    find_ruleset(ruleset)
    daily = _find(on, ruleset)
    if daily is None and on == day_of(at) and ruleset in settings.DAILY_RULESETS:
        dailies_publish(at=at)
        daily = _find(on, ruleset)
    if daily is None:
        raise not_found("daily")
    if daily.dungeon is None and at >= daily.opens_at:
        daily_choose_winnable(daily.id, at=at)
        daily = _find(on, ruleset) or daily
    return daily


def dailies_choose_winnable(*, at: datetime) -> int:
    """Choose dungeons for dailies that open within ten minutes, or before; how many."""
    due = Daily.objects.filter(dungeon=None, opens_at__lte=at + CHOOSE_WINNABLE_BEFORE)
    ids = list(due.order_by("opens_at").values_list("id", flat=True))
    return sum(daily_choose_winnable(daily_id, at=at) for daily_id in ids)


def daily_choose_winnable(daily_id: str, *, at: datetime) -> bool:
    """Choose the first candidate that is proven winnable; False if it has a dungeon.

    If the round that the daily names is not known, the seed is derived without it.
    """
    daily = Daily.objects.get(id=daily_id)
    if daily.dungeon_id is not None:
        return False
    day = day_key_find(daily)
    if day is None:
        log.error("daily_without_beacon", daily=str(daily), round=daily.beacon_round)
        day = day_key_without_beacon(daily)
    number = daily.first_winnable
    if number is None:
        number = next(
            (
                n
                for n in range(daily.tried, MAX_CANDIDATES)
                if _is_winnable(daily, candidate_seed(day.key, n))
            ),
            None,
        )
    choice = SelectionReason.WINNABLE if number is not None else SelectionReason.FIRST
    return _choose(daily_id, Choice(day, number or 0, choice), at=at)


def dailies_to_choose(*, at: datetime) -> list[str]:
    """Ids of dailies with a dungeon still to be chosen or assessed, next one first.

    A daily that names a public value is chosen once that value is known.
    """
    until = at + timedelta(days=settings.DAILY_CHOOSE_AHEAD_DAYS)
    near = Daily.objects.filter(opens_at__lte=until, closes_at__gt=at)
    known = BeaconRound.objects.filter(chain=beacon_network().chain).values("number")
    ready = near.filter(Q(beacon_round=None) | Q(beacon_round__in=known), dungeon=None)
    due = ready | near.filter(~Q(dungeon=None), dungeon__assessment=None)
    return list(due.order_by("opens_at", "ruleset").values_list("id", flat=True))


def daily_choose_step(daily_id: str, *, at: datetime) -> bool:
    """Assess one more candidate of a daily; whether there is nothing left to do now.

    The assessment takes seconds, so it is done before the row is locked. If another
    process was faster, this result is dropped; both are the same.
    """
    daily = Daily.objects.select_related("dungeon__assessment").get(id=daily_id)
    if daily.dungeon is not None:
        _assess_chosen(daily, at)
        return True
    number, day = daily.tried, day_key_find(daily)
    if day is None:
        return True
    if number >= MAX_CANDIDATES:
        daily_choose_winnable(daily_id, at=at)
        return True
    seed = candidate_seed(day.key, number)
    assessment = seed_assess(daily.ruleset, daily.difficulty, seed)
    if assessment.winnable and meets_plan(
        winnable=True, band=Band(assessment.band), wanted=Band(daily.planned)
    ):
        choice = Choice(day, number, SelectionReason.PLANNED)
        _choose(daily_id, choice, at=at, assessment=assessment)
        return True
    with transaction.atomic():
        row = daily_lock_exclusive(daily_id)
        if row is not None and row.tried == number and row.dungeon_id is None:
            row.tried = number + 1
            if assessment.winnable and row.first_winnable is None:
                row.first_winnable = number
            row.save(update_fields=["tried", "first_winnable"])
    return False


def _find(on: date, ruleset: str) -> Daily | None:
    rows = Daily.objects.select_related("dungeon__assessment")
    return rows.filter(on=on, ruleset=ruleset).first()


def daily_build(
    on: date, ruleset: str, *, at: datetime, master: str | None = None
) -> Daily:
    """Build an unsaved daily. `master` is random unless given (by the demo)."""
    daily_id, master, times = new_id(), master or token_hex(32), daily_window(on)
    return Daily(
        id=daily_id,
        on=on,
        ruleset=ruleset,
        difficulty=DIFFICULTY,
        planned=planned_band(on),
        beacon_round=beacon_named_round(opens_at=times.opens_at, drawn_at=at),
        master_seal=seal_of(master),
        master_sealed=seed_encrypt(master, daily_id),
        drawn_at=at,
        opens_at=times.opens_at,
        closes_at=times.closes_at,
        settles_at=times.settles_at,
    )


def _is_winnable(daily: Daily, seed: str) -> bool:
    return seed_is_winnable(daily.ruleset, daily.difficulty, seed)


class Choice(NamedTuple):
    """The chosen candidate of a day, and the rule that chose it."""

    day: DayKey
    number: int
    reason: SelectionReason


@transaction.atomic
def _choose(
    daily_id: str,
    choice: Choice,
    *,
    at: datetime,
    assessment: SeedAssessment | None = None,
) -> bool:
    """Make a candidate the daily's dungeon; False if it already has one."""
    daily = Daily.objects.select_for_update(of=("self",)).get(id=daily_id)
    if daily.dungeon_id is not None:
        return False
    daily.dungeon = dungeon_create(
        ruleset=daily.ruleset,
        origin=Dungeon.Origin.DAILY,
        at=at,
        seed=candidate_seed(choice.day.key, choice.number),
        secret=True,
    )
    daily.candidate, daily.choice, daily.chosen_at = choice.number, choice.reason, at
    daily.beacon_signature = choice.day.beacon_signature
    daily.save(
        update_fields=[
            *("dungeon", "candidate", "choice", "chosen_at", "beacon_signature"),
        ]
    )
    new = [chosen_entry(daily)]
    if assessment is not None:
        assessment_store(daily.dungeon, daily.difficulty, assessment, at=at)
        new.append(assessed_entry(daily))
    commitments_add(new, at=at)
    return True


def _assess_chosen(daily: Daily, at: datetime) -> None:
    """Assess the dungeon of a daily that was chosen without an assessment."""
    dungeon = daily.dungeon
    assert dungeon is not None
    assert daily.candidate is not None
    if getattr(dungeon, "assessment", None) is not None:
        return
    seed = seed_decrypt(dungeon.id, dungeon.seed_sealed)
    assessment = seed_assess(daily.ruleset, daily.difficulty, seed)
    with transaction.atomic():
        locked = Daily.objects.select_for_update(of=("self",)).get(id=daily.id)
        if assessment_store(dungeon, daily.difficulty, assessment, at=at):
            commitments_add([assessed_entry(locked)], at=at)
