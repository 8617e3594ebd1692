"""A socket on one race: `/ws/v1/races/{id}/` and the bots' twin of it."""

from api.ws.connection.handshake import Closed, Scope
from api.ws.connection.wire import Receive, Send
from api.ws.consumers.base import Consumer
from api.ws.protocol.frames import Frame
from api.ws.races import handlers
from api.ws.races.client import Attending
from game.rules import Refusal


class RaceConsumer(Consumer):
    """Somebody who plays or watches."""

    def __init__(
        self, scope: Scope, receive: Receive, send: Send, *, race_id: str
    ) -> None:
        super().__init__(scope, receive, send)
        self._race_id = race_id
        self._attending: Attending | None = None

    async def entered(self) -> None:
        """Watch the race; 4404 where there is none."""
        hub = self.here.hub
        try:
            watch = await hub.enter(self._race_id, self.socket)
        except Refusal as refusal:
            raise Closed(4404, refusal.code) from refusal
        self._attending = Attending(hub, watch, self.socket)

    def left(self) -> None:
        """Watch no longer."""
        if self._attending is not None:
            self._attending.hub.leave(self._attending.watch, self.socket)

    async def answer(self, frame: Frame) -> None:
        """Find the message's handler and let it work."""
        assert self._attending is not None
        scope, handler = handlers.RACE[type(frame.asked)]
        if not self.socket.identity.may(scope):
            raise handlers.scope_missing(scope)
        await handler(self._attending, frame)
