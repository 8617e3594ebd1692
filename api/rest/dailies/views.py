"""Views of dailies: the list, one daily, your attempt, practice and the board.

A date in a path is YYYY-MM-DD or `today`, the UTC day. All views take `?ruleset=`.
"""

from datetime import date, datetime
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.rest.core.authentication import account_of
from api.rest.core.bodies import Body, Text
from api.rest.core.browser_cookie import browser_of, browser_remember
from api.rest.core.openapi import problems
from api.rest.core.pagination import (
    CURSOR,
    LIMIT,
    page_limit,
    page_request,
    url_with_cursor,
    with_next_url,
)
from api.rest.core.permissions import PLAY, AllowAnonymous
from game.contest.calendar import day_of
from game.contest.ranking import BoardPool
from game.models import Account, Run
from game.rules import DEFAULT_RULESET, RULESETS, find_ruleset
from game.selectors.boards import schemas as boards_schemas
from game.selectors.dailies import schemas as dailies_schemas
from game.selectors.dailies.commitments import chain_head
from game.selectors.dailies.dailies import dailies_ahead, dailies_past
from game.selectors.runs import schemas as runs_schemas
from game.selectors.runs.runs import run_row
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.core.liveness import time_not_set_back
from game.services.core.rate_limits import RUN_BY_ACCOUNT
from game.services.core.throttles import throttle
from game.services.dailies.attempts import daily_practice_start, daily_run_start
from game.services.dailies.views import (
    board_pool_parse,
    daily_board_json,
    daily_json,
)
from game.services.runs.runs import run_json

RULESET = OpenApiParameter("ruleset", enum=list(RULESETS), required=False)
POOL = OpenApiParameter("pool", enum=list(BoardPool), required=False)
AROUND = OpenApiParameter("around", enum=["me"], required=False)


def date_of(text: str, at: datetime) -> date:
    """Return the date in a path: YYYY-MM-DD or `today`. Raises daily.not_found."""
    if text == "today":
        return day_of(at)
    if len(text) != 10:
        raise not_found("daily")
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise not_found("daily") from error


def ruleset_of(request: Request) -> str:
    """Return the key of the requested ruleset. Raises UnknownRuleset."""
    key = request.query_params.get("ruleset", DEFAULT_RULESET)
    return find_ruleset(key).key


def viewer_of(request: Request) -> Account | None:
    """Return the signed-in account, or None."""
    return request.user if isinstance(request.user, Account) else None


def daily_now() -> datetime:
    """The current time for the calendar of dailies, see `time_not_set_back`."""
    return time_not_set_back(timezone.now())


class AttemptBody(Body):
    """An attempt; `ruleset` may also be in the query."""

    ruleset = Text(required=False, max_length=32)


class Dailies(APIView):
    """All dailies."""

    permission_classes = [AllowAnonymous]

    @extend_schema(
        operation_id="dailies",
        parameters=[RULESET, CURSOR, LIMIT],
        responses={200: dailies_schemas.Dailies, **problems(401, 403)},
    )
    def get(self, request: Request) -> Response:
        """List dailies, newest first; the first page also has the coming ones."""
        ruleset, limit, now = ruleset_of(request), page_limit(request), daily_now()
        before = _before(request)
        dailies = dailies_past(ruleset, before=before, limit=limit + 1, at=now)
        page, has_more = dailies[:limit], len(dailies) > limit
        return Response(
            {
                "results": page,
                "next": url_with_cursor(request, page[-1]["date"])
                if has_more
                else None,
                "ahead": [] if before else dailies_ahead(ruleset, at=now),
                "chain": chain_head(),
            }
        )


def _before(request: Request) -> date | None:
    text = request.query_params.get("cursor")
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ServiceRefusal(
            Kind.MALFORMED, "cursor.invalid", "The cursor is invalid."
        ) from error


class OneDaily(APIView):
    """One daily."""

    permission_classes = [AllowAnonymous]

    @extend_schema(
        operation_id="daily",
        parameters=[RULESET],
        responses={200: dailies_schemas.Daily, **problems(401, 403, 404)},
    )
    def get(self, request: Request, on: str) -> Response:
        """Return a daily; `on` is a date or `today`."""
        now = daily_now()
        return Response(
            daily_json(
                on=date_of(on, now),
                ruleset=ruleset_of(request),
                at=now,
                viewer=viewer_of(request),
                browser=browser_of(request),
            )
        )


class _StartRunView(GenericAPIView[Run]):
    """Base of the views that start a run on a daily's deck."""

    scopes = PLAY

    def start_arguments(self, request: Request, on: str) -> dict[str, Any]:
        """Return the arguments of the service that starts the run."""
        body = AttemptBody(data=request.data)
        body.is_valid(raise_exception=True)
        account, now = account_of(request), daily_now()
        throttle(RUN_BY_ACCOUNT, account.id, at=now)
        ruleset = body.validated_data.get("ruleset")
        return {
            "account": account,
            "on": date_of(on, now),
            "ruleset": find_ruleset(ruleset).key if ruleset else ruleset_of(request),
            "at": now,
        }


class DailyAttempt(_StartRunView):
    """Your attempt at a daily."""

    @extend_schema(
        operation_id="daily_attempt",
        parameters=[RULESET],
        request=AttemptBody,
        responses={
            200: runs_schemas.Run,
            201: runs_schemas.Run,
            **problems(401, 403, 404, 409),
        },
    )
    def post(self, request: Request, on: str) -> Response:
        """Start your only attempt (201), or return it if it is started (200)."""
        arguments = self.start_arguments(request, on)
        browser = browser_remember(request)
        run, is_new = daily_run_start(**arguments, browser=browser)
        answer = run_json(run_row(run), at=arguments["at"])
        return Response(answer, status=201 if is_new else 200)


class DailyPractice(_StartRunView):
    """Practice on the deck of a daily."""

    @extend_schema(
        operation_id="daily_practice",
        parameters=[RULESET],
        request=AttemptBody,
        responses={201: runs_schemas.Run, **problems(401, 403, 404, 409)},
    )
    def post(self, request: Request, on: str) -> Response:
        """Start a practice run, which is never ranked.

        Possible once the board is settled.
        """
        arguments = self.start_arguments(request, on)
        run = daily_practice_start(**arguments)
        return Response(run_json(run_row(run), at=arguments["at"]), status=201)


class DailyLeaderboard(APIView):
    """The board of a daily."""

    permission_classes = [AllowAnonymous]

    @extend_schema(
        operation_id="daily_leaderboard",
        parameters=[RULESET, POOL, CURSOR, LIMIT, AROUND],
        responses={200: boards_schemas.Board, **problems(401, 403, 404)},
    )
    def get(self, request: Request, on: str) -> Response:
        """Return the entries that you may see."""
        now = daily_now()
        board = daily_board_json(
            on=date_of(on, now),
            ruleset=ruleset_of(request),
            pool=board_pool_parse(request.query_params.get("pool")),
            page=page_request(request, viewer_of(request)),
            at=now,
        )
        return Response(with_next_url(request, board))
