"""What one socket may send and how long it may be silent."""

from django.conf import settings

from api.ws.protocol.frames import MAX_FRAME_BYTES
from api.ws.protocol.messages import Limits

HEARTBEAT_S = 5
HELLO_TIMEOUT_S = 15.0
# This many bad frames within the window close a socket.
MAX_BAD_FRAMES = 3
BAD_FRAMES_WINDOW_S = 60.0
# This many messages in a row above the rate limit close a socket.
MAX_REFUSED_MESSAGES = 10


def socket_limits() -> Limits:
    """The `limits` of the `welcome` message, from the WS_* settings."""
    return {
        "frame_bytes": MAX_FRAME_BYTES,
        "burst": settings.WS_BURST,
        "per_second": settings.WS_PER_SECOND,
        "sockets_per_account": settings.WS_SOCKETS_PER_ACCOUNT,
        "sockets_per_address": settings.WS_SOCKETS_PER_ADDRESS,
        "unsent_bytes": settings.WS_UNSENT_BYTES,
        "heartbeat_ms": HEARTBEAT_S * 1000,
        "idle_ms": int(settings.WS_IDLE_S * 1000),
    }
