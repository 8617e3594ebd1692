"""Runs: start, list, read, abandon, replay. Moves are in `api.rest.runs.moves`."""

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api.rest.core.authentication import account_of
from api.rest.core.bodies import MAX_MOVES, Body, EmptyBody, Text
from api.rest.core.browser_cookie import browser_remember
from api.rest.core.openapi import problems
from api.rest.core.pagination import CURSOR, LIMIT, CursorPage
from api.rest.core.permissions import PLAY, READ, AllowAnonymous
from api.rest.core.renderers import Json, PlainText
from game.models import Run
from game.rules import DEFAULT_RULESET
from game.selectors.runs import schemas as runs_schemas
from game.selectors.runs.runs import run_row
from game.services.core.rate_limits import MOVE_UNDO_BY_ACCOUNT, RUN_BY_ACCOUNT
from game.services.core.throttles import throttle
from game.services.dailies.ranking import attempts_show_decks
from game.services.runs.coaching import run_undo
from game.services.runs.runs import (
    practice_start,
    replay_json,
    replay_text,
    run_abandon,
    run_for_replay,
    run_json,
    run_of_account,
)


class StartRunBody(Body):
    """A practice run; without a seed, a secret one is drawn."""

    ruleset = Text(default=DEFAULT_RULESET, max_length=32)
    difficulty = Text(default="normal", max_length=16)
    seed = Text(default=None, allow_null=True, max_length=64, trim_whitespace=False)


class Runs(GenericAPIView[Run]):
    """Your own runs."""

    scopes = {**READ, **PLAY}
    pagination_class = CursorPage
    queryset = Run.objects.select_related("account", "dungeon", "daily")

    @extend_schema(
        operation_id="runs",
        parameters=[
            OpenApiParameter("status", enum=Run.Status.values, required=False),
            CURSOR,
            LIMIT,
        ],
        responses={200: runs_schemas.RunPage, **problems(401, 403)},
    )
    def get(self, request: Request) -> Response:
        """Your runs, newest first."""
        runs = self.get_queryset().filter(account=account_of(request))
        status = request.query_params.get("status")
        if status is not None:
            if status not in Run.Status.values:
                raise serializers.ValidationError(
                    {"status": "There is no such status."}
                )
            runs = runs.filter(status=status)
        now = timezone.now()
        page = self.paginate_queryset(runs) or []
        attempts_show_decks(page, browser_remember(request), at=now)
        return self.get_paginated_response(
            [run_json(run_row(run), at=now) for run in page]
        )

    @extend_schema(
        operation_id="run_start",
        request=StartRunBody,
        responses={201: runs_schemas.Run, **problems(401, 403)},
    )
    def post(self, request: Request) -> Response:
        """Start a practice run."""
        body = StartRunBody(data=request.data)
        body.is_valid(raise_exception=True)
        account, now = account_of(request), timezone.now()
        throttle(RUN_BY_ACCOUNT, account.id, at=now)
        run = practice_start(account=account, at=now, **body.validated_data)
        return Response(run_json(run_row(run), at=now), status=201)


class OneRun(GenericAPIView[Run]):
    """One of your runs."""

    scopes = READ

    @extend_schema(
        operation_id="run", responses={200: runs_schemas.Run, **problems(401, 403, 404)}
    )
    def get(self, request: Request, run_id: str) -> Response:
        """A run in its present state."""
        account, now = account_of(request), timezone.now()
        run = run_of_account(account_id=account.id, run_id=run_id)
        attempts_show_decks([run], browser_remember(request), at=now)
        return Response(run_json(run_row(run), at=now))


class AbandonRun(GenericAPIView[Run]):
    """Giving up a run."""

    scopes = PLAY

    @extend_schema(
        operation_id="run_abandon",
        request=EmptyBody,
        responses={200: runs_schemas.Run, **problems(401, 403, 404, 409)},
    )
    def post(self, request: Request, run_id: str) -> Response:
        """End a run; it scores as a death with health counted as 0."""
        EmptyBody(data=request.data).is_valid(raise_exception=True)
        account, now = account_of(request), timezone.now()
        attempts = [run_of_account(account_id=account.id, run_id=run_id)]
        # Before: the answer to a run that is over carries the run too.
        attempts_show_decks(attempts, browser_remember(request), at=now)
        run = run_abandon(account_id=account.id, run_id=run_id, at=now)
        return Response(run_json(run_row(run), at=now))


class UndoBody(Body):
    """The number of moves that the client believes were played."""

    index = serializers.IntegerField(min_value=0, max_value=MAX_MOVES)


class UndoRun(GenericAPIView[Run]):
    """Undoing in practice."""

    scopes = PLAY

    @extend_schema(
        operation_id="run_undo",
        request=UndoBody,
        responses={200: runs_schemas.Run, **problems(401, 403, 404, 409)},
    )
    def post(self, request: Request, run_id: str) -> Response:
        """Undo the last move of a practice run and mark the run as coached."""
        body = UndoBody(data=request.data)
        body.is_valid(raise_exception=True)
        account, now = account_of(request), timezone.now()
        throttle(MOVE_UNDO_BY_ACCOUNT, account.id, at=now)
        run = run_undo(
            account_id=account.id, run_id=run_id, at=now, **body.validated_data
        )
        return Response(run_json(run_row(run), at=now))


class ReplayRun(GenericAPIView[Run]):
    """A run that is over, move by move: your own, or one a profile lists."""

    permission_classes = [AllowAnonymous]
    scopes = READ
    renderer_classes = [Json, PlainText]

    @extend_schema(
        operation_id="run_replay",
        responses={
            (200, "application/json"): runs_schemas.Replay,
            (200, "text/plain"): str,
            **problems(401, 403, 404, 409),
        },
    )
    def get(self, request: Request, run_id: str) -> Response:
        """The replay; `Accept: text/plain` gives it as one text record."""
        run = run_for_replay(viewer_id=request.user.pk, run_id=run_id)
        if isinstance(request.accepted_renderer, PlainText):
            return Response(replay_text(run=run))
        return Response(replay_json(run=run))
