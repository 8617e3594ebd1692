"""Public profiles of players and the runs listed there."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.rest.core.openapi import problems
from api.rest.core.pagination import CURSOR, LIMIT, CursorPage
from api.rest.core.permissions import READ, AllowAnonymous
from game.models import Account, Run
from game.selectors.accounts import schemas as accounts_schemas
from game.selectors.accounts.accounts import (
    player_find,
    player_runs,
    player_show,
    run_summary,
)
from game.selectors.runs import schemas as runs_schemas
from game.services.core.errors import not_found


def player_of(name: str) -> Account:
    """Return the player with that name. Raises player.not_found."""
    account = player_find(name, at=timezone.now())
    if account is None:
        raise not_found("player")
    return account


class Player(APIView):
    """A player's public profile."""

    permission_classes = [AllowAnonymous]
    scopes = READ

    @extend_schema(
        operation_id="player",
        responses={200: accounts_schemas.Player, **problems(401, 403, 404)},
    )
    def get(self, request: Request, name: str) -> Response:
        """Get the profile. An old name works for 30 days; `name` is the present one."""
        return Response(player_show(player_of(name)))


class PlayerRuns(GenericAPIView[Run]):
    """A player's finished runs."""

    permission_classes = [AllowAnonymous]
    scopes = READ
    pagination_class = CursorPage
    queryset = Run.objects.all()

    @extend_schema(
        operation_id="player_runs",
        parameters=[CURSOR, LIMIT],
        responses={200: runs_schemas.RunSummaryPage, **problems(401, 403, 404)},
    )
    def get(self, request: Request, name: str) -> Response:
        """List finished runs whose dungeon is revealed, newest first."""
        runs = player_runs(player_of(name)).select_related("dungeon")
        page = self.paginate_queryset(runs) or []
        return self.get_paginated_response([run_summary(run) for run in page])
