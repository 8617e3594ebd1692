"""Prevents caching of API responses whose view does not set Cache-Control.

Otherwise an account's own data (runs, standing, exports) would stay in the browser
cache of a shared computer after signing out. Views of public images set Cache-Control.
"""

from collections.abc import Awaitable, Callable
from typing import Final

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

_API_PATHS: Final = ("/api/", "/_allauth/")
Sync = Callable[[HttpRequest], HttpResponseBase]
Async = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def default_no_store(get_response: Sync | Async) -> Sync | Async:
    """Middleware: send `Cache-Control: no-store` where the view has not set it."""
    if iscoroutinefunction(get_response):

        async def async_middleware(request: HttpRequest) -> HttpResponseBase:
            return _with_default(request, await get_response(request))

        return async_middleware

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        assert isinstance(response, HttpResponseBase)
        return _with_default(request, response)

    return middleware


def _with_default(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if request.path_info.startswith(_API_PATHS):
        response.headers.setdefault("Cache-Control", "no-store")
    return response
