"""How much one socket, account or address may do: settings, buckets and counts.

All counts here are of this process alone; `crowds` counts sockets in all of them.
"""

from collections import Counter

from django.conf import settings

from api.ws.protocol.frames import LARGEST
from api.ws.protocol.shapes import Limits

HEARTBEAT_S = 5
HELLO_WITHIN_S = 15.0
BAD_FRAMES = 3
BAD_WINDOW_S = 60.0
# Messages refused in a row before the socket is closed for flooding.
FLOOD_AFTER = 10


def limits() -> Limits:
    """What `welcome` says is allowed; the WS_* settings say how much."""
    return {
        "frame_bytes": LARGEST,
        "burst": settings.WS_BURST,
        "per_second": settings.WS_PER_SECOND,
        "sockets_per_account": settings.WS_SOCKETS_PER_ACCOUNT,
        "sockets_per_address": settings.WS_SOCKETS_PER_ADDRESS,
        "unsent_bytes": settings.WS_UNSENT_BYTES,
        "heartbeat_ms": HEARTBEAT_S * 1000,
        "idle_ms": int(settings.WS_IDLE_S * 1000),
    }


class Crowd:
    """How many sockets each somebody has open here."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    def enter(self, who: str, most: int) -> bool:
        """Count one more, unless he has `most` already."""
        if self._open[who] >= most:
            return False
        self._open[who] += 1
        return True

    def leave(self, who: str) -> None:
        """Count one less."""
        self._open[who] -= 1
        if self._open[who] <= 0:
            del self._open[who]
