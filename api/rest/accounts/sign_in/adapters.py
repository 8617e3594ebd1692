"""Our answers to allauth's questions: who may be called what, who becomes whom."""

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

from api.rest.core.client_address import address_of
from api.rest.core.recent_sign_in import note_sign_in
from game.models import Account
from game.services.accounts.names import name_check, name_free
from game.services.accounts.sign_in import account_admit, mail_is_set, sign_up_withdraw
from game.services.accounts.tokens import tokens_revoke
from game.services.core.errors import ServiceRefusal

_NONCE = 12


def guest_in(request: HttpRequest) -> Account | None:
    """The guest whose session this is; allauth's views take him for nobody."""
    account = get_user(request)
    return account if isinstance(account, Account) and account.is_guest else None


def pending_in(request: HttpRequest) -> str:
    """The id of the sign-in, or sign-up, that this session has not finished; or ""."""
    login = request.session.get(LOGIN_SESSION_KEY)
    return str(login.get("user_pk") or "") if isinstance(login, dict) else ""


class PeopleAdapter(DefaultAccountAdapter):
    """Accounts."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name as kept; its refusal's code and reason as allauth shows errors."""
        guest = guest_in(context.request)
        sign_up_withdraw(pending_in(context.request))
        try:
            name = name_check(username)
            name_free(name, at=timezone.now(), account_id=guest.id if guest else "")
        except ServiceRefusal as refusal:
            raise ValidationError(refusal.text, code=refusal.code) from refusal
        return name

    def new_user(self, request: HttpRequest) -> Account:
        """A guest still: `account_admit` decides what becomes of him."""
        return Account(is_guest=True)

    def is_email_verified(self, request: HttpRequest, email: str) -> bool:
        """Where no mail can be sent, all are."""
        return not mail_is_set()

    def login(self, request: HttpRequest, user: Account) -> None:
        """Sign in whom the proof makes of him, instead of the guest if there is one."""
        guest = guest_in(request)
        account = account_admit(user, guest=guest, at=timezone.now())
        if guest is not None:
            # Or Django would flush the session, and the proof's record with it.
            for key in (SESSION_KEY, BACKEND_SESSION_KEY, HASH_SESSION_KEY):
                request.session.pop(key, None)
        if request.session.get(METHODS_OF) == user.pk:
            request.session[METHODS_OF] = account.pk
        super().login(request, account)
        note_sign_in(request, at=timezone.now())

    def set_password(self, user: Account, password: str) -> None:
        """Change it. A reset also ends the tokens: whoever lost it may be somebody."""
        super().set_password(user, password)
        if not context.request.user.is_authenticated:
            tokens_revoke(user.pk)

    def send_confirmation_mail(
        self, request: HttpRequest, emailconfirmation: Any, signup: bool
    ) -> None:
        """A code; to an e-mail that is another account's, how to sign in there."""
        address = emailconfirmation.email_address
        if not mail_is_set():
            emailconfirmation.confirm(request)
        elif not address.can_set_verified():
            self.send_account_already_exists_mail(address.email)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address our own proxies vouch for."""
        return address_of(request)


class SecondFactorAdapter(DefaultMFAAdapter):
    """Second factors: their secrets lie encrypted, under a key made from SEED_KEY."""

    def encrypt(self, text: str) -> str:
        """AES-256-GCM with a nonce of its own."""
        nonce = secrets.token_bytes(_NONCE)
        return base64.b64encode(
            nonce + _cipher().encrypt(nonce, text.encode(), None)
        ).decode("ascii")

    def decrypt(self, encrypted_text: str) -> str:
        """What `encrypt` closed."""
        raw = base64.b64decode(encrypted_text)
        return _cipher().decrypt(raw[:_NONCE], raw[_NONCE:], None).decode()


def _cipher() -> AESGCM:
    key = base64.urlsafe_b64decode(settings.SEED_KEY)
    derived = HKDF(SHA256(), 32, salt=None, info=b"scoundrel second factor")
    return AESGCM(derived.derive(key))
