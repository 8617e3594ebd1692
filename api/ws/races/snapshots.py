"""Snapshots for many at once: what all spectators see alike is read and framed once."""

import asyncio
import json
from typing import Any

from api.ws.connection import executor
from api.ws.connection.sockets import Socket
from api.ws.protocol.frames import now_text
from api.ws.protocol.messages import VERSION
from api.ws.races.watch import Shared, Watch

FRESH_S = 1.0

_dumps = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


async def snapshot_frame(
    watch: Watch, socket: Socket, frame_id: str | None
) -> tuple[int, bytes]:
    """The number of the last event in it, and the frame of `race.snapshot`.

    An entrant's holds his own run and is read for him. All others share one, read for
    nobody in particular, while no event comes and for a second at most.
    """
    account_id = socket.identity.account_id
    # Who has just sat down is not in the last news yet; while there is more, ask.
    if watch.is_entrant(account_id) or watch.wanted > watch.head:
        seq, race = await _read(watch, account_id)
    else:
        seq, race = await _shared(watch)
    return seq, _around(race, frame_id)


def _around(race: bytes, frame_id: str | None) -> bytes:
    head = {"v": VERSION, "t": "race.snapshot"} | ({"id": frame_id} if frame_id else {})
    start = _dumps(head | {"at": now_text()})[:-1].encode()
    return start + b',"d":{"race":' + race + b"}}"


async def _read(watch: Watch, account_id: str | None) -> tuple[int, bytes]:
    race, elsewhere = await executor.read(lambda: _reading(watch, account_id))
    race["spectators"] = watch.spectators() + elsewhere
    return race["seq"], _dumps(race).encode()


def _reading(watch: Watch, account_id: str | None) -> tuple[dict[str, Any], int]:
    """The race, and how many watch it in other processes."""
    race = watch.source.snapshot(watch.race_id, account_id)
    return race, watch.source.watch_elsewhere(watch.race_id)


async def _shared(watch: Watch) -> tuple[int, bytes]:
    now = asyncio.get_running_loop().time()
    shared = watch.shared
    if shared is None or not shared.is_good(watch.wanted, now):
        made = asyncio.ensure_future(_read(watch, None))
        shared = watch.shared = Shared(watch.wanted, now + FRESH_S, made)
    return await asyncio.shield(shared.made)
