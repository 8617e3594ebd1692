"""The site's own middleware, for sync and async servers."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from api.rest.core.errors import problem, problem_response

Sync = Callable[[HttpRequest], HttpResponseBase]
Async = Callable[[HttpRequest], Awaitable[HttpResponseBase]]
Refuse = Callable[[HttpRequest], HttpResponseBase | None]
Change = Callable[[HttpRequest, HttpResponseBase], None]

API_PATHS: Final = ("/api/", "/_allauth/")


def request_middleware(refuse: Refuse) -> Any:
    """Return middleware that answers with `refuse(request)`, unless that is None."""

    @sync_and_async_middleware
    def build(get_response: Sync | Async) -> Sync | Async:
        if iscoroutinefunction(get_response):

            async def async_middleware(request: HttpRequest) -> HttpResponseBase:
                return refuse(request) or await get_response(request)

            return async_middleware

        def middleware(request: HttpRequest) -> HttpResponseBase:
            response = refuse(request) or get_response(request)
            assert isinstance(response, HttpResponseBase)
            return response

        return middleware

    return build


def response_middleware(change: Change) -> Any:
    """Return middleware that calls `change(request, response)` for every response."""

    @sync_and_async_middleware
    def build(get_response: Sync | Async) -> Sync | Async:
        if iscoroutinefunction(get_response):

            async def async_middleware(request: HttpRequest) -> HttpResponseBase:
                response: HttpResponseBase = await get_response(request)
                change(request, response)
                return response

            return async_middleware

        def middleware(request: HttpRequest) -> HttpResponseBase:
            response = get_response(request)
            assert isinstance(response, HttpResponseBase)
            change(request, response)
            return response

        return middleware

    return build


def _nul_refusal(request: HttpRequest) -> HttpResponseBase | None:
    query = request.META.get("QUERY_STRING", "")
    if "%00" not in query or not request.path_info.startswith(API_PATHS):
        return None
    text = "The address contains a NUL character."
    return problem_response(problem(400, "address.malformed", text))


# Answers 400 `address.malformed` to NUL in the query of an API route: PostgreSQL does
# not accept NUL in text, so a view that compares a parameter with a column would fail.
# A path with NUL is not found (`api.rest.urls`).
refuse_nul = request_middleware(_nul_refusal)


def _set_no_store(request: HttpRequest, response: HttpResponseBase) -> None:
    if request.path_info.startswith(API_PATHS):
        response.headers.setdefault("Cache-Control", "no-store")


# Sends `Cache-Control: no-store` with API responses whose view has not set it.
# Otherwise an account's own data (runs, standing, exports) would stay in the browser
# cache of a shared computer after signing out. Views of public images set it.
default_no_store = response_middleware(_set_no_store)
