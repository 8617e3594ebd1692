"""Database work of the sockets, in threads, on connections that are alive.

Acts go through the moves' own lane. Readings and the like have two threads besides, so
that a crowd which comes to watch waits for itself and delays nobody's move. Outside a
request nobody closes a connection that the server dropped: here a reading that meets
one is done again on a new one.
"""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection

from game.services.core.executor import run_in_executor

T = TypeVar("T")
READERS = 2


async def read(work: Callable[[], T]) -> T:
    """The result of a reading; a lost connection costs one more try."""
    return await _aside(lambda: _twice(work))


async def note(work: Callable[[], T]) -> T:
    """The result of a small act that nobody waits for."""
    return await _aside(lambda: _once(work))


async def write(work: Callable[[], T]) -> T:
    """The result of one act; it is not tried again, its outcome may be unknown."""
    return await run_in_executor(lambda: _once(work))


async def _aside(work: Callable[[], T]) -> T:
    # SQLite has one writer, and tests without threads are to have none.
    if settings.MOVE_THREADS == 0 or connection.vendor == "sqlite":
        return await run_in_executor(work)
    context = contextvars.copy_context()
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_readers(), context.run, work)


@lru_cache(maxsize=1)
def _readers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(READERS, thread_name_prefix="wire")


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
