"""One connection from its handshake to its end; what is common to races and lobby.

Plain ASGI: the accepting, the gate, the reading. Frames are judged as they arrive, in
order; what needs the database is done one after the other beside the reading, so a
ping is answered while a move is under way. No channel layer, and no hop to the shared
thread that Channels' own consumers take for every message.
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
from api.ws.connection import executor, handshake
from api.ws.connection.handshake import Closed, Scope
from api.ws.connection.limits import (
    BAD_FRAMES,
    BAD_WINDOW_S,
    FLOOD_AFTER,
    Crowd,
    limits,
)
from api.ws.connection.socket_counts import Lease
from api.ws.connection.sockets import SHUTTING_DOWN, Identity, Socket
from api.ws.connection.wire import Receive, Send, wire_of
from api.ws.process import Process, process
from api.ws.protocol.frames import BadFrame, Frame, now_text, read_frame
from api.ws.protocol.messages import Ping
from game.rules import Refusal
from game.services.core.throttles import TokenBucket

log = structlog.get_logger(__name__)

BROKEN = 4500
FULL_MS = 5_000


class Consumer(ABC):
    """A connection. `socket` is there once the gate has opened."""

    socket: Socket
    here: Process

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope, self._receive, self._send = scope, receive, send
        self._inbox: deque[Frame] = deque()
        self._work: asyncio.Task[None] | None = None
        self._bucket = TokenBucket(settings.WS_PER_SECOND, settings.WS_BURST)
        self._lease: Lease | None = None
        self._refused = 0
        self._bad: deque[float] = deque(maxlen=BAD_FRAMES)

    @abstractmethod
    async def entered(self) -> None:
        """The gate is open: take a place. May raise Closed."""

    @abstractmethod
    def left(self) -> None:
        """Give the place up."""

    @abstractmethod
    async def answer(self, frame: Frame) -> None:
        """Do what a message asks. May raise Refusal."""

    # --- From handshake to end ------------------------------------------------------

    async def run(self, *, is_bot: bool) -> None:
        """The whole life of the connection."""
        await self._receive()
        await self._send({"type": "websocket.accept"})
        wire = wire_of(self._send)
        counted: list[tuple[Crowd, str]] = []
        self.socket = Socket(wire, most_unsent=settings.WS_UNSENT_BYTES, now=_now())
        try:
            await self._admit(counted, is_bot=is_bot)
            await self._read()
        except Closed as closed:
            self.socket.end(closed.code, closed.reason, retry_ms=closed.retry_ms)
        except asyncio.CancelledError:
            # The server stops: say so, and let the bytes leave before it is gone.
            self.socket.end(SHUTTING_DOWN, "restart")
            self._give_lease_back()
            await asyncio.sleep(FLUSH_S)
            raise
        except Exception:  # the outermost door: log, and say so
            log.exception("socket_failed", path=self.scope["path"])
            self.socket.end(BROKEN, "broken")
        finally:
            self.left()
            self._give_lease_back()
            for crowd, who in counted:
                crowd.leave(who)

    async def _admit(self, counted: list[tuple[Crowd, str]], *, is_bot: bool) -> None:
        caller = handshake.caller_of(self.scope, is_bot=is_bot)
        _enter(handshake.addresses, caller.address, "address", counted)
        identity = await executor.read(caller.identify)
        if identity is None:
            raise Closed(4401, "token.invalid" if is_bot else "session.required")
        if identity.barred:
            raise Closed(4403, "account.banned")
        if not identity.may("read"):
            raise Closed(4403, "token.scope_missing")
        _enter(handshake.accounts, identity.account_id, "account", counted)
        self.socket.identity = identity
        self.here = process()
        self._take_lease(caller.address, identity.account_id)
        await self.entered()
        self.socket.send("welcome", _welcome(identity))

    def _take_lease(self, address: str, account_id: str) -> None:
        """Count with the sockets of all other processes, too."""
        most = {
            f"address:{address}": settings.WS_SOCKETS_PER_ADDRESS,
            f"account:{account_id}": settings.WS_SOCKETS_PER_ACCOUNT,
        }
        self._lease = self.here.crowds.enter(most, self._one_too_many)

    def _one_too_many(self, subject: str) -> None:
        of, _, _ = subject.partition(":")
        self.socket.end(4429, f"sockets.{of}", retry_ms=FULL_MS)

    def _give_lease_back(self) -> None:
        if self._lease is not None:
            self.here.crowds.leave(self._lease)
            self._lease = None

    async def _read(self) -> None:
        while True:
            message = await self._receive()
            if message["type"] == "websocket.disconnect":
                return
            if message["type"] == "websocket.receive" and not self.socket.closed:
                self._take(message)

    # --- One frame --------------------------------------------------------------------

    def _take(self, message: Any) -> None:
        now = self.socket.heard_at = _now()
        wait = self._bucket.take(now)
        if wait:
            self._refuse_flood(wait)
            return
        self._refused = 0
        try:
            frame = read_frame(message.get("text"))
        except BadFrame as bad:
            self._refuse_bad(bad, now)
            return
        if isinstance(frame.asked, Ping):
            t1 = time.time_ns() // 1_000_000
            self.socket.send("pong", {"t0": frame.asked.t0, "t1": t1}, frame.id)
            return
        self._inbox.append(frame)
        if self._work is None or self._work.done():
            self._work = asyncio.ensure_future(self._answer_all())

    def _refuse_flood(self, wait: float) -> None:
        self._refused += 1
        if self._refused >= FLOOD_AFTER:
            self.socket.end(4429, "flood")
            return
        body = {
            "code": "socket.flood",
            "detail": "Too many messages; wait a little.",
            "retry_after_ms": int(wait * 1000) + 1,
        }
        self.socket.send("error", body)

    def _refuse_bad(self, bad: BadFrame, now: float) -> None:
        self._bad.append(now)
        self.socket.send("error", {"code": bad.code, "detail": bad.text}, bad.frame_id)
        if len(self._bad) == BAD_FRAMES and now - self._bad[0] < BAD_WINDOW_S:
            self.socket.end(4400, "bad_frames")

    async def _answer_all(self) -> None:
        while self._inbox and not self.socket.closed:
            frame = self._inbox.popleft()
            try:
                await self.answer(frame)
            except Refusal as refusal:
                self.refuse(refusal, frame.id)
            except (OperationalError, InterfaceError) as error:
                log.warning("socket_database", error=repr(error))
                self.socket.send("error", _BUSY, frame.id)
            except Exception:  # a door: log, and say so
                log.exception("message_failed", message=type(frame.asked).__name__)
                self.socket.send("error", _FAILED, frame.id)

    def refuse(self, refusal: Refusal, frame_id: str | None) -> None:
        """Answer an expected no: its code, its sentence, its facts."""
        self.socket.send("error", refusal_body(refusal), frame_id)


_BUSY = {
    "code": "server.busy",
    "detail": "The database did not answer; send it again.",
    "retry_after_ms": 1000,
}
_FAILED = {
    "code": "server.error",
    "detail": "Something broke here; it has been noted.",
}


def refusal_body(refusal: Refusal) -> dict[str, Any]:
    """The fields of `error`, as a problem of the REST door has them."""
    extra = getattr(refusal, "extra", {})
    body = {**refusal.detail, **extra, "code": refusal.code, "detail": refusal.text}
    if "retry_after_s" in body:
        body["retry_after_ms"] = 1000 * body.pop("retry_after_s")
    return body


def _now() -> float:
    return asyncio.get_running_loop().time()


def _enter(crowd: Crowd, who: str, of: str, counted: list[tuple[Crowd, str]]) -> None:
    most = (
        settings.WS_SOCKETS_PER_ADDRESS
        if of == "address"
        else settings.WS_SOCKETS_PER_ACCOUNT
    )
    if not crowd.enter(who, most):
        raise Closed(4429, f"sockets.{of}", retry_ms=FULL_MS)
    counted.append((crowd, who))


def _welcome(identity: Identity) -> dict[str, Any]:
    return {
        "server_time": now_text(),
        "limits": limits(),
        "you": {
            "id": identity.account_id,
            "name": identity.name,
            "is_guest": identity.is_guest,
            "is_bot": identity.is_bot,
        },
    }
