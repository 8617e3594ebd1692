"""The coach of your own practice runs: hints, and the cards that are left."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.rest.analysis.views import study_response
from api.rest.core.authentication import account_of
from api.rest.core.bodies import Body
from api.rest.core.openapi import problems
from api.rest.core.permissions import PLAY, READ
from api.rest.core.requester import count_by_requester, requester
from game.selectors.analysis import schemas as analysis_schemas
from game.services.analysis.coach import MAX_LEVEL, coach_show, hint_request
from game.services.core.rate_limits import SOLVE_BY_REQUESTER
from game.services.runs.runs import run_of_account


class HintBody(Body):
    """How much the hint tells: 0 the chance, 1 a thought, 2 the card, 3 the moves."""

    level = serializers.IntegerField(min_value=0, max_value=MAX_LEVEL)


class HintRun(APIView):
    """A hint for the position of a practice run."""

    scopes = PLAY

    @extend_schema(
        operation_id="run_hint",
        request=HintBody,
        responses={
            200: analysis_schemas.Hint,
            202: analysis_schemas.Hint,
            **problems(401, 403, 404, 409),
        },
    )
    def post(self, request: Request, run_id: str) -> Response:
        """Request a hint, and mark the run; repeat while the status is 202."""
        body = HintBody(data=request.data)
        body.is_valid(raise_exception=True)
        run = run_of_account(account_id=account_of(request).id, run_id=run_id)
        count_by_requester(SOLVE_BY_REQUESTER, request)
        return study_response(
            hint_request(
                run=run,
                requester=requester(request),
                at=timezone.now(),
                **body.validated_data,
            )
        )


class CoachRun(APIView):
    """What the coach shows without being asked."""

    scopes = READ

    @extend_schema(
        operation_id="run_coach",
        responses={200: analysis_schemas.Coach, **problems(401, 403, 404, 409)},
    )
    def get(self, request: Request, run_id: str) -> Response:
        """Return how many cards of each suit you have not seen in a practice run."""
        run = run_of_account(account_id=account_of(request).id, run_id=run_id)
        return Response(coach_show(run=run, at=timezone.now()))
