"""What the analysis says of a run that may be replayed: review, what if, solution.

Whoever may see the replay may ask; without an account, the address is counted.
"""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.rest.analysis.schemas import (
    ReviewSerializer,
    SolutionSerializer,
    WhatIfSerializer,
)
from api.rest.core.bodies import Body, EmptyBody, Text
from api.rest.core.client_address import network_of
from api.rest.core.openapi import problems
from api.rest.core.permissions import Anybody
from game.models import Run, Study
from game.services.analysis.reviews import (
    MOST_MOVES,
    review_ask,
    review_show,
    solve_ask,
    what_if,
)
from game.services.core.limits import REVIEW_BY_ASKER, SOLVE_BY_ASKER, WHAT_IF_BY_ASKER
from game.services.core.throttles import Limit, throttle
from game.services.runs.runs import run_to_watch

# Asking stores nothing of the asker's, so reading is all a program needs.
ASK = {"GET": "read", "POST": "read"}
_UNDER_WAY = (Study.Status.QUEUED, Study.Status.RUNNING)


class PositionBody(Body):
    """A position of the run (the number of its moves played), and moves from there."""

    index = serializers.IntegerField(min_value=0, max_value=MOST_MOVES)
    moves = serializers.ListField(
        child=Text(max_length=5), max_length=MOST_MOVES, default=list
    )


def watched(request: Request, run_id: str) -> Run:
    """The run, where its replay may be asked for."""
    return run_to_watch(viewer_id=request.user.pk, run_id=run_id)


def count(limit: Limit, request: Request) -> None:
    """One more of these for the account, or else the address. Raises throttled."""
    throttle(limit, request.user.pk or network_of(request), at=timezone.now())


def answer_of(shown: dict[str, Any]) -> Response:
    """202 while a worker has still to say it."""
    return Response(shown, status=202 if shown["status"] in _UNDER_WAY else 200)


class ReviewRun(APIView):
    """A run in hindsight."""

    permission_classes = [Anybody]
    scopes = ASK

    @extend_schema(
        operation_id="run_review",
        responses={
            200: ReviewSerializer,
            202: ReviewSerializer,
            **problems(401, 403, 404, 409),
        },
    )
    def get(self, request: Request, run_id: str) -> Response:
        """The review, or how far it is; status "none" where nobody has asked."""
        return answer_of(review_show(run=watched(request, run_id)))

    @extend_schema(
        operation_id="run_review_ask",
        request=EmptyBody,
        responses={
            200: ReviewSerializer,
            202: ReviewSerializer,
            **problems(401, 403, 404, 409),
        },
    )
    def post(self, request: Request, run_id: str) -> Response:
        """Ask for the review; a worker makes it, once for all."""
        EmptyBody(data=request.data).is_valid(raise_exception=True)
        run = watched(request, run_id)
        count(REVIEW_BY_ASKER, request)
        return answer_of(review_ask(run=run, at=timezone.now()))


class WhatIfRun(APIView):
    """Playing on from any position of a replay, unranked."""

    permission_classes = [Anybody]
    scopes = ASK

    @extend_schema(
        operation_id="run_what_if",
        request=PositionBody,
        responses={200: WhatIfSerializer, **problems(401, 403, 404, 409, 422)},
    )
    def post(self, request: Request, run_id: str) -> Response:
        """The table after these moves instead; nothing is kept."""
        asked = PositionBody(data=request.data)
        asked.is_valid(raise_exception=True)
        run = watched(request, run_id)
        count(WHAT_IF_BY_ASKER, request)
        return Response(what_if(run=run, **asked.validated_data))


class SolveRun(APIView):
    """The best play from a position of a practice run."""

    permission_classes = [Anybody]
    scopes = ASK

    @extend_schema(
        operation_id="run_solve",
        request=PositionBody,
        responses={
            200: SolutionSerializer,
            202: SolutionSerializer,
            **problems(401, 403, 404, 409, 422),
        },
    )
    def post(self, request: Request, run_id: str) -> Response:
        """Ask for it, and ask again while it is 202; a worker has some seconds."""
        asked = PositionBody(data=request.data)
        asked.is_valid(raise_exception=True)
        run = watched(request, run_id)
        count(SOLVE_BY_ASKER, request)
        return answer_of(solve_ask(run=run, at=timezone.now(), **asked.validated_data))
