"""Close accounts, remove idle guests and delete rows that have expired.

Boards and races of other players depend on results, so runs and moves are never
deleted: their account becomes a row without a name. docs/accounts.md says what is kept.
"""

from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.db import models, transaction
from django.db.models import Exists, OuterRef, Q

from game.contest.declines import COUNTED_FOR
from game.contest.links import ADDRESS_COUNTS_FOR
from game.models import (
    Account,
    AccountMark,
    Act,
    Appeal,
    BannedName,
    BrowserMark,
    MatchDecline,
    Notice,
    OldName,
    Report,
    Run,
    Session,
    SignInPlace,
    Throttle,
    Token,
)
from game.models.accounts.account import SIGN_UP_PENDING
from game.services.accounts.banned_names import banned_names_keep
from game.services.accounts.browsers import BROWSERS_KEPT_FOR
from game.services.accounts.sign_in_places import PLACES_KEPT_FOR

_SOCIAL = ("socialaccount", "SocialAccount")
GUEST_IDLE_FOR = timedelta(days=30)
SIGN_UP_EXPIRES_AFTER = timedelta(days=1)
# A closed account is named "Departed " and so many characters of its id.
_ID_SHOWN = 11


@transaction.atomic
def account_close(account_id: str, *, at: datetime) -> Account:
    """Remove name, e-mail, sessions and credentials of an account; keep its runs."""
    account = Account.objects.select_for_update().get(id=account_id)
    banned_names_keep(account, at=at)
    account.name = f"Departed {account.id[:_ID_SHOWN]}"
    account.email = None
    account.staff_role = ""
    account.preferences = {}
    account.is_active = account.is_staff = account.is_superuser = False
    account.closed_at = at
    account.last_login = account.renamed_at = None
    account.set_unusable_password()
    account.save()
    account.groups.clear()
    account.user_permissions.clear()
    for table in (*credential_tables(), UserSession.objects, Token.objects):
        table.filter(user_id=account.id).delete()
    for rows in (Session.objects, SignInPlace.objects):
        rows.filter(account_id=account.id).delete()
    OldName.objects.filter(account_id=account.id).delete()
    _clear_texts(account.id)
    return account


def _clear_texts(account_id: str) -> None:
    """Remove the account's own texts from moderation records.

    Reports, acts and appeals themselves stay, without a name, so that bans hold and the
    audit log is complete. Notices are deleted; of old names only the keys stay.
    """
    Notice.objects.filter(account_id=account_id).delete()
    Report.objects.filter(reporter_id=account_id).update(text="")
    Report.objects.filter(case__subject_id=account_id).update(seen="")
    Appeal.objects.filter(account_id=account_id).exclude(outcome="").update(text="")
    for act in Act.objects.filter(subject_id=account_id, facts__has_key="name"):
        act.facts.pop("name")
        act.save(update_fields=["facts"])


def account_delete_or_close(account_id: str, *, at: datetime) -> None:
    """Delete the account, or close it if other rows refer to it."""
    try:
        with transaction.atomic():
            Account.objects.filter(id=account_id).delete()
    except (models.ProtectedError, models.RestrictedError):
        account_close(account_id, at=at)


def credential_tables() -> list[models.Manager[Any]]:
    """Return the tables of e-mails and credentials; each has a `user_id`."""
    tables: list[models.Manager[Any]] = [EmailAddress.objects, Authenticator.objects]
    # Installed only where a provider is set up.
    if apps.is_installed("allauth.socialaccount"):
        social: Any = apps.get_model(*_SOCIAL)
        tables.append(social.objects)
    return tables


def guests_prune(*, at: datetime, most: int = 200) -> int:
    """Delete or close guests idle for 30 days; return how many.

    A guest who never played, and a sign-up that is not verified within a day, are
    deleted. A guest with runs is closed: a row without a name keeps the runs.
    """
    since = at - GUEST_IDLE_FOR
    played_lately = Run.objects.filter(account=OuterRef("pk"), moved_at__gt=since)
    idle = Account.objects.filter(is_guest=True, is_active=True).filter(
        Q(seen_at__lte=since) & ~Exists(played_lately)
        | Q(created_at__lte=at - SIGN_UP_EXPIRES_AFTER) & SIGN_UP_PENDING
    )
    due = list(idle.order_by("seen_at").values_list("id", flat=True)[:most])
    for account_id in due:
        account_delete_or_close(account_id, at=at)
    return len(due)


def expired_rows_prune(*, at: datetime, most: int = 1000) -> int:
    """Delete expired sessions, tokens, reserved names and counters; return how many."""
    gone = 0
    for rows in (
        Session.objects.filter(expire_date__lte=at),
        Token.objects.filter(expiry__lte=at - GUEST_IDLE_FOR),
        OldName.objects.filter(until__lte=at),
        BannedName.objects.filter(until__lte=at),
        MatchDecline.objects.filter(at__lte=at - COUNTED_FOR),
        BrowserMark.objects.filter(seen_at__lte=at - BROWSERS_KEPT_FOR),
        AccountMark.objects.filter(seen_at__lte=at - BROWSERS_KEPT_FOR),
        AccountMark.objects.filter(
            kind=AccountMark.Kind.ADDRESS, seen_at__lte=at - ADDRESS_COUNTS_FOR
        ),
        SignInPlace.objects.filter(seen_at__lte=at - PLACES_KEPT_FOR),
        Throttle.objects.filter(resets_at__lte=at),
        UserSession.objects.exclude(
            session_key__in=Session.objects.values("session_key")
        ),
    ):
        keys = list(rows.values_list("pk", flat=True)[:most])
        if keys:
            gone += rows.model._default_manager.filter(pk__in=keys).delete()[0]  # noqa: SLF001
    return gone
