"""Flags accounts whose rated results suggest that entrants lose on purpose.

`game.contest.moderation.collusion` has the rules. Can run again: an account is flagged
at most once a week for each kind.
"""

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from game.contest.moderation.collusion import (
    LostRun,
    Seat,
    circles,
    is_thrown,
    one_sided_results,
    pair_records,
)
from game.contest.moderation.reasons import FlagKind
from game.models import Entrant, Run
from game.selectors.accounts.links import links_among
from game.selectors.core.times import elapsed_ms
from game.services.core.flags import flag_raise

_SPAN: Final = timedelta(days=30)
# Disqualified entrants have no place and are last.
_LAST: Final = 99


def collusion_check(*, at: datetime) -> int:
    """Check the rated races of 30 days, of any size; return how many flags."""
    records = pair_records(_races(at))
    accounts = {account for account, _ in records}
    links = links_among(accounts, at=at)
    linked = {account: links.linked_to(account) for account in accounts}
    raised = 0
    for result in one_sided_results(records, linked):
        evidence = {
            "others": list(result.opponents),
            "linked": result.is_linked,
            **result.record._asdict(),
        }
        raised += _flag(result.account, FlagKind.ONE_SIDED, evidence, at)
    for group in circles(records):
        for account in group.accounts:
            others = [other for other in group.accounts if other != account]
            evidence = {"others": others, "thrown": group.thrown}
            raised += _flag(account, FlagKind.CIRCLE, evidence, at)
    return raised


def _flag(
    account_id: str, kind: FlagKind, evidence: Mapping[str, Any], at: datetime
) -> bool:
    year, week, _ = at.isocalendar()
    return flag_raise(
        subject_id=account_id,
        kind=kind,
        evidence=evidence,
        key=f"{year}-W{week:02}",
        at=at,
    )


def _races(at: datetime) -> list[list[Seat]]:
    """The players' results in each rated race that was settled within the span."""
    seats = Entrant.objects.filter(
        race__rated=True,
        race__voided_at=None,
        race__settled_at__gt=at - _SPAN,
        left_at=None,
        kind=Entrant.Kind.PLAYER,
        run__isnull=False,
    )
    races: dict[str, list[Seat]] = defaultdict(list)
    for entrant in seats.select_related("run"):
        assert entrant.run is not None
        thrown = is_thrown(_lost_run(entrant.run))
        seat = Seat(entrant.account_id, entrant.place or _LAST, thrown)
        races[entrant.race_id].append(seat)
    return list(races.values())


def _lost_run(run: Run) -> LostRun:
    # Programs play fast, so their speed shows nothing.
    if run.by_program or run.finished_at is None:
        return LostRun(run.status, run.faced)
    took_ms = elapsed_ms(run.started_at, run.finished_at)
    return LostRun(run.status, run.faced, run.index, took_ms)
