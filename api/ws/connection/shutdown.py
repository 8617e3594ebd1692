"""Says goodbye to every socket before the server goes, whatever else is open then.

Daphne cancels its applications when it stops, but gives up at the first connection
that has none: an upgraded one in its first second, or half a request. (A
KeyError at `details["application_instance"]`, which Twisted swallows.) All sockets
were then dropped without a word. So the reactor is asked itself.
"""

import sys
from collections.abc import Callable
from typing import Any

FLUSH_S = 0.2


def before_the_end(goodbye: Callable[[], None]) -> None:
    """Have that called when the reactor stops; what it writes has time to leave.

    Under a server without Twisted nothing is asked: its own cancelling is the signal.
    """
    reactor: Any = sys.modules.get("twisted.internet.reactor")
    if reactor is None:
        return
    from twisted.internet.task import deferLater  # noqa: PLC0415 - only where it runs

    def last() -> Any:
        goodbye()
        return deferLater(reactor, FLUSH_S, lambda: None)

    reactor.addSystemEventTrigger("before", "shutdown", last)
