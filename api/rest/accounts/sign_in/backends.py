"""A name or an e-mail, and a password: exactly one hash, whoever asks for whom."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from game.models import Account
from game.services.accounts.sign_in import account_of_login


class NameOrEmail(ModelBackend):
    """The one way a password is checked at sign-in."""

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **credentials: Any,
    ) -> Account | None:
        """The account; None for a wrong password, and alike for nobody's name.

        Nobody's name, a guest's, a closed account's: each costs the one hash that a
        wrong password costs.
        """
        if not password:
            return None
        email = "" if username else credentials.get("email") or ""
        account = account_of_login(name=username or "", email=email)
        if account is None:
            Account().set_password(password)
            return None
        is_right = account.check_password(password)
        return account if is_right and self.user_can_authenticate(account) else None
