"""A race that is only made up: a source for the hub, and a wire that remembers."""

import json
from collections.abc import Collection
from datetime import datetime
from typing import Any

from api.ws.sockets import Identity, Socket
from api.ws.source import Event, News, Role
from api.ws.wire import Packet
from game.services.errors import not_found

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


class FakeSource:
    """One race "r1" whose entrants are ada and bob; an event says whose it is."""

    # ruff: noqa: ARG002

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.calls: list[str] = []
        self.due_at: datetime | None = None
        self.good: dict[tuple[str, str], str] = {}
        self.seen_now: set[tuple[str, str]] = set()
        self.accounts = frozenset({"ada", "bob"})
        self.fails = 0

    def happen(self, kind: str = "moved", subject: str | None = None) -> int:
        seq = len(self.events) + 1
        self.events.append({"seq": seq, "kind": kind, "at": AT, "of": subject})
        return seq

    def _call(self, name: str) -> None:
        self.calls.append(name)
        if self.fails:
            self.fails -= 1
            raise OSError(name)

    def news(self, race_id: str, since: int | None) -> News:
        self._call("news")
        if race_id != "r1":
            raise not_found("race")
        found = [] if since is None else self.events[since : since + MOST]
        head = len(self.events) if since is None else since + len(found)
        return News(head, found, self.accounts, self._role_of, self.due_at)

    def _role_of(self, account_id: str) -> Role:
        role = account_id if account_id in self.accounts else "spectator"
        return Role(role, role)

    def cut(self, event: Event, role: Role) -> dict[str, Any]:
        self.calls.append("cut")
        return {"seq": event["seq"], "kind": event["kind"], "at": AT, "for": role.key}

    def subject(self, event: Event) -> str | None:
        found = event["of"]
        return str(found) if found else None

    def starts(self, event: Event) -> bool:
        return bool(event["kind"] == "started")

    def heads(self, race_ids: Collection[str]) -> dict[str, int]:
        self._call("heads")
        return dict.fromkeys(race_ids, len(self.events))

    def missed(
        self, race_id: str, since: int, account_id: str
    ) -> list[dict[str, Any]] | None:
        self._call("missed")
        if since > len(self.events) or len(self.events) - since > MOST:
            return None
        return [self.cut(one, self._role_of(account_id)) for one in self.events[since:]]

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
        self.seen_now = set(present)

    def still_good(
        self, credentials: Collection[tuple[str, str]]
    ) -> dict[tuple[str, str], str]:
        return {one: self.good[one] for one in credentials if one in self.good}

    def lobby(self, known: Any) -> tuple[Any, list[dict[str, Any]] | None]:
        self._call("lobby")
        mark = len(self.events)
        return mark, None if mark == known else [{"id": "r1", "seq": mark}]
