"""What a ban keeps when the banned account leaves: its names, and a mark of its e-mail.

Without it, leaving and signing up again would end a ban. A name is refused to
everybody; an e-mail is not, for it may be a household's: a moderator is told.
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
    """Keep the names of an account that leaves, if it is banned now."""
    until = account.banned_until
    if until is None or until <= at or account.closed_at is not None:
        return
    old = OldName.objects.filter(account=account).values_list("key", "skeleton")
    names = {account.name_key: account.name_skeleton, **dict(old)}
    emails = _emails_of(account)
    marks = sorted(email_hash(one) for one in emails) or [""]
    rows = [
        BannedName(account=account, key=key, skeleton=skeleton, until=until)
        for key, skeleton in names.items()
    ]
    # Most have one e-mail; of several, each name keeps one, the last ones the rest's.
    for place, row in enumerate(rows):
        row.email_mark = marks[min(place, len(marks) - 1)]
    BannedName.objects.bulk_create(rows, ignore_conflicts=True)


def banned_names_until(account_id: str, until: datetime | None) -> None:
    """The ban was made longer or shorter, or ended (None)."""
    kept = BannedName.objects.filter(account_id=account_id)
    if until is None:
        kept.delete()
    else:
        kept.update(until=until)


def is_banned_name(key: str, skeleton: str, *, at: datetime) -> bool:
    """Whether a banned account left with that name, or with one that looks like it."""
    kept = BannedName.objects.filter(until__gt=at)
    return bool(kept.filter(Q(key=key) | Q(skeleton=skeleton)).exists())


def return_note(account: Account, *, at: datetime) -> int:
    """Flag a new account whose e-mail a banned one left with; how many flags."""
    marks = [email_hash(one) for one in _emails_of(account)]
    left: Any = BannedName.objects.filter(email_mark__in=marks, until__gt=at)
    return sum(
        flag_raise(
            subject_id=account.id,
            kind=FlagKind.BANNED_RETURN,
            evidence={"other": other, "banned_until": as_text(until)},
            key=other,
            at=at,
        )
        for other, until in set(left.values_list("account_id", "until"))
    )


def _emails_of(account: Account) -> set[str]:
    rows = EmailAddress.objects.filter(user_id=account.id)
    emails = {one.lower() for one in rows.values_list("email", flat=True)}
    return emails | ({account.email.lower()} if account.email else set())
