"""Health checks over HTTP, so that no check has to start Django.

`/healthz`: this process answers (under `play`: and the other processes are up).
`/readyz`: the database and Redis answer too, within `CHECK_S`.
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
    """Return 200 {"status": "ok"}; 503 "starting" until PLAY_READY_FILE exists."""
    ready_file = os.environ.get("PLAY_READY_FILE")
    # One stat of a local file blocks for less time than a thread would cost.
    if ready_file and not Path(ready_file).exists():  # noqa: ASYNC240
        return _answer({"status": "starting"}, status=503)
    return _answer({"status": "ok"}, status=200)


@require_safe
async def readyz(request: HttpRequest) -> JsonResponse:
    """Return {"database", "redis"}, each "ok" or "down"; 503 if one is down.

    `redis` is "unused" without REDIS_URL, which counts as ready.
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
    # Whatever the fault, the response says "down".
    except Exception as error:  # noqa: BLE001
        log.warning("not_ready", part=part, error=type(error).__name__)
        return "down"
    return "ok"


async def _unused() -> str:
    return "unused"


async def _database() -> None:
    # Not in the shared thread, which may be busy with a slow request.
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
