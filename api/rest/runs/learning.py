"""The guided dungeon and the worked examples of the rules, for anybody.

Positions follow from the moves of the request; nothing is stored, and no run's dungeon
is involved.
"""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.rest.core.bodies import Body, Text, moves_field
from api.rest.core.openapi import problems
from api.rest.core.permissions import READ, AllowAnonymous
from api.rest.core.requester import count_by_requester
from game.rules import DEFAULT_RULESET
from game.selectors.runs import schemas as runs_schemas
from game.selectors.runs.learning import example_show, lesson_show, rules_guide
from game.services.core.errors import not_found
from game.services.core.rate_limits import LEARNING_BY_REQUESTER
from game.teaching import EXAMPLES

# A POST stores nothing, so a token with the read scope is enough.
READ_SCOPES = {"GET": "read", "POST": "read"}


class LessonBody(Body):
    """The moves played so far, from the first room."""

    moves = moves_field()


class ExampleBody(Body):
    """A ruleset, and the moves played so far."""

    ruleset = Text(default=DEFAULT_RULESET, max_length=32)
    moves = moves_field()


class Lesson(APIView):
    """The guided dungeon."""

    permission_classes = [AllowAnonymous]
    scopes = READ_SCOPES

    @extend_schema(
        operation_id="lesson",
        request=LessonBody,
        responses={200: runs_schemas.Lesson, **problems(401, 403, 422)},
    )
    def post(self, request: Request) -> Response:
        """Return the guided dungeon after these moves; nothing is stored."""
        body = LessonBody(data=request.data)
        body.is_valid(raise_exception=True)
        count_by_requester(LEARNING_BY_REQUESTER, request)
        return Response(lesson_show(body.validated_data["moves"]))


class RulesGuide(APIView):
    """What the rules page shows."""

    permission_classes = [AllowAnonymous]
    scopes = READ

    @extend_schema(
        operation_id="rules_guide",
        responses={200: runs_schemas.RulesGuide, **problems(401, 403)},
    )
    def get(self, request: Request) -> Response:
        """Return the numbers of the deck and the worked examples."""
        return Response(rules_guide())


class OneExample(APIView):
    """A worked example that can be played."""

    permission_classes = [AllowAnonymous]
    scopes = READ_SCOPES

    @extend_schema(
        operation_id="example_position",
        request=ExampleBody,
        responses={
            200: runs_schemas.ExamplePosition,
            **problems(401, 403, 404, 422),
        },
    )
    def post(self, request: Request, example: str) -> Response:
        """Return an example after these moves; nothing is stored."""
        body = ExampleBody(data=request.data)
        body.is_valid(raise_exception=True)
        count_by_requester(LEARNING_BY_REQUESTER, request)
        known_example = EXAMPLES.get(example)
        if known_example is None:
            raise not_found("example")
        return Response(example_show(known_example, **body.validated_data))
