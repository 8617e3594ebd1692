"""What follows from a proof of who somebody is: guests become accounts, runs move.

allauth proves (password, code, passkey); this decides what the account becomes. A
sign-up is a row of its own until its e-mail is verified, so that nothing outside shows
whether the e-mail was known already; then the guest who signed up takes it over.
"""

from datetime import datetime

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import transaction

from game.models import Account, Run, name_key
from game.services.accounts.banned_names import return_note
from game.services.accounts.deletion import account_drop, ways_in
from game.services.accounts.names import name_give_up

# The kinds of runs that may change hands: nobody is ranked by them.
COMES_ALONG: tuple[str, ...] = (Run.Kind.PRACTICE,)


def account_of_login(*, name: str = "", email: str = "") -> Account | None:
    """The account a sign-in names: by its name, or by an e-mail that is verified."""
    if email:
        address = (
            EmailAddress.objects.select_related("user")
            .filter(email=email.lower(), verified=True)
            .first()
        )
        found: Account | None = address.user if address else None
        return found
    if not name:
        return None
    return Account.objects.filter(name_key=name_key(name)).first()


@transaction.atomic
def account_admit(account: Account, *, guest: Account | None, at: datetime) -> Account:
    """The account that is signed in from now on.

    - A guest who signed up: the guest's own row, under the new name, runs and all.
    - A sign-up without a guest: the new row, no guest any more.
    - A guest who signs in to an account of old: that account; the guest's practice runs
      move to it, and his attempts at dailies that it has none at: he has seen those
      dungeons. Runs in races do not move: they were another entrant's.
    """
    if guest is not None and guest.id == account.id:
        guest = None
    if account.is_guest:  # guests do not sign in: this is somebody's sign-up
        new = _take_over(account, guest, at) if guest else _grow_up(account, at)
        return_note(new, at=at)
        return new
    if guest is not None:
        theirs = Run.objects.filter(account=guest, kind__in=COMES_ALONG)
        theirs.update(account=account)
        had = Run.objects.filter(account=account, kind=Run.Kind.DAILY)
        attempts = Run.objects.filter(account=guest, kind=Run.Kind.DAILY, ranked=False)
        attempts.exclude(
            daily_id__in=list(had.values_list("daily_id", flat=True))
        ).update(account=account)
        account_drop(guest.id, at=at)
    return account


def _grow_up(account: Account, at: datetime) -> Account:
    account.is_guest, account.seen_at = False, at
    account.save(update_fields=["is_guest", "seen_at"])
    return account


def _take_over(pending: Account, guest: Account, at: datetime) -> Account:
    """Give the guest's row what the sign-up brought, and let the sign-up's row go."""
    rows = {
        row.id: row
        for row in Account.objects.select_for_update()
        .filter(id__in=[pending.id, guest.id])
        .order_by("id")
    }
    kept, spent = rows[guest.id], rows[pending.id]
    name, password, email = spent.name, spent.password, spent.email
    for theirs in ways_in():
        theirs.filter(user_id=kept.id).delete()
        theirs.filter(user_id=spent.id).update(user_id=kept.id)
    spent.delete()
    if name_key(name) != kept.name_key:
        name_give_up(kept, at=at)
    kept.name, kept.password, kept.email = name, password, email
    kept.is_guest, kept.seen_at = False, at
    kept.save()
    return kept


def sign_up_withdraw(account_id: str) -> None:
    """Let go a sign-up of the same browser that was never verified: he starts over,
    perhaps under the same name. Whatever else has that id stays.
    """
    Account.objects.filter(id=account_id, is_guest=True, last_login=None).exclude(
        password__startswith=UNUSABLE_PASSWORD_PREFIX
    ).delete()


def mail_is_set() -> bool:
    """Whether e-mail can be sent; where it cannot, accounts count as verified."""
    return bool(settings.MAIL_IS_SET)


def is_verified(account: Account) -> bool:
    """Whether the account's e-mail is known to be its owner's."""
    if account.is_guest:
        return False
    if not mail_is_set():
        return True
    addresses = EmailAddress.objects.filter(user_id=account.id, verified=True)
    return bool(addresses.exists())
