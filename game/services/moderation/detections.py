"""Raises flags from ranked and rated play: pace, shared dungeons.

Can run again over the same runs: a flag has a key and is raised once. The pace of
runs that a program played is not checked.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final

from django.db.models import Q

from game.contest.links import SAME_PERSON, Tie
from game.contest.moderation.patterns import Pace, measure_pace
from game.contest.moderation.reasons import FlagKind
from game.models import Entrant, Move, Run
from game.selectors.accounts.links import links_among, links_of
from game.selectors.core.times import as_text, elapsed_ms
from game.services.core.flags import flag_raise

# A run commits a little after its `finished_at`.
_OVERLAP: Final = timedelta(minutes=2)
_FIRST_SPAN: Final = timedelta(hours=1)


def runs_check(*, since: datetime | None, at: datetime, most: int = 500) -> int:
    """Check ranked and rated runs that ended or were counted since then; return how
    many flags. A daily's run may become ranked after its end, at the latest when it is
    counted.
    """
    after = (since or at - _FIRST_SPAN) - _OVERLAP
    is_ranked_daily = Q(kind=Run.Kind.DAILY, ranked=True)
    ended = Run.objects.filter(
        (is_ranked_daily | Q(race__rated=True))
        & Q(finished_at__gt=after, finished_at__lte=at)
        | is_ranked_daily & Q(counted_at__gt=after, counted_at__lte=at)
    )
    runs = ended.select_related("account").order_by("finished_at")[:most]
    return sum(_pace_flags(run, at) + _linked_flags(run, at) for run in runs)


def _pace_flags(run: Run, at: datetime) -> int:
    if run.by_program:
        return 0
    pace = run_pace(run)
    kinds = [
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
        for kind in kinds
    )


def run_pace(run: Run) -> Pace:
    """Return how quickly and how evenly a run was played."""
    moves = Move.objects.filter(run=run).order_by("index")
    times = [run.started_at, *moves.values_list("at", flat=True)]
    return measure_pace(
        [elapsed_ms(before, after) for before, after in pairwise(times)]
    )


def _linked_flags(run: Run, at: datetime) -> int:
    # People of one household play the same daily: an address alone flags no dungeon.
    links = links_of(run.account_id, at=at, ties=SAME_PERSON)
    same_person = links.linked_to(run.account_id)
    return _shared_flag(run, same_person, at) + _race_flag(run, at)


def _race_flag(run: Run, at: datetime) -> int:
    """Flag the run if a linked account is in the same rated race."""
    seats = Entrant.objects.filter(
        race_id=run.race_id, race__rated=True, left_at=None, kind=Entrant.Kind.PLAYER
    )
    links = links_among(set(seats.values_list("account_id", flat=True)), at=at)
    others = sorted(links.linked_to(run.account_id))
    if not others:
        return 0
    ties: set[Tie] = set()
    for other in others:
        ties |= links.between(run.account_id, other)
    return flag_raise(
        subject_id=run.account_id,
        kind=FlagKind.LINKED_RACE,
        evidence={
            "race": run.race_id,
            "run": run.id,
            "others": others,
            "share": sorted(ties),
        },
        key=run.id,
        at=at,
    )


def _shared_flag(run: Run, linked: Collection[str], at: datetime) -> int:
    """Flag the run if an account of the same browser or mailbox was dealt the same
    dungeon before the run ended: earlier, during it, or in the same race.
    """
    if not linked:
        return 0
    others = Run.objects.filter(
        account_id__in=linked,
        dungeon_id=run.dungeon_id,
        started_at__lte=run.finished_at,
    ).exclude(id=run.id)
    first = others.order_by("started_at").first()
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
