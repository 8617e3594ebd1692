"""allauth adapters: names, sign-in, mails and second factors of accounts."""

import base64
import secrets
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import (
    _AUTHENTICATION_METHODS_USER_SESSION_KEY as METHODS_OF,
)
from allauth.account.internal.stagekit import LOGIN_SESSION_KEY
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.contrib.auth import (
    BACKEND_SESSION_KEY,
    HASH_SESSION_KEY,
    SESSION_KEY,
    get_user,
)
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone

from api.rest.core.browser_cookie import browser_remember
from api.rest.core.client_address import client_address
from api.rest.core.recent_sign_in import record_sign_in
from game.models import Account
from game.services.accounts.names import name_check, name_check_free
from game.services.accounts.sign_in import (
    account_sign_in,
    mail_is_set,
    pending_sign_up_delete,
)
from game.services.accounts.sign_in_places import place_record
from game.services.accounts.tokens import tokens_revoke
from game.services.core.errors import ServiceRefusal

_NONCE_BYTES = 12


def current_guest(request: HttpRequest) -> Account | None:
    """Return the guest who is signed in; allauth's views treat guests as anonymous."""
    account = get_user(request)
    return account if isinstance(account, Account) and account.is_guest else None


def pending_account_id(request: HttpRequest) -> str:
    """Return the account id of an unfinished sign-in or sign-up, or an empty text."""
    login = request.session.get(LOGIN_SESSION_KEY)
    return str(login.get("user_pk") or "") if isinstance(login, dict) else ""


class AccountAdapter(DefaultAccountAdapter):
    """Names, sign-in and mails of accounts."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name as it is stored. Raises refusals as ValidationError."""
        guest = current_guest(context.request)
        pending_sign_up_delete(pending_account_id(context.request))
        try:
            name = name_check(username)
            name_check_free(
                name, at=timezone.now(), account_id=guest.id if guest else ""
            )
        except ServiceRefusal as refusal:
            raise ValidationError(refusal.text, code=refusal.code) from refusal
        return name

    def new_user(self, request: HttpRequest) -> Account:
        """Return a new guest; `account_sign_in` makes it a registered account."""
        return Account(is_guest=True)

    def is_email_verified(self, request: HttpRequest, email: str) -> bool:
        """Without a mail server every e-mail counts as verified."""
        return not mail_is_set()

    def login(self, request: HttpRequest, user: Account) -> None:
        """Sign in the account that `account_sign_in` returns, in place of a guest."""
        guest = current_guest(request)
        account = account_sign_in(user, guest=guest, at=timezone.now())
        if guest is not None:
            # Otherwise Django would flush the session, and with it allauth's record of
            # the authentication methods used.
            for key in (SESSION_KEY, BACKEND_SESSION_KEY, HASH_SESSION_KEY):
                request.session.pop(key, None)
        if request.session.get(METHODS_OF) == user.pk:
            request.session[METHODS_OF] = account.pk
        super().login(request, account)
        record_sign_in(request, at=timezone.now())
        _record_place(request, account.pk)

    def set_password(self, user: Account, password: str) -> None:
        """Change the password.

        A reset by mail also revokes the account's tokens, and makes this browser and
        network familiar.
        """
        super().set_password(user, password)
        if not context.request.user.is_authenticated:
            tokens_revoke(user.pk)
            _record_place(context.request, user.pk)

    def send_confirmation_mail(
        self, request: HttpRequest, emailconfirmation: Any, signup: bool
    ) -> None:
        """Mail a code, or a hint to sign in if the e-mail already has an account."""
        address = emailconfirmation.email_address
        if not mail_is_set():
            emailconfirmation.confirm(request)
        elif not address.can_set_verified():
            self.send_account_already_exists_mail(address.email)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client address, as reported by trusted proxies."""
        return client_address(request)


def _record_place(request: HttpRequest, account_id: str) -> None:
    """Record that the account has proved a credential in this browser."""
    place_record(account_id, browser_remember(request), at=timezone.now())


class SecondFactorAdapter(DefaultMFAAdapter):
    """Encrypts the secrets of second factors under a key derived from SEED_KEY."""

    def encrypt(self, text: str) -> str:
        """Encrypt by AES-256-GCM with a new nonce."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return base64.b64encode(
            nonce + _cipher().encrypt(nonce, text.encode(), None)
        ).decode("ascii")

    def decrypt(self, encrypted_text: str) -> str:
        """Decrypt what `encrypt` returned."""
        raw = base64.b64decode(encrypted_text)
        return _cipher().decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], None).decode()


def _cipher() -> AESGCM:
    key = base64.urlsafe_b64decode(settings.SEED_KEY)
    derived = HKDF(SHA256(), 32, salt=None, info=b"scoundrel second factor")
    return AESGCM(derived.derive(key))
