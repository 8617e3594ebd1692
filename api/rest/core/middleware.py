"""Builds middleware that only changes responses, for sync and async servers."""

from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

Sync = Callable[[HttpRequest], HttpResponseBase]
Async = Callable[[HttpRequest], Awaitable[HttpResponseBase]]
Change = Callable[[HttpRequest, HttpResponseBase], None]


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
