"""Is the process alive, and can it do its work? Plain HTTP, so that no check need
start Django again.

`/healthz`: this process answers (in `play`: and all its companions are up).
`/readyz`: the database and Redis answer as well, within a second or two.
"""

import asyncio
import os
from collections.abc import Awaitable
from pathlib import Path

import structlog
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from game.services.core import valkey

CHECK_S = 2.0
log = structlog.get_logger(__name__)


@require_safe
async def healthz(request: HttpRequest) -> JsonResponse:
    """200 {"status": "ok"}, or 503 "starting" while PLAY_READY_FILE is awaited."""
    awaited = os.environ.get("PLAY_READY_FILE")
    # One stat of a local file: a thread for it would cost more than it blocks.
    if awaited and not Path(awaited).exists():  # noqa: ASYNC240
        return _answer({"status": "starting"}, status=503)
    return _answer({"status": "ok"}, status=200)


@require_safe
async def readyz(request: HttpRequest) -> JsonResponse:
    """200 when all parts are "ok", else 503: {"database": ..., "redis": ...}.

    `redis` is "unused" where no REDIS_URL is set.
    """
    database, cache = await asyncio.gather(
        _state("database", _database()),
        _state("redis", _redis()) if settings.REDIS_URL else _unused(),
    )
    ready = database == "ok" and cache in {"ok", "unused"}
    return _answer({"database": database, "redis": cache}, status=200 if ready else 503)


def _answer(body: dict[str, str], *, status: int) -> JsonResponse:
    return JsonResponse(body, status=status, headers={"Cache-Control": "no-store"})


async def _state(part: str, check: Awaitable[None]) -> str:
    try:
        await asyncio.wait_for(check, CHECK_S)
    # A door: whatever is wrong with the part, the answer is that it is down.
    except Exception as error:  # noqa: BLE001
        log.warning("not_ready", part=part, error=type(error).__name__)
        return "down"
    return "ok"


async def _unused() -> str:
    return "unused"


async def _database() -> None:
    # A thread of its own: the shared one may be busy with a slow request.
    await sync_to_async(_select_one, thread_sensitive=False)()


def _select_one() -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    finally:
        connection.close()


async def _redis() -> None:
    async with valkey.async_client(settings.REDIS_URL, timeout_s=1.0) as client:
        await client.ping()
