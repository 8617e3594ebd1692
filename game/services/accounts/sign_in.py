"""Decide which account is signed in once allauth has verified a credential.

A sign-up is a separate row until its e-mail is verified, so that nobody can find out
whether the e-mail was known already. Then, if a guest signed up, the guest's row takes
over the sign-up's name, password and e-mail.
"""

from datetime import datetime

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import IntegrityError, transaction

from game.models import Account, DeckView, Run, name_key
from game.models.accounts.account import SIGN_UP_PENDING
from game.services.accounts.accounts import guest_name
from game.services.accounts.banned_names import banned_return_flag
from game.services.accounts.deletion import account_delete_or_close, credential_tables
from game.services.accounts.names import (
    name_check_free,
    name_retire,
    names_lock,
)
from game.services.core.errors import ServiceRefusal

# Kinds of runs that may move to another account: they are on no board.
MOVABLE_KINDS: tuple[str, ...] = (Run.Kind.PRACTICE,)


def account_of_login(*, name: str = "", email: str = "") -> Account | None:
    """Return the account with that name or that verified e-mail; None if none has."""
    if email:
        address = (
            EmailAddress.objects.select_related("user")
            .filter(email=email.lower(), verified=True)
            .first()
        )
        account: Account | None = address.user if address else None
        return account
    if not name:
        return None
    return Account.objects.filter(name_key=name_key(name)).first()


@transaction.atomic
def account_sign_in(
    account: Account, *, guest: Account | None, at: datetime
) -> Account:
    """Return the account to sign in after `account` has proved its credentials.

    - A guest who signed up: the guest's row, with the new name, keeping its runs. If
      another account has taken that name, or one like it, since: with the guest's name.
    - A sign-up without a guest: the sign-up's row, which is a guest no longer; with a
      generated name if another account has taken its name since.
    - A guest who signs in to an existing account: that account. The guest's practice
      runs move to it, and so do unranked attempts at dailies that it has not tried,
      since the player has seen those dungeons. Runs in races stay: they belong to
      another entrant.
    """
    if guest is not None and guest.id == account.id:
        guest = None
    if account.is_guest:  # guests cannot sign in, so this is a sign-up
        new = _move_to_guest(account, guest, at) if guest else _end_guest(account, at)
        banned_return_flag(new, at=at)
        return new
    if guest is not None:
        movable = Run.objects.filter(account=guest, kind__in=MOVABLE_KINDS)
        movable.update(account=account)
        _move_attempts(guest, account)
        account_delete_or_close(guest.id, at=at)
    return account


def _move_attempts(guest: Account, account: Account) -> None:
    """Move the guest's attempts at dailies that the account has not tried.

    The views of their decks move with them. Those of the other dailies are copied,
    because the account's player has seen what the guest saw.
    """
    own = Run.objects.filter(account=account, kind=Run.Kind.DAILY)
    tried = list(own.values_list("daily_id", flat=True))
    attempts = Run.objects.filter(account=guest, kind=Run.Kind.DAILY, ranked=False)
    attempts.exclude(daily_id__in=tried).update(account=account)
    views = DeckView.objects.filter(account=guest)
    guest_views = list(views.filter(daily_id__in=tried))
    for view in guest_views:
        view.pk, view.account_id = None, account.id
        view.is_guest, view.is_familiar = False, True
    DeckView.objects.bulk_create(guest_views, ignore_conflicts=True)
    views.exclude(daily_id__in=tried).update(account=account)


def _end_guest(account: Account, at: datetime) -> Account:
    # Its row first, then names, as everywhere.
    Account.objects.select_for_update().get(id=account.id)
    names_lock()
    if not _is_free(account.name, account.id, at):
        _give_generated_name(account)
    account.is_guest, account.seen_at = False, at
    account.save(update_fields=["is_guest", "seen_at"])
    return account


def _is_free(name: str, account_id: str, at: datetime) -> bool:
    """Whether the account may have the name now, after its sign-up was verified."""
    try:
        name_check_free(name, at=at, account_id=account_id)
    except ServiceRefusal:
        return False
    return True


def _give_generated_name(account: Account) -> None:
    while True:
        account.name = guest_name()
        try:
            with transaction.atomic():
                account.save(update_fields=["name"])
        except IntegrityError:
            continue  # the generated name is taken; there are millions of others
        return


def _move_to_guest(pending: Account, guest: Account, at: datetime) -> Account:
    """Move name, password and e-mail to the guest's row; delete the sign-up's row."""
    rows = {
        row.id: row
        for row in Account.objects.select_for_update()
        .filter(id__in=[pending.id, guest.id])
        .order_by("id")
    }
    account, signed_up = rows[guest.id], rows[pending.id]
    name, password, email = signed_up.name, signed_up.password, signed_up.email
    for table in credential_tables():
        table.filter(user_id=account.id).delete()
        table.filter(user_id=signed_up.id).update(user_id=account.id)
    signed_up.delete()
    names_lock()
    if _is_free(name, account.id, at):
        if name_key(name) != account.name_key:
            name_retire(account, at=at)
        account.name = name
    account.password, account.email = password, email
    account.is_guest, account.seen_at = False, at
    account.save()
    return account


def pending_sign_up_delete(account_id: str) -> None:
    """Delete an unverified sign-up, so its browser can start over with the same name.

    An account of any other kind with that id stays.
    """
    Account.objects.filter(SIGN_UP_PENDING, id=account_id).delete()


def mail_is_set() -> bool:
    """Whether e-mail can be sent; if not, accounts count as verified."""
    return bool(settings.MAIL_IS_SET)


def is_verified(account: Account) -> bool:
    """Whether the account has a verified e-mail (or needs none)."""
    if account.is_guest:
        return False
    if not mail_is_set():
        return True
    addresses = EmailAddress.objects.filter(user_id=account.id, verified=True)
    return bool(addresses.exists())
