"""A real web process on the tests' database, and websocket clients of it."""

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
from tests.api.ws.protocol.conformance import assert_conforms
from tests.parts import ROOT

START_TIMEOUT_S = 30.0
ANSWER_TIMEOUT_S = 10.0


class WebProcess:
    """Daphne with the whole site, on this test's database."""

    def __init__(self, folder: Path, **environ: str) -> None:
        self.port = free_port()
        self.log = folder / f"web-{self.port}.log"
        database = connection.settings_dict
        url = "postgres://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**database)
        if database["ENGINE"].endswith("sqlite3"):
            url = f"sqlite:///{database['NAME']}"
        self.environ = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.api.ws.site_settings",
            "DATABASE_URL": url,
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
        """Start it, or start it again on the same port."""
        self.child.start()
        wait_for_port(self.port, self.child, START_TIMEOUT_S)
        return self

    def stop(self) -> None:
        """Stop it with SIGTERM."""
        self.child.stop()

    def kill(self) -> None:
        """Stop it with SIGKILL."""
        assert self.child.process is not None
        self.child.process.kill()
        self.child.process.wait()

    @property
    def origin(self) -> str:
        """The origin of its pages."""
        return f"http://127.0.0.1:{self.port}"

    def socket_url(self, path: str) -> str:
        """The URL of a websocket."""
        return f"ws://127.0.0.1:{self.port}/ws/v1/{path}"


def session_cookie(account: Account) -> str:
    """The Cookie header of a new session of that account."""
    client = Client()
    client.force_login(account, "django.contrib.auth.backends.ModelBackend")
    name = settings.SESSION_COOKIE_NAME
    return f"{name}={client.cookies[name].value}"


Scan = Callable[["SocketClient", bytes], None]


class SocketClient:
    """One websocket. Keeps all frames it has read; `scan` sees each one first."""

    def __init__(
        self,
        web: WebProcess,
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
            headers = {"Cookie": session_cookie(account), "Origin": web.origin}
        headers = dict(headers)
        origin = headers.pop("Origin", None)
        self._opening = connect(
            web.socket_url(path),
            origin=origin,  # type: ignore[arg-type]
            additional_headers=headers,
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
        """Send a message and return its id."""
        self._next += 1
        frame_id = frame_id or f"{self._prefix}-{self._next}"
        frame = {"v": 1, "t": kind, "id": frame_id, "d": fields}
        self.socket.send(json.dumps(frame))
        return frame_id

    def ask(self, kind: str, frame_id: str | None = None, **fields: Any) -> Any:
        """Send a message and return the frame that answers it."""
        frame_id = self.send(kind, frame_id, **fields)
        return self.wait_until(lambda frame: frame.get("id") == frame_id)

    def read(self, within_s: float = ANSWER_TIMEOUT_S) -> dict[str, Any] | None:
        """Read the next frame; None once the socket is closed."""
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
        assert_conforms(frame)
        return frame

    def wait_until(
        self,
        wanted: Callable[[dict[str, Any]], bool],
        within_s: float = ANSWER_TIMEOUT_S,
    ) -> dict[str, Any]:
        """Read until a frame for which `wanted` is true, and return it."""
        deadline = time.monotonic() + within_s
        while (left := deadline - time.monotonic()) > 0:
            frame = self.read(left)
            assert frame is not None, f"closed with {self.code}: {self.frames[-3:]}"
            if wanted(frame):
                return frame
        raise TimeoutError(f"only {[one['t'] for one in self.frames]} were read")

    def wait_for(self, kind: str, within_s: float = ANSWER_TIMEOUT_S) -> dict[str, Any]:
        """Read until a message of that type, and return it."""
        return self.wait_until(lambda frame: frame["t"] == kind, within_s)

    def wait_for_event(
        self, kind: str, within_s: float = ANSWER_TIMEOUT_S
    ) -> dict[str, Any]:
        """Read until a race event of that kind, and return it."""
        return self.wait_until(
            lambda frame: frame["t"] == "race.event" and frame["d"]["kind"] == kind,
            within_s,
        )

    def wait_for_close(self, within_s: float = ANSWER_TIMEOUT_S) -> int | None:
        """Read until the server closes the socket, and return the code."""
        deadline = time.monotonic() + within_s
        while (left := deadline - time.monotonic()) > 0:
            if self.read(left) is None:
                return self.code
        raise TimeoutError("the socket is still open")

    def read_for(self, for_s: float) -> list[dict[str, Any]]:
        """Return the frames that arrive within that time."""
        start, deadline = len(self.frames), time.monotonic() + for_s
        while (left := deadline - time.monotonic()) > 0:
            try:
                if self.read(left) is None:
                    break
            except TimeoutError:
                break
        return self.frames[start:]
