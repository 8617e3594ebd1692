"""The codes that the server closes sockets with, and what each means."""

from typing import Final

NOT_READING: Final = 4008
BAD_FRAMES: Final = 4400
NOT_SIGNED_IN: Final = 4401
FORBIDDEN: Final = 4403
NOT_FOUND: Final = 4404
IDLE: Final = 4408
TOO_MANY: Final = 4429
INTERNAL_ERROR: Final = 4500
RESTARTING: Final = 4503

CLOSE_CODES: Final[dict[int, str]] = {
    NOT_READING: "the client did not read what was sent",
    BAD_FRAMES: "three bad frames within a minute",
    NOT_SIGNED_IN: "not signed in, or no longer",
    FORBIDDEN: "a foreign origin, a token without the scope, or a banned account",
    NOT_FOUND: "there is no such race",
    IDLE: "the client sent nothing for too long",
    TOO_MANY: "too many messages or sockets",
    INTERNAL_ERROR: "an internal error; it has been logged",
    RESTARTING: "the server is restarting; connect again",
}
