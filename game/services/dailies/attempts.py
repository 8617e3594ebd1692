"""Attempts at dailies: one for each account, and practice once they are settled."""

from datetime import date, datetime

from django.db import IntegrityError, transaction

from game.contest.calendar import DailyPhase, daily_phase, daily_window
from game.models import Account, Daily, Run
from game.services.accounts.browsers import Browser
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.liveness import time_not_set_back
from game.services.core.restrictions import Activity, require_allowed
from game.services.dailies.publish import daily_find
from game.services.dailies.ranking import attempt_show_deck
from game.services.runs.daily_lock import daily_lock_shared
from game.services.runs.runs import run_create


def daily_run_find(account_id: str, daily_id: str) -> Run | None:
    """The account's attempt at a daily, or None."""
    rows = Run.objects.select_related("account", "dungeon", "daily")
    return rows.filter(
        account_id=account_id, daily_id=daily_id, kind=Run.Kind.DAILY
    ).first()


def daily_run_start(
    *,
    account: Account,
    on: date,
    ruleset: str,
    at: datetime,
    browser: Browser | None = None,
) -> tuple[Run, bool]:
    """Start the account's attempt at a daily, or find it; (run, whether it is new).

    An account has one attempt, on all its devices. `game.services.dailies.ranking`
    decides whether it is ranked. Raises UnknownRuleset, daily.not_found,
    daily.not_open, daily.closed, and what `require_allowed` does.
    """
    at = time_not_set_back(at)
    daily = daily_find(on=on, ruleset=ruleset, at=at)
    attempt = daily_run_find(account.id, daily.id)
    if attempt is not None:
        attempt_show_deck(daily, account, browser, at=at)
        return attempt, False
    _check_open(daily, at)
    require_allowed(account, Activity.RATED, at=at)
    try:
        with transaction.atomic():
            if not daily_lock_shared(daily.id):
                raise _closed_refusal(daily)
            run = _create_attempt(account, daily, at)
            attempt_show_deck(daily, account, browser, at=at)
            run.refresh_from_db(fields=["ranked", "unranked", "deck_seen"])
            return run, True
    except IntegrityError:  # the account started it on another device at the same time
        attempt = daily_run_find(account.id, daily.id)
        if attempt is None:
            raise
        return attempt, False


def daily_practice_start(
    *, account: Account, on: date, ruleset: str, at: datetime
) -> Run:
    """Start a practice run on a daily's deck: unranked and visible to its player only.

    Raises daily.not_found, daily.practice_later until the board is settled, since
    others still play that deck, and what `require_allowed` does.
    """
    require_allowed(account, Activity.PLAY, at=at)
    daily = daily_find(on=on, ruleset=ruleset, at=at)
    if daily.dungeon is None or daily.settled_at is None:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "daily.practice_later",
            "You can practise on a daily's deck once its board is settled.",
        )
    return run_create(
        account=account,
        dungeon=daily.dungeon,
        kind=Run.Kind.PRACTICE,
        difficulty=daily.difficulty,
        at=at,
        daily=daily,
    )


def _create_attempt(account: Account, daily: Daily, at: datetime) -> Run:
    assert daily.dungeon is not None
    return run_create(
        account=account,
        dungeon=daily.dungeon,
        kind=Run.Kind.DAILY,
        difficulty=daily.difficulty,
        at=at,
        daily=daily,
        deadline_at=daily_window(daily.on).ends_at,
    )


def _check_open(daily: Daily, at: datetime) -> None:
    current = daily_phase(daily.on, at, daily.settled_at)
    if current is DailyPhase.AHEAD:
        raise ServiceRefusal(
            Kind.CONFLICT, "daily.not_open", f"The daily of {daily.on} is not open yet."
        )
    if current is not DailyPhase.OPEN:
        raise _closed_refusal(daily)


def _closed_refusal(daily: Daily) -> ServiceRefusal:
    return ServiceRefusal(
        Kind.CONFLICT, "daily.closed", f"The daily of {daily.on} is closed."
    )
