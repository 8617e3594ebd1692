"""Permissions: signed-in accounts, scopes of tokens, banned accounts.

A view's `scopes` says which scope a token needs for each method, such as
{"GET": "read", "POST": "play"}. Methods that are not listed need a session.

A banned account may use, by its session, only the methods in a view's
`methods_when_banned`.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils import timezone
from rest_framework import exceptions
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from game.models import Account, Token
from game.services.core.restrictions import require_not_banned

Scopes = Mapping[str, str]
READ: Scopes = {"GET": "read"}
PLAY: Scopes = {"POST": "play"}
COOKIE_ONLY: Scopes = {}


def scope_refusal(token: Token, needed: str | None) -> str | None:
    """Return why a token lacks the needed scope, or None if it has it.

    `needed` is None for methods that accept no token.
    """
    if needed is None:
        return "Tokens are not accepted here; sign in with a browser."
    if needed not in token.scopes:
        return f'This needs a token with the scope "{needed}".'
    return None


class AllowAnonymous(BasePermission):
    """Allows requests without an account too; a token still needs its scope."""

    scopes_by_default: ClassVar[Scopes] = READ

    def has_permission(self, request: Request, view: Any) -> bool:
        """True. Raises account.banned, and token.scope if a token lacks the scope."""
        account, has_token = request.user, isinstance(request.auth, Token)
        allowed = () if has_token else getattr(view, "methods_when_banned", ())
        if isinstance(account, Account) and request.method not in allowed:
            require_not_banned(account, at=timezone.now())
        if isinstance(request.auth, Token):
            scopes: Scopes = getattr(view, "scopes", self.scopes_by_default)
            method = "GET" if request.method == "HEAD" else str(request.method)
            refusal = scope_refusal(request.auth, scopes.get(method))
            if refusal:
                raise exceptions.PermissionDenied(refusal, "token.scope")
        return True


class SignInRequired(AllowAnonymous):
    """Allows signed-in accounts, guests included."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether an account is signed in. Raises as `AllowAnonymous` does."""
        if not isinstance(request.user, Account):
            return False
        return super().has_permission(request, view)
