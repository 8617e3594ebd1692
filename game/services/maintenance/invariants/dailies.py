"""I5, I8, I9, I10, I13 for dailies: attempts, digests, boards, seals, overdue days."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from django.db.models import Count

from game.contest.calendar import SETTLEMENT_LATE_AFTER, daily_window, planned_band
from game.contest.digest import (
    DigestEntry,
    DigestHeader,
    digest_text,
    moves_digest,
    text_digest,
)
from game.contest.drawing import SelectionReason, candidate_seed, day_key
from game.contest.ranking import SLOT_MS, BoardPool, SortKey, assign_ranks
from game.models import (
    ALL_SLOTS,
    BoardBucket,
    BoardEntry,
    Daily,
    DailyDigest,
    Leaderboard,
    Move,
    Run,
)
from game.rules import seal_of
from game.services.maintenance.invariants.breach import Breach
from game.services.runs.dungeons import seed_decrypt


def breaches(*, at: datetime) -> Iterator[Breach]:
    """Every breach of these invariants."""
    late = Daily.objects.filter(Daily.settlement_due(at - SETTLEMENT_LATE_AFTER))
    for daily in late:
        yield Breach("I13", str(daily), "should have been settled")
    yield from _attempts()
    for daily in Daily.objects.select_related("dungeon").order_by("on", "ruleset"):
        yield from _seals(daily)
        if daily.settled_at is not None:
            yield from _digests(daily)
    for board in Leaderboard.objects.order_by("id"):
        yield from _buckets(board)


def _attempts() -> Iterator[Breach]:
    """I5: one attempt per account and daily, within the day, on its dungeon."""
    attempts = Run.objects.filter(kind=Run.Kind.DAILY)
    twice = (
        attempts.values("daily_id", "account_id")
        .annotate(n=Count("id"))
        .filter(n__gt=1)
        .order_by()
    )
    for row in twice:
        what = f"account {row['account_id']}"
        yield Breach("I5", what, f"has {row['n']} attempts at {row['daily_id']}")
    for run in attempts.select_related("daily").iterator(500):
        daily = run.daily
        if daily is None or daily.dungeon_id != run.dungeon_id:
            yield Breach("I5", f"run {run.id}", "is on another dungeon than its daily")
        elif not daily.opens_at <= run.started_at < daily.closes_at:
            yield Breach("I5", f"run {run.id}", "was started outside its day")
        elif (
            run.finished_at is not None
            # An outage may have moved the attempt's own deadline.
            and run.finished_at > (run.deadline_at or daily_window(daily.on).ends_at)
        ):
            yield Breach("I5", f"run {run.id}", "ended after its daily")
        elif run.ranked and run.unranked:
            yield Breach("I5", f"run {run.id}", "is ranked, with a reason why not")


def _seals(daily: Daily) -> Iterator[Breach]:
    """I10: the seals match master and seed, and the rule chose the candidate."""
    master = seed_decrypt(daily.id, daily.master_sealed)
    if seal_of(master) != daily.master_seal:
        yield Breach("I10", str(daily), "has a seal that is not its master's")
    if daily.planned != planned_band(daily.on):
        yield Breach(
            "I10", str(daily), "does not have its weekday's planned difficulty"
        )
    dungeon = daily.dungeon
    if dungeon is None or daily.candidate is None:
        return
    seed = seed_decrypt(dungeon.id, dungeon.seed_sealed)
    key = day_key(master, daily.beacon_round, daily.beacon_signature)
    if seed != candidate_seed(key, daily.candidate) or seal_of(seed) != dungeon.seal:
        yield Breach("I10", str(daily), "has a dungeon that its master does not give")
    if (dungeon.revealed_at is None) != (daily.settled_at is None):
        yield Breach("I10", str(daily), "is not revealed exactly when settled")
    if daily.choice == SelectionReason.FIRST and daily.candidate != 0:
        yield Breach("I10", str(daily), "has a candidate that the rule does not choose")


def _digests(daily: Daily) -> Iterator[Breach]:
    """I8: each revision has the digest of its text and of the revision before it.

    The newest text equals that of the stored board.
    """
    chain = list(DailyDigest.objects.filter(daily=daily).order_by("revision"))
    if not chain:
        yield Breach("I8", str(daily), "is settled without a digest")
        return
    previous = None
    for number, digest in enumerate(chain, start=1):
        is_next = f"\nprevious {previous or '-'}\n" in digest.text
        if digest.revision != number or not is_next:
            yield Breach("I8", str(daily), f"has a gap before revision {number}")
        if text_digest(digest.text) != digest.digest:
            yield Breach("I8", str(daily), f"revision {number} has a wrong digest")
        previous = digest.digest
    last = chain[-1]
    stored = digest_text(_head(daily, chain), list(_lines(daily)))
    if stored != last.text:
        yield Breach("I8", str(daily), "has another board than its newest revision")


def _head(daily: Daily, chain: list[DailyDigest]) -> DigestHeader:
    return DigestHeader(
        daily.on,
        daily.ruleset,
        daily.difficulty,
        daily.dungeon.seal if daily.dungeon else "",
        len(chain),
        chain[-2].digest if len(chain) > 1 else None,
    )


def _lines(daily: Daily) -> Iterator[DigestEntry]:
    """The entries of the digest, computed from the stored board, runs and moves."""
    for pool in BoardPool:
        entries = list(
            BoardEntry.objects.filter(
                board__key="daily",
                board__pool=pool,
                board__ruleset=daily.ruleset,
                board__span=daily.on.isoformat(),
            )
            .select_related("run")
            .order_by("order", "ms", "run_id")
        )
        standings = [SortKey(entry.order, entry.ms) for entry in entries]
        for rank, entry in zip(assign_ranks(standings), entries, strict=True):
            if entry.run is not None:
                yield _line(pool, rank, entry.run, entry)


def _line(pool: str, rank: int, run: Run, entry: BoardEntry) -> DigestEntry:
    codes = Move.objects.filter(run=run).order_by("index")
    moves = moves_digest(codes.values_list("code", flat=True))
    return DigestEntry(pool, rank, run.score or 0, run.status, entry.ms, run.id, moves)


def _buckets(board: Leaderboard) -> Iterator[Breach]:
    """I9: the buckets have the numbers of the entries."""
    counted: Counter[tuple[int, int]] = Counter()
    for order, ms in BoardEntry.objects.filter(board=board).values_list("order", "ms"):
        counted[ALL_SLOTS, order] += 1
        counted[ms // SLOT_MS, order] += 1
    stored = {
        (slot, order): n
        for slot, order, n in BoardBucket.objects.filter(board=board).values_list(
            "slot", "order", "n"
        )
    }
    if stored != dict(counted):
        yield Breach("I9", f"board {board}", "has buckets with wrong counts")
