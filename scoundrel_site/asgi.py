"""The web process: which protocol goes to which door.

    http       request id -> (express lane) -> Django
    websocket  api.ws: plain ASGI too, for its sockets need no middleware
    lifespan   answered at once: nothing of ours waits for it

The express lane: a move is hot enough to skip Django's middleware, and is taken out in
`http`. It gets a request id like the rest; all else that middleware does (session,
CSRF, headers) its door does itself.
"""

import os

from channels.routing import ProtocolTypeRouter
from django.conf import settings
from django.core.asgi import get_asgi_application

from api.daphne_internals import limit_requests
from scoundrel_site.request_id import Receive, Scope, Send, with_request_id

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scoundrel_site.settings.prod")
limit_requests(within_s=settings.REQUEST_WITHIN_S)

# Loads Django's applications: a module that names a model is imported below this.
django_http = get_asgi_application()

from api.rest.runs import moves  # noqa: E402 - it names models
from api.ws.routing import websocket  # noqa: E402 - it names models


async def http(scope: Scope, receive: Receive, send: Send) -> None:
    """Any HTTP request; a move goes by the express lane."""
    hot = moves.PATH.match(scope["path"])
    if hot:
        await moves.express(scope, receive, send, hot[1])
    else:
        await django_http(scope, receive, send)


async def lifespan(scope: Scope, receive: Receive, send: Send) -> None:
    """Start-up and shut-down, for the servers that announce them."""
    while True:
        stage = (await receive())["type"]
        await send({"type": f"{stage}.complete"})
        if stage == "lifespan.shutdown":
            return


application = ProtocolTypeRouter(
    {"http": with_request_id(http), "websocket": websocket, "lifespan": lifespan}
)
