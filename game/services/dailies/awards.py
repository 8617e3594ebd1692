"""Badges that a settled daily earns."""

from collections.abc import Mapping, Sequence
from datetime import date

from django.db.models import Count

from game.contest.badges import DailyResult, badges_earned
from game.contest.streaks import NO_STREAK, Streak
from game.models import EarnedBadge, Run
from game.services.boards.records import counted_runs, in_parts

_CHUNK = 500


def badges_award(
    on: date, placed: Sequence[tuple[int, int, Run]], streaks: Mapping[str, Streak]
) -> None:
    """Give whoever is placed (rank, of, run) the badges he does not have yet."""
    for part in in_parts(placed, _CHUNK):
        dailies = _dailies([run.account_id for _, _, run in part])
        EarnedBadge.objects.bulk_create(
            [
                EarnedBadge(
                    account_id=run.account_id, key=key, run_id=run.id, earned_on=on
                )
                for rank, of, run in part
                for key in sorted(
                    badges_earned(
                        DailyResult(
                            cleared=run.status == Run.Status.CLEARED,
                            health=run.health,
                            rank=rank,
                            of=of,
                            streak=streaks.get(run.account_id, NO_STREAK).current,
                            dailies=dailies.get(run.account_id, 0),
                        )
                    )
                )
            ],
            ignore_conflicts=True,
        )


def _dailies(accounts: Sequence[str]) -> dict[str, int]:
    rows = counted_runs().filter(kind=Run.Kind.DAILY, account_id__in=accounts)
    return dict(rows.values_list("account_id").annotate(n=Count("id")).order_by())
