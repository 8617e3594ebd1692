"""Which accounts were used in the same browser, see `BrowserMark`."""

from collections import defaultdict
from collections.abc import Iterable

from game.models import BrowserMark


def linked_among(accounts: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return, for each account, those among the others that are linked to it.

    Linked accounts used the same browser at the same address within 90 days. Accounts
    without a link are left out. People of one household are linked too.
    """
    rows = BrowserMark.objects.filter(account__in=set(accounts))
    users: dict[str, set[str]] = defaultdict(set)
    for mark, account_id in rows.values_list("mark", "account_id"):
        users[mark].add(account_id)
    linked: dict[str, set[str]] = defaultdict(set)
    for together in users.values():
        for account_id in together:
            linked[account_id] |= together - {account_id}
    return {
        account_id: frozenset(others) for account_id, others in linked.items() if others
    }
