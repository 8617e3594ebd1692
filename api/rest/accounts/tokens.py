"""API tokens: list, create and revoke them, with the session cookie only."""

from datetime import timedelta

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.rest.core.authentication import account_of
from api.rest.core.bodies import Body, Text
from api.rest.core.openapi import problems
from api.rest.core.permissions import COOKIE_ONLY
from game.models import SCOPES, Token
from game.selectors.accounts import schemas as accounts_schemas
from game.selectors.accounts.accounts import token_show
from game.services.accounts.tokens import MAX_DAYS, token_create, token_revoke
from game.services.core.rate_limits import TOKEN_BY_ACCOUNT
from game.services.core.throttles import throttle


class TokenBody(Body):
    """A token to create: its name, scopes and days until it expires."""

    name = Text(min_length=1, max_length=60)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=list(SCOPES)),
        min_length=1,
        max_length=len(SCOPES),
    )
    expires_in_days = serializers.IntegerField(
        default=90, min_value=1, max_value=MAX_DAYS
    )


class Tokens(APIView):
    """Your tokens."""

    scopes = COOKIE_ONLY

    @extend_schema(
        operation_id="tokens",
        responses={200: accounts_schemas.Tokens, **problems(401, 403)},
    )
    def get(self, request: Request) -> Response:
        """List your tokens that have not expired, newest first."""
        tokens = Token.objects.filter(
            user=account_of(request), expiry__gt=timezone.now()
        ).order_by("-created")
        return Response({"results": [token_show(token) for token in tokens]})

    @extend_schema(
        operation_id="token_create",
        request=TokenBody,
        responses={201: accounts_schemas.NewToken, **problems(401, 403, 409)},
    )
    def post(self, request: Request) -> Response:
        """Create a token. Only this response contains its text, `token`."""
        body = TokenBody(data=request.data)
        body.is_valid(raise_exception=True)
        account, now = account_of(request), timezone.now()
        throttle(TOKEN_BY_ACCOUNT, account.id, at=now)
        fields = body.validated_data
        token, text = token_create(
            account=account,
            name=fields["name"],
            scopes=fields["scopes"],
            expires_in=timedelta(days=fields["expires_in_days"]),
            at=now,
        )
        answer = Response({**token_show(token), "token": text}, status=201)
        answer["Cache-Control"] = "no-store"
        return answer


class OneToken(APIView):
    """One of your tokens."""

    scopes = COOKIE_ONLY

    @extend_schema(
        operation_id="token_revoke",
        request=None,
        responses={204: None, **problems(401, 403, 404)},
    )
    def delete(self, request: Request, token_id: str) -> Response:
        """Revoke the token at once."""
        token_revoke(account=account_of(request), token_id=token_id)
        return Response(status=204)
