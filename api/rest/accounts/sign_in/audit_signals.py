"""Writes down who signed in or out, who could not, and what opened or closed a way in.

One log line each, with the account's id and the network it came from; never a name, an
e-mail, a password or a code that was tried. Started once, by the app's `ready`.
"""

from typing import Any

import structlog
from allauth.account import signals as people
from allauth.mfa import signals as factors
from django.contrib.auth import signals as auth
from django.dispatch import Signal
from django.http import HttpRequest

from api.rest.core.client_address import network_of

log = structlog.get_logger("scoundrel.people")

# What is written for each signal.
EVENTS: tuple[tuple[Signal, str], ...] = (
    (auth.user_logged_in, "signed_in"),
    (auth.user_logged_out, "signed_out"),
    (auth.user_login_failed, "sign_in_failed"),
    (people.user_signed_up, "signed_up"),
    (people.password_changed, "password_changed"),
    (people.password_reset, "password_reset"),
    (people.email_changed, "email_changed"),
    (factors.authenticator_added, "second_factor_added"),
    (factors.authenticator_removed, "second_factor_removed"),
    (factors.authenticator_reset, "second_factor_renewed"),
)


def watch_people() -> None:
    """Begin to write; called twice, once is written."""
    for signal, event in EVENTS:
        signal.connect(_writer(event), weak=False, dispatch_uid=f"witness {event}")


def _writer(event: str) -> Any:
    def write(sender: Any, request: HttpRequest | None = None, **facts: Any) -> None:
        user, factor = facts.get("user"), facts.get("authenticator")
        more = {"factor": factor.type} if factor is not None else {}
        log.info(
            event,
            account=getattr(user, "pk", None),
            network=network_of(request) if request is not None else None,
            **more,
        )

    return write
