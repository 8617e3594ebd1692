"""Somebody at a race: his socket, the hub's watch, and what became of his last acts."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any

from api.ws.connection.sockets import Socket
from api.ws.races.hub import Hub
from api.ws.races.watch import Watch
from game.rules import Refusal

REMEMBERED = 32


class Attending:
    """What a handler is given of the socket whose message it handles."""

    def __init__(self, hub: Hub, watch: Watch, socket: Socket) -> None:
        self.hub, self.watch, self.socket = hub, watch, socket
        # By frame id: what the act came to, or its refusal.
        self._acts: OrderedDict[str, object] = OrderedDict()

    @property
    def race_id(self) -> str:
        """The race that the socket is on."""
        return self.watch.race_id

    @property
    def account_id(self) -> str:
        """Whoever is behind the socket."""
        return self.socket.identity.account_id

    async def once(
        self, frame_id: str | None, act: Callable[[], Awaitable[object]]
    ) -> Any:
        """Do an act, unless the same frame did it before; what it came to, each time.

        Raises:
            Refusal: the act's, now or then.
        """
        if frame_id is not None and frame_id in self._acts:
            outcome = self._acts[frame_id]
            if isinstance(outcome, Refusal):
                raise outcome
            return outcome
        try:
            outcome = await act()
        except Refusal as refused:
            self._remember(frame_id, refused)
            raise
        self._remember(frame_id, outcome)
        return outcome

    def _remember(self, frame_id: str | None, outcome: object) -> None:
        if frame_id is None:
            return
        self._acts[frame_id] = outcome
        if len(self._acts) > REMEMBERED:
            self._acts.popitem(last=False)
