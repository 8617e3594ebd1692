"""Draws dailies ahead of time, chooses their dungeons, and finds them.

The periodic task, a command or the first reader may call these functions, also twice or
at the same time: the resulting rows are the same. `game.contest.drawing` has the rule
by which a dungeon is chosen.
"""

from datetime import date, datetime, timedelta
from secrets import token_hex

from django.conf import settings
from django.db import transaction

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
from game.models import Daily, Dungeon, new_id
from game.rules import find_ruleset, seal_of
from game.services.analysis.assessments import (
    SeedAssessment,
    assessment_store,
    seed_assess,
    seed_is_winnable,
)
from game.services.core.errors import not_found
from game.services.core.failpoints import failpoint
from game.services.runs.daily_lock import daily_lock_exclusive
from game.services.runs.dungeons import dungeon_create, seed_decrypt, seed_encrypt

DIFFICULTY = "normal"
# A daily without a dungeon this long before it opens gets the first winnable candidate.
CHOOSE_WINNABLE_BEFORE = timedelta(minutes=10)


def dailies_publish(*, at: datetime) -> int:
    """Draw the missing dailies of today and the next 30 days; how many."""
    today = day_of(at)
    days = [today + timedelta(days=n) for n in range(PUBLISH_AHEAD_DAYS + 1)]
    existing = set(
        Daily.objects.filter(on__gte=days[0], on__lte=days[-1]).values_list(
            "on", "ruleset"
        )
    )
    missing = [
        daily_build(on, ruleset, at=at)
        for on in days
        for ruleset in settings.DAILY_RULESETS
        if (on, ruleset) not in existing
    ]
    if not missing:
        return 0
    # Another process may draw the same day at this moment: the first row is kept.
    Daily.objects.bulk_create(missing, ignore_conflicts=True)
    failpoint("daily_after_insert")
    return Daily.objects.filter(id__in=[daily.id for daily in missing]).count()


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
    """Choose the first candidate that is proven winnable; False if it has a dungeon."""
    daily = Daily.objects.get(id=daily_id)
    if daily.dungeon_id is not None:
        return False
    number = daily.first_winnable
    if number is None:
        number = next(
            (n for n in range(daily.tried, MAX_CANDIDATES) if _is_winnable(daily, n)),
            None,
        )
    choice = SelectionReason.WINNABLE if number is not None else SelectionReason.FIRST
    return _choose(daily_id, number or 0, choice, at=at)


def dailies_to_choose(*, at: datetime) -> list[str]:
    """Ids of dailies with a dungeon still to be chosen or assessed, next one first."""
    until = at + timedelta(days=settings.DAILY_CHOOSE_AHEAD_DAYS)
    near = Daily.objects.filter(opens_at__lte=until, closes_at__gt=at)
    due = near.filter(dungeon=None) | near.filter(dungeon__assessment=None)
    return list(due.order_by("opens_at", "ruleset").values_list("id", flat=True))


def daily_choose_step(daily_id: str, *, at: datetime) -> bool:
    """Assess one more candidate of a daily; whether its dungeon is chosen.

    The assessment takes seconds, so it is done before the row is locked. If another
    process was faster, this result is dropped; both are the same.
    """
    daily = Daily.objects.select_related("dungeon__assessment").get(id=daily_id)
    if daily.dungeon is not None:
        _assess_chosen(daily, at)
        return True
    number = daily.tried
    if number >= MAX_CANDIDATES:
        daily_choose_winnable(daily_id, at=at)
        return True
    seed = _candidate(daily, number)
    found = seed_assess(daily.ruleset, daily.difficulty, seed)
    if found.winnable and meets_plan(
        winnable=True, band=Band(found.band), wanted=Band(daily.planned)
    ):
        _choose(daily_id, number, SelectionReason.PLANNED, at=at, found=found)
        return True
    with transaction.atomic():
        row = daily_lock_exclusive(daily_id)
        if row is not None and row.tried == number and row.dungeon_id is None:
            row.tried = number + 1
            if found.winnable and row.first_winnable is None:
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
        master_seal=seal_of(master),
        master_sealed=seed_encrypt(master, daily_id),
        drawn_at=at,
        opens_at=times.opens_at,
        closes_at=times.closes_at,
        settles_at=times.settles_at,
    )


def _candidate(daily: Daily, number: int) -> str:
    return candidate_seed(seed_decrypt(daily.id, daily.master_sealed), number)


def _is_winnable(daily: Daily, number: int) -> bool:
    return seed_is_winnable(daily.ruleset, daily.difficulty, _candidate(daily, number))


@transaction.atomic
def _choose(
    daily_id: str,
    number: int,
    choice: SelectionReason,
    *,
    at: datetime,
    found: SeedAssessment | None = None,
) -> bool:
    """Make a candidate the daily's dungeon; False if it already has one."""
    daily = Daily.objects.select_for_update(of=("self",)).get(id=daily_id)
    if daily.dungeon_id is not None:
        return False
    daily.dungeon = dungeon_create(
        ruleset=daily.ruleset,
        origin=Dungeon.Origin.DAILY,
        at=at,
        seed=_candidate(daily, number),
        secret=True,
    )
    daily.candidate, daily.choice, daily.chosen_at = number, choice, at
    daily.save(update_fields=["dungeon", "candidate", "choice", "chosen_at"])
    if found is not None:
        assessment_store(daily.dungeon, daily.difficulty, found, at=at)
    return True


def _assess_chosen(daily: Daily, at: datetime) -> None:
    """Assess the dungeon of a daily that was chosen without an assessment."""
    dungeon = daily.dungeon
    assert dungeon is not None
    assert daily.candidate is not None
    if getattr(dungeon, "assessment", None) is None:
        seed = _candidate(daily, daily.candidate)
        found = seed_assess(daily.ruleset, daily.difficulty, seed)
        assessment_store(dungeon, daily.difficulty, found, at=at)
