"""Brings what is said in a race to the sockets that may hear it."""

from typing import Any

from api.ws.connection import executor
from api.ws.connection.wire import Packet
from api.ws.protocol.frames import write_frame
from api.ws.races.source import Source
from api.ws.races.watch import Watch


class Chatter:
    """Delivers messages in their order, each read and framed once."""

    def __init__(self, source: Source) -> None:
        self._source = source

    async def told(self, watch: Watch) -> None:
        """Something may have been said: send what is new."""
        if watch.is_telling:
            watch.tell_again = True
            return
        watch.is_telling = True
        try:
            watch.tell_again = True
            while watch.tell_again:
                watch.tell_again = False
                await self._tell(watch)
        finally:
            watch.is_telling = False

    async def _tell(self, watch: Watch) -> None:
        since = watch.chat
        chat = await executor.read(lambda: self._source.chat(watch.race_id, since))
        if chat is None:
            return
        for message in chat.messages:
            watch.chat = max(watch.chat, message["number"])
            packet = _packet(message)
            speaker = watch.spoken.pop(message["number"], None)
            for socket in list(watch.sockets):
                heard = chat.hears(socket.identity.account_id, message)
                if socket.joined and heard and socket is not speaker:
                    socket.write(packet)


def _packet(message: dict[str, Any]) -> Packet:
    return Packet(write_frame("chat.message", message))
