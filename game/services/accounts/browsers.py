"""Record, as keyed hashes, where an account is used: browsers, address, mailboxes.

A browser has two marks: the hash of its address and user agent, which a private window
shares, and the hash of its cookie, which stays if the address changes. Neither address,
user agent, cookie nor e-mail is stored: a hash can only be compared.
`game.selectors.accounts.links` tells which accounts share marks.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from allauth.account.models import EmailAddress
from django.conf import settings

from game.contest.networks import (
    household_of,
    is_in_networks,
    is_known,
    network_of,
)
from game.models import AccountMark, BrowserMark
from game.services.core.keyed_hash import keyed_hash, mailbox_hash

# Browsers and mailboxes; addresses count for less, see `game.contest.links`.
BROWSERS_KEPT_FOR: Final = timedelta(days=90)
# More new browsers a day are not recorded: a program can invent cookies and user agents
# without end, and each would be a row.
MAX_NEW_A_DAY: Final = 100
# A mark that was written this long ago or less is not written again.
RECORDED_EVERY: Final = timedelta(hours=1)

_COOKIE: Final = re.compile(r"[A-Za-z0-9_-]{43}")


class Browser(NamedTuple):
    """What a request tells of its browser; `cookie` is "" if it has none yet."""

    address: str
    agent: str
    cookie: str = ""

    @property
    def network_hash(self) -> str:
        """The keyed hash of the network."""
        return network_hash(self.address)

    @property
    def cookie_hash(self) -> str:
        """The keyed hash of the cookie; empty without one."""
        return cookie_hash(self.cookie)


def is_browser_cookie(text: str) -> bool:
    """Whether the text can be a cookie that this site gave to a browser."""
    return _COOKIE.fullmatch(text) is not None


def browser_hash(address: str, agent: str) -> str:
    """Return the keyed hash of a user agent and its address (for IPv6, its /64)."""
    return keyed_hash("browser", f"{network_of(address)}\n{agent}")


def network_hash(address: str) -> str:
    """Return the keyed hash of an IPv4 address, or of the /64 of an IPv6 address."""
    return keyed_hash("address", network_of(address))


def address_hash(address: str) -> str:
    """Return the keyed hash of what counts as one address: IPv4, or a /48 of IPv6."""
    return keyed_hash("address", household_of(address))


def cookie_hash(cookie: str) -> str:
    """Return the keyed hash of a browser's cookie; "" for no cookie."""
    return keyed_hash("browser cookie", cookie) if cookie else ""


def browser_record(
    account_id: str, *, address: str, agent: str, at: datetime, cookie: str = ""
) -> None:
    """Record that the account is used from this browser and address now.

    Its verified mailboxes too. Writes each mark once an hour at most.
    """
    browsers = {cookie_hash(cookie)} - {""}
    addresses: set[tuple[str, str]] = set()
    if links_accounts(address):
        browsers.add(browser_hash(address, agent))
        addresses.add((AccountMark.Kind.ADDRESS.value, address_hash(address)))
    _browsers_record(account_id, browsers, at)
    _marks_record(account_id, addresses | _mailboxes(account_id), at)


def links_accounts(address: str) -> bool:
    """Whether two accounts that are used at this address may be one person's."""
    return is_known(address) and not is_in_networks(address, settings.SHARED_NETWORKS)


def account_mailboxes_record(account_id: str, *, at: datetime) -> None:
    """Record the verified mailboxes of the account."""
    _marks_record(account_id, _mailboxes(account_id), at)


def _browsers_record(account_id: str, browsers: set[str], at: datetime) -> None:
    own = BrowserMark.objects.filter(account=account_id)
    known = dict(own.filter(mark__in=browsers).values_list("mark", "seen_at"))
    due = {
        mark
        for mark in browsers
        if mark not in known or known[mark] <= at - RECORDED_EVERY
    }
    if not due <= known.keys():
        today = own.filter(first_at__gt=at - timedelta(days=1))
        if today.count() >= MAX_NEW_A_DAY:
            due &= known.keys()
    BrowserMark.objects.bulk_create(
        [
            BrowserMark(account_id=account_id, mark=mark, first_at=at, seen_at=at)
            for mark in sorted(due)
        ],
        update_conflicts=True,
        unique_fields=["account", "mark"],
        update_fields=["seen_at"],
    )


def _marks_record(account_id: str, marks: set[tuple[str, str]], at: datetime) -> None:
    known = AccountMark.objects.filter(
        account=account_id, seen_at__gt=at - RECORDED_EVERY
    )
    missing = marks - set(known.values_list("kind", "mark"))
    AccountMark.objects.bulk_create(
        [
            AccountMark(
                account_id=account_id, kind=kind, mark=mark, first_at=at, seen_at=at
            )
            for kind, mark in sorted(missing)
        ],
        update_conflicts=True,
        unique_fields=["account", "kind", "mark"],
        update_fields=["seen_at"],
    )


def _mailboxes(account_id: str) -> set[tuple[str, str]]:
    boxes = verified_mailboxes([account_id])[account_id]
    return {(AccountMark.Kind.MAILBOX.value, box) for box in boxes}


def verified_mailboxes(accounts: Collection[str]) -> Mapping[str, list[str]]:
    """Return the hashes of the accounts' verified mailboxes, by account."""
    mailboxes: dict[str, list[str]] = defaultdict(list)
    rows = EmailAddress.objects.filter(user_id__in=accounts, verified=True)
    for account_id, email in rows.values_list("user_id", "email"):
        mailboxes[str(account_id)].append(mailbox_hash(email))
    return mailboxes


def is_familiar_browser(account_id: str, cookie: str, *, before: datetime) -> bool:
    """Whether the account was used before that time in the browser with the cookie."""
    if not cookie:
        return False
    known = BrowserMark.objects.filter(
        account_id=account_id, mark=cookie_hash(cookie), first_at__lt=before
    )
    return bool(known.exists())
