"""A real web process on the tests' database, and callers who talk to it."""

import json
import os
import secrets
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from django.conf import settings
from django.db import connection
from django.test import Client
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from game.management.children import Child
from game.management.valkey import free_port, wait_for_port
from game.models import Account
from tests.api.ws.protocol.conform import conforms
from tests.parts import ROOT

UP_WITHIN_S = 30.0
ANSWER_S = 10.0


class Web:
    """Daphne with the whole site, on the database that this test writes to."""

    def __init__(self, folder: Path, **environ: str) -> None:
        self.port = free_port()
        self.log = folder / f"web-{self.port}.log"
        known = connection.settings_dict
        address = "postgres://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**known)
        if known["ENGINE"].endswith("sqlite3"):
            address = f"sqlite:///{known['NAME']}"
        self.environ = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.api.ws.site_settings",
            "DATABASE_URL": address,
            "PYTHONPATH": str(ROOT),
            "LOG_LEVEL": "WARNING",
            **environ,
        }
        options = ["-b", "127.0.0.1", "-p", str(self.port), "-v", "0"]
        command = [sys.executable, "-m", "daphne", *options]
        self.child = Child(
            "The web process",
            [*command, "scoundrel_site.asgi:application"],
            self.environ,
            output=self.log,
        )

    def start(self) -> Self:
        """Start it, or start it again at the same address."""
        self.child.start()
        wait_for_port(self.port, self.child, UP_WITHIN_S)
        return self

    def stop(self) -> None:
        """Have it end in its own time."""
        self.child.stop()

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        assert self.child.process is not None
        self.child.process.kill()
        self.child.process.wait()

    @property
    def origin(self) -> str:
        """The origin of its own pages."""
        return f"http://127.0.0.1:{self.port}"

    def address(self, path: str) -> str:
        """The address of a socket."""
        return f"ws://127.0.0.1:{self.port}/ws/v1/{path}"


def cookie_of(account: Account) -> str:
    """A session cookie of that account, as a browser sends it."""
    client = Client()
    client.force_login(account, "django.contrib.auth.backends.ModelBackend")
    name = settings.SESSION_COOKIE_NAME
    return f"{name}={client.cookies[name].value}"


Scan = Callable[["Caller", bytes], None]


class Caller:
    """One socket. Keeps every frame; each goes through the scanner first."""

    def __init__(
        self,
        web: Web,
        path: str,
        *,
        account: Account | None = None,
        scan: Scan | None = None,
        headers: dict[str, str] | None = None,
        **options: Any,
    ) -> None:
        self.account, self.scan = account, scan
        self.frames: list[dict[str, Any]] = []
        self.code: int | None = None
        self._prefix, self._next = secrets.token_hex(3), 0
        if headers is None:
            assert account is not None
            headers = {"Cookie": cookie_of(account), "Origin": web.origin}
        given = dict(headers)
        origin = given.pop("Origin", None)
        self._opening = connect(
            web.address(path),
            origin=origin,  # type: ignore[arg-type]
            additional_headers=given,
            compression=None,
            ping_interval=None,
            max_size=None,
            max_queue=None,
            **options,
        )
        self.socket: ClientConnection = self._opening.__enter__()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the socket."""
        self._opening.__exit__(None, None, None)

    def send(self, kind: str, frame_id: str | None = None, **fields: Any) -> str:
        """Send a message; its id."""
        self._next += 1
        frame_id = frame_id or f"{self._prefix}-{self._next}"
        frame = {"v": 1, "t": kind, "id": frame_id, "d": fields}
        self.socket.send(json.dumps(frame))
        return frame_id

    def ask(self, kind: str, frame_id: str | None = None, **fields: Any) -> Any:
        """Send a message; the frame that answers it."""
        frame_id = self.send(kind, frame_id, **fields)
        return self.until(lambda frame: frame.get("id") == frame_id)

    def read(self, within_s: float = ANSWER_S) -> dict[str, Any] | None:
        """The next frame; None once the socket is closed."""
        try:
            payload = self.socket.recv(timeout=within_s)
        except ConnectionClosed as closed:
            self.code = closed.rcvd.code if closed.rcvd else None
            return None
        assert isinstance(payload, str)
        if self.scan is not None:
            self.scan(self, payload.encode())
        frame: dict[str, Any] = json.loads(payload)
        self.frames.append(frame)
        conforms(frame)
        return frame

    def until(
        self, wanted: Callable[[dict[str, Any]], bool], within_s: float = ANSWER_S
    ) -> dict[str, Any]:
        """Read on to the first such frame."""
        deadline = time.monotonic() + within_s
        while (left := deadline - time.monotonic()) > 0:
            frame = self.read(left)
            assert frame is not None, f"closed with {self.code}: {self.frames[-3:]}"
            if wanted(frame):
                return frame
        raise TimeoutError(f"not among {[one['t'] for one in self.frames]}")

    def kind(self, kind: str, within_s: float = ANSWER_S) -> dict[str, Any]:
        """Read on to the first message of that kind."""
        return self.until(lambda frame: frame["t"] == kind, within_s)

    def event(self, kind: str, within_s: float = ANSWER_S) -> dict[str, Any]:
        """Read on to the first race event of that kind."""
        return self.until(
            lambda frame: frame["t"] == "race.event" and frame["d"]["kind"] == kind,
            within_s,
        )

    def to_the_end(self, within_s: float = ANSWER_S) -> int | None:
        """Read until the server closes; its code."""
        deadline = time.monotonic() + within_s
        while (left := deadline - time.monotonic()) > 0:
            if self.read(left) is None:
                return self.code
        raise TimeoutError("still open")

    def quiet(self, for_s: float) -> list[dict[str, Any]]:
        """Whatever comes in that time."""
        start, deadline = len(self.frames), time.monotonic() + for_s
        while (left := deadline - time.monotonic()) > 0:
            try:
                if self.read(left) is None:
                    break
            except TimeoutError:
                break
        return self.frames[start:]
