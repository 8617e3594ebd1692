"""Records in which browsers and for which mailboxes a daily's deck was dealt.

`ranking` decides by these rows which attempts are ranked. They are deleted when the
board is settled.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final

from django.db.models import Q, QuerySet

from game.contest import ranked_attempts
from game.contest.ranked_attempts import MailboxView, Sightings
from game.models import Account, Daily, DeckMailbox, DeckView, Run
from game.selectors.accounts.links import mailboxes_at
from game.services.accounts.browsers import (
    Browser,
    address_hash,
    browser_hash,
    browser_record,
    cookie_hash,
    is_familiar_browser,
    links_accounts,
    verified_mailboxes,
)
from game.services.accounts.sign_in import mail_is_set
from game.services.dailies.qualification import unqualified_among

# A program can invent user agents without end, and each would be a row that every
# decision at that address reads.
MAX_VIEWS: Final = 100

Views = Sequence[ranked_attempts.DeckView]


def deck_view_of(
    daily: Daily, account: Account | None, browser: Browser, *, at: datetime
) -> ranked_attempts.DeckView:
    """The view of an account (None: a new guest) that is dealt the deck there now."""
    is_guest = account is None or account.is_guest
    look, address = _place_of(browser)
    return ranked_attempts.DeckView(
        account_id=account.id if account else "",
        at=at,
        browser=cookie_hash(browser.cookie),
        look=look,
        address=address,
        is_familiar=account is not None
        and not is_guest
        and is_familiar_browser(
            account.id,
            browser.cookie,
            before=ranked_attempts.familiar_before(daily.opens_at, at),
        ),
        is_guest=is_guest,
        is_crowded=bool(address)
        and mailboxes_at(address, at=at) >= ranked_attempts.MIN_CROWD,
    )


def _place_of(browser: Browser) -> tuple[str, str]:
    """The hashes of address with user agent, and of the address; "" if the address
    links nobody, as in a shared network.
    """
    if not links_accounts(browser.address):
        return "", ""
    look = browser_hash(browser.address, browser.agent)
    return look, address_hash(browser.address)


def deck_view_record(
    daily: Daily, account: Account, browser: Browser, *, at: datetime
) -> set[str] | None:
    """Record that the account is dealt the daily's deck in this browser.

    Returns the accounts whose ranked attempts this may make unranked; None if nothing
    was recorded, because it was recorded before or the account has MAX_VIEWS.
    """
    known = DeckView.objects.filter(
        daily=daily,
        account=account,
        browser=cookie_hash(browser.cookie),
        look=_place_of(browser)[0],
    )
    if known.exists():
        return None
    if DeckView.objects.filter(daily=daily, account=account).count() >= MAX_VIEWS:
        return None
    view = deck_view_of(daily, account, browser, at=at)
    browser_record(account.id, at=at, **browser._asdict())
    row = DeckView(daily=daily, **view._asdict())
    DeckView.objects.bulk_create([row], ignore_conflicts=True)
    return _open_attempts_like(daily, view)


def mailboxes_record(daily: Daily, attempts: Sequence[Run]) -> None:
    """Record the verified mailboxes of the accounts of these attempts."""
    mailboxes = mailboxes_of([run.account_id for run in attempts])
    rows = [
        DeckMailbox(
            daily=daily, account_id=run.account_id, mailbox=box, at=run.started_at
        )
        for run in attempts
        for box in mailboxes[run.account_id]
    ]
    DeckMailbox.objects.bulk_create(rows, ignore_conflicts=True)


def deck_views_forget(daily: Daily) -> None:
    """Delete the browsers and mailboxes of a daily whose board is settled."""
    DeckView.objects.filter(daily=daily).delete()
    DeckMailbox.objects.filter(daily=daily).delete()


def views_of(
    daily: Daily, accounts: Collection[str]
) -> Mapping[str, list[ranked_attempts.DeckView]]:
    """The views of these accounts, by account."""
    views: dict[str, list[ranked_attempts.DeckView]] = defaultdict(list)
    for row in DeckView.objects.filter(daily=daily, account_id__in=accounts):
        views[row.account_id].append(_as_view(row))
    return views


def recorded_mailboxes_of(
    daily: Daily, accounts: Collection[str]
) -> Mapping[str, list[str]]:
    """The recorded mailboxes of these accounts, by account."""
    mailboxes: dict[str, list[str]] = defaultdict(list)
    for row in DeckMailbox.objects.filter(daily=daily, account_id__in=accounts):
        mailboxes[row.account_id].append(row.mailbox)
    return mailboxes


def mailboxes_of(accounts: Collection[str]) -> Mapping[str, list[str]]:
    """The hashes of the verified mailboxes, by account; none if no mail can be sent."""
    return verified_mailboxes(accounts if mail_is_set() else [])


def sightings_of_all(daily: Daily, *, at: datetime) -> Sightings:
    """Who was dealt the deck of a daily, and where."""
    rows = DeckView.objects.filter(daily=daily)
    return _sightings(daily, rows, DeckMailbox.objects.filter(daily=daily), at)


def passers_by(daily: Daily, runs: Collection[Run], *, at: datetime) -> dict[str, str]:
    """Of these attempts, those at a crowded address where an account that does not
    qualify was dealt the deck before they ended; that account, by the run's id.
    """
    crowded = DeckView.objects.filter(daily=daily, is_crowded=True)
    if not crowded.exists():
        return {}
    views = views_of(daily, [run.account_id for run in runs])
    crowded_views = [_as_view(row) for row in crowded.iterator()]
    accounts = {view.account_id for view in crowded_views}
    sightings = Sightings(
        crowded_views, unqualified=unqualified_among(daily, accounts, at=at)
    )
    accounts_by_run: dict[str, str] = {}
    for run in runs:
        until = run.finished_at or at
        other = sightings.passer_by(run.account_id, views[run.account_id], until=until)
        if other is not None:
            accounts_by_run[run.id] = other
    return accounts_by_run


def sightings_like(
    daily: Daily, views: Views, mailboxes: Collection[str], *, at: datetime
) -> Sightings:
    """Who else was dealt the deck in the browsers, addresses and mailboxes of these."""
    boxes = DeckMailbox.objects.filter(daily=daily, mailbox__in=mailboxes)
    return _sightings(daily, _views_like(daily, views), boxes, at)


def _sightings(
    daily: Daily, rows: QuerySet[DeckView], boxes: QuerySet[DeckMailbox], at: datetime
) -> Sightings:
    views = [_as_view(row) for row in rows.iterator()]
    # At a crowded address an unqualified account makes no attempt unranked, and there
    # may be thousands of accounts.
    accounts = {view.account_id for view in views if not view.is_crowded}
    return Sightings(
        views,
        (MailboxView(row.account_id, row.at, row.mailbox) for row in boxes.iterator()),
        unqualified=unqualified_among(daily, accounts, at=at),
    )


def _views_like(daily: Daily, views: Views) -> QuerySet[DeckView]:
    browsers = {view.browser for view in views} - {""}
    addresses = {view.address for view in views} - {""}
    return DeckView.objects.filter(
        Q(browser__in=browsers) | Q(address__in=addresses), daily=daily
    )


def _open_attempts_like(daily: Daily, view: ranked_attempts.DeckView) -> set[str]:
    """Accounts with a ranked attempt in a place like this one that is not over yet, or
    that a guest began.
    """
    like = {row.account_id for row in _views_like(daily, [view])}
    by_guests = DeckView.objects.filter(daily=daily, is_guest=True)
    open_attempts = Run.objects.filter(
        Q(status=Run.Status.PLAYING) | Q(account__in=by_guests.values("account")),
        daily=daily,
        kind=Run.Kind.DAILY,
        ranked=True,
        account_id__in=like,
    )
    return set(open_attempts.values_list("account_id", flat=True))


def accounts_at(daily: Daily, addresses: Collection[str]) -> set[str]:
    """Accounts that were dealt the deck at one of these addresses (hashes)."""
    rows = DeckView.objects.filter(daily=daily, address__in=addresses)
    return set(rows.values_list("account_id", flat=True))


def accounts_with_mailboxes_of(daily: Daily, accounts: Collection[str]) -> set[str]:
    """Accounts that were dealt the deck and have a mailbox of one of these."""
    boxes = DeckMailbox.objects.filter(daily=daily)
    own = boxes.filter(account_id__in=accounts).values("mailbox")
    holders = boxes.filter(mailbox__in=own).values_list("account_id", flat=True)
    return set(holders)


def _as_view(row: DeckView) -> ranked_attempts.DeckView:
    return ranked_attempts.DeckView(
        *(getattr(row, name) for name in ranked_attempts.DeckView._fields)
    )
