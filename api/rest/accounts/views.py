"""Become a guest; read, change, export and close your own account."""

from django.contrib.auth import login, logout
from django.middleware.csrf import get_token
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.rest.accounts.preferences import Preferences
from api.rest.core.authentication import account_of, is_cross_site
from api.rest.core.bodies import Body, EmptyBody, Text
from api.rest.core.browser_cookie import browser_remember
from api.rest.core.client_address import client_network
from api.rest.core.openapi import problems
from api.rest.core.permissions import COOKIE_ONLY, READ, AllowAnonymous
from api.rest.core.recent_sign_in import require_recent_sign_in
from game.models import Account, Token
from game.selectors.accounts import schemas as accounts_schemas
from game.selectors.accounts.accounts import account_show
from game.services.accounts.accounts import (
    account_change,
    account_record_seen,
    guest_create,
)
from game.services.accounts.deletion import account_close, account_delete_or_close
from game.services.accounts.exports import account_export
from game.services.accounts.sign_in import is_verified
from game.services.core.rate_limits import (
    ACCOUNT_WRITE_BY_ACCOUNT,
    EXPORT_BY_ACCOUNT,
    GUEST_BY_ADDRESS,
)
from game.services.core.throttles import throttle
from game.services.dailies.ranking import (
    account_attempts_decide,
    account_show_decks,
)
from game.services.moderation.roles import role_of


class AccountChange(Body):
    """The fields to change; a missing field keeps its value."""

    name = Text(required=False, max_length=64, trim_whitespace=False)
    preferences = Preferences(required=False)
    is_bot = serializers.BooleanField(required=False)


class ProofBody(Body):
    """The password, unless the sign-in is less than 15 minutes old."""

    password = Text(
        required=False, allow_null=True, max_length=128, trim_whitespace=False
    )


def account_answer(
    account: Account, *, is_token: bool = False
) -> accounts_schemas.Account:
    """Return the account as its owner sees it; by token, without e-mail and role."""
    answer = account_show(account, is_verified=is_verified(account))
    if is_token:
        return {**answer, "email": None, "staff_role": ""}
    return {**answer, "staff_role": role_of(account).key}


class GuestSession(APIView):
    """A guest account, signed in at once."""

    permission_classes = [AllowAnonymous]
    scopes = COOKIE_ONLY
    methods_when_banned = ("POST",)

    @extend_schema(
        operation_id="session_guest",
        request=EmptyBody,
        responses={
            200: accounts_schemas.Account,
            201: accounts_schemas.Account,
            **problems(401, 403),
        },
    )
    def post(self, request: Request) -> Response:
        """Become a guest: sets the session cookie and the CSRF cookie.

        If you are signed in already, you keep that account (200 instead of 201).
        """
        EmptyBody(data=request.data).is_valid(raise_exception=True)
        if isinstance(request.user, Account):
            get_token(request)
            return Response(account_answer(request.user))
        if is_cross_site(request):
            raise exceptions.PermissionDenied(
                "The request comes from another site.", "csrf.failed"
            )
        now = timezone.now()
        throttle(GUEST_BY_ADDRESS, client_network(request), at=now)
        account = guest_create(at=now)
        login(request, account)
        return Response(account_answer(account), status=201)


class OwnAccount(APIView):
    """The account that is signed in."""

    scopes = READ
    methods_when_banned = ("GET", "DELETE")

    @extend_schema(
        operation_id="account",
        responses={200: accounts_schemas.Account, **problems(401, 403)},
    )
    def get(self, request: Request) -> Response:
        """Get your own account."""
        account = account_of(request)
        account_record_seen(account, browser_remember(request), at=timezone.now())
        get_token(request)
        return Response(
            account_answer(account, is_token=isinstance(request.auth, Token))
        )

    @extend_schema(
        operation_id="account_change",
        request=AccountChange,
        responses={200: accounts_schemas.Account, **problems(401, 403, 409)},
    )
    def patch(self, request: Request) -> Response:
        """Change name or preferences, or turn it into a bot account (permanent)."""
        body = AccountChange(data=request.data)
        body.is_valid(raise_exception=True)
        account, now = account_of(request), timezone.now()
        throttle(ACCOUNT_WRITE_BY_ACCOUNT, account.id, at=now)
        changed = account_change(account_id=account.id, at=now, **body.validated_data)
        if changed.is_bot and not account.is_bot:
            account_attempts_decide(account.id, at=now)
        return Response(account_answer(changed))

    @extend_schema(
        operation_id="account_delete",
        request=ProofBody,
        responses={204: None, **problems(401, 403)},
    )
    def delete(self, request: Request) -> Response:
        """Close your account: removes name and e-mail, ends sessions and tokens.

        Runs stay, without a name. A guest needs no proof of identity.
        """
        proof = ProofBody(data=request.data)
        proof.is_valid(raise_exception=True)
        account, now = account_of(request), timezone.now()
        if account.is_guest:
            account_delete_or_close(account.id, at=now)
        else:
            require_recent_sign_in(
                request, account, proof.validated_data.get("password")
            )
            account_close(account.id, at=now)
        logout(request)
        return Response(status=204)


class ExportAccount(APIView):
    """Everything stored about your account."""

    scopes = COOKIE_ONLY
    methods_when_banned = ("POST",)

    @extend_schema(
        operation_id="account_export",
        request=ProofBody,
        responses={200: OpenApiTypes.OBJECT, **problems(401, 403)},
    )
    def post(self, request: Request) -> Response:
        """Get one JSON file: account, e-mails, sign-in methods, tokens, runs, moves."""
        proof = ProofBody(data=request.data)
        proof.is_valid(raise_exception=True)
        account, now = account_of(request), timezone.now()
        throttle(EXPORT_BY_ACCOUNT, account.id, at=now)
        if not account.is_guest:
            require_recent_sign_in(
                request, account, proof.validated_data.get("password")
            )
        account_show_decks(account.id, browser_remember(request), at=now)
        answer = Response(account_export(account=account, at=now))
        answer["Content-Disposition"] = 'attachment; filename="scoundrel-live.json"'
        answer["Cache-Control"] = "no-store"
        return answer
