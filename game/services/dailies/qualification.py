"""Reads what accounts have to show for a ranked attempt at a daily."""

from collections.abc import Collection, Sequence
from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import Count

from game.contest.ranked_attempts import AttemptFacts, is_qualified
from game.models import Account, Daily, DeckMailbox, Run
from game.services.accounts.sign_in import mail_is_set
from game.services.boards.records import chunked
from game.services.core.restrictions import Activity, restricted_accounts

_FINISHED = (Run.Status.CLEARED, Run.Status.DIED)
_CHUNK = 500


def attempt_facts(
    accounts: Sequence[Account], *, at: datetime
) -> dict[str, AttemptFacts]:
    """What the accounts have to show, by id."""
    ids = [account.id for account in accounts]
    verified = set(
        EmailAddress.objects.filter(user_id__in=ids, verified=True).values_list(
            "user_id", flat=True
        )
    )
    passkeys = set(
        Authenticator.objects.filter(
            user_id__in=ids, type=Authenticator.Type.WEBAUTHN
        ).values_list("user_id", flat=True)
    )
    finished = dict(
        Run.objects.filter(
            account_id__in=ids,
            status__in=_FINISHED,
            dungeon__seed_given=False,
            coached=False,
        )
        .values_list("account_id")
        .annotate(n=Count("id"))
        .order_by()
    )
    restricted = restricted_accounts(ids, Activity.RATED, at=at)
    has_mail = mail_is_set()
    return {
        account.id: AttemptFacts(
            is_guest=account.is_guest,
            is_bot=account.is_bot,
            is_bot_account=account.is_bot,
            # Without mail nothing is proved; bots then count as verified, as elsewhere.
            has_verified_email=account.is_active
            and (
                (account.id in verified and has_mail)
                or (account.is_bot and not has_mail)
            ),
            has_passkey=account.is_active and account.id in passkeys,
            age=at - account.created_at,
            finished_runs=finished.get(account.id, 0) if account.is_active else 0,
            is_restricted=account.id in restricted,
        )
        for account in accounts
    }


def unqualified_among(
    daily: Daily, accounts: Collection[str], *, at: datetime
) -> set[str]:
    """Those of the accounts that do not qualify for a ranked attempt at the daily.

    Guests are among them. A closed account whose attempt is ranked has qualified.
    """
    unqualified: set[str] = set()
    for part in chunked(sorted(accounts), _CHUNK):
        ranked = Run.objects.filter(
            daily=daily, kind=Run.Kind.DAILY, ranked=True, account_id__in=part
        )
        facts = attempt_facts(list(Account.objects.filter(id__in=part)), at=at)
        unqualified |= {account for account in part if not is_qualified(facts[account])}
        unqualified -= set(ranked.values_list("account_id", flat=True))
    return unqualified


def closed_without_mailbox(daily: Daily, accounts: Collection[str]) -> set[str]:
    """Those of the accounts that are closed and had no verified mailbox that day."""
    with_mailbox = DeckMailbox.objects.filter(daily=daily, account_id__in=accounts)
    closed = Account.objects.filter(id__in=accounts, is_active=False)
    return set(
        closed.exclude(id__in=with_mailbox.values("account_id")).values_list(
            "id", flat=True
        )
    )
