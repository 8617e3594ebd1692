"""Sign-in by name or e-mail and password. Each attempt computes one password hash."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest

from api.rest.accounts.sign_in.password_limits import is_refused_here
from game.models import Account
from game.services.accounts.sign_in import account_of_login


class NameOrEmailBackend(ModelBackend):
    """The only backend that checks a password at sign-in."""

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **credentials: Any,
    ) -> Account | None:
        """Return the account, or None for a wrong password or an unknown name.

        An unknown name, and one that is refused here, also computes a hash, so that the
        response time does not reveal whether the account exists.
        """
        if not password:
            return None
        email = "" if username else credentials.get("email") or ""
        account = account_of_login(name=username or "", email=email)
        if account is None or is_refused_here(request):
            Account().set_password(password)
            return None
        is_right = account.check_password(password)
        return account if is_right and self.user_can_authenticate(account) else None
