"""Leaving: deletion of an account, pruning of idle guests, and what is kept.

Results stand for others (boards, races), so runs and their moves are never deleted:
the account they belong to becomes a nameless row. See docs/accounts.md "What is kept".
"""

from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import models, transaction
from django.db.models import Exists, OuterRef, Q

from game.models import (
    Account,
    Act,
    Appeal,
    BannedName,
    BrowserMark,
    Notice,
    OldName,
    Report,
    Run,
    Session,
    Throttle,
    Token,
)
from game.services.accounts.banned_names import banned_names_keep
from game.services.accounts.browsers import BROWSERS_KEPT

_SOCIAL = ("socialaccount", "SocialAccount")
GUEST_IDLE_FOR = timedelta(days=30)
SIGN_UP_WAITS = timedelta(days=1)
# Room in a nameless row's name: "Departed " and eleven characters of its id.
_SHOWN_ID = 11


@transaction.atomic
def account_close(account_id: str, *, at: datetime) -> Account:
    """Take name, e-mail and every way in from the account; keep its runs."""
    account = Account.objects.select_for_update().get(id=account_id)
    banned_names_keep(account, at=at)
    account.name = f"Departed {account.id[:_SHOWN_ID]}"
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
    for theirs in (*ways_in(), UserSession.objects, Token.objects):
        theirs.filter(user_id=account.id).delete()
    Session.objects.filter(account_id=account.id).delete()
    OldName.objects.filter(account_id=account.id).delete()
    _forget_words(account.id)
    return account


def _forget_words(account_id: str) -> None:
    """Take the account's words out of what is kept for order's sake.

    That it was reported, judged and heard stays, without a name: bans hold, and the log
    of acts is whole. What it was told goes; so do its old names, but their keys.
    """
    Notice.objects.filter(account_id=account_id).delete()
    Report.objects.filter(reporter_id=account_id).update(text="")
    Report.objects.filter(case__subject_id=account_id).update(seen="")
    Appeal.objects.filter(account_id=account_id).exclude(outcome="").update(text="")
    for act in Act.objects.filter(subject_id=account_id, facts__has_key="name"):
        act.facts.pop("name")
        act.save(update_fields=["facts"])


def account_drop(account_id: str, *, at: datetime) -> None:
    """Remove an account nothing hangs on; close one that something does."""
    try:
        with transaction.atomic():
            Account.objects.filter(id=account_id).delete()
    except (models.ProtectedError, models.RestrictedError):
        account_close(account_id, at=at)


def ways_in() -> list[models.Manager[Any]]:
    """The tables of what proves who somebody is, each with a `user_id`."""
    tables: list[models.Manager[Any]] = [EmailAddress.objects, Authenticator.objects]
    # Installed only where a provider is set up.
    if apps.is_installed("allauth.socialaccount"):
        social: Any = apps.get_model(*_SOCIAL)
        tables.append(social.objects)
    return tables


def guests_prune(*, at: datetime, most: int = 200) -> int:
    """Close guests who have not been here for 30 days; how many.

    A guest who never played, and a sign-up nobody verified within a day, go without a
    trace; who played leaves a nameless row with his runs.
    """
    since = at - GUEST_IDLE_FOR
    played_lately = Run.objects.filter(account=OuterRef("pk"), moved_at__gt=since)
    idle = Account.objects.filter(is_guest=True, is_active=True).filter(
        Q(seen_at__lte=since) & ~Exists(played_lately)
        | Q(created_at__lte=at - SIGN_UP_WAITS, last_login=None)
        & ~Q(password__startswith=UNUSABLE_PASSWORD_PREFIX)
    )
    due = list(idle.order_by("seen_at").values_list("id", flat=True)[:most])
    for account_id in due:
        account_drop(account_id, at=at)
    return len(due)


def leftovers_prune(*, at: datetime, most: int = 1000) -> int:
    """Delete what has run out: sessions, tokens, held names, counters; how many."""
    gone = 0
    for rows in (
        Session.objects.filter(expire_date__lte=at),
        Token.objects.filter(expiry__lte=at - GUEST_IDLE_FOR),
        OldName.objects.filter(until__lte=at),
        BannedName.objects.filter(until__lte=at),
        BrowserMark.objects.filter(seen_at__lte=at - BROWSERS_KEPT),
        Throttle.objects.filter(resets_at__lte=at),
        UserSession.objects.exclude(
            session_key__in=Session.objects.values("session_key")
        ),
    ):
        keys = list(rows.values_list("pk", flat=True)[:most])
        if keys:
            gone += rows.model._default_manager.filter(pk__in=keys).delete()[0]  # noqa: SLF001
    return gone
