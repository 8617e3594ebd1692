"""The only module that calls other machines, at addresses of the operator only.

Tasks and commands call it with an address from the settings or from the command line;
a test checks that no view does.
"""

from typing import Any, Final
from urllib.error import URLError
from urllib.request import HTTPRedirectHandler, build_opener

MAX_BYTES: Final = 4 * 1024 * 1024
TIMEOUT_S: Final = 5.0


class OutgoingError(Exception):
    """Why another machine gave no usable answer, as a sentence."""


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Follow no redirect: the answer is then an error."""


def outgoing_get(url: str) -> str:
    """The text at an http or https address. Raises OutgoingError."""
    if not url.startswith(("https://", "http://")):
        raise OutgoingError(f"{url!r} is not an http or https address.")
    opener = build_opener(_NoRedirect)
    try:
        with opener.open(url, timeout=TIMEOUT_S) as answer:
            body: bytes = answer.read(MAX_BYTES + 1)
    except (URLError, OSError, ValueError) as error:
        raise OutgoingError(f"{url} does not answer: {error}") from error
    if len(body) > MAX_BYTES:
        raise OutgoingError(f"{url} sends more than {MAX_BYTES} bytes.")
    return body.decode("utf-8", "replace")
