"""Nobody keeps an answer of the REST door unless its view says that it may be kept.

What is one's own (account, standing, runs, exports) would else lie in a shared
computer's cache after signing out. Public pictures and files say so themselves.
"""

from collections.abc import Awaitable, Callable
from typing import Final

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

_OURS: Final = ("/api/", "/_allauth/")
Sync = Callable[[HttpRequest], HttpResponseBase]
Async = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def unkept(get_response: Sync | Async) -> Sync | Async:
    """Say `no-store` where a view has not said anything."""
    if iscoroutinefunction(get_response):

        async def answer_later(request: HttpRequest) -> HttpResponseBase:
            return _marked(request, await get_response(request))

        return answer_later

    def answer(request: HttpRequest) -> HttpResponseBase:
        given = get_response(request)
        assert isinstance(given, HttpResponseBase)
        return _marked(request, given)

    return answer


def _marked(request: HttpRequest, answer: HttpResponseBase) -> HttpResponseBase:
    if request.path_info.startswith(_OURS):
        answer.headers.setdefault("Cache-Control", "no-store")
    return answer
