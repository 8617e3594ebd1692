"""What sockets are sent besides events: snapshots, chat messages, their own run."""

import asyncio

from api.ws.connection import database
from api.ws.connection.frame_writer import EncodedFrame
from api.ws.connection.sockets import Socket
from api.ws.protocol.frames import now_text, write_frame
from api.ws.protocol.messages import VERSION
from api.ws.races.backend import Backend
from api.ws.races.race_state import RaceUpdate
from api.ws.races.watched_race import SharedSnapshot, WatchedRace
from game.contest.events import EventKind
from game.selectors.core import wire

SHARED_SNAPSHOT_S = 1.0


# --- Snapshots --------------------------------------------------------------------


async def snapshot_frame(
    backend: Backend, race: WatchedRace, socket: Socket, frame_id: str | None
) -> tuple[int, EncodedFrame]:
    """The number of the last event in a `race.snapshot`, and its frame.

    An entrant's has their own run and is read for them. All spectators share one until
    the next event, for a second at most.
    """
    account_id = socket.identity.account_id
    # With an event still to be read the account may have become an entrant.
    if race.is_entrant(account_id) or race.announced_seq > race.last_seq:
        seq, body = await _read_snapshot(backend, race, account_id)
    else:
        seq, body = await _shared_snapshot(backend, race)
    envelope = {"v": VERSION, "t": "race.snapshot"}
    if frame_id:
        envelope["id"] = frame_id
    start = wire.encode({**envelope, "at": now_text()})[:-1]
    return seq, EncodedFrame(start + b',"d":{"race":' + body + b"}}")


async def _read_snapshot(
    backend: Backend, race: WatchedRace, account_id: str | None
) -> tuple[int, bytes]:
    body = await database.read(lambda: backend.snapshot(race.race_id, account_id))
    body["spectators"] += race.spectator_count()
    return body["seq"], wire.encode(body)


async def _shared_snapshot(backend: Backend, race: WatchedRace) -> tuple[int, bytes]:
    now = asyncio.get_running_loop().time()
    shared = race.shared_snapshot
    if shared is None or not shared.is_valid(race.announced_seq, now):
        task = asyncio.ensure_future(_read_snapshot(backend, race, None))
        shared = SharedSnapshot(race.announced_seq, now + SHARED_SNAPSHOT_S, task)
        race.shared_snapshot = shared
    return await asyncio.shield(shared.task)


# --- Chat -------------------------------------------------------------------------


class ChatPush:
    """Sends chat messages in order; each is read and encoded once."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    async def send_new(self, race: WatchedRace) -> None:
        """Send the new messages of a race, if any, to all who may read them."""
        race.has_new_chat = True
        if race.is_sending_chat:
            return  # the call that is under way will read again
        race.is_sending_chat = True
        try:
            while race.has_new_chat:
                race.has_new_chat = False
                await self._send(race)
        finally:
            race.is_sending_chat = False

    async def _send(self, race: WatchedRace) -> None:
        since = race.last_message
        chat = await database.read(lambda: self._backend.chat(race.race_id, since))
        if chat is None:
            return
        for message in chat.messages:
            number: int = message["number"]
            race.last_message = max(race.last_message, number)
            frame = EncodedFrame(write_frame("chat.message", message))
            author = race.answered_messages.pop(number, None)
            for socket in list(race.sockets):
                if not socket.has_joined or socket is author:
                    continue
                if chat.may_read(socket.identity.account_id, message):
                    socket.write(frame)


# --- The own run ------------------------------------------------------------------


class OwnRunPush:
    """Sends players their own run when something else than their own move changed it.

    That is the start, the deadline, a forfeit, or a move in another tab. Skips a socket
    whose own move is being played: the answer has the run.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def sockets_to_update(self, race: WatchedRace, update: RaceUpdate) -> list[Socket]:
        """The sockets whose own run was changed by the events of `update`."""
        changed = _changed_runs(update)
        sockets = []
        for socket in race.sockets if changed else ():
            seq = changed.get(socket.identity.account_id, 0)
            if socket.has_joined and socket.answered_seq < seq <= socket.sent_seq:
                socket.missed_own_run = socket.is_moving
                if not socket.is_moving:
                    sockets.append(socket)
        return sockets

    async def send(self, race: WatchedRace, sockets: list[Socket]) -> None:
        """Send these sockets their runs as they are now."""
        if not sockets:
            return
        accounts = {socket.identity.account_id for socket in sockets}
        runs = await database.read(
            lambda: self._backend.own_runs(race.race_id, accounts)
        )
        for socket in sockets:
            run = runs.get(socket.identity.account_id)
            if run is not None:
                socket.send("run.observation", {"run": run})


def _changed_runs(update: RaceUpdate) -> dict[str, int]:
    """The accounts whose runs the events changed, each with the last such event."""
    accounts = {seat: account_id for account_id, seat in update.state.seats.items()}
    changed: dict[str, int] = {}
    for row, _ in update.events:
        if row.kind == EventKind.STARTED:
            changed |= dict.fromkeys(update.state.seats, row.seq)
        elif row.kind in (EventKind.MOVED, EventKind.ENDED) and row.seat in accounts:
            changed[accounts[row.seat]] = row.seq
    return changed
