"""Stores which ranked players of a daily are linked, when its board is settled."""

from datetime import datetime

from game.contest.links import Tie
from game.models import Daily, DailyLink, Run
from game.selectors.accounts.links import links_among

_BATCH = 500


def daily_links_record(daily: Daily, *, at: datetime) -> None:
    """Store the groups of ranked players who share a browser, mailbox or address."""
    runs = Run.objects.filter(daily=daily, kind=Run.Kind.DAILY, ranked=True)
    links = links_among(set(runs.values_list("account_id", flat=True)), at=at)
    # A browser has two marks, so two groups may be equal.
    groups = {group for tie in Tie for group in links.groups(tie)}
    rows = [
        DailyLink(daily=daily, account_id=account, group=number)
        for number, group in enumerate(sorted(groups, key=sorted))
        for account in sorted(group)
    ]
    DailyLink.objects.bulk_create(rows, batch_size=_BATCH)
