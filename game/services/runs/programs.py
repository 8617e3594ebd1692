"""Runs that a program played. They are ranked among bots: `Run.by_program`."""

from django.db.models import Q, QuerySet

from game.models import Run


def runs_mark_bots(runs: QuerySet[Run]) -> int:
    """Mark those of the runs that are a bot account's and not counted yet; how many.

    An account may have become a bot after its run began. Counted runs keep their pool.
    """
    unmarked = runs.filter(account__is_bot=True, by_program=False, counted_at=None)
    return unmarked.update(by_program=True)


def runs_unsettled(account_id: str) -> QuerySet[Run]:
    """The account's runs that are played, or whose daily or race is not settled."""
    return Run.objects.filter(
        Q(status=Run.Status.PLAYING)
        | Q(kind=Run.Kind.DAILY, daily__settled_at=None)
        | Q(kind=Run.Kind.RACE, race__settled_at=None),
        account_id=account_id,
    )
