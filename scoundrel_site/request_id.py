"""An id for each HTTP request, on its response and on every line it logs.

An ASGI layer around everything, so that requests which skip Django's middleware have an
id too.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from uuid import uuid4

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

HEADER = b"x-request-id"
ACCEPTABLE = re.compile(rb"[A-Za-z0-9._-]{8,64}")


def with_request_id(application: Application) -> Application:
    """Return `application` with an X-Request-ID on each HTTP request and response.

    A caller's id of 8 to 64 letters, digits, dots, dashes or underscores is kept, any
    other is replaced. django-structlog's middleware reads it from the request's headers
    and adds it to each log line.
    """

    async def layer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        client_id, headers = _extract_id(scope["headers"])
        request_id = client_id or uuid4().hex.encode("ascii")
        scope = {**scope, "headers": [*headers, (HEADER, request_id)]}

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", []), (HEADER, request_id)]
                message = {**message, "headers": headers}
            await send(message)

        await application(scope, receive, send_with_id)

    return layer


def _extract_id(
    headers: list[tuple[bytes, bytes]],
) -> tuple[bytes | None, list[tuple[bytes, bytes]]]:
    ids = [value for name, value in headers if name == HEADER]
    others = [(name, value) for name, value in headers if name != HEADER]
    acceptable = len(ids) == 1 and ACCEPTABLE.fullmatch(ids[0])
    return (ids[0] if acceptable else None), others
