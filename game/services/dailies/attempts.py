"""Attempts at dailies: the one ranked attempt of an account, and practice after it."""

from datetime import date, datetime

from django.db import IntegrityError, transaction

from game.contest.calendar import DailyPhase, daily_phase, daily_window
from game.models import Account, Daily, Run
from game.services.accounts.sign_in import is_verified
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.restrictions import Activity, require_allowed
from game.services.dailies.publish import daily_find
from game.services.runs.daily_lock import daily_hold
from game.services.runs.runs import run_create


def may_rank(account: Account) -> bool:
    """Whether the account's daily counts: it has a verified way back. Bots have too,
    and are ranked among themselves.
    """
    return account.is_active and is_verified(account)


def daily_run_find(account_id: str, daily_id: str) -> Run | None:
    """The account's attempt, if it has begun one."""
    rows = Run.objects.select_related("account", "dungeon", "daily")
    return rows.filter(
        account_id=account_id, daily_id=daily_id, kind=Run.Kind.DAILY
    ).first()


def daily_run_start(
    *, account: Account, on: date, ruleset: str, at: datetime
) -> tuple[Run, bool]:
    """The account's one attempt at a daily, and whether this began it.

    Its first room uses it up; it is there on every device until it is over. A guest's
    is unranked, and stays so. Raises UnknownRuleset, daily.not_found, daily.not_open,
    daily.closed, and what `require_allowed` does.
    """
    daily = daily_find(on=on, ruleset=ruleset, at=at)
    found = daily_run_find(account.id, daily.id)
    if found is not None:
        return found, False
    _check_open(daily, at)
    require_allowed(account, Activity.RATED, at=at)
    try:
        with transaction.atomic():
            if not daily_hold(daily.id):
                raise _closed(daily)
            return _begin(account, daily, at), True
    except IntegrityError:  # the same account at the same moment, on another device
        found = daily_run_find(account.id, daily.id)
        if found is None:
            raise
        return found, False


def daily_practice_start(
    *, account: Account, on: date, ruleset: str, at: datetime
) -> Run:
    """A practice run on a daily's deck: unranked, and for the player's own eyes.

    Raises daily.not_found, daily.attempt_first while one's own attempt is not over
    and the board not settled, and what `require_allowed` does.
    """
    require_allowed(account, Activity.PLAY, at=at)
    daily = daily_find(on=on, ruleset=ruleset, at=at)
    attempt = daily_run_find(account.id, daily.id)
    is_over = attempt is not None and attempt.status != Run.Status.PLAYING
    if daily.dungeon is None or not (is_over or daily.settled_at):
        raise ServiceRefusal(
            Kind.CONFLICT,
            "daily.attempt_first",
            "Practice on a daily's deck comes after your own attempt at it.",
        )
    return run_create(
        account=account,
        dungeon=daily.dungeon,
        kind=Run.Kind.PRACTICE,
        difficulty=daily.difficulty,
        at=at,
        daily=daily,
    )


def _begin(account: Account, daily: Daily, at: datetime) -> Run:
    assert daily.dungeon is not None
    return run_create(
        account=account,
        dungeon=daily.dungeon,
        kind=Run.Kind.DAILY,
        difficulty=daily.difficulty,
        at=at,
        daily=daily,
        ranked=may_rank(account),
        deadline_at=daily_window(daily.on).ends_at,
    )


def _check_open(daily: Daily, at: datetime) -> None:
    stands = daily_phase(daily.on, at, daily.settled_at)
    if stands is DailyPhase.AHEAD:
        raise ServiceRefusal(
            Kind.CONFLICT, "daily.not_open", f"The daily of {daily.on} is not open yet."
        )
    if stands is not DailyPhase.OPEN:
        raise _closed(daily)


def _closed(daily: Daily) -> ServiceRefusal:
    return ServiceRefusal(
        Kind.CONFLICT, "daily.closed", f"The daily of {daily.on} is closed."
    )
