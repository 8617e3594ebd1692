"""REST views of a player's public races and ratings."""

from drf_spectacular.utils import extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.rest.accounts.players import player_of
from api.rest.core.openapi import problems
from api.rest.core.pagination import CURSOR, LIMIT, CursorPage
from api.rest.core.permissions import READ, AllowAnonymous
from game.models import Entrant
from game.selectors.boards import schemas as boards_schemas
from game.selectors.boards.ratings import ratings_of
from game.selectors.races import schemas as races_schemas
from game.selectors.races.past_races import race_lines, races_of


class RacePage(CursorPage):
    """Pages of past races, the latest settled first."""

    time_field = "race__settled_at"


class PlayerRaces(GenericAPIView[Entrant]):
    """A player's finished public races."""

    permission_classes = [AllowAnonymous]
    scopes = READ
    pagination_class = RacePage
    queryset = Entrant.objects.all()

    @extend_schema(
        operation_id="player_races",
        parameters=[CURSOR, LIMIT],
        responses={200: races_schemas.RaceLinePage, **problems(401, 403, 404)},
    )
    def get(self, request: Request, name: str) -> Response:
        """The races, newest first."""
        page = self.paginate_queryset(races_of(player_of(name))) or []
        return self.get_paginated_response(race_lines(list(page)))


class PlayerRatings(APIView):
    """A player's ratings."""

    permission_classes = [AllowAnonymous]
    scopes = READ

    @extend_schema(
        operation_id="player_ratings",
        responses={200: boards_schemas.Ratings, **problems(401, 403, 404)},
    )
    def get(self, request: Request, name: str) -> Response:
        """The player's rating in each ruleset and pool."""
        return Response({"results": ratings_of(player_of(name))})
