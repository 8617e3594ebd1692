"""Database work of the sockets, in threads, with a new connection after a lost one.

Writes that a client waits for use the threads of moves. Reads and minor writes have two
threads of their own, so that many people who open a race delay each other and no move.
Django closes a lost connection at the end of a request; there is none here, so this
module closes it.
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
READER_THREADS = 2


async def read(work: Callable[[], T]) -> T:
    """Run a query; after a lost connection it is tried once more."""
    return await _run_in_reader(lambda: _retry_once(work))


async def write(work: Callable[[], T]) -> T:
    """Run a write, once: after a lost connection it may have been committed."""
    return await run_in_executor(lambda: _run(work))


async def write_minor(work: Callable[[], T]) -> T:
    """Run a small write that no client waits for, in a thread of the reads."""
    return await _run_in_reader(lambda: _run(work))


async def _run_in_reader(work: Callable[[], T]) -> T:
    # SQLite has a single writer; with MOVE_THREADS = 0 tests want no threads at all.
    if settings.MOVE_THREADS == 0 or connection.vendor == "sqlite":
        return await run_in_executor(work)
    context = contextvars.copy_context()
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_reader_threads(), context.run, work)


@lru_cache(maxsize=1)
def _reader_threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(READER_THREADS, thread_name_prefix="socket-read")


def _retry_once(work: Callable[[], T]) -> T:
    try:
        return work()
    except (OperationalError, InterfaceError):
        if connection.in_atomic_block:
            raise
        connection.close()
    return _run(work)


def _run(work: Callable[[], T]) -> T:
    try:
        return work()
    except (OperationalError, InterfaceError):
        if not connection.in_atomic_block:
            connection.close()
        raise
