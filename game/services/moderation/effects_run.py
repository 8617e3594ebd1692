"""Acts on runs and dailies: void them, and back. Boards are made anew at once.

A run is void while an act in force covers it: its own, its daily's, its race's, or its
player's disqualification. `runs_remark` works that out, so no act undoes another.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q

from game.contest.moderation.acts import ActKind, ActState
from game.contest.moderation.reasons import REASONS
from game.models import Act, Daily, Leaderboard, Run
from game.services.boards.entries import board_drop
from game.services.boards.leaderboards import daily_board, daily_catch_up
from game.services.boards.points import board_pool_of
from game.services.boards.records import records_recompute
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.dailies.settle import daily_resettle
from game.services.moderation.effect_context import Effected


def void_run(it: Effected) -> None:
    """Take one run off every board. Raises act.run_playing while it is played."""
    run = run_of(it.act.target)
    if run.status == Run.Status.PLAYING:
        raise ServiceRefusal(
            Kind.CONFLICT, "act.run_playing", "That run is still being played."
        )
    runs_remark([run], at=it.at)
    _boards(run, it.act, it.at)


def restore_run(it: Effected) -> None:
    """Count it again, unless another act covers it."""
    run = run_of(it.act.target)
    runs_remark([run], at=it.at)
    _boards(run, it.by, it.at)


def run_of(run_id: str) -> Run:
    """The run. Raises run.not_found."""
    rows = Run.objects.select_related("account", "daily")
    found = rows.filter(id=run_id).first()
    if found is None:
        raise not_found("run")
    return found


def daily_of(daily_id: str) -> Daily:
    """The daily. Raises daily.not_found."""
    found = Daily.objects.filter(id=daily_id).first()
    if found is None:
        raise not_found("daily")
    return found


def runs_remark(runs: Iterable[Run], *, at: datetime) -> list[Run]:
    """Mark each as void or not, as the acts in force have it; those that changed.

    Records of all time of their accounts are made anew.
    """
    changed = []
    for run in runs:
        is_void = is_covered(run)
        if is_void == (run.voided_at is not None):
            continue
        run.voided_at = at if is_void else None
        Run.objects.filter(id=run.id).update(voided_at=run.voided_at)
        changed.append(run)
    if changed:
        records_recompute({run.account_id for run in changed})
    return changed


def is_covered(run: Run) -> bool:
    """Whether an act in force voids the run."""
    covers = Q(kind=ActKind.VOID_RUN, target=run.id)
    if run.daily_id is not None and run.kind == Run.Kind.DAILY:
        covers |= Q(kind=ActKind.VOID_DAILY, target=run.daily_id)
    if run.race_id is not None:
        covers |= Q(kind=ActKind.VOID_RACE, target=run.race_id)
        covers |= Q(
            kind=ActKind.DISQUALIFY, target=run.race_id, subject_id=run.account_id
        )
    return Act.objects.filter(covers, state=ActState.IN_FORCE).exists()


def _boards(run: Run, act: Act, at: datetime) -> None:
    """The daily's own board: the next digest where it is settled."""
    if run.kind != Run.Kind.DAILY or run.daily is None or not run.ranked:
        return
    if run.daily.settled_at is not None:
        daily_resettle(run.daily.id, at=at, reason=_public(act))
    elif run.voided_at is not None:
        board_drop(daily_board(run.daily, board_pool_of(run.account)), [run.account_id])
    else:
        marks = Leaderboard.objects.filter(
            key="daily", ruleset=run.daily.ruleset, span=run.daily.on.isoformat()
        )
        marks.update(noted_to=None)
        daily_catch_up(run.daily)


def void_daily(it: Effected) -> None:
    """Take a settled daily's ranked runs off every board, or count them again.

    Raises daily.not_settled.
    """
    daily = daily_of(it.act.target)
    if daily.settled_at is None:
        raise ServiceRefusal(
            Kind.CONFLICT, "daily.not_settled", "That daily is not settled yet."
        )
    runs = Run.objects.filter(daily=daily, kind=Run.Kind.DAILY, ranked=True)
    runs_remark(runs.order_by("id"), at=it.at)
    daily_resettle(daily.id, at=it.at, reason=_public(it.by))


def _public(act: Act) -> str:
    """Why, as anybody may read it beside the digest."""
    return f"{act.kind.replace('_', ' ')}: {REASONS[act.reason]}"
