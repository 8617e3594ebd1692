"""The REST endpoints of moves: async views without REST framework's request handling.

REST framework costs several milliseconds a request; a move's own work takes one. The
views therefore check method, content type, size, session or token, CSRF, scope and rate
themselves. In the web process `serve_move` answers moves directly from ASGI, without
Django's middleware; through Django's URLs the same views answer.
"""

import re
from collections.abc import Awaitable, Callable, MutableMapping
from functools import lru_cache, partial
from io import BytesIO
from typing import Annotated, Any

import structlog
from csp.middleware import CSPMiddleware
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.security import SecurityMiddleware
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from msgspec import Meta, Struct
from rest_framework.views import APIView

from api.rest.core.authentication import REALM, Caller, authenticate, csrf_refusal
from api.rest.core.bodies import read_body
from api.rest.core.browser_cookie import browser_of
from api.rest.core.errors import RequestRefusal, problem, problem_of, problem_response
from api.rest.core.openapi import problems
from api.rest.core.permissions import scope_refusal
from game.models import Run
from game.models.runs.run import KEY_LENGTH
from game.rules import Refusal
from game.selectors.core import wire
from game.selectors.core.numbers import parse_whole
from game.selectors.runs import schemas as runs_schemas
from game.services.accounts.browsers import Browser
from game.services.core import rate_limits
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.executor import run_in_background, run_in_executor
from game.services.dailies.ranking import attempt_show_deck_of_run
from game.services.races.presence import presence_poll
from game.services.runs.moves.play import move_play, race_move_play
from game.services.runs.moves.report import MoveReport

log = structlog.get_logger(__name__)

MAX_BODY_BYTES = 4 * 1024
PATH = re.compile(r"^/api/v1/((?:runs|races)/[a-z0-9]{1,32})/moves/$")


class MoveBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A move: the run's index, the move's code, and your idempotency key."""

    index: Annotated[int, Meta(ge=0, le=999)]
    # The rules refuse unknown codes, with their own error.
    move: Annotated[str, Meta(extra_json_schema={"maxLength": 5})]
    key: (
        Annotated[
            str,
            Meta(
                # \Z only here: in Python, $ also matches before a final line break.
                pattern=rf"^[\x21-\x7e]{{1,{KEY_LENGTH}}}\Z",
                extra_json_schema={"pattern": rf"^[\x21-\x7e]{{1,{KEY_LENGTH}}}$"},
            ),
        ]
        | None
    ) = None


Play = Callable[..., runs_schemas.MoveAnswer]


async def move_view(request: HttpRequest, run_id: str) -> HttpResponse:
    """POST {index, move, key?}: 200 {run, effects, replayed}, or a problem."""
    report = MoveReport("rest", run=run_id, request_id=_request_id(request))
    return await _respond(request, partial(move_play, run_id=run_id), report)


async def race_move_view(request: HttpRequest, race_id: str) -> HttpResponse:
    """POST {index, move, key?}: 200 {run, effects, replayed, seq}, or a problem."""
    report = MoveReport("rest", race=race_id, request_id=_request_id(request))
    return await _respond(request, partial(_play_in_race, race_id=race_id), report)


_VIEWS = {"runs": move_view, "races": race_move_view}


def _play_in_race(
    *, account_id: str, race_id: str, **move: Any
) -> runs_schemas.RaceMoveAnswer:
    answer = race_move_play(account_id=account_id, race_id=race_id, **move)
    at = timezone.now()
    run_in_background(
        lambda: presence_poll(race_id=race_id, account_id=account_id, at=at)
    )
    return answer


def _request_id(request: HttpRequest) -> str | None:
    return request.META.get("HTTP_X_REQUEST_ID")


async def _respond(
    request: HttpRequest, play: Play, report: MoveReport
) -> HttpResponse:
    try:
        with report:
            _check_headers(request)
            body = read_body(request.body, MoveBody)
            report.index = body.index
            content = await run_in_executor(lambda: _play(request, body, play, report))
    except Refusal as refusal:
        headers = refusal.headers if isinstance(refusal, RequestRefusal) else {}
        return problem_response(problem_of(refusal), headers)
    return HttpResponse(
        content,
        content_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


def _check_headers(request: HttpRequest) -> None:
    if request.method != "POST":
        raise RequestRefusal(
            405, "method.not_allowed", "A move is sent with POST.", {"Allow": "POST"}
        )
    if request.content_type not in ("application/json", ""):
        raise RequestRefusal(
            415, "body.unsupported_type", "The body must be application/json."
        )
    length = request.META.get("CONTENT_LENGTH") or "0"
    if parse_whole(length, at_most=MAX_BODY_BYTES) is None:
        raise _too_large()


def _too_large() -> ServiceRefusal:
    return ServiceRefusal(
        Kind.TOO_LARGE,
        "body.too_large",
        f"The body may have at most {MAX_BODY_BYTES} bytes.",
    )


def _play(
    request: HttpRequest, body: MoveBody, play: Play, report: MoveReport
) -> bytes:
    """Authenticate the caller, play the move, and return the response's JSON."""
    caller = authenticate(request)
    if caller is None:
        raise _unauthenticated(request)
    report.account = caller.account_id
    _check_permission(request, caller)
    rate_limits.moves.take(
        caller.account_id, rate=settings.MOVES_A_SECOND, burst=settings.MOVES_AT_ONCE
    )
    try:
        report.answer = play(
            account_id=caller.account_id,
            index=body.index,
            code=body.move,
            key=body.key,
            by_program=caller.token is not None,
        )
    except ServiceRefusal as refusal:
        # Some carry the run, and so the cards on its table.
        _record_deck_view(request, caller, refusal.extra.get("run"))
        raise
    _record_deck_view(request, caller, report.answer["run"])
    return wire.encode(report.answer)


def _record_deck_view(
    request: HttpRequest, caller: Caller, run: runs_schemas.Run | None
) -> None:
    """Record where an attempt at a daily is played, once for each browser."""
    if run is None or run["kind"] != Run.Kind.DAILY:
        return
    try:
        _record_deck_view_once(caller.account_id, run["id"], browser_of(request))
    except DatabaseError:  # the move is stored: the player gets its answer
        log.exception("deck_view_not_recorded", run=run["id"])


@lru_cache(maxsize=4096)
def _record_deck_view_once(account_id: str, run_id: str, browser: Browser) -> None:
    attempt_show_deck_of_run(
        account_id=account_id, run_id=run_id, browser=browser, at=timezone.now()
    )


def _unauthenticated(request: HttpRequest) -> RequestRefusal:
    if "HTTP_AUTHORIZATION" in request.META:
        code, text = "token.invalid", "That token is unknown, revoked or expired."
    else:
        code, text = "session.required", "Sign in first, or start a guest session."
    return RequestRefusal(401, code, text, {"WWW-Authenticate": REALM})


def _check_permission(request: HttpRequest, caller: Caller) -> None:
    """Require the scope "play" of a token, or a valid CSRF token of a session."""
    if caller.token is not None:
        reason, code = scope_refusal(caller.token, "play"), "token.scope"
    else:
        reason, code = csrf_refusal(request), "csrf.failed"
    if reason:
        raise RequestRefusal(403, code, reason)


# The two classes only describe the async views to OpenAPI.
class MoveOperation(APIView):
    """Play a move of a run."""

    @extend_schema(
        operation_id="run_move",
        request=MoveBody,
        responses={
            200: runs_schemas.MoveAnswer,
            **problems(401, 403, 404, 409, 413, 422, 503),
        },
    )
    def post(self) -> None:
        """Play one move. The same key and body again return the first answer."""


class RaceMoveOperation(APIView):
    """Play a move of a race."""

    @extend_schema(
        operation_id="race_move",
        request=MoveBody,
        responses={
            200: runs_schemas.RaceMoveAnswer,
            **problems(401, 403, 404, 409, 413, 422, 503),
        },
    )
    def post(self) -> None:
        """Play one move of your run in a race; `seq` is its event's number."""


for _view, _operation in (
    (move_view, MoveOperation),
    (race_move_view, RaceMoveOperation),
):
    # Attributes that REST framework's `as_view` sets; `_check_permission` checks CSRF.
    for _name, _value in (
        ("cls", _operation),
        ("initkwargs", {}),
        ("csrf_exempt", True),
    ):
        setattr(_view, _name, _value)


Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


async def serve_move(scope: Scope, receive: Receive, send: Send, target: str) -> None:
    """Answer a move directly from ASGI, without Django's middleware.

    `target` is the group that PATH matches: runs/{id} or races/{id}.
    """
    body = BytesIO()
    while True:
        part = await receive()
        if part["type"] == "http.disconnect":
            return
        if body.tell() <= MAX_BODY_BYTES:
            body.write(part.get("body", b""))
        if not part.get("more_body", False):
            break
    if body.tell() > MAX_BODY_BYTES:
        answer: HttpResponse = problem_response(problem_of(_too_large()))
    else:
        body.seek(0)
        answer = await _dispatch(ASGIRequest(scope, body), target)
    for name, value in security_headers().items():
        answer.setdefault(name, value)
    await send(
        {
            "type": "http.response.start",
            "status": answer.status_code,
            "headers": [
                (name.lower().encode("ascii"), value.encode("latin-1"))
                for name, value in answer.items()
            ]
            + [(b"content-length", b"%d" % len(answer.content))],
        }
    )
    await send({"type": "http.response.body", "body": answer.content})


async def _dispatch(request: HttpRequest, target: str) -> HttpResponse:
    kind, _, target_id = target.partition("/")
    try:
        request.get_host()
        return await _VIEWS[kind](request, target_id)
    except DisallowedHost:
        log.warning("disallowed_host", host=str(request.META.get("HTTP_HOST"))[:100])
        return problem_response(
            problem(400, "request.malformed", "The Host header names another server.")
        )
    except Exception:  # Django's handler of errors is not in use here
        log.exception("move_failed", target=target)
        return JsonResponse(
            problem(500, "server.error", "Internal server error. It has been logged."),
            status=500,
            content_type="application/problem+json",
        )


@lru_cache(maxsize=1)
def security_headers() -> dict[str, str]:
    """Return the headers that the security middleware adds to all other responses.

    They are computed by the middleware, so its settings apply here too.
    """
    scope = {"type": "http", "method": "GET", "path": "/", "scheme": "https"}
    request = ASGIRequest({**scope, "headers": [], "query_string": b""}, BytesIO())
    answer = HttpResponse()
    del answer["Content-Type"]
    if settings.SECURE_PROXY_SSL_HEADER:
        name, value = settings.SECURE_PROXY_SSL_HEADER
        request.META[name] = value
    for middleware in (SecurityMiddleware, CSPMiddleware, XFrameOptionsMiddleware):
        middleware(lambda _: HttpResponse()).process_response(request, answer)
    return dict(answer.items())
