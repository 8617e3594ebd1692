"""Thread pools for moves, so that no slow query elsewhere delays a move.

Channels and Django would send every database call through one shared thread. Moves
have a pool of their own: six threads for PostgreSQL (more than eight only wait for
each other), one for SQLite, which has a single writer. Each thread keeps its database
connection.
"""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connection

T = TypeVar("T")
_THREADS = {"postgresql": 6, "sqlite": 1}


async def run_in_executor(work: Callable[[], T]) -> T:
    """Run synchronous database work in a move thread and return its result.

    With MOVE_THREADS = 0 (tests) it runs in the caller's own thread and transaction.
    """
    if settings.MOVE_THREADS == 0:
        return await sync_to_async(work, thread_sensitive=True)()
    context = contextvars.copy_context()
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_move_threads(), context.run, work)


def run_in_background(work: Callable[[], object]) -> None:
    """Run the follow-up of a move in a separate thread, without waiting for it.

    The result and any exception are discarded, so `work` must handle its own errors.
    With MOVE_THREADS = 0 (tests) it runs before this returns.
    """
    if settings.MOVE_THREADS == 0:
        work()
    else:
        _background_thread().submit(work)


@lru_cache(maxsize=1)
def _background_thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="background")


@lru_cache(maxsize=1)
def _move_threads() -> ThreadPoolExecutor:
    count = settings.MOVE_THREADS or _THREADS.get(connection.vendor, 6)
    return ThreadPoolExecutor(count, thread_name_prefix="move")
