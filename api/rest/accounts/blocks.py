"""The players that an account has blocked: list, block, unblock."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.rest.core.authentication import account_of
from api.rest.core.bodies import EmptyBody
from api.rest.core.openapi import problems
from api.rest.core.permissions import COOKIE_ONLY
from game.selectors.accounts import schemas as accounts_schemas
from game.selectors.accounts.blocks import blocks_show
from game.services.accounts.blocks import block_add, block_remove
from game.services.core.rate_limits import ACCOUNT_WRITE_BY_ACCOUNT
from game.services.core.throttles import throttle


class Blocks(APIView):
    """The players you have blocked."""

    scopes = COOKIE_ONLY

    @extend_schema(
        operation_id="blocks",
        responses={200: accounts_schemas.Blocks, **problems(401, 403)},
    )
    def get(self, request: Request) -> Response:
        """List the players you have blocked, by name."""
        return Response({"results": blocks_show(account_of(request).id)})


class OneBlock(APIView):
    """One player to block or unblock, by name."""

    scopes = COOKIE_ONLY

    @extend_schema(
        operation_id="block",
        request=EmptyBody,
        responses={200: accounts_schemas.Blocks, **problems(401, 403, 404, 409)},
    )
    def put(self, request: Request, name: str) -> Response:
        """Block a player: you no longer see their chat and are never matched with them.

        They are not notified. Returns everybody you have blocked.
        """
        EmptyBody(data=request.data).is_valid(raise_exception=True)
        account_id, now = account_of(request).id, timezone.now()
        throttle(ACCOUNT_WRITE_BY_ACCOUNT, account_id, at=now)
        block_add(account_id=account_id, name=name, at=now)
        return Response({"results": blocks_show(account_id)})

    @extend_schema(
        operation_id="block_remove", responses={204: None, **problems(401, 403, 404)}
    )
    def delete(self, request: Request, name: str) -> Response:
        """Unblock the player."""
        now = timezone.now()
        account_id = account_of(request).id
        throttle(ACCOUNT_WRITE_BY_ACCOUNT, account_id, at=now)
        block_remove(account_id=account_id, name=name, at=now)
        return Response(status=204)
