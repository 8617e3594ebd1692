"""Settles dailies: every run is proved by folding, ranked, and put under a digest.

One transaction under the daily's exclusive lock: board, digest, points, records,
streaks, badges and the reveal, or none of it. Whoever calls again gets the digest.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from game.contest.digest import (
    DigestEntry,
    DigestHeader,
    digest_text,
    moves_digest,
    text_digest,
)
from game.contest.ranking import (
    BoardPool,
    SortKey,
    assign_ranks,
    daily_points,
    score_key,
)
from game.models import Daily, DailyDigest, Dungeon, Run
from game.selectors.core.times import elapsed_ms
from game.services.boards.entries import Row, board_fill, board_of
from game.services.boards.points import Points, board_pool_of, points_write
from game.services.boards.records import (
    counted_of,
    in_parts,
    records_note,
    records_recompute,
    streaks_note,
    streaks_recompute,
)
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.failpoints import failpoint
from game.services.dailies.awards import badges_award
from game.services.dailies.publish import daily_make_up
from game.services.runs.daily_lock import daily_alone
from game.services.runs.runs import run_break_off
from game.services.runs.verification import runs_proved

_CHUNK = 500


class Verified(NamedTuple):
    """A run that its moves prove, and where it stands."""

    standing: SortKey
    run: Run
    moves: str


class Placed(NamedTuple):
    """A verified run with its rank among `of`."""

    rank: int
    of: int
    one: Verified


def dailies_settle(*, at: datetime, most: int = 20) -> int:
    """Settle what is due, the oldest first; how many boards were settled."""
    due = Daily.objects.filter(settles_at__lte=at, settled_at=None)
    ids = list(due.order_by("on", "ruleset").values_list("id", flat=True)[:most])
    return sum(daily_settle(daily_id, at=at) is not None for daily_id in ids)


@transaction.atomic
def daily_settle(daily_id: str, *, at: datetime) -> str | None:
    """Settle a daily; its digest, also when it was settled before.

    None where another process is at it. Raises daily.not_over before its time.
    """
    daily = daily_alone(daily_id)
    if daily is None:
        return None
    if daily.settled_at is not None:
        return _newest(daily).digest
    if at < daily.settles_at:
        raise ServiceRefusal(
            Kind.CONFLICT, "daily.not_over", "Runs of that daily may still end."
        )
    if daily.dungeon_id is None:  # nobody was here on its day; its seal is kept still
        daily_make_up(daily_id, at=at)
        daily.refresh_from_db()
    _expire_rest(daily)
    daily.settled_at = at
    daily.save(update_fields=["settled_at"])
    Dungeon.objects.filter(id=daily.dungeon_id, revealed_at=None).update(revealed_at=at)
    placed = _write_board(daily, at)
    failpoint("settle_mid")
    digest = _write_digest(daily, placed, at=at, reason="")
    for pool, those in placed.items():
        _award(daily, pool, those)
    return digest.digest


@transaction.atomic
def daily_resettle(daily_id: str, *, at: datetime, reason: str) -> str:
    """Rank a settled daily anew after a moderator's act; the digest, next in its chain.

    Runs that were voided no longer count; runs that were un-voided do again. Raises
    daily.not_settled.
    """
    daily = daily_alone(daily_id)
    if daily is None or daily.settled_at is None:
        raise ServiceRefusal(
            Kind.CONFLICT, "daily.not_settled", "That daily is not settled yet."
        )
    placed = _write_board(daily, at)
    digest = _write_digest(daily, placed, at=at, reason=reason)
    changed = Run.objects.filter(daily=daily, kind=Run.Kind.DAILY, ranked=True)
    for pool in BoardPool:
        accounts = sorted(
            run.account_id
            for run in changed.select_related("account")
            if board_pool_of(run.account) is pool
        )
        for part in in_parts(accounts, _CHUNK):
            records_recompute(part)
        streaks_recompute(pool, accounts)
    return digest.digest


def _newest(daily: Daily) -> DailyDigest:
    return DailyDigest.objects.filter(daily=daily).order_by("-revision")[0]


def _expire_rest(daily: Daily) -> None:
    """End the runs that nobody has ended: at their deadline, with their score."""
    rest = Run.objects.filter(
        daily=daily, kind=Run.Kind.DAILY, status=Run.Status.PLAYING
    )
    for run_id, deadline in rest.values_list("id", "deadline_at"):
        assert deadline is not None
        run_break_off(run_id=run_id, how=Run.Status.EXPIRED, at=deadline)


def _write_board(daily: Daily, at: datetime) -> dict[BoardPool, list[Placed]]:
    """Verify, rank and write the board's entries and points; what came where."""
    verified = sorted(_verified(daily), key=lambda one: (one.standing, one.run.id))
    placed: dict[BoardPool, list[Placed]] = {}
    for pool in BoardPool:
        those = [one for one in verified if board_pool_of(one.run.account) is pool]
        numbered = zip(assign_ranks(one.standing for one in those), those, strict=True)
        placed[pool] = [Placed(rank, len(those), one) for rank, one in numbered]
        board = board_of(
            "daily",
            pool,
            ruleset=daily.ruleset,
            difficulty=daily.difficulty,
            span=daily.on.isoformat(),
        )
        board_fill(board, [_row(one) for one in those])
        board.closed_at = at
        board.save(update_fields=["closed_at"])
    points = [
        Points(it.one.run.account_id, pool, daily_points(it.rank, it.of))
        for pool, those_placed in placed.items()
        for it in those_placed
    ]
    points_write(source=daily.id, ruleset=daily.ruleset, on=daily.on, points=points)
    counted = [one.run.id for one in verified]
    for part in in_parts(counted, _CHUNK):
        Run.objects.filter(id__in=part, counted_at=None).update(counted_at=at)
    return placed


def _row(one: Verified) -> Row:
    run = one.run
    assert run.score is not None
    cleared = run.status == Run.Status.CLEARED
    return Row(run.account_id, one.standing, run.score, run.id, cleared=cleared)


def _verified(daily: Daily) -> Iterator[Verified]:
    """The ranked runs that their moves prove. One that they do not is left out."""
    runs = Run.objects.filter(
        daily=daily, kind=Run.Kind.DAILY, ranked=True, voided_at=None
    )
    for run, codes in runs_proved(runs):
        yield Verified(_standing(run), run, moves_digest(codes))


def _standing(run: Run) -> SortKey:
    assert run.score is not None
    assert run.finished_at is not None
    elapsed = elapsed_ms(run.started_at, run.finished_at)
    return score_key(run.score, elapsed, cleared=run.status == Run.Status.CLEARED)


def _write_digest(
    daily: Daily, placed: dict[BoardPool, list[Placed]], *, at: datetime, reason: str
) -> DailyDigest:
    previous = DailyDigest.objects.filter(daily=daily).order_by("-revision").first()
    revision = previous.revision + 1 if previous else 1
    assert daily.dungeon is not None
    head = DigestHeader(
        daily.on,
        daily.ruleset,
        daily.difficulty,
        daily.dungeon.seal,
        revision,
        previous.digest if previous else None,
    )
    lines = [_line(pool, it) for pool, those in placed.items() for it in those]
    text = digest_text(head, lines)
    return DailyDigest.objects.create(
        daily=daily,
        revision=revision,
        digest=text_digest(text),
        text=text,
        reason=reason,
        at=at,
    )


def _line(pool: BoardPool, it: Placed) -> DigestEntry:
    run, standing = it.one.run, it.one.standing
    assert run.score is not None
    return DigestEntry(
        pool, it.rank, run.score, run.status, standing.ms, run.id, it.one.moves
    )


def _award(daily: Daily, pool: BoardPool, placed: Sequence[Placed]) -> None:
    """Records, streaks and badges of what has just been counted."""
    records_note(counted_of(it.one.run) for it in placed)
    played = [it.one.run.account_id for it in placed if it.one.run.faced]
    streaks = streaks_note(daily.on, pool, played)
    badges_award(daily.on, [(it.rank, it.of, it.one.run) for it in placed], streaks)
