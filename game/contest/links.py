"""Whether accounts may belong to one person, from marks that they share.

A mark is a keyed hash of a browser, a mailbox or a network address. `AccountLinks`
answers for any number of accounts in memory; `game.selectors.accounts.links` reads the
marks. Households, schools and offices share addresses: a link is no proof, and it only
ever withholds points, records and ratings between the linked accounts.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import timedelta
from enum import StrEnum
from typing import Final, NamedTuple


class Tie(StrEnum):
    """What two accounts share."""

    BROWSER = "browser"
    MAILBOX = "mailbox"
    ADDRESS = "address"


# Accounts with one of these are taken for one person's.
SAME_PERSON: Final = frozenset({Tie.BROWSER, Tie.MAILBOX})
ANY_TIE: Final = frozenset(Tie)
# Addresses change hands: two accounts share one if both were seen there within this.
ADDRESS_COUNTS_FOR: Final = timedelta(days=14)


class AccountMark(NamedTuple):
    """A mark of an account; `mark` is a keyed hash that can only be compared."""

    account: str
    tie: Tie
    mark: str


class AccountLinks:
    """Which of some accounts share a browser, a mailbox or an address.

    Keeps accounts by mark, not pairs: a thousand accounts at one address take no more
    memory than a thousand at as many.
    """

    def __init__(self, marks: Iterable[AccountMark] = ()) -> None:
        """Read the marks, in any order."""
        self._marks: dict[str, set[tuple[Tie, str]]] = defaultdict(set)
        self._accounts: dict[tuple[Tie, str], set[str]] = defaultdict(set)
        for account, tie, mark in marks:
            self._marks[account].add((tie, mark))
            self._accounts[tie, mark].add(account)

    def between(self, first: str, second: str) -> frozenset[Tie]:
        """What two accounts share; empty for an account and itself."""
        if first == second or first not in self._marks or second not in self._marks:
            return frozenset()
        return frozenset(tie for tie, _ in self._marks[first] & self._marks[second])

    def linked_to(
        self, account: str, ties: Collection[Tie] = ANY_TIE
    ) -> frozenset[str]:
        """The other accounts that share one of these ties with the account."""
        accounts: set[str] = set()
        for mark in self._marks.get(account, ()):
            if mark[0] in ties:
                accounts |= self._accounts[mark]
        return frozenset(accounts - {account})

    def among(self, accounts: Iterable[str]) -> frozenset[Tie]:
        """What any two of these accounts share."""
        earlier: set[tuple[Tie, str]] = set()
        shared: set[Tie] = set()
        for account in set(accounts):
            own = self._marks.get(account, set())
            shared |= {tie for tie, _ in own & earlier}
            earlier |= own
        return frozenset(shared)

    def groups(self, tie: Tie) -> list[frozenset[str]]:
        """The accounts of each mark of that kind that two or more accounts share."""
        return [
            frozenset(accounts)
            for (kind, _), accounts in self._accounts.items()
            if kind is tie and len(accounts) > 1
        ]
