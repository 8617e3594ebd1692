"""Which address leads to which consumer; whatever leads nowhere is closed with 4404.

A socket is always accepted before it is closed: browsers hide the reason otherwise.
"""

import re
from typing import Final

from api.ws.connection.handshake import Scope
from api.ws.connection.wire import Receive, Send
from api.ws.consumers.lobby import LobbyConsumer
from api.ws.consumers.races import RaceConsumer

NO_SUCH_DOOR: Final = 4404
_ADDRESS = re.compile(
    r"/ws/v1/(?P<bot>bot/)?(?:races/(?P<race>[a-z0-9]{1,32})|(?P<lobby>lobby))/"
)


async def websocket(scope: Scope, receive: Receive, send: Send) -> None:
    """The ASGI application of all websockets."""
    found = _ADDRESS.fullmatch(scope["path"])
    if found is None:
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": NO_SUCH_DOOR})
        return
    is_bot = found["bot"] is not None
    if found["lobby"]:
        await LobbyConsumer(scope, receive, send).run(is_bot=is_bot)
    else:
        consumer = RaceConsumer(scope, receive, send, race_id=found["race"])
        await consumer.run(is_bot=is_bot)
