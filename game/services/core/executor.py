"""Threads of the moves' own, so that no slow query elsewhere delays a move.

Channels and Django would take every database call through one shared thread. PostgreSQL
gets six threads (beyond eight they only wait for each other), SQLite one: it has a
single writer anyway. Each thread keeps its connection.
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


async def in_lane(work: Callable[[], T]) -> T:
    """The result of synchronous database work done in a move thread.

    With MOVE_THREADS = 0 (tests) it runs in the caller's own thread and transaction.
    """
    if settings.MOVE_THREADS == 0:
        return await sync_to_async(work, thread_sensitive=True)()
    context = contextvars.copy_context()
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_threads(), context.run, work)


def soon(work: Callable[[], object]) -> None:
    """Have work done that follows from a move, while its answer goes out already.

    Nobody waits for it or hears of it, so it must see to its own failing. With
    MOVE_THREADS = 0 it is done when this returns.
    """
    if settings.MOVE_THREADS == 0:
        work()
    else:
        _thread_beside().submit(work)


@lru_cache(maxsize=1)
def _thread_beside() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="beside")


@lru_cache(maxsize=1)
def _threads() -> ThreadPoolExecutor:
    count = settings.MOVE_THREADS or _THREADS.get(connection.vendor, 6)
    return ThreadPoolExecutor(count, thread_name_prefix="move")
