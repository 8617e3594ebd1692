"""What an asker may do: be signed in, and have the scope a view asks of tokens.

Each view says `scopes`: what a token needs for each method, such as
{"GET": "read", "POST": "play"}. What is not listed no token may do: it belongs to a
browser with its cookie.

Whoever is banned may do, with the cookie, what a view lists in `banned_may`, and
nothing else.
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
    """Why a token may not do what needs that scope (None: no token may), or None."""
    if needed is None:
        return "No token may do that; sign in with a browser."
    if needed not in token.scopes:
        return f'That needs a token with the scope "{needed}".'
    return None


class Anybody(BasePermission):
    """Whoever comes; a token needs its scope all the same."""

    scopes_by_default: ClassVar[Scopes] = READ

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether the token, if there is one, has the scope. Raises account.banned."""
        asker, is_program = request.user, isinstance(request.auth, Token)
        may = () if is_program else getattr(view, "banned_may", ())
        if isinstance(asker, Account) and request.method not in may:
            require_not_banned(asker, at=timezone.now())
        if isinstance(request.auth, Token):
            scopes: Scopes = getattr(view, "scopes", self.scopes_by_default)
            method = "GET" if request.method == "HEAD" else str(request.method)
            refusal = scope_refusal(request.auth, scopes.get(method))
            if refusal:
                raise exceptions.PermissionDenied(refusal, "token.scope")
        return True


class SignedIn(Anybody):
    """Whoever is signed in, guests too."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether somebody is there, and his token, if it is one, has the scope."""
        if not isinstance(request.user, Account):
            return False
        return super().has_permission(request, view)
