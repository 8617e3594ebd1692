"""The ASGI application of all websockets: finds the consumer by path."""

import re

from api.ws.connection.frame_writer import Receive, Send
from api.ws.connection.handshake import Scope
from api.ws.consumers import LobbyConsumer, RaceConsumer
from api.ws.protocol.close_codes import NOT_FOUND

_PATH = re.compile(
    r"/ws/v1/(?P<bot>bot/)?(?:races/(?P<race>[a-z0-9]{1,32})|(?P<lobby>lobby))/"
)


async def websocket(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one socket. On an unknown path it is accepted and closed with 4404."""
    match = _PATH.fullmatch(scope["path"])
    if match is None:
        await receive()
        # Accepted first: a browser hides the code of a socket that never opened.
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": NOT_FOUND})
        return
    is_bot = match["bot"] is not None
    if match["lobby"]:
        await LobbyConsumer(scope, receive, send).run(is_bot=is_bot)
    else:
        consumer = RaceConsumer(scope, receive, send, race_id=match["race"])
        await consumer.run(is_bot=is_bot)
