"""The web process: routes each protocol to its application.

    http       request id -> moves: `api.rest.runs.moves.serve_move`
                          -> everything else: Django
    websocket  api.ws, plain ASGI without middleware
    lifespan   acknowledged at once; nothing here depends on it

Moves are frequent enough to skip Django's middleware. Their view checks session and
CSRF itself and adds the same security headers.
"""

import os

from channels.routing import ProtocolTypeRouter
from django.conf import settings
from django.core.asgi import get_asgi_application

from api.daphne_internals import limit_requests
from scoundrel_site.request_id import Receive, Scope, Send, with_request_id

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scoundrel_site.settings.prod")
limit_requests(within_s=settings.REQUEST_WITHIN_S)

# Loads Django's applications; modules that import models must come after it.
django_http = get_asgi_application()

from api.rest.runs import moves  # noqa: E402 - imports models
from api.ws.routing import websocket  # noqa: E402 - imports models
from scoundrel_site.signs_of_life import (  # noqa: E402 - imports models
    start_signing,
)


async def http(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve moves directly, all other HTTP requests through Django."""
    start_signing()
    move = moves.PATH.match(scope["path"])
    if move:
        await moves.serve_move(scope, receive, send, move[1])
    else:
        await django_http(scope, receive, send)


async def sockets(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve websockets."""
    start_signing()
    await websocket(scope, receive, send)


async def lifespan(scope: Scope, receive: Receive, send: Send) -> None:
    """Acknowledge start-up and shutdown, for servers that announce them."""
    while True:
        stage = (await receive())["type"]
        await send({"type": f"{stage}.complete"})
        if stage == "lifespan.shutdown":
            return


application = ProtocolTypeRouter(
    {"http": with_request_id(http), "websocket": sockets, "lifespan": lifespan}
)
