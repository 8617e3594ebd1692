"""The door of a move: an async view, without the rest framework's machinery.

That machinery costs several milliseconds of doing nothing; a move's whole work is one.
The same view answers through Django's URLs and, in the web process, in the express
lane that skips middleware (`express`). It keeps the door's promises itself: session,
CSRF, strict body, problems with codes.
"""

import json
import re
from collections.abc import Awaitable, Callable, MutableMapping
from functools import lru_cache
from io import BytesIO
from typing import Any

import structlog
from csp.utils import build_policy
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.views import APIView

from api.rest.core.authentication import REALM, Asker, asker_of, csrf_refusal
from api.rest.core.bodies import Body, load_object
from api.rest.core.errors import problem, problem_of, problem_response
from api.rest.core.openapi import problems
from api.rest.core.permissions import scope_refusal
from game.models.runs.run import KEY_LENGTH
from game.rules import Refusal
from game.selectors.runs import schemas as runs_schemas
from game.services.core import limits
from game.services.core.executor import run_in_background, run_in_executor
from game.services.races.presence import race_polled
from game.services.runs.moves.play import move_play, race_move_play

log = structlog.get_logger(__name__)

LARGEST = 4 * 1024
PATH = re.compile(r"^/api/v1/((?:runs|races)/[a-z0-9]{1,32})/moves/$")
_KEY = re.compile(rf"[\x21-\x7e]{{1,{KEY_LENGTH}}}")
_FIELDS = {"index", "move", "key"}


class MoveBody(Body):
    """A move: the run's index, the move's code, and a key of your own for this try."""

    index = serializers.IntegerField(min_value=0, max_value=999)
    move = serializers.CharField(max_length=5)
    key = serializers.RegexField(r"^[\x21-\x7e]{1,64}$", required=False)


# What a door does with an account and a body that is right.
Play = Callable[[str, dict[str, Any]], dict[str, Any]]


async def move_view(request: HttpRequest, run_id: str) -> HttpResponse:
    """POST {index, move, key?}: 200 {run, effects, replayed}, or a problem."""

    def play(account_id: str, body: dict[str, Any]) -> dict[str, Any]:
        return move_play(
            account_id=account_id,
            run_id=run_id,
            index=body["index"],
            code=body["move"],
            key=body.get("key"),
        )

    return await _moved(request, play)


async def race_move_view(request: HttpRequest, race_id: str) -> HttpResponse:
    """The same for your run in a race: 200 {run, effects, replayed, seq}."""

    def play(account_id: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = race_move_play(
            account_id=account_id,
            race_id=race_id,
            index=body["index"],
            code=body["move"],
            key=body.get("key"),
        )
        at = timezone.now()
        run_in_background(
            lambda: race_polled(race_id=race_id, account_id=account_id, at=at)
        )
        return answer

    return await _moved(request, play)


_VIEWS = {"runs": move_view, "races": race_move_view}


async def _moved(request: HttpRequest, play: Play) -> HttpResponse:
    refused = _refuse_unread(request)
    if refused is not None:
        return refused
    try:
        body = _read(request.body)
        if isinstance(body, HttpResponse):
            return body
        return await run_in_executor(lambda: _play(request, play, body))
    except Refusal as refusal:
        return problem_response(problem_of(refusal))


# Says to OpenAPI, and to whatever asks Django, what the async view above is.
class MoveDoor(APIView):
    """Playing a move of a run."""

    @extend_schema(
        operation_id="run_move",
        request=MoveBody,
        responses={
            200: runs_schemas.MoveAnswer,
            **problems(401, 403, 404, 409, 413, 422, 503),
        },
    )
    def post(self) -> None:
        """Play one move. The same key and body again gives the first answer."""


class RaceMoveDoor(APIView):
    """Playing a move of a race."""

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


for _view, _door in ((move_view, MoveDoor), (race_move_view, RaceMoveDoor)):
    # `_play` checks CSRF itself.
    for _name, _value in (("cls", _door), ("initkwargs", {}), ("csrf_exempt", True)):
        setattr(_view, _name, _value)


def _refuse_unread(request: HttpRequest) -> HttpResponse | None:
    """What can be refused by the headers alone."""
    if request.method != "POST":
        answer = problem_response(
            problem(405, "method.not_allowed", "A move is sent with POST.")
        )
        answer["Allow"] = "POST"
        return answer
    if request.content_type not in ("application/json", ""):
        return problem_response(
            problem(415, "body.unsupported_type", "A body is application/json.")
        )
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdigit() or int(length) > LARGEST:
        return problem_response(_too_large())
    return None


def _too_large() -> dict[str, Any]:
    return problem(413, "body.too_large", f"At most {LARGEST} bytes.")


def _read(raw: bytes) -> dict[str, Any] | HttpResponse:
    """The body's fields once they are right, or the problem with them."""
    body = load_object(raw)
    errors = [
        {"field": name, "code": "unknown", "detail": "There is no such field."}
        for name in sorted(set(body) - _FIELDS)
    ]
    index, move, key = body.get("index"), body.get("move"), body.get("key")
    if type(index) is not int or not 0 <= index <= 999:
        errors.append(_wrong("index", "The number of moves played so far, 0 to 999."))
    if not isinstance(move, str):
        errors.append(_wrong("move", "The code of a move, as text."))
    if key is not None and not (isinstance(key, str) and _KEY.fullmatch(key)):
        errors.append(
            _wrong("key", f"1 to {KEY_LENGTH} printable characters without spaces.")
        )
    if errors:
        return problem_response(
            problem(
                400, "body.invalid", "Some fields are not right.", {"errors": errors}
            )
        )
    return body


def _wrong(field: str, detail: str) -> dict[str, str]:
    return {"field": field, "code": "invalid", "detail": detail}


def _play(request: HttpRequest, play: Play, body: dict[str, Any]) -> HttpResponse:
    asker = asker_of(request)
    if asker is None:
        return _who(request)
    refused = _may_not(request, asker)
    if refused is not None:
        return refused
    limits.moves.take(
        asker.account_id, rate=settings.MOVES_A_SECOND, burst=settings.MOVES_AT_ONCE
    )
    return _answer(play(asker.account_id, body))


def _who(request: HttpRequest) -> HttpResponse:
    """401, in the words that fit what was sent."""
    if "HTTP_AUTHORIZATION" in request.META:
        unknown = "That token is unknown, revoked or expired."
        body = problem(401, "token.invalid", unknown)
    else:
        body = problem(401, "session.required", "Sign in, or become a guest, first.")
    answer = problem_response(body)
    answer["WWW-Authenticate"] = REALM
    return answer


def _may_not(request: HttpRequest, asker: Asker) -> HttpResponse | None:
    """A token needs its scope; a cookie the proof that a page of ours sent it."""
    if asker.token is not None:
        reason, code = scope_refusal(asker.token, "play"), "token.scope"
    else:
        reason, code = csrf_refusal(request), "csrf.failed"
    return problem_response(problem(403, code, reason)) if reason else None


def _answer(played: dict[str, Any]) -> HttpResponse:
    answer = HttpResponse(
        json.dumps(played, separators=(",", ":")), content_type="application/json"
    )
    answer["Cache-Control"] = "no-store"
    return answer


Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


async def express(scope: Scope, receive: Receive, send: Send, what: str) -> None:
    """Answer a request for a move straight from ASGI, without Django's middleware.

    `what` is what PATH finds: runs/{id} or races/{id}.
    """
    body = BytesIO()
    while True:
        part = await receive()
        if part["type"] == "http.disconnect":
            return
        if body.tell() <= LARGEST:
            body.write(part.get("body", b""))
        if not part.get("more_body", False):
            break
    if body.tell() > LARGEST:
        answer: HttpResponse = problem_response(_too_large())
    else:
        body.seek(0)
        answer = await _answer_express(ASGIRequest(scope, body), what)
    for name, value in _headers().items():
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


@lru_cache(maxsize=1)
def _headers() -> dict[str, str]:
    """What Django's middleware would put on the answer, read once."""
    found = {
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": str(settings.SECURE_REFERRER_POLICY),
        "Content-Security-Policy": build_policy(),
    }
    if settings.SECURE_HSTS_SECONDS:
        found["Strict-Transport-Security"] = (
            f"max-age={settings.SECURE_HSTS_SECONDS}; includeSubDomains; preload"
        )
    return found


async def _answer_express(request: HttpRequest, what: str) -> HttpResponse:
    kind, _, found_id = what.partition("/")
    try:
        request.get_host()
        return await _VIEWS[kind](request, found_id)
    except Exception:  # the outermost door of this lane: log, and say so
        log.exception("move_failed", what=what)
        return JsonResponse(
            problem(500, "server.error", "Something broke here; it has been noted."),
            status=500,
            content_type="application/problem+json",
        )
