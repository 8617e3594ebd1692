"""Analysis of a run that may be replayed: review, "what if", solution.

Viewers who may see the replay may use these views. The rate limits count by account, or
by network address for anonymous requests.
"""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.rest.core.bodies import MAX_MOVES, Body, EmptyBody, moves_field
from api.rest.core.openapi import problems
from api.rest.core.permissions import AllowAnonymous
from api.rest.core.requester import count_by_requester, requester
from game.models import Run, Study
from game.selectors.analysis import schemas as analysis_schemas
from game.services.analysis.reviews import (
    review_request,
    review_show,
    solution_request,
    what_if,
)
from game.services.core.rate_limits import (
    REVIEW_BY_REQUESTER,
    SOLVE_BY_REQUESTER,
    WHAT_IF_BY_REQUESTER,
)
from game.services.runs.runs import run_for_replay

# A POST stores nothing of the caller's, so a token with the read scope is enough.
READ_SCOPES = {"GET": "read", "POST": "read"}
_PENDING = (Study.Status.QUEUED, Study.Status.RUNNING)


class PositionBody(Body):
    """A position (the number of the run's moves before it), and moves from there."""

    index = serializers.IntegerField(min_value=0, max_value=MAX_MOVES)
    moves = moves_field()


def replayable_run(request: Request, run_id: str) -> Run:
    """The run, if the viewer may see its replay. Raises run.not_found."""
    return run_for_replay(viewer_id=request.user.pk, run_id=run_id)


def study_response(study: analysis_schemas.Study) -> Response:
    """The study with status 202 until it is computed, then 200."""
    return Response(study, status=202 if study["status"] in _PENDING else 200)


class ReviewRun(APIView):
    """The review of a run."""

    permission_classes = [AllowAnonymous]
    scopes = READ_SCOPES

    @extend_schema(
        operation_id="run_review",
        responses={
            200: analysis_schemas.Review,
            202: analysis_schemas.Review,
            **problems(401, 403, 404, 409),
        },
    )
    def get(self, request: Request, run_id: str) -> Response:
        """Return the review or its progress; status "none" if it was not requested."""
        return study_response(review_show(run=replayable_run(request, run_id)))

    @extend_schema(
        operation_id="run_review_ask",
        request=EmptyBody,
        responses={
            200: analysis_schemas.Review,
            202: analysis_schemas.Review,
            **problems(401, 403, 404, 409),
        },
    )
    def post(self, request: Request, run_id: str) -> Response:
        """Request the review. A worker computes it once for everybody."""
        EmptyBody(data=request.data).is_valid(raise_exception=True)
        run = replayable_run(request, run_id)
        count_by_requester(REVIEW_BY_REQUESTER, request)
        return study_response(
            review_request(run=run, requester=requester(request), at=timezone.now())
        )


class WhatIfRun(APIView):
    """Other moves from a position of a replay."""

    permission_classes = [AllowAnonymous]
    scopes = READ_SCOPES

    @extend_schema(
        operation_id="run_what_if",
        request=PositionBody,
        responses={200: analysis_schemas.WhatIf, **problems(401, 403, 404, 409, 422)},
    )
    def post(self, request: Request, run_id: str) -> Response:
        """Return the position after these moves instead; nothing is stored."""
        body = PositionBody(data=request.data)
        body.is_valid(raise_exception=True)
        run = replayable_run(request, run_id)
        count_by_requester(WHAT_IF_BY_REQUESTER, request)
        return Response(what_if(run=run, **body.validated_data))


class SolveRun(APIView):
    """The best play from a position of a practice run."""

    permission_classes = [AllowAnonymous]
    scopes = READ_SCOPES

    @extend_schema(
        operation_id="run_solve",
        request=PositionBody,
        responses={
            200: analysis_schemas.Solution,
            202: analysis_schemas.Solution,
            **problems(401, 403, 404, 409, 422),
        },
    )
    def post(self, request: Request, run_id: str) -> Response:
        """Request the solution; repeat while the status is 202 (some seconds)."""
        body = PositionBody(data=request.data)
        body.is_valid(raise_exception=True)
        run = replayable_run(request, run_id)
        count_by_requester(SOLVE_BY_REQUESTER, request)
        return study_response(
            solution_request(
                run=run,
                requester=requester(request),
                at=timezone.now(),
                **body.validated_data,
            )
        )
