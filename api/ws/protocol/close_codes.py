"""Why a socket is closed, by the code it is closed with."""

from typing import Final

CLOSE_CODES: Final[dict[int, str]] = {
    4008: "you did not read what was sent",
    4400: "three bad frames within a minute",
    4401: "not signed in, or no longer",
    4403: "forbidden: a foreign page, a token without the scope, a banned account",
    4404: "there is no such race",
    4408: "nothing was said for too long",
    4429: "too many messages or sockets",
    4500: "something broke here",
    4503: "the server restarts; come again",
}
