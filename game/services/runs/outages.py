"""Records outages and gives attempts at dailies the lost time back.

Each outage is recorded once: by the process that comes back first, under the lock of
all signs. Whatever depends on a deadline calls `site_is_up` first, so a deadline that
passed during an outage is never applied before the outage is known, and none is applied
while the site is down for players. `services/races/outages` moves the deadlines of
races.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Max, QuerySet

from game.contest.calendar import FINISH_WITHIN, SETTLE_AFTER
from game.contest.outages import (
    SIGN_EVERY,
    Outage,
    ProcessRole,
    SiteState,
    site_state,
    watched_role,
)
from game.models import BridgedDay, Daily, Race, Run, SignOfLife
from game.models import Outage as OutageRow
from game.services.core.liveness import current_role, last_signs
from game.services.core.retry import retry_transaction

# The `source` of a bridged day that had an outage.
OUTAGE_SOURCE = "outage"
_OUTAGES_KEPT_FOR = timedelta(days=90)


def site_is_up(*, at: datetime) -> bool:
    """Whether deadlines may be applied now; records an outage that has just ended.

    One query, unless there is an outage to record. Call it outside a transaction that
    has locked a daily, a run or a race.
    """
    state = site_state(last_signs(), current_role(), at)
    if state is SiteState.BACK:
        _sign(current_role(), at)
    return state is not SiteState.DOWN


def sign_of_life_record(*, at: datetime, role: ProcessRole | None = None) -> int:
    """Sign, at most every five seconds; 1 if an outage was recorded, else 0."""
    role = role or current_role()
    last = last_signs().get(role)
    if last is not None and timedelta() <= at - last < SIGN_EVERY:
        return 0
    return int(_sign(role, at))


def outages_prune(*, at: datetime) -> int:
    """Delete old outages; days that they bridged stay. Return how many."""
    old = OutageRow.objects.filter(ended_at__lte=at - _OUTAGES_KEPT_FOR)
    return int(old.delete()[0])


@retry_transaction
@transaction.atomic
def _sign(role: ProcessRole, at: datetime) -> bool:
    """Store the sign; whether an outage was recorded."""
    SignOfLife.objects.get_or_create(
        role=role, defaults={"signed_at": at, "latest_at": at}
    )
    locked = SignOfLife.objects.order_by("role").select_for_update()
    rows = {ProcessRole(row.role): row for row in locked}
    signs = {key: row.signed_at for key, row in rows.items()}
    is_back = site_state(signs, role, at) is SiteState.BACK
    if is_back:
        outage_record(Outage(signs[watched_role(signs)], at), note="no sign of life")
    own = rows[role]
    own.signed_at, own.latest_at = at, max(own.latest_at, at)
    own.save(update_fields=["signed_at", "latest_at"])
    return is_back


@transaction.atomic
def outage_record(outage: Outage, *, note: str = "") -> bool:
    """Record an outage and apply it; False if one that began then is known.

    Its days break no streak; attempts at dailies get its length back; races are due, so
    that their deadlines move. Abandonments of races that it overlaps do not count.
    """
    _, is_new = OutageRow.objects.get_or_create(
        began_at=outage.began_at, defaults={"ended_at": outage.ended_at, "note": note}
    )
    if not is_new:
        return False
    BridgedDay.objects.bulk_create(
        [BridgedDay(on=on, source=OUTAGE_SOURCE) for on in outage.days()],
        ignore_conflicts=True,
    )
    _extend_attempts(outage)
    live = Race.objects.filter(
        starts_at__lt=outage.ended_at, closed_at=None, cancelled_at=None
    )
    live.filter(due_at__gt=outage.ended_at).update(due_at=outage.ended_at)
    return True


def _extend_attempts(outage: Outage) -> None:
    """Move the deadlines of attempts at dailies that were in progress.

    An attempt whose rest was covered keeps its deadline and becomes unranked.
    """
    interrupted = Run.objects.filter(
        kind=Run.Kind.DAILY,
        status=Run.Status.PLAYING,
        started_at__lt=outage.ended_at,
        deadline_at__gt=outage.began_at,
        daily__settled_at=None,
    )
    ids = list(interrupted.order_by("daily_id").values_list("daily_id", flat=True))
    # Dailies are locked before runs, so that none is settled meanwhile.
    rows = Daily.objects.filter(id__in=set(ids), settled_at=None).order_by("id")
    dailies = list(rows.select_for_update(no_key=True, of=("self",)))
    interrupted = interrupted.filter(daily__in=dailies)
    covered = interrupted.filter(deadline_at__lte=outage.ended_at)
    covered.update(ranked=False, cut_off_at=outage.ended_at)
    extended = interrupted.filter(deadline_at__gt=outage.ended_at)
    _extend(extended.filter(started_at__lte=outage.began_at), outage)
    for run in extended.filter(started_at__gt=outage.began_at):
        since_start = outage._replace(began_at=run.started_at)
        _extend(Run.objects.filter(id=run.id), since_start)
    _postpone_settlement(dailies)


def _extend(runs: QuerySet[Run], outage: Outage) -> None:
    length = outage.ended_at - outage.began_at
    ms = length // timedelta(milliseconds=1)
    runs.update(deadline_at=F("deadline_at") + length, paused_ms=F("paused_ms") + ms)


def _postpone_settlement(dailies: Sequence[Daily]) -> None:
    """Settle no daily before the last deadline of its attempts in progress."""
    for daily in dailies:
        playing = daily.runs.filter(kind=Run.Kind.DAILY, status=Run.Status.PLAYING)
        last = playing.aggregate(last=Max("deadline_at"))["last"]
        postponed_to = last + (SETTLE_AFTER - FINISH_WITHIN)
        if postponed_to > daily.settlement_due_at:
            daily.postponed_to = postponed_to
            daily.save(update_fields=["postponed_to"])
