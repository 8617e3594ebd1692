"""Settles dailies: decides, verifies and ranks the runs, writes the digest, reveals.

Board, digest, points, records, streaks, badges and the reveal are one transaction under
the daily's exclusive lock. Settling a settled daily returns its digest.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count

from game.contest.badges import DailyResult, badges_earned
from game.contest.digest import (
    DigestEntry,
    DigestHeader,
    digest_text,
    moves_digest,
    text_digest,
)
from game.contest.links import Tie
from game.contest.moderation.reasons import FlagKind
from game.contest.ranking import (
    BoardPool,
    DailyField,
    DailyStanding,
    SortKey,
    assign_ranks,
    daily_award,
    daily_fields,
    score_key,
)
from game.contest.streaks import NO_STREAK, Streak
from game.models import Daily, DailyDigest, Dungeon, EarnedBadge, Run
from game.selectors.boards.daily_links import daily_link_groups
from game.selectors.runs.runs import run_elapsed_ms
from game.services.boards.entries import Entry, entries_replace
from game.services.boards.leaderboards import daily_board
from game.services.boards.points import Points, board_pool_of, points_replace
from game.services.boards.records import (
    chunked,
    counted_run,
    counted_runs,
    records_recompute,
    records_update,
    run_board_pool,
    streaks_extend,
    streaks_recompute,
)
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.failpoints import failpoint
from game.services.core.flags import flag_raise
from game.services.dailies.deck_views import deck_views_forget, passers_by
from game.services.dailies.linked_players import daily_links_record
from game.services.dailies.publish import daily_choose_winnable
from game.services.dailies.ranking import attempts_decide
from game.services.runs.daily_lock import daily_lock_exclusive
from game.services.runs.outages import site_is_up
from game.services.runs.programs import runs_mark_bots
from game.services.runs.runs import run_break_off
from game.services.runs.verification import verified_runs

_CHUNK = 500
# How many of the best attempts are checked for views at a crowded address.
_SCREENED = 3


class VerifiedRun(NamedTuple):
    """A run that its moves prove, with its sort key and the digest of its moves."""

    sort_key: SortKey
    run: Run
    moves_digest: str


class RankedRun(NamedTuple):
    """A verified run with its rank and whom it counts against."""

    rank: int
    field: DailyField
    verified: VerifiedRun


def dailies_settle(*, at: datetime, limit: int = 20) -> int:
    """Settle the dailies that are due, the oldest first; how many."""
    due = Daily.objects.filter(Daily.settlement_due(at))
    ids = list(due.order_by("on", "ruleset").values_list("id", flat=True)[:limit])
    return sum(daily_settle(daily_id, at=at) is not None for daily_id in ids)


def daily_settle(daily_id: str, *, at: datetime) -> str | None:
    """Settle a daily; its digest, also if it was settled before.

    None if another process holds the lock, or while the site is down for players.
    Raises daily.not_over before `settlement_due_at`.
    """
    return _settle(daily_id, at) if site_is_up(at=at) else None


@transaction.atomic
def _settle(daily_id: str, at: datetime) -> str | None:
    daily = daily_lock_exclusive(daily_id)
    if daily is None:
        return None
    if daily.settled_at is not None:
        return _latest_digest(daily).digest
    if at < daily.settlement_due_at:
        raise ServiceRefusal(
            Kind.CONFLICT, "daily.not_over", "Runs of that daily may still be played."
        )
    if daily.dungeon_id is None:  # the site was down on that day
        daily_choose_winnable(daily_id, at=at)
        daily.refresh_from_db()
    _expire_unfinished(daily)
    runs_mark_bots(Run.objects.filter(daily=daily, kind=Run.Kind.DAILY))
    attempts_decide(daily, at=at)
    daily_links_record(daily, at=at)
    top = _top_runs(daily)
    passers = passers_by(daily, top, at=at)
    deck_views_forget(daily)
    daily.settled_at = at
    daily.save(update_fields=["settled_at"])
    Dungeon.objects.filter(id=daily.dungeon_id, revealed_at=None).update(revealed_at=at)
    ranked = _write_board(daily, at)
    failpoint("settle_mid")
    digest = _write_digest(daily, ranked, at=at, reason="")
    for pool, runs in ranked.items():
        _award(daily, pool, runs)
    for run in top:
        if run.id in passers:
            _flag_passer_by(run, passers[run.id], at)
    return digest.digest


def _top_runs(daily: Daily) -> list[Run]:
    """The best ranked attempts of people."""
    runs = Run.objects.filter(
        daily=daily, kind=Run.Kind.DAILY, ranked=True, voided_at=None, by_program=False
    )
    return list(runs.filter(faced__gt=0).order_by("-score", "id")[:_SCREENED])


def _flag_passer_by(run: Run, other: str, at: datetime) -> None:
    """Tell moderators that the player may have looked as a guest at a crowded address,
    where that does not make an attempt unranked.
    """
    flag_raise(
        subject_id=run.account_id,
        kind=FlagKind.SHARED_DUNGEON,
        evidence={"run": run.id, "other": other, "share": [Tie.ADDRESS]},
        key=run.id,
        at=at,
    )


@transaction.atomic
def daily_resettle(daily_id: str, *, at: datetime, reason: str) -> str:
    """Rank a settled daily again after a moderator's act; the digest of the revision.

    Voided runs do not count; runs that are no longer void count again. Raises
    daily.not_settled.
    """
    daily = daily_lock_exclusive(daily_id)
    if daily is None or daily.settled_at is None:
        raise ServiceRefusal(
            Kind.CONFLICT, "daily.not_settled", "That daily is not settled yet."
        )
    ranked = _write_board(daily, at)
    digest = _write_digest(daily, ranked, at=at, reason=reason)
    changed = Run.objects.filter(daily=daily, kind=Run.Kind.DAILY, ranked=True)
    for pool in BoardPool:
        accounts = sorted(
            run.account_id
            for run in changed.select_related("account")
            if board_pool_of(run.account) is pool
        )
        for part in chunked(accounts, _CHUNK):
            records_recompute(part)
        streaks_recompute(pool, accounts)
    return digest.digest


def _latest_digest(daily: Daily) -> DailyDigest:
    return DailyDigest.objects.filter(daily=daily).order_by("-revision")[0]


def _expire_unfinished(daily: Daily) -> None:
    """Expire the runs that are still played, at their deadline."""
    unfinished = Run.objects.filter(
        daily=daily, kind=Run.Kind.DAILY, status=Run.Status.PLAYING
    )
    for run_id, deadline in unfinished.values_list("id", "deadline_at"):
        assert deadline is not None
        run_break_off(run_id=run_id, how=Run.Status.EXPIRED, at=deadline)


def _write_board(daily: Daily, at: datetime) -> dict[BoardPool, list[RankedRun]]:
    """Verify and rank the runs, write board and points; the ranked runs by pool."""
    verified = sorted(_verified_runs(daily), key=lambda run: (run.sort_key, run.run.id))
    groups = daily_link_groups(daily.id)
    ranked: dict[BoardPool, list[RankedRun]] = {}
    for pool in BoardPool:
        runs = [each for each in verified if run_board_pool(each.run) is pool]
        ranks = assign_ranks(each.sort_key for each in runs)
        fields = daily_fields([_standing(each) for each in runs], groups)
        ranked[pool] = [
            RankedRun(*each) for each in zip(ranks, fields, runs, strict=True)
        ]
        board = daily_board(daily, pool)
        entries_replace(board, [_entry_of(each) for each in runs])
        board.closed_at = at
        board.save(update_fields=["closed_at"])
    points = [_points_of(pool, each) for pool, runs in ranked.items() for each in runs]
    points_replace(source=daily.id, ruleset=daily.ruleset, on=daily.on, points=points)
    counted = [each.run.id for each in verified]
    for part in chunked(counted, _CHUNK):
        Run.objects.filter(id__in=part, counted_at=None).update(counted_at=at)
    return ranked


def _points_of(pool: BoardPool, ranked: RankedRun) -> Points:
    standing = _standing(ranked.verified)
    return Points(standing.account, pool, daily_award(standing, ranked.field))


def _standing(verified: VerifiedRun) -> DailyStanding:
    run = verified.run
    return DailyStanding(verified.sort_key, run.faced > 0, run.account_id)


def _entry_of(verified: VerifiedRun) -> Entry:
    run = verified.run
    assert run.score is not None
    cleared = run.status == Run.Status.CLEARED
    return Entry(run.account_id, verified.sort_key, run.score, run.id, cleared=cleared)


def _verified_runs(daily: Daily) -> Iterator[VerifiedRun]:
    """The ranked runs that their moves prove; others are left out."""
    runs = Run.objects.filter(
        daily=daily, kind=Run.Kind.DAILY, ranked=True, voided_at=None
    )
    for run, codes in verified_runs(runs):
        yield VerifiedRun(_sort_key(run), run, moves_digest(codes))


def _sort_key(run: Run) -> SortKey:
    assert run.score is not None
    return score_key(
        run.score, run_elapsed_ms(run), is_cleared=run.status == Run.Status.CLEARED
    )


def _write_digest(
    daily: Daily, ranked: dict[BoardPool, list[RankedRun]], *, at: datetime, reason: str
) -> DailyDigest:
    previous = DailyDigest.objects.filter(daily=daily).order_by("-revision").first()
    revision = previous.revision + 1 if previous else 1
    assert daily.dungeon is not None
    header = DigestHeader(
        daily.on,
        daily.ruleset,
        daily.difficulty,
        daily.dungeon.seal,
        revision,
        previous.digest if previous else None,
    )
    entries = [
        _digest_entry(pool, each) for pool, runs in ranked.items() for each in runs
    ]
    text = digest_text(header, entries)
    return DailyDigest.objects.create(
        daily=daily,
        revision=revision,
        digest=text_digest(text),
        text=text,
        reason=reason,
        at=at,
    )


def _digest_entry(pool: BoardPool, ranked: RankedRun) -> DigestEntry:
    run, elapsed = ranked.verified.run, ranked.verified.sort_key.ms
    assert run.score is not None
    return DigestEntry(
        pool,
        ranked.rank,
        run.score,
        run.status,
        elapsed,
        run.id,
        ranked.verified.moves_digest,
    )


def _award(daily: Daily, pool: BoardPool, ranked: Sequence[RankedRun]) -> None:
    """Update records, streaks and badges with the runs that were just counted."""
    runs = [each.verified.run for each in ranked]
    records_update(counted_run(run) for run in runs)
    streaks = streaks_extend(
        daily.on, pool, [run.account_id for run in runs if _is_streak_day(run)]
    )
    # An account earns badges among its own kind only, as it does a streak.
    own = [each for each in ranked if _is_in_own_pool(each.verified.run)]
    for part in chunked(own, _CHUNK):
        EarnedBadge.objects.bulk_create(
            _badges(daily.on, part, streaks), ignore_conflicts=True
        )


def _is_streak_day(run: Run) -> bool:
    """Whether the run adds to its account's streak, which is in the account's pool."""
    return run.faced > 0 and _is_in_own_pool(run)


def _is_in_own_pool(run: Run) -> bool:
    return run_board_pool(run) is board_pool_of(run.account)


def _badges(
    on: date, ranked: Sequence[RankedRun], streaks: Mapping[str, Streak]
) -> Iterator[EarnedBadge]:
    """The badges that these runs earn, also those the account already has."""
    accounts = [each.verified.run.account_id for each in ranked]
    runs = counted_runs().filter(kind=Run.Kind.DAILY, account_id__in=accounts)
    dailies = dict(runs.values_list("account_id").annotate(n=Count("id")).order_by())
    for each in ranked:
        run = each.verified.run
        result = DailyResult(
            cleared=run.status == Run.Status.CLEARED,
            health=run.health,
            rank=each.rank,
            of=each.field.of,
            streak=streaks.get(run.account_id, NO_STREAK).current,
            dailies=dailies.get(run.account_id, 0),
        )
        for key in sorted(badges_earned(result)):
            yield EarnedBadge(
                account_id=run.account_id, key=key, run_id=run.id, earned_on=on
            )
