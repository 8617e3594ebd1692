"""Reads which ranked players of a settled daily are linked."""

from collections import defaultdict

from game.models import DailyLink


def daily_link_groups(daily_id: str) -> list[frozenset[str]]:
    """The groups of linked players (account ids) that were stored at its settlement."""
    groups: dict[int, set[str]] = defaultdict(set)
    rows = DailyLink.objects.filter(daily=daily_id).order_by("group")
    for group, account in rows.values_list("group", "account_id"):
        groups[group].add(account)
    return [frozenset(accounts) for accounts in groups.values()]
