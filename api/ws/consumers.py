"""The ASGI consumers: a socket from its handshake to its end, on a race or the lobby.

Plain ASGI, without Channels: its consumers pass every message through one shared
thread. Frames are checked in order as they arrive. What needs the database is done one
after the other in a task, so a ping is answered while a move is being played.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections import deque
from typing import Any

import structlog
from django.conf import settings
from django.db import InterfaceError, OperationalError

from api.daphne_internals import FLUSH_S
from api.ws.connection import database
from api.ws.connection.frame_writer import Receive, Send, frame_writer
from api.ws.connection.handshake import Scope, SocketRefused, check_handshake
from api.ws.connection.identity import Identity
from api.ws.connection.socket_counts import Lease, LocalCounts
from api.ws.connection.socket_limits import (
    BAD_FRAMES_WINDOW_S,
    MAX_BAD_FRAMES,
    MAX_REFUSED_MESSAGES,
    socket_limits,
)
from api.ws.connection.sockets import Socket
from api.ws.process import Process, current_process
from api.ws.protocol import close_codes
from api.ws.protocol.frames import BadFrame, Frame, now_text, read_frame
from api.ws.protocol.messages import Hello, Ping, Resync
from api.ws.races.handlers import HANDLERS, RaceClient
from game.contest.networks import network_of
from game.rules import Refusal
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.throttles import TokenBucket

log = structlog.get_logger(__name__)

RETRY_WHEN_FULL_MS = 5_000

_local_counts = LocalCounts()


class Consumer(ABC):
    """One connection. `socket.identity` and `process` are set by the handshake."""

    socket: Socket
    process: Process

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope, self._receive, self._send = scope, receive, send
        self._inbox: deque[Frame] = deque()
        self._answering: asyncio.Task[None] | None = None
        self._bucket = TokenBucket(settings.WS_PER_SECOND, settings.WS_BURST)
        self._refused_messages = 0
        self._bad_frames: deque[float] = deque(maxlen=MAX_BAD_FRAMES)  # their times
        self._counted: list[str] = []  # subjects in _local_counts
        self._lease: Lease | None = None

    @abstractmethod
    async def enter(self) -> None:
        """Add the socket to the hub or the lobby. May raise SocketRefused."""

    @abstractmethod
    def leave(self) -> None:
        """Remove the socket; also called when the handshake has failed."""

    @abstractmethod
    async def answer(self, frame: Frame) -> None:
        """Handle a message. May raise Refusal."""

    # --- From handshake to end ------------------------------------------------------

    async def run(self, *, is_bot: bool) -> None:
        """Serve the connection until it is closed."""
        await self._receive()
        # Accepted before it is checked: a browser hides the reason of a refusal.
        await self._send({"type": "websocket.accept"})
        writer = frame_writer(self._send)
        self.socket = Socket(writer, max_unsent=settings.WS_UNSENT_BYTES, now=_now())
        try:
            await self._shake_hands(is_bot=is_bot)
            await self._read_messages()
        except SocketRefused as refused:
            self.socket.close(
                refused.code, refused.reason, retry_after_ms=refused.retry_after_ms
            )
        except asyncio.CancelledError:
            # The server stops. Wait until the frames have been sent.
            self.socket.close(close_codes.RESTARTING, "restart")
            self._release_lease()
            await asyncio.sleep(FLUSH_S)
            raise
        except Exception:  # the outermost layer: log it and close
            log.exception("socket_failed", path=self.scope["path"])
            self.socket.close(close_codes.INTERNAL_ERROR, "broken")
        finally:
            self.leave()
            self._release_lease()
            for subject in self._counted:
                _local_counts.remove(subject)

    async def _shake_hands(self, *, is_bot: bool) -> None:
        handshake = check_handshake(self.scope, is_bot=is_bot)
        by_address = f"address:{network_of(handshake.browser.address)}"
        self._count(by_address, settings.WS_SOCKETS_PER_ADDRESS)
        identity = await database.read(handshake.find_identity)
        if identity is None:
            reason = "token.invalid" if is_bot else "session.required"
            raise SocketRefused(close_codes.NOT_SIGNED_IN, reason)
        if identity.is_banned:
            raise SocketRefused(close_codes.FORBIDDEN, "account.banned")
        if not identity.has_scope("read"):
            raise SocketRefused(close_codes.FORBIDDEN, "token.scope_missing")
        by_account = f"account:{identity.account_id}"
        self._count(by_account, settings.WS_SOCKETS_PER_ACCOUNT)
        self.socket.identity, self.socket.browser = identity, handshake.browser
        self.process = current_process()
        self._lease = self.process.socket_counts.acquire(
            {
                by_address: settings.WS_SOCKETS_PER_ADDRESS,
                by_account: settings.WS_SOCKETS_PER_ACCOUNT,
            },
            self._close_as_too_many,
        )
        await self.enter()
        self.socket.send("welcome", _welcome(identity))

    def _count(self, subject: str, limit: int) -> None:
        if not _local_counts.add(subject, limit):
            reason = _too_many_reason(subject)
            raise SocketRefused(close_codes.TOO_MANY, reason, RETRY_WHEN_FULL_MS)
        self._counted.append(subject)

    def _close_as_too_many(self, subject: str) -> None:
        reason = _too_many_reason(subject)
        self.socket.close(
            close_codes.TOO_MANY, reason, retry_after_ms=RETRY_WHEN_FULL_MS
        )

    def _release_lease(self) -> None:
        if self._lease is not None:
            self.process.socket_counts.release(self._lease)
            self._lease = None

    async def _read_messages(self) -> None:
        while True:
            message = await self._receive()
            if message["type"] == "websocket.disconnect":
                return
            if message["type"] == "websocket.receive" and not self.socket.is_closed:
                self._take(message.get("text"))

    # --- One frame --------------------------------------------------------------------

    def _take(self, text: str | None) -> None:
        """Check one frame (None: a binary one), and answer it or queue it."""
        now = self.socket.last_received_at = _now()
        wait_s = self._bucket.take(now)
        if wait_s:
            self._refuse_flood(wait_s)
            return
        self._refused_messages = 0
        try:
            frame = read_frame(text)
        except BadFrame as bad:
            self._refuse_bad_frame(bad, now)
            return
        if isinstance(frame.message, Ping):
            t1 = time.time_ns() // 1_000_000
            self.socket.send("pong", {"t0": frame.message.t0, "t1": t1}, frame.id)
            return
        self._inbox.append(frame)
        if self._answering is None or self._answering.done():
            self._answering = asyncio.ensure_future(self._answer_all())

    def _refuse_flood(self, wait_s: float) -> None:
        self._refused_messages += 1
        if self._refused_messages >= MAX_REFUSED_MESSAGES:
            self.socket.close(close_codes.TOO_MANY, "flood")
            return
        body = {
            "code": "socket.flood",
            "detail": "Too many messages. Wait before you send the next one.",
            "retry_after_ms": int(wait_s * 1000) + 1,
        }
        self.socket.send("error", body)

    def _refuse_bad_frame(self, bad: BadFrame, now: float) -> None:
        self._bad_frames.append(now)
        self.socket.send("error", {"code": bad.code, "detail": bad.text}, bad.frame_id)
        is_full = len(self._bad_frames) == MAX_BAD_FRAMES
        if is_full and now - self._bad_frames[0] < BAD_FRAMES_WINDOW_S:
            self.socket.close(close_codes.BAD_FRAMES, "bad_frames")

    async def _answer_all(self) -> None:
        while self._inbox and not self.socket.is_closed:
            frame = self._inbox.popleft()
            try:
                await self.answer(frame)
            except Refusal as refusal:
                self.socket.send("error", refusal_body(refusal), frame.id)
            except (OperationalError, InterfaceError) as error:
                log.warning("socket_database", error=repr(error))
                self.socket.send("error", _BUSY, frame.id)
            except Exception:  # the outermost layer: log it and answer
                log.exception("message_failed", message=type(frame.message).__name__)
                self.socket.send("error", _FAILED, frame.id)


class RaceConsumer(Consumer):
    """A socket on one race: `/ws/v1/races/{id}/` and `/ws/v1/bot/races/{id}/`."""

    def __init__(
        self, scope: Scope, receive: Receive, send: Send, *, race_id: str
    ) -> None:
        super().__init__(scope, receive, send)
        self._race_id = race_id
        self._client: RaceClient | None = None

    async def enter(self) -> None:
        """Watch the race. Raises SocketRefused (4404) if there is none."""
        hub = self.process.hub
        try:
            race = await hub.enter(self._race_id, self.socket)
        except Refusal as refusal:
            raise SocketRefused(close_codes.NOT_FOUND, refusal.code) from refusal
        self._client = RaceClient(hub, race, self.socket)

    def leave(self) -> None:
        """Stop watching the race."""
        if self._client is not None:
            self._client.hub.leave(self._client.race, self.socket)

    async def answer(self, frame: Frame) -> None:
        """Call the message's handler, if the credential has its scope."""
        assert self._client is not None
        scope, handler = HANDLERS[type(frame.message)]
        if not self.socket.identity.has_scope(scope):
            raise ServiceRefusal(
                Kind.FORBIDDEN,
                "token.scope_missing",
                f"This token has no scope {scope}.",
                {"scope": scope},
            )
        await handler(self._client, frame)


class LobbyConsumer(Consumer):
    """A socket on the lobby: `/ws/v1/lobby/` and `/ws/v1/bot/lobby/`."""

    async def enter(self) -> None:
        """Add the socket to the lobby."""
        self.process.lobby.sockets.add(self.socket)

    def leave(self) -> None:
        """Remove the socket from the lobby."""
        if hasattr(self, "process"):
            self.process.lobby.sockets.discard(self.socket)

    async def answer(self, frame: Frame) -> None:
        """Answer `hello` and `resync` with the list; refuse a race's messages."""
        if not isinstance(frame.message, Hello | Resync):
            raise ServiceRefusal(
                Kind.CONFLICT,
                "frame.wrong_socket",
                "That message belongs to the socket of a race.",
            )
        await self.process.lobby.join(self.socket, frame.id)


_BUSY = {
    "code": "server.busy",
    "detail": "The database did not answer. Send the message again.",
    "retry_after_ms": 1000,
}
_FAILED = {
    "code": "server.error",
    "detail": "An internal error occurred. It has been logged.",
}


def refusal_body(refusal: Refusal) -> dict[str, Any]:
    """The body of `error` for a refusal: the fields that a REST problem has."""
    extra = getattr(refusal, "extra", {})
    body = {**refusal.detail, **extra, "code": refusal.code, "detail": refusal.text}
    if "retry_after_s" in body:
        body["retry_after_ms"] = 1000 * body.pop("retry_after_s")
    return body


def _too_many_reason(subject: str) -> str:
    kind, _, _ = subject.partition(":")
    return f"sockets.{kind}"


def _now() -> float:
    return asyncio.get_running_loop().time()


def _welcome(identity: Identity) -> dict[str, Any]:
    return {
        "server_time": now_text(),
        "limits": socket_limits(),
        "you": {
            "id": identity.account_id,
            "name": identity.name,
            "is_guest": identity.is_guest,
            "is_bot": identity.is_bot,
        },
    }
