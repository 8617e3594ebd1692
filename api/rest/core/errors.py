"""REST errors: application/problem+json with a stable code."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, TypedDict

import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from game.rules import IllegalMove, Refusal
from game.services.core.errors import Kind, ServiceRefusal

log = structlog.get_logger(__name__)

CONTENT_TYPE = "application/problem+json"
_STATUS_OF_KIND = {
    Kind.MALFORMED: 400,
    Kind.TOO_LARGE: 413,
    Kind.NOT_FOUND: 404,
    Kind.FORBIDDEN: 403,
    Kind.CONFLICT: 409,
    Kind.THROTTLED: 429,
    Kind.UNAVAILABLE: 503,
}
_CODE_OF_STATUS = {
    400: "request.malformed",
    401: "session.required",
    403: "permission.denied",
    404: "not_found",
    405: "method.not_allowed",
    406: "accept.unsupported",
    413: "body.too_large",
    415: "body.unsupported_type",
    429: "throttled",
}


class Problem(TypedDict):
    """An error; more fields may follow, such as `run` or `errors`."""

    type: str
    title: str
    status: int
    detail: str
    code: str


def problem(
    status: int,
    code: str,
    detail: str,
    extra: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return an error's body: {type, title, status, detail, code, ...extra}."""
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        **(extra or {}),
    }


class RequestRefusal(Refusal):
    """A refusal by the REST layer itself, with its HTTP status and headers."""

    def __init__(
        self,
        status: int,
        code: str,
        text: str,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code, text)
        self.status = status
        self.headers = headers or {}


def problem_of(refusal: Refusal) -> dict[str, Any]:
    """Return the problem for a refusal from any layer."""
    if isinstance(refusal, RequestRefusal):
        status, extra = refusal.status, refusal.detail
    elif isinstance(refusal, ServiceRefusal):
        status = _STATUS_OF_KIND[refusal.kind]
        extra = {**refusal.detail, **refusal.extra}
    else:
        status = 422 if isinstance(refusal, IllegalMove) else 400
        extra = dict(refusal.detail)
    return problem(status, refusal.code, refusal.text, extra)


def problem_response(
    body: Mapping[str, Any], headers: Mapping[str, str] | None = None
) -> JsonResponse:
    """Return a Django response with a problem as its body."""
    answer = JsonResponse(
        body,
        status=body["status"],
        content_type=CONTENT_TYPE,
        headers={"Cache-Control": "no-store", **(headers or {})},
    )
    retry = body.get("retry_after_s")
    if retry is not None:
        answer["Retry-After"] = str(retry)
    return answer


def exception_handler(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """REST framework's exception handler: turns every expected error into a problem."""
    if isinstance(error, Refusal):
        body = problem_of(error)
    elif isinstance(error, Http404):
        body = problem(404, "not_found", "There is nothing here.")
    elif isinstance(error, RequestDataTooBig):
        body = problem(413, "body.too_large", "The body is too large.")
    elif isinstance(error, PermissionDenied):
        body = problem(403, "permission.denied", "You are not allowed to do that.")
    elif isinstance(error, exceptions.APIException):
        body = _problem_of_api_exception(error)
    else:
        return None
    set_rollback()
    headers = {"Cache-Control": "no-store"}
    realm = getattr(error, "auth_header", None)
    if realm:
        headers["WWW-Authenticate"] = realm
    if "retry_after_s" in body:
        headers["Retry-After"] = str(body["retry_after_s"])
    return Response(
        body, status=body["status"], headers=headers, content_type=CONTENT_TYPE
    )


def _problem_of_api_exception(error: exceptions.APIException) -> dict[str, Any]:
    status = error.status_code
    if isinstance(error, exceptions.ValidationError):
        fields = list(_flatten(error.detail, error.get_codes()))
        return problem(
            400, "body.invalid", "Some fields are invalid.", {"errors": fields}
        )
    if isinstance(error, exceptions.Throttled):
        wait = int(getattr(error, "wait", None) or 1) + 1
        return problem(
            429,
            "throttled",
            f"Too many requests; try again in {wait} s.",
            {"limit": str(getattr(error, "limit", "")), "retry_after_s": wait},
        )
    code = error.get_codes()
    dotted_code = code if isinstance(code, str) and "." in code else None
    return problem(
        status,
        dotted_code or _CODE_OF_STATUS.get(status, "request.refused"),
        str(error.detail),
    )


def _flatten(details: Any, codes: Any, field: str = "") -> list[dict[str, str]]:
    if isinstance(details, dict):
        return [
            entry
            for name, inner in details.items()
            for entry in _flatten(inner, codes[name], f"{field}.{name}".strip("."))
        ]
    if isinstance(details, list):
        return [
            entry
            for inner, code in zip(details, codes, strict=True)
            for entry in _flatten(inner, code, field)
        ]
    name = field.removesuffix(".non_field_errors").removesuffix("non_field_errors")
    return [{"field": name, "code": str(codes), "detail": str(details)}]


def not_found_view(request: HttpRequest, **_: Any) -> JsonResponse:
    """Answer 404 for unknown paths under /api/."""
    return problem_response(problem(404, "not_found", "There is nothing here."))


def csrf_failed(request: HttpRequest, reason: str = "") -> JsonResponse:
    """Answer 403 to a request that fails Django's CSRF check."""
    body = problem(403, "csrf.failed", f"CSRF check: {reason}")
    if request.path_info.startswith("/_allauth/"):
        body["errors"] = [{"code": body["code"], "message": body["detail"]}]
    return problem_response(body)
