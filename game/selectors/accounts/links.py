"""Which accounts are linked, and why: by a browser, a mailbox or a network address.

No other module decides that. `game.contest.links` has the rules,
`services.accounts.browsers` records the marks.
"""

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Final

from django.db.models import Q, QuerySet

from game.contest import links
from game.contest.links import ADDRESS_COUNTS_FOR, ANY_TIE, AccountLinks, Tie
from game.models import AccountMark, BrowserMark

# SQL statements have a limit of parameters.
_CHUNK: Final = 500


def links_among(accounts: Collection[str], *, at: datetime) -> AccountLinks:
    """Return what these accounts share with each other, guests included.

    A browser or a mailbox counts as long as its mark is kept (90 days), an address if
    both accounts were used there within ADDRESS_COUNTS_FOR before `at`.
    """
    return AccountLinks(_marks_of(sorted(set(accounts)), at))


def links_of(
    account_id: str, *, at: datetime, ties: Collection[Tie] = ANY_TIE
) -> AccountLinks:
    """Return what the account shares with any other account; only these ties.

    `linked_to(account_id)` gives all of them. What those share with each other is not
    complete. Thousands of accounts may share an address: leave it out if you can.
    """
    shared_marks: list[links.AccountMark] = []
    if Tie.BROWSER in ties:
        own = BrowserMark.objects.filter(account=account_id).values("mark")
        rows = BrowserMark.objects.filter(mark__in=own)
        shared_marks += [
            links.AccountMark(account, Tie.BROWSER, mark)
            for account, mark in rows.values_list("account_id", "mark")
        ]
    for kind in (Tie.MAILBOX, Tie.ADDRESS):
        if kind in ties:
            marks = _counting_marks(at).filter(kind=kind)
            own_marks = marks.filter(account=account_id).values("mark")
            shared_marks += [
                links.AccountMark(account, kind, mark)
                for account, mark in marks.filter(mark__in=own_marks).values_list(
                    "account_id", "mark"
                )
            ]
    return AccountLinks(shared_marks)


def mailboxes_at(address: str, *, at: datetime) -> int:
    """Return how many verified mailboxes the accounts at an address have together.

    `address` is its keyed hash. Guests and second accounts of a mailbox add nothing.
    """
    marks = _counting_marks(at)
    here = marks.filter(kind=AccountMark.Kind.ADDRESS, mark=address)
    mailboxes = marks.filter(
        kind=AccountMark.Kind.MAILBOX, account__in=here.values("account")
    )
    return mailboxes.values("mark").distinct().count()


def _counting_marks(at: datetime) -> QuerySet[AccountMark]:
    is_recent = Q(seen_at__gt=at - ADDRESS_COUNTS_FOR)
    return AccountMark.objects.filter(Q(kind=AccountMark.Kind.MAILBOX) | is_recent)


def _marks_of(accounts: list[str], at: datetime) -> Iterator[links.AccountMark]:
    for start in range(0, len(accounts), _CHUNK):
        part = accounts[start : start + _CHUNK]
        browsers = BrowserMark.objects.filter(account__in=part)
        for account, mark in browsers.values_list("account_id", "mark"):
            yield links.AccountMark(account, Tie.BROWSER, mark)
        marks = _counting_marks(at).filter(account__in=part)
        for account, kind, mark in marks.values_list("account_id", "kind", "mark"):
            yield links.AccountMark(account, Tie(kind), mark)
