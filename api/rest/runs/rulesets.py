"""The published rulesets and the server's clock, for anybody."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.rest.core.openapi import problems
from api.rest.core.permissions import READ, AllowAnonymous
from game.selectors.core.times import as_text
from game.selectors.runs import schemas as runs_schemas
from game.selectors.runs.rulesets import rulesets_list


class Rulesets(APIView):
    """Every published ruleset with its fields in words."""

    permission_classes = [AllowAnonymous]
    scopes = READ

    @extend_schema(
        operation_id="rulesets",
        responses={200: runs_schemas.Rulesets, **problems(401, 403)},
    )
    def get(self, request: Request) -> Response:
        """The published rulesets."""
        return Response({"results": rulesets_list()})


class Time(APIView):
    """The server's clock, for clients that count down."""

    permission_classes = [AllowAnonymous]
    scopes = READ

    @extend_schema(
        operation_id="time", responses={200: runs_schemas.Time, **problems(401, 403)}
    )
    def get(self, request: Request) -> Response:
        """The server's current time, UTC."""
        return Response({"server_time": as_text(timezone.now())})
