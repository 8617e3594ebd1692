"""Database work of the sockets, in the lane's threads, on connections that are alive.

Outside a request nobody closes a connection that the server dropped: here a reading
that meets one is done again on a new one.
"""

from collections.abc import Callable
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection

from game.services.lane import in_lane

T = TypeVar("T")


async def read(work: Callable[[], T]) -> T:
    """The result of a reading; a lost connection costs one more try."""
    return await in_lane(lambda: _twice(work))


async def write(work: Callable[[], T]) -> T:
    """The result of one act; it is not tried again, its outcome may be unknown."""
    return await in_lane(lambda: _once(work))


def _twice(work: Callable[[], T]) -> T:
    try:
        return work()
    except (OperationalError, InterfaceError):
        if connection.in_atomic_block:
            raise
        connection.close()
    return _once(work)


def _once(work: Callable[[], T]) -> T:
    try:
        return work()
    except (OperationalError, InterfaceError):
        if not connection.in_atomic_block:
            connection.close()
        raise
