"""REST and websocket connections that may be lost at any time.

Every failure is `ConnectionLost`: the client then cannot know whether what it sent was
done. Every text that arrives is recorded with its time before it is parsed.
"""

import json
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

ANSWER_TIMEOUT_S = 4.0
# Called with (race id, seconds since 1970, text).
Record = Callable[[str, float, str], None]


class ConnectionLost(Exception):  # noqa: N818 - what it is
    """The connection failed, or no answer came in time."""


class RestClient:
    """Sends requests to one web process; after a failure, to the next one."""

    def __init__(self, ports: list[int], token: str, record: Record) -> None:
        self.ports, self._token, self._record = ports, token, record
        self.port_index = 0

    @property
    def port(self) -> int:
        """The port of the next request."""
        return self.ports[self.port_index % len(self.ports)]

    def call(
        self, path: str, body: Any = None, *, race_id: str = ""
    ) -> tuple[int, dict[str, Any]]:
        """Send a GET, or a POST if there is a body; returns the status and the JSON."""
        headers = {"Authorization": f"Bearer {self._token}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        content = None if body is None else json.dumps(body).encode()
        url = f"http://127.0.0.1:{self.port}/api/v1/{path}"
        try:
            status, raw = _send(Request(url, data=content, headers=headers))
            found = json.loads(raw)
        except (OSError, HTTPException, ValueError) as error:
            self.port_index += 1
            raise ConnectionLost(str(error)) from error
        race_id = race_id or str(found.get("id", ""))
        self._record(race_id, time.time(), raw.decode())
        return status, found

    def call_until_answered(
        self, path: str, body: Any = None, *, race_id: str = "", within_s: float = 30.0
    ) -> dict[str, Any]:
        """Repeat a request until the answer is not a server error; returns the JSON."""
        deadline = time.monotonic() + within_s
        while time.monotonic() < deadline:
            with suppress(ConnectionLost):
                status, found = self.call(path, body, race_id=race_id)
                if status < 500:
                    return found
                self.port_index += 1
            time.sleep(0.2)
        raise ConnectionLost(f"no answer from {path}")


def _send(request: Request) -> tuple[int, bytes]:
    try:
        with urlopen(request, timeout=ANSWER_TIMEOUT_S) as answer:
            return answer.status, answer.read()
    except HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read()


class RaceSocket:
    """A websocket on a race."""

    def __init__(self, port: int, race_id: str, token: str, record: Record) -> None:
        self.port, self.race_id, self._record = port, race_id, record
        try:
            self._opening = connect(
                f"ws://127.0.0.1:{port}/ws/v1/bot/races/{race_id}/",
                additional_headers={"Authorization": f"Bearer {token}"},
                compression=None,
                ping_interval=None,
                max_size=None,
                max_queue=None,
                open_timeout=ANSWER_TIMEOUT_S,
                close_timeout=0.2,
            )
            self._socket = self._opening.__enter__()
        except (OSError, WebSocketException) as error:
            raise ConnectionLost(str(error)) from error

    def send(self, kind: str, frame_id: str, **fields: Any) -> None:
        """Send a message."""
        frame = {"v": 1, "t": kind, "id": frame_id, "d": fields}
        try:
            self._socket.send(json.dumps(frame))
        except (OSError, WebSocketException) as error:
            raise ConnectionLost(str(error)) from error

    def read(self, within_s: float) -> dict[str, Any] | None:
        """Return the next frame, or None if none arrives in that time."""
        try:
            text = self._socket.recv(timeout=max(0.0, within_s))
        except TimeoutError:
            return None
        except (OSError, WebSocketException) as error:
            raise ConnectionLost(str(error)) from error
        assert isinstance(text, str)
        self._record(self.race_id, time.time(), text)
        frame: dict[str, Any] = json.loads(text)
        return frame

    def drop(self) -> None:
        """Break the connection without a close frame."""
        with suppress(OSError):
            self._socket.socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the websocket."""
        with suppress(OSError, WebSocketException):
            self._opening.__exit__(None, None, None)
