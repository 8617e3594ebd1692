"""Log sign-ins, sign-outs, failed sign-ins and changes of credentials.

Each line has the account's id and the network; never a name, an e-mail, a password or
a code. The app's `ready` connects the signals.
"""

from typing import Any

import structlog
from allauth.account import signals as accounts
from allauth.mfa import signals as factors
from django.contrib.auth import signals as auth
from django.dispatch import Signal
from django.http import HttpRequest

from api.rest.core.client_address import client_network

log = structlog.get_logger("scoundrel.sign_in")

# The event that is logged for each signal.
EVENTS: tuple[tuple[Signal, str], ...] = (
    (auth.user_logged_in, "signed_in"),
    (auth.user_logged_out, "signed_out"),
    (auth.user_login_failed, "sign_in_failed"),
    (accounts.user_signed_up, "signed_up"),
    (accounts.password_changed, "password_changed"),
    (accounts.password_reset, "password_reset"),
    (accounts.email_changed, "email_changed"),
    (factors.authenticator_added, "second_factor_added"),
    (factors.authenticator_removed, "second_factor_removed"),
    (factors.authenticator_reset, "second_factor_renewed"),
)


def connect_sign_in_log() -> None:
    """Connect the signals. Calling it again changes nothing."""
    for signal, event in EVENTS:
        signal.connect(_logger(event), weak=False, dispatch_uid=f"sign-in log {event}")


def _logger(event: str) -> Any:
    def write(sender: Any, request: HttpRequest | None = None, **facts: Any) -> None:
        user, factor = facts.get("user"), facts.get("authenticator")
        more = {"factor": factor.type} if factor is not None else {}
        log.info(
            event,
            account=getattr(user, "pk", None),
            network=client_network(request) if request is not None else None,
            **more,
        )

    return write
