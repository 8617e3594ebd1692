"""Effects of acts on runs and dailies: void them or count them again.

A run is void while an act in force covers it: an act on the run, on its daily, on its
race, or the disqualification of its player. Boards are updated at once.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q

from game.contest.moderation.acts import ActKind, ActState
from game.contest.moderation.reasons import REASONS
from game.models import Act, Daily, Leaderboard, Run
from game.services.boards.entries import entries_delete
from game.services.boards.leaderboards import daily_board, daily_board_update
from game.services.boards.records import records_recompute, run_board_pool
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.dailies.settle import daily_resettle


def void_run(act: Act) -> None:
    """Take one run off every board. Raises act.run_playing while it is played."""
    run = run_get(act.target)
    if run.status == Run.Status.PLAYING:
        raise ServiceRefusal(
            Kind.CONFLICT, "act.run_playing", "That run is still being played."
        )
    runs_refresh_void([run], at=act.changed_at)
    _update_daily_board(run, act)


def restore_run(act: Act) -> None:
    """Count the run again, unless another act in force covers it."""
    run = run_get(act.target)
    runs_refresh_void([run], at=act.changed_at)
    _update_daily_board(run, act)


def run_get(run_id: str) -> Run:
    """Return the run. Raises run.not_found."""
    rows = Run.objects.select_related("account", "daily")
    run = rows.filter(id=run_id).first()
    if run is None:
        raise not_found("run")
    return run


def daily_get(daily_id: str) -> Daily:
    """Return the daily. Raises daily.not_found."""
    daily = Daily.objects.filter(id=daily_id).first()
    if daily is None:
        raise not_found("daily")
    return daily


def runs_refresh_void(runs: Iterable[Run], *, at: datetime) -> list[Run]:
    """Set or clear `voided_at` by the acts in force; return the runs that changed.

    Recomputes the all-time records of their accounts.
    """
    changed = []
    for run in runs:
        is_void = is_void_by_act(run)
        if is_void == (run.voided_at is not None):
            continue
        run.voided_at = at if is_void else None
        Run.objects.filter(id=run.id).update(voided_at=run.voided_at)
        changed.append(run)
    if changed:
        records_recompute({run.account_id for run in changed})
    return changed


def is_void_by_act(run: Run) -> bool:
    """Return whether an act in force voids the run."""
    covers = Q(kind=ActKind.VOID_RUN, target=run.id)
    if run.daily_id is not None and run.kind == Run.Kind.DAILY:
        covers |= Q(kind=ActKind.VOID_DAILY, target=run.daily_id)
    if run.race_id is not None:
        covers |= Q(kind=ActKind.VOID_RACE, target=run.race_id)
        covers |= Q(
            kind=ActKind.DISQUALIFY, target=run.race_id, subject_id=run.account_id
        )
    return Act.objects.filter(covers, state=ActState.IN_FORCE).exists()


def _update_daily_board(run: Run, act: Act) -> None:
    """Update the board of the run's daily; a settled daily gets its next digest."""
    if run.kind != Run.Kind.DAILY or run.daily is None or not run.ranked:
        return
    if run.daily.settled_at is not None:
        daily_resettle(run.daily.id, at=act.changed_at, reason=_public_reason(act))
    elif run.voided_at is not None:
        entries_delete(daily_board(run.daily, run_board_pool(run)), [run.account_id])
    else:
        boards = Leaderboard.objects.filter(
            key="daily", ruleset=run.daily.ruleset, span=run.daily.on.isoformat()
        )
        boards.update(noted_to=None)
        daily_board_update(run.daily)


def refresh_daily(act: Act) -> None:
    """Void the ranked runs of a settled daily, or count them again.

    Raises daily.not_settled.
    """
    daily = daily_get(act.target)
    if daily.settled_at is None:
        raise ServiceRefusal(
            Kind.CONFLICT, "daily.not_settled", "That daily is not settled yet."
        )
    runs = Run.objects.filter(daily=daily, kind=Run.Kind.DAILY, ranked=True)
    runs_refresh_void(runs.order_by("id"), at=act.changed_at)
    daily_resettle(daily.id, at=act.changed_at, reason=_public_reason(act))


def _public_reason(act: Act) -> str:
    """Return the reason that is published beside the digest."""
    latest = act.latest
    return f"{latest.kind.replace('_', ' ')}: {REASONS[latest.reason]}"
