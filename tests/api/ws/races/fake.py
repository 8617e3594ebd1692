"""A race that is only made up: a source for the hub, and a wire that remembers."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from api.ws.connection.sockets import Identity, Socket
from api.ws.connection.wire import Packet
from api.ws.races.source import Chat, Event, News, Role
from game.services.core.errors import not_found

AT = "2026-11-29T12:00:00.000Z"
MOST = 20


class FakeWire:
    """What was written, and as much unsent as a test wants."""

    def __init__(self) -> None:
        self.packets: list[Packet] = []
        self.unsent = 0
        self.code: int | None = None

    def write(self, packet: Packet) -> None:
        if self.code is None:
            self.packets.append(packet)

    def close(self, code: int) -> None:
        self.code = code

    @property
    def frames(self) -> list[dict[str, Any]]:
        return [json.loads(packet.payload) for packet in self.packets]

    def seqs(self) -> list[int]:
        return [one["seq"] for one in self.frames if one["t"] == "race.event"]

    def kinds(self) -> list[str]:
        return [one["t"] for one in self.frames]


def made_socket(account_id: str = "ada") -> tuple[Socket, FakeWire]:
    wire = FakeWire()
    socket = Socket(wire, most_unsent=1000, now=0.0)
    socket.identity = Identity(
        account_id, account_id, False, False, False, ("session", account_id), "s"
    )
    return socket, wire


class FakeHead(NamedTuple):
    """How far the made-up race is."""

    seq: int
    chat: int
    due_at: datetime | None


class FakeSource:
    """One race "r1" whose entrants are ada and bob; an event says whose it is."""

    # ruff: noqa: ARG002

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.calls: list[str] = []
        self.due_at: datetime | None = None
        self.good: dict[tuple[str, str], str] = {}
        self.seen_now: set[str] = set()
        self.accounts = frozenset({"ada", "bob"})
        self.said: list[dict[str, Any]] = []
        self.is_over = False
        self.fails = 0
        self.watched: dict[str, int] = {}
        self.elsewhere = 0

    def happen(self, kind: str = "moved", subject: str | None = None) -> int:
        seq = len(self.events) + 1
        self.events.append(Event(seq, {"kind": kind, "of": subject}))
        return seq

    def _call(self, name: str) -> None:
        self.calls.append(name)
        if self.fails:
            self.fails -= 1
            raise OSError(name)

    def news(self, race_id: str, since: int | None, picture: Any) -> News:
        self._call("news")
        if race_id != "r1":
            raise not_found("race")
        found = [] if since is None else self.events[since : since + MOST]
        head = len(self.events) if since is None else since + len(found)
        return News(
            head, found, self.accounts, _role_of, self.due_at, self.is_over, picture
        )

    def told(self, rows: Sequence[Any], picture: Any) -> News | None:
        self._call("told")
        found = [self.events[row - 1] for row in rows]
        if any(one.row["kind"] != "moved" for one in found):
            return None
        return News(
            rows[-1], found, self.accounts, _role_of, self.due_at, self.is_over, picture
        )

    def key(self, event: Event, role: Role) -> Any:
        return role.key

    def cut(self, event: Event, role: Role) -> dict[str, Any]:
        self.calls.append("cut")
        kind = event.row["kind"]
        return {"seq": event.seq, "kind": kind, "at": AT, "for": role.key}

    def subject(self, event: Event, news: News) -> str | None:
        found = event.row["of"]
        return str(found) if found else None

    def starts(self, event: Event) -> bool:
        return bool(event.row["kind"] == "started")

    def heads(self, race_ids: Collection[str]) -> dict[str, FakeHead]:
        self._call("heads")
        head = FakeHead(len(self.events), len(self.said), self.due_at)
        return {race_id: head for race_id in race_ids if race_id == "r1"}

    def missed(
        self, race_id: str, since: int, account_id: str
    ) -> list[dict[str, Any]] | None:
        self._call("missed")
        if since > len(self.events) or len(self.events) - since > MOST:
            return None
        return [self.cut(one, _role_of(account_id)) for one in self.events[since:]]

    def snapshot(self, race_id: str, account_id: str | None) -> dict[str, Any]:
        self._call("snapshot")
        return {"id": race_id, "seq": len(self.events), "for": account_id}

    def runs(self, race_id: str, accounts: Collection[str]) -> dict[str, Any]:
        self._call("runs")
        return {
            account: {"of": account} for account in accounts if account in self.accounts
        }

    def due(self, race_id: str) -> None:
        self._call("due")
        self.due_at = None
        self.happen("started")

    def seen(self, present: Collection[tuple[str, str]]) -> None:
        self._call("seen")
        self.seen_now |= {account for _, account in present}

    def gone(self, race_id: str, account_id: str) -> None:
        self._call("gone")
        self.seen_now.discard(account_id)

    def say(self, player: str, room: str = "entrants") -> None:
        number = len(self.said) + 1
        self.said.append({"number": number, "player": player, "room": room})

    def chat(self, race_id: str, since: int) -> Chat | None:
        self._call("chat")

        def hears(account_id: str, message: dict[str, Any]) -> bool:
            return message["room"] == "entrants" or account_id not in self.accounts

        return Chat(self.said[since:], hears)

    def standings(self, accounts: Any) -> dict[str, Any]:
        return {}

    def watching(self, counts: Mapping[str, int]) -> None:
        self.watched = dict(counts)

    def watch_elsewhere(self, race_id: str) -> int:
        return self.elsewhere

    def still_good(
        self, credentials: Collection[tuple[str, str]]
    ) -> dict[tuple[str, str], str]:
        return {one: self.good[one] for one in credentials if one in self.good}

    def lobby(self, known: Any) -> tuple[Any, list[dict[str, Any]] | None]:
        self._call("lobby")
        mark = len(self.events)
        return mark, None if mark == known else [{"id": "r1", "seq": mark}]


def _role_of(account_id: str | None) -> Role:
    role = account_id if account_id in ("ada", "bob") else "spectator"
    return Role(role, role)
