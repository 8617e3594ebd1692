"""Names and e-mail hashes of accounts that were closed during a ban.

Without them, closing an account and signing up again would end a ban. The names are
refused to everybody. The e-mail is not, since a household may share it: a sign-up with
it is flagged for a moderator.
"""

from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from django.db.models import Q

from game.contest.moderation.reasons import FlagKind
from game.models import Account, BannedName, OldName
from game.selectors.core.times import as_text
from game.services.core.flags import flag_raise
from game.services.core.keyed_hash import email_hash


def banned_names_keep(account: Account, *, at: datetime) -> None:
    """Reserve the names of an account that is being closed, if it is banned now."""
    until = account.banned_until
    if until is None or until <= at or account.closed_at is not None:
        return
    old = OldName.objects.filter(account=account).values_list("key", "skeleton")
    names = {account.name_key: account.name_skeleton, **dict(old)}
    emails = _emails_of(account)
    hashes = sorted(email_hash(email) for email in emails) or [""]
    rows = [
        BannedName(account=account, key=key, skeleton=skeleton, until=until)
        for key, skeleton in names.items()
    ]
    # One hash a row. Most accounts have one e-mail; the last rows repeat the last one.
    for place, row in enumerate(rows):
        row.email_mark = hashes[min(place, len(hashes) - 1)]
    BannedName.objects.bulk_create(rows, ignore_conflicts=True)


def banned_names_update(account_id: str, until: datetime | None) -> None:
    """Move the end of the reservation to that of the ban; None: the ban is over."""
    names = BannedName.objects.filter(account_id=account_id)
    if until is None:
        names.delete()
    else:
        names.update(until=until)


def is_banned_name(key: str, skeletons: set[str], *, at: datetime) -> bool:
    """Whether the name, or one that looks like it, is a banned, closed account's."""
    reserved = BannedName.objects.filter(until__gt=at)
    return bool(reserved.filter(Q(key=key) | Q(skeleton__in=skeletons)).exists())


def banned_return_flag(account: Account, *, at: datetime) -> int:
    """Flag a new account with the e-mail of a banned, closed one; return how many."""
    hashes = [email_hash(email) for email in _emails_of(account)]
    banned_names: Any = BannedName.objects.filter(email_mark__in=hashes, until__gt=at)
    return sum(
        flag_raise(
            subject_id=account.id,
            kind=FlagKind.BANNED_RETURN,
            evidence={"other": other, "banned_until": as_text(until)},
            key=other,
            at=at,
        )
        for other, until in set(banned_names.values_list("account_id", "until"))
    )


def _emails_of(account: Account) -> set[str]:
    rows = EmailAddress.objects.filter(user_id=account.id)
    emails = {email.lower() for email in rows.values_list("email", flat=True)}
    return emails | ({account.email.lower()} if account.email else set())
