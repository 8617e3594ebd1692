"""A race that exists only in memory, for tests of the hub."""

# ruff: noqa: ARG002

import json
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

from api.ws.connection.frame_writer import EncodedFrame
from api.ws.connection.identity import Identity
from api.ws.connection.sockets import Socket
from api.ws.races.backend import Backend, ChatUpdate
from api.ws.races.race_state import RaceState, RaceUpdate
from game.selectors.races.snapshots import EventRow, KnownEvent, RaceVersion, event_show
from game.services.core.errors import not_found

AT = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
MAX_EVENTS = 20
SEATS = {"ada": 0, "bob": 1}


class FakeWriter:
    """Keeps what was written; `unsent` is set by tests."""

    def __init__(self) -> None:
        self.written: list[EncodedFrame] = []
        self.unsent = 0
        self.code: int | None = None

    def write(self, frame: EncodedFrame) -> None:
        if self.code is None:
            self.written.append(frame)

    def close(self, code: int) -> None:
        self.code = code

    @property
    def frames(self) -> list[dict[str, Any]]:
        return [json.loads(frame.payload) for frame in self.written]

    def seqs(self) -> list[int]:
        return [one["seq"] for one in self.frames if one["t"] == "race.event"]

    def kinds(self) -> list[str]:
        return [one["t"] for one in self.frames]


def make_socket(account_id: str = "ada") -> tuple[Socket, FakeWriter]:
    writer = FakeWriter()
    socket = Socket(writer, max_unsent=1000, now=0.0)
    socket.identity = Identity(
        account_id, account_id, False, False, False, ("session", account_id), "s"
    )
    return socket, writer


class FakeBackend(Backend):
    """One race "r1" of ada (seat 0) and bob (seat 1), and its events."""

    def __init__(self) -> None:
        self.events: list[KnownEvent] = []
        self.calls: list[str] = []
        self.due_at: datetime | None = None
        self.seats = SEATS
        self.present: set[str] = set()
        self.messages: list[Any] = []
        self.failures = 0  # so many of the next calls fail

    def add_event(self, kind: str = "moved", seat: int | None = 1) -> int:
        """Add an event, by default a move of bob's, which only bob sees in full."""
        seq = len(self.events) + 1
        seat = seat if kind == "moved" else None
        row = EventRow(seq, kind, AT, seat, 0, "{}", None, None)
        self.events.append(
            KnownEvent(row, {"state": "racing", "told": True, "depth": seq, "index": 9})
        )
        return seq

    def add_message(self, player: str, room: str = "entrants") -> None:
        number = len(self.messages) + 1
        self.messages.append({"number": number, "player": player, "room": room})

    def _call(self, name: str) -> None:
        self.calls.append(name)
        if self.failures:
            self.failures -= 1
            raise OSError(name)

    def _state(self) -> RaceState:
        return RaceState(
            seats=self.seats,
            names={seat: name for name, seat in SEATS.items()},
            starts_at=None,
            due_at=self.due_at,
            shown={0: 4, 1: 4},
            playing=frozenset(self.seats.values()),
            is_closed=False,
        )

    def update(
        self, race_id: str, since: int | None, state: RaceState | None
    ) -> RaceUpdate:
        self._call("update")
        if race_id != "r1":
            raise not_found("race")
        events = [] if since is None else self.events[since : since + MAX_EVENTS]
        last = len(self.events) if since is None else since + len(events)
        return RaceUpdate(last, events, self._state())

    def heads(self, race_ids: Collection[str]) -> dict[str, RaceVersion]:
        self._call("heads")
        head = RaceVersion(len(self.events), len(self.messages), self.due_at)
        return {race_id: head for race_id in race_ids if race_id == "r1"}

    def missed_events(self, race_id: str, since: int, account_id: str) -> Any:
        self._call("missed_events")
        if since > len(self.events) or len(self.events) - since > MAX_EVENTS:
            return None
        context = self._state().viewer_context(account_id)
        return [event_show(row, context, body) for row, body in self.events[since:]]

    def snapshot(self, race_id: str, account_id: str | None) -> Any:
        self._call("snapshot")
        return {
            "id": race_id,
            "seq": len(self.events),
            "for": account_id,
            "spectators": 0,
        }

    def own_runs(self, race_id: str, accounts: Collection[str]) -> dict[str, Any]:
        self._call("own_runs")
        return {
            account: {"of": account} for account in accounts if account in self.seats
        }

    def chat(self, race_id: str, since: int) -> ChatUpdate | None:
        self._call("chat")

        def may_read(account_id: str, message: Any) -> bool:
            return message["room"] == "entrants" or account_id not in self.seats

        return ChatUpdate(self.messages[since:], may_read)

    def apply_due(self, race_id: str) -> None:
        self._call("apply_due")
        self.due_at = None
        self.add_event("started")

    def note_present(self, present: Collection[tuple[str, str]]) -> None:
        self._call("note_present")
        self.present |= {account for _, account in present}

    def note_gone(self, race_id: str, account_id: str) -> None:
        self._call("note_gone")
        self.present.discard(account_id)

    def report_spectators(self, counts: Mapping[str, int]) -> None:
        self._call("report_spectators")
