"""What a sign-in or a new credential changes elsewhere.

A sign-in, a verified e-mail and a passkey can make today's attempts at dailies ranked;
a sign-in also records the browser, and that the account's open attempts are shown
there. The app's `ready` connects the signals.
"""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed
from allauth.mfa.signals import authenticator_added
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest
from django.utils import timezone

from api.rest.core.browser_cookie import browser_remember
from game.models import Account
from game.services.accounts.browsers import account_mailboxes_record, browser_record
from game.services.dailies.ranking import account_attempts_decide, account_show_decks


def connect_account_signals() -> None:
    """Connect the signals. Calling it again changes nothing."""
    user_logged_in.connect(_handle_sign_in, dispatch_uid="browser of a sign-in")
    email_confirmed.connect(
        _handle_confirmed_email, dispatch_uid="dailies of an e-mail"
    )
    authenticator_added.connect(_handle_new_factor, dispatch_uid="dailies of a passkey")


def _handle_sign_in(*, request: HttpRequest, user: Account, **_: Any) -> None:
    now = timezone.now()
    if "REMOTE_ADDR" in request.META:  # no real request, as in a test's `force_login`
        browser = browser_remember(request)
        browser_record(user.id, at=now, **browser._asdict())
        account_show_decks(user.id, browser, at=now)
    account_attempts_decide(user.id, at=now)


def _handle_confirmed_email(*, email_address: EmailAddress, **_: Any) -> None:
    account_id, now = str(email_address.user_id), timezone.now()
    account_mailboxes_record(account_id, at=now)
    account_attempts_decide(account_id, at=now)


def _handle_new_factor(*, user: Account, **_: Any) -> None:
    account_attempts_decide(user.id, at=timezone.now())
