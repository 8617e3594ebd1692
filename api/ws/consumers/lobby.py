"""A socket on the lobby: `/ws/v1/lobby/` and the bots' twin of it."""

from api.ws.consumers.base import Consumer
from api.ws.protocol.frames import Frame
from api.ws.races import handlers


class LobbyConsumer(Consumer):
    """Somebody who looks for a race."""

    async def entered(self) -> None:
        """Be told of changes, once hello is said."""
        self.here.lobby.sockets.add(self.socket)

    def left(self) -> None:
        """Be told no longer."""
        if hasattr(self, "here"):
            self.here.lobby.sockets.discard(self.socket)

    async def answer(self, frame: Frame) -> None:
        """The lobby knows `hello` and `resync`; everything else belongs to a race."""
        if type(frame.asked) not in handlers.LOBBY:
            raise handlers.not_here()
        await self.here.lobby.join(self.socket, frame.id)
