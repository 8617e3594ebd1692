"""Refuses queries that no database column can be compared with."""

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from api.rest.core.caching import API_PATHS
from api.rest.core.errors import problem, problem_response

Sync = Callable[[HttpRequest], HttpResponseBase]
Async = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def refuse_nul(get_response: Sync | Async) -> Sync | Async:
    """Middleware: answer 400 `address.malformed` to NUL in the query of an API route.

    PostgreSQL refuses NUL in text, so a view that compares a parameter with a column
    would fail. A path with NUL is not found (`api.rest.urls`).
    """
    if iscoroutinefunction(get_response):

        async def async_middleware(request: HttpRequest) -> HttpResponseBase:
            return _refusal(request) or await get_response(request)

        return async_middleware

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = _refusal(request) or get_response(request)
        assert isinstance(response, HttpResponseBase)
        return response

    return middleware


def _refusal(request: HttpRequest) -> HttpResponseBase | None:
    query = request.META.get("QUERY_STRING", "")
    if "%00" not in query or not request.path_info.startswith(API_PATHS):
        return None
    text = "The address contains a NUL character."
    return problem_response(problem(400, "address.malformed", text))
