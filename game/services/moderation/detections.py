"""The machine's watch over play that counts: pace, shared dungeons, one-sided pairs.

Derived from the database, idempotent: a flag has a key, and the same is noted once.
Bots that say so are not looked at for their pace.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final

from django.db.models import Q

from game.contest.moderation.patterns import Pace, head_to_head, measure_pace
from game.contest.moderation.reasons import FlagKind
from game.models import Entrant, Move, Run
from game.selectors.core.times import as_text, elapsed_ms
from game.selectors.moderation.cases import linked_accounts
from game.services.core.flags import flag_raise

# Runs commit a little after the time they carry.
_OVERLAP: Final = timedelta(minutes=2)
_AT_FIRST: Final = timedelta(hours=1)
_PAIRS_OVER: Final = timedelta(days=30)
_GIVEN_UP: Final = (Run.Status.FORFEITED, Run.Status.ABANDONED, Run.Status.EXPIRED)


def runs_look(*, since: datetime | None, at: datetime, most: int = 500) -> int:
    """Look at ranked and rated runs that have ended since; how many flags."""
    after = (since or at - _AT_FIRST) - _OVERLAP
    counts = Q(kind=Run.Kind.DAILY, ranked=True) | Q(race__rated=True)
    ended = Run.objects.filter(counts, finished_at__gt=after, finished_at__lte=at)
    runs = ended.select_related("account").order_by("finished_at")[:most]
    return sum(_pace_flags(run, at) + _linked_flags(run, at) for run in runs)


def _pace_flags(run: Run, at: datetime) -> int:
    if run.account.is_bot:
        return 0
    pace = run_pace(run)
    found = [
        kind
        for kind, seen in (
            (FlagKind.TOO_FAST, pace.is_fast),
            (FlagKind.TOO_REGULAR, pace.is_regular),
        )
        if seen
    ]
    evidence = {
        "run": run.id,
        "moves": pace.moves,
        "median_ms": pace.median_ms,
        "spread": round(pace.spread, 3),
    }
    return sum(
        flag_raise(
            subject_id=run.account_id, kind=kind, evidence=evidence, key=run.id, at=at
        )
        for kind in found
    )


def run_pace(run: Run) -> Pace:
    """How quickly and how evenly a run was played."""
    moves = Move.objects.filter(run=run).order_by("index")
    times = [run.started_at, *moves.values_list("at", flat=True)]
    return measure_pace([elapsed_ms(one, after) for one, after in pairwise(times)])


def _linked_flags(run: Run, at: datetime) -> int:
    linked = [one["id"] for one in linked_accounts(run.account_id)]
    if not linked:
        return 0
    return _shared_flag(run, linked, at) + _race_flag(run, linked, at)


def _race_flag(run: Run, linked: list[str], at: datetime) -> int:
    """Whether an account of the same browser sat in the same rated race."""
    seats = Entrant.objects.filter(
        race_id=run.race_id, race__rated=True, account_id__in=linked, left_at=None
    )
    others = sorted(seats.values_list("account_id", flat=True))
    if not others:
        return 0
    return flag_raise(
        subject_id=run.account_id,
        kind=FlagKind.LINKED_RACE,
        evidence={"race": run.race_id, "run": run.id, "others": others},
        key=run.id,
        at=at,
    )


def _shared_flag(run: Run, linked: list[str], at: datetime) -> int:
    """Whether an account of the same browser had been dealt the dungeon before, or at
    the same moment. Who shared a race with it has the race's own flag.
    """
    earlier = Run.objects.filter(
        account_id__in=linked,
        dungeon_id=run.dungeon_id,
        started_at__lte=run.started_at,
    ).exclude(id=run.id)
    if run.race_id is not None:
        earlier = earlier.exclude(race_id=run.race_id)
    first = earlier.order_by("started_at").first()
    if first is None:
        return 0
    evidence = {
        "run": run.id,
        "before": first.id,
        "other": first.account_id,
        "started_at": as_text(run.started_at),
        "other_started_at": as_text(first.started_at),
    }
    return flag_raise(
        subject_id=run.account_id,
        kind=FlagKind.SHARED_DUNGEON,
        evidence=evidence,
        key=run.id,
        at=at,
    )


def pairs_look(*, at: datetime) -> int:
    """Look for pairs whose rated races all end one way; how many flags."""
    year, week, _ = at.isocalendar()
    raised = 0
    for (one, other), results in _meetings(at):
        met = head_to_head(results)
        linked = met.is_all_won and other in {
            account["id"] for account in linked_accounts(one)
        }
        if met.is_one_sided or linked:
            raised += flag_raise(
                subject_id=one,
                kind=FlagKind.ONE_SIDED,
                evidence={"other": other, "linked": linked, **met._asdict()},
                key=f"{other}:{year}-W{week:02}",
                at=at,
            )
    return raised


def _meetings(
    at: datetime,
) -> Iterator[tuple[tuple[str, str], list[tuple[bool, bool]]]]:
    """Each ordered pair's races of two, as the first of it sees them."""
    seats = Entrant.objects.filter(
        race__rated=True,
        race__voided_at=None,
        race__settled_at__gt=at - _PAIRS_OVER,
        left_at=None,
        kind=Entrant.Kind.PLAYER,
    ).select_related("run")
    races: dict[str, list[Entrant]] = defaultdict(list)
    for seat in seats.order_by("race_id", "seat"):
        races[seat.race_id].append(seat)
    found: dict[tuple[str, str], list[tuple[bool, bool]]] = defaultdict(list)
    for those in races.values():
        if len(those) != 2:  # of a crowd, a pair says little
            continue
        for one, other in (those, those[::-1]):
            won = (one.place or 9) < (other.place or 9)
            gone = other.run is not None and other.run.status in _GIVEN_UP
            found[one.account_id, other.account_id].append((won, gone))
    yield from found.items()
