"""Serve static files through WhiteNoise without a thread for other requests.

WhiteNoise's middleware is synchronous: under ASGI every request, even for an async
view, would need a thread.
"""

from collections.abc import AsyncIterator, Iterator
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise for synchronous and asynchronous middleware chains."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Any) -> None:
        super().__init__(get_response)
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        """Return the file or the next layer's response; awaitable in an async chain."""
        if iscoroutinefunction(self):
            return self._answer(request)
        answer: HttpResponseBase = super().__call__(request)
        return answer

    async def _answer(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        file = self.find_file(path) if self.autorefresh else self.files.get(path)
        if file is None:
            other: HttpResponseBase = await self.get_response(request)
            return other
        response: StreamingHttpResponse = self.serve(file, request)
        response.streaming_content = _chunks(iter(response))
        return response


async def _chunks(blocks: Iterator[bytes]) -> AsyncIterator[bytes]:
    # Read the file in a thread, block by block.
    def read() -> bytes:
        return next(blocks, b"")

    while block := await sync_to_async(read, thread_sensitive=False)():
        yield block
