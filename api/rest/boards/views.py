"""Boards of every kind; anonymous requests may read them."""

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.rest.core.openapi import problems
from api.rest.core.pagination import CURSOR, LIMIT, page_request, with_next_url
from api.rest.core.permissions import AllowAnonymous
from api.rest.dailies.views import AROUND, POOL, RULESET, viewer_of
from game.rules import DEFAULT_RULESET
from game.rules.rulesets import DIFFICULTIES
from game.selectors.boards import schemas as boards_schemas
from game.selectors.boards.leaderboards import boards_list
from game.services.core.liveness import time_not_set_back
from game.services.dailies.views import BoardRequest, board_json, board_pool_parse

DIFFICULTY = OpenApiParameter("difficulty", enum=list(DIFFICULTIES), required=False)
OF = OpenApiParameter(
    "of", str, required=False, description="A date, 2026-W48, or a season's number."
)


class Leaderboards(APIView):
    """The list of kinds of boards."""

    permission_classes = [AllowAnonymous]

    @extend_schema(
        operation_id="leaderboards",
        responses={200: boards_schemas.BoardKinds, **problems(401, 403)},
    )
    def get(self, request: Request) -> Response:
        """List the kinds of boards, with texts and the spans of each."""
        return Response({"results": boards_list()})


class OneLeaderboard(APIView):
    """One board."""

    permission_classes = [AllowAnonymous]

    @extend_schema(
        operation_id="leaderboard",
        parameters=[RULESET, DIFFICULTY, OF, POOL, CURSOR, LIMIT, AROUND],
        responses={200: boards_schemas.Board, **problems(401, 403, 404)},
    )
    def get(self, request: Request, board: str) -> Response:
        """Return a page of a board; `around=me` gives the entries around your own."""
        query = request.query_params
        board_request = BoardRequest(
            board,
            board_pool_parse(query.get("pool")),
            query.get("ruleset", DEFAULT_RULESET),
            query.get("difficulty", "normal"),
            query.get("of"),
        )
        page = page_request(request, viewer_of(request))
        answer = board_json(board_request, page, at=time_not_set_back(timezone.now()))
        return Response(with_next_url(request, answer))
