"""The two ways to the site, for clients that outlive it: requests and one socket.

Whatever goes wrong on the way is `Lost`: then nobody knows what came of what was sent.
Every byte that arrives is kept with its time before anybody looks at it.
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

ANSWER_S = 4.0
# As (race, time, text).
Keep = Callable[[str, float, str], None]


class Lost(Exception):  # noqa: N818 - what it is
    """The connection went, or no answer came in time."""


class Rest:
    """Requests to whichever web process answers, one after the other."""

    def __init__(self, ports: list[int], token: str, keep: Keep) -> None:
        self.ports, self._token, self._keep = ports, token, keep
        self.at = 0

    @property
    def port(self) -> int:
        """Where the next request goes."""
        return self.ports[self.at % len(self.ports)]

    def call(
        self, path: str, body: Any = None, *, race_id: str = ""
    ) -> tuple[int, dict[str, Any]]:
        """GET, or POST where there is a body: the status and the JSON."""
        headers = {"Authorization": f"Bearer {self._token}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        sent = None if body is None else json.dumps(body).encode()
        address = f"http://127.0.0.1:{self.port}/api/v1/{path}"
        try:
            status, raw = _answer(Request(address, data=sent, headers=headers))
            found = json.loads(raw)
        except (OSError, HTTPException, ValueError) as error:
            self.at += 1
            raise Lost(str(error)) from error
        race_id = race_id or str(found.get("id", ""))
        self._keep(race_id, time.time(), raw.decode())
        return status, found

    def until_answered(
        self, path: str, body: Any = None, *, race_id: str = "", within_s: float = 30.0
    ) -> dict[str, Any]:
        """The same, again until something other than trouble of the server's comes."""
        deadline = time.monotonic() + within_s
        while time.monotonic() < deadline:
            with suppress(Lost):
                status, found = self.call(path, body, race_id=race_id)
                if status < 500:
                    return found
                self.at += 1
            time.sleep(0.2)
        raise Lost(f"no answer from {path}")


def _answer(request: Request) -> tuple[int, bytes]:
    try:
        with urlopen(request, timeout=ANSWER_S) as answer:
            return answer.status, answer.read()
    except HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read()


class Line:
    """A socket on a race."""

    def __init__(self, port: int, race_id: str, token: str, keep: Keep) -> None:
        self.port, self.race_id, self._keep = port, race_id, keep
        try:
            self._opening = connect(
                f"ws://127.0.0.1:{port}/ws/v1/bot/races/{race_id}/",
                additional_headers={"Authorization": f"Bearer {token}"},
                compression=None,
                ping_interval=None,
                max_size=None,
                max_queue=None,
                open_timeout=ANSWER_S,
                close_timeout=0.2,
            )
            self._socket = self._opening.__enter__()
        except (OSError, WebSocketException) as error:
            raise Lost(str(error)) from error

    def send(self, kind: str, frame_id: str, **fields: Any) -> None:
        """Send a message."""
        frame = {"v": 1, "t": kind, "id": frame_id, "d": fields}
        try:
            self._socket.send(json.dumps(frame))
        except (OSError, WebSocketException) as error:
            raise Lost(str(error)) from error

    def read(self, within_s: float) -> dict[str, Any] | None:
        """The next frame, or None if none comes in that time."""
        try:
            text = self._socket.recv(timeout=max(0.0, within_s))
        except TimeoutError:
            return None
        except (OSError, WebSocketException) as error:
            raise Lost(str(error)) from error
        assert isinstance(text, str)
        self._keep(self.race_id, time.time(), text)
        frame: dict[str, Any] = json.loads(text)
        return frame

    def drop(self) -> None:
        """Be gone without a word, as a phone in a tunnel."""
        with suppress(OSError):
            self._socket.socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close it."""
        with suppress(OSError, WebSocketException):
            self._opening.__exit__(None, None, None)
