"""Clients that race while processes are killed, and record what they sent and received.

They behave like real clients: they play over the socket, resume after the last event
they know, send a move again with the same key if no answer came, and use REST while the
socket keeps failing. They decide by what they were sent and by nothing else.
"""

import itertools
import os
import random
import threading
import time
from contextlib import suppress
from typing import Any, Final

from tests.faults.connections import (
    ANSWER_TIMEOUT_S,
    ConnectionLost,
    RaceSocket,
    RestClient,
)
from tests.faults.history import EventSequence, MoveAttempt, Received
from tests.faults.site import PlayerAccount

OVER: Final = ("closed", "settled", "cancelled")
# Codes that say that the move was not played and will not be.
FINAL_REFUSALS: Final = ("run.stale_index", "run.over", "race.wrong_phase")
MAX_RACE_S: Final = 90.0
# Pause between two moves; the large run needs more moves.
IS_LARGE: Final = os.environ.get("NEMESIS_SIZE", "1") != "1"
PAUSE_S: Final = (0.05, 0.2) if IS_LARGE else (0.2, 0.7)


class RestPlayer:
    """A client that uses only REST, and the base of the others.

    `finish_now` asks it to play without pauses and begin no further race.
    """

    def __init__(self, account: PlayerAccount, ports: list[int], seed: int) -> None:
        self.account, self.rng = account, random.Random(seed)
        self.rest = RestClient(ports, account.token, self._record)
        self.rest.port_index = seed
        self.finish_now = threading.Event()
        self.attempts: list[MoveAttempt] = []
        self.received: list[Received] = []
        self.gaps: list[str] = []
        # By a monotonic clock: when moves were accepted, and the start and end of each
        # race that was played.
        self.accepted_at: list[float] = []
        self.race_times: list[tuple[float, float]] = []
        self._numbers = itertools.count()
        self.run: dict[str, Any] | None = None
        self.is_race_over = False

    @property
    def port(self) -> int:
        """The port of the web process that this client uses."""
        return self.rest.port

    def make_race(self, **options: Any) -> str:
        """Make a race as its host; returns its id."""
        return str(self.rest.call_until_answered("races/", options)["id"])

    def race(self, race_id: str) -> None:
        """Play one race, from joining to the end of the own run."""
        self.run, self.is_race_over = None, False
        deadline = time.monotonic() + MAX_RACE_S
        if not self._join(race_id, deadline):
            return
        started = time.monotonic()
        try:
            self._play(race_id, deadline)
        finally:
            self.race_times.append((started, time.monotonic()))

    def _join(self, race_id: str, deadline: float) -> bool:
        """Join, and get ready once the race is full; whether we are in a live race."""
        path = f"races/{race_id}/"
        while time.monotonic() < deadline:
            race = self.rest.call_until_answered(path, race_id=race_id)
            name = self.account.name
            own_states = [e["state"] for e in race["entrants"] if e["player"] == name]
            if race["phase"] != "open":
                return bool(own_states) and race["phase"] not in OVER
            if self.finish_now.is_set():
                if not own_states:
                    return False
                # Otherwise the race could start without this client, and last until its
                # deadline. If it has started meanwhile, the next answer says so.
                self.rest.call_until_answered(path + "leave/", {}, race_id=race_id)
                continue
            is_full = len(race["entrants"]) == race["seats"]
            if not own_states or (is_full and own_states != ["ready"]):
                action = "ready/" if own_states else "join/"
                self.rest.call_until_answered(path + action, {}, race_id=race_id)
            time.sleep(0.2)
        return False

    def _play(self, race_id: str, deadline: float) -> None:
        path = f"races/{race_id}/"
        while time.monotonic() < deadline:
            race = self.rest.call_until_answered(path, race_id=race_id)
            self.run = race["run"]
            if race["phase"] in OVER:
                return
            while self.run is not None and self.run["status"] == "playing":
                attempt = self._new_attempt(race_id, self._choose_move())
                self._resolve_by_rest(attempt)
                self._pause()
            if self.run is not None:
                return
            time.sleep(0.2)

    def _choose_move(self) -> str:
        """A move that costs little health, so that races last."""
        assert self.run is not None
        best = min(
            self.run["legal"],
            key=lambda one: (
                one["lethal"],
                one["action"] == "avoid" and self.rng.random() < 0.7,
                one["damage"] - one["heal"],
                self.rng.random(),
            ),
        )
        return str(best["move"])

    def _new_attempt(self, race_id: str, code: str) -> MoveAttempt:
        assert self.run is not None
        key = f"{self.account.name[-1]}-{next(self._numbers)}"
        attempt = MoveAttempt(race_id, self.account.id, self.run["index"], code, key)
        self.attempts.append(attempt)
        return attempt

    def _resolve_by_rest(self, attempt: MoveAttempt, within_s: float = 40.0) -> None:
        """Send the move over REST with the same key until its outcome is known."""
        body = {"index": attempt.index, "move": attempt.code, "key": attempt.key}
        path = f"races/{attempt.race_id}/moves/"
        deadline = time.monotonic() + within_s
        while attempt.outcome == "unknown" and time.monotonic() < deadline:
            with suppress(ConnectionLost):
                status, answer = self.rest.call(path, body, race_id=attempt.race_id)
                self._note_answer(attempt, answer, is_accepted=status == 200)
            if attempt.outcome == "unknown":
                time.sleep(0.2)

    def _note_answer(
        self, attempt: MoveAttempt, answer: dict[str, Any], *, is_accepted: bool
    ) -> None:
        code = str(answer.get("code"))
        if is_accepted:
            attempt.outcome, attempt.run = "ok", answer["run"]
            self.accepted_at.append(time.monotonic())
        elif code in FINAL_REFUSALS or code.startswith("move.illegal"):
            attempt.outcome = "fail"
        else:
            return
        self._take_run(answer.get("run"))

    def _take_run(self, run: dict[str, Any] | None) -> None:
        """Replace the own run, unless this one is older."""
        if run and (self.run is None or run["index"] >= self.run["index"]):
            self.run = run

    def _pause(self) -> None:
        if not self.finish_now.is_set():
            time.sleep(self.rng.uniform(*PAUSE_S))

    def _record(self, race_id: str, at: float, text: str) -> None:
        self.received.append(Received(race_id, self.account.id, at, text))


class SocketPlayer(RestPlayer):
    """A client with a socket, which resumes after a loss and falls back to REST."""

    def __init__(self, account: PlayerAccount, ports: list[int], seed: int) -> None:
        super().__init__(account, ports, seed)
        self.socket: RaceSocket | None = None
        self.sequence = EventSequence()
        self._resynced_at = 0.0

    @property
    def port(self) -> int:
        """The port of the socket's web process."""
        return self.socket.port if self.socket else super().port

    def _play(self, race_id: str, deadline: float) -> None:
        self.sequence, leave_at = EventSequence(), deadline
        while time.monotonic() < min(deadline, leave_at) and not self.is_race_over:
            try:
                self._step(race_id)
            except ConnectionLost:
                self._recover()
            if self.run is not None and self.run["status"] != "playing":
                # Stay for the end of the race, but not for long.
                leave_at = min(leave_at, time.monotonic() + 2.5)
        self.gaps += self.sequence.gaps
        self._close_socket()

    def _step(self, race_id: str) -> None:
        socket = self._open_socket(race_id)
        if self.run is None or self.run["status"] != "playing":
            self._resync(socket)
            self._read_for(socket, 0.3)
            return
        self._move(socket, self._new_attempt(race_id, self._choose_move()))
        if not self.finish_now.is_set():
            self._read_for(socket, self.rng.uniform(*PAUSE_S))

    def _open_socket(self, race_id: str) -> RaceSocket:
        if self.socket is None:
            token = self.account.token
            self.socket = RaceSocket(self.port, race_id, token, self._record)
            seq = self.sequence.seq
            self.socket.send(
                "hello", "hello", **({} if seq is None else {"since": seq})
            )
        return self.socket

    def _resync(self, socket: RaceSocket) -> None:
        """Ask for a snapshot: the run may have started while there was no socket."""
        if self.run is None and time.monotonic() > self._resynced_at + 1.5:
            self._resynced_at = time.monotonic()
            socket.send("resync", f"resync-{next(self._numbers)}")

    def _move(self, socket: RaceSocket, attempt: MoveAttempt) -> None:
        socket.send("move.play", attempt.key, index=attempt.index, move=attempt.code)
        self._read_answer(socket, attempt)

    def _read_answer(self, socket: RaceSocket, attempt: MoveAttempt) -> None:
        deadline = time.monotonic() + ANSWER_TIMEOUT_S
        while attempt.outcome == "unknown":
            frame = socket.read(deadline - time.monotonic())
            if frame is None:
                raise ConnectionLost("no answer")
            self._take(frame)
            kind, body = frame["t"], frame["d"]
            if frame.get("id") == attempt.key and kind in ("move.accepted", "error"):
                self._note_answer(attempt, body, is_accepted=kind == "move.accepted")
                if attempt.outcome == "unknown":
                    raise ConnectionLost(body.get("code", ""))

    def _read_for(self, socket: RaceSocket, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            frame = socket.read(left)
            if frame is not None:
                self._take(frame)

    def _take(self, frame: dict[str, Any]) -> None:
        self.sequence.check(frame)
        kind, body = frame["t"], frame["d"]
        if kind == "race.event":
            self.is_race_over |= body["kind"] in ("closed", "cancelled")
            return
        if kind == "bye":
            raise ConnectionLost("bye")
        race: dict[str, Any] = body["race"] if kind == "race.snapshot" else {}
        self.is_race_over |= race.get("phase") in OVER
        self._take_run(race["run"] if race else body.get("run"))

    def _recover(self) -> None:
        """After the loss of the socket: find out what became of unanswered moves."""
        self._close_socket()
        self.rest.port_index += 1
        for attempt in self.attempts:
            if attempt.outcome == "unknown":
                self._send_again(attempt)

    def _send_again(self, attempt: MoveAttempt) -> None:
        for _ in range(3):
            try:
                self._move(self._open_socket(attempt.race_id), attempt)
            except ConnectionLost:
                self._close_socket()
                self.rest.port_index += 1
                time.sleep(0.1)
            else:
                return
        self._resolve_by_rest(attempt)

    def _close_socket(self) -> None:
        if self.socket is not None:
            self.socket.close()
        self.socket = None


class DroppingPlayer(SocketPlayer):
    """A client that often loses its network right after sending a move."""

    def _move(self, socket: RaceSocket, attempt: MoveAttempt) -> None:
        socket.send("move.play", attempt.key, index=attempt.index, move=attempt.code)
        if self.rng.random() < 0.3:
            socket.drop()
        self._read_answer(socket, attempt)


class TwoTabPlayer(SocketPlayer):
    """A client with two sockets, which often plays on both at the same time."""

    def __init__(self, account: PlayerAccount, ports: list[int], seed: int) -> None:
        super().__init__(account, ports, seed)
        self.tab: RaceSocket | None = None

    def _move(self, socket: RaceSocket, attempt: MoveAttempt) -> None:
        other = self._play_on_tab(attempt)
        super()._move(socket, attempt)
        if other is not None and other is not attempt:
            self._resolve_by_rest(other)

    def _play_on_tab(self, attempt: MoveAttempt) -> MoveAttempt | None:
        """At times send on the second tab first: the same frame or another move."""
        choice = self.rng.random()
        if attempt.run is not None or self.run is None or choice > 0.5:
            return None
        other = attempt
        if choice < 0.25:
            other = self._new_attempt(attempt.race_id, self._choose_move())
        try:
            tab = self._open_tab(attempt.race_id)
            while tab.read(0.0) is not None:
                pass
            tab.send("move.play", other.key, index=other.index, move=other.code)
        except ConnectionLost:
            self._close_tab()
        return other

    def _open_tab(self, race_id: str) -> RaceSocket:
        """The second socket, on the other web process."""
        if self.tab is None or self.tab.race_id != race_id:
            self._close_tab()
            ports = self.rest.ports
            port = ports[(self.rest.port_index + 1) % len(ports)]
            self.tab = RaceSocket(port, race_id, self.account.token, self._record)
            self.tab.send("hello", "hello")
        return self.tab

    def _close_socket(self) -> None:
        super()._close_socket()
        self._close_tab()

    def _close_tab(self) -> None:
        if self.tab is not None:
            self.tab.close()
        self.tab = None


class Spectator(SocketPlayer):
    """A client that watches races and plays none."""

    def watch(self, race_id: str, stop: threading.Event) -> None:
        """Watch a race until it is over or `stop` is set."""
        self.sequence, self.is_race_over = EventSequence(), False
        deadline = time.monotonic() + MAX_RACE_S
        while not (self.is_race_over or stop.is_set()) and time.monotonic() < deadline:
            try:
                self._read_for(self._open_socket(race_id), 0.5)
            except ConnectionLost:
                self._close_socket()
                self.rest.port_index += 1
                time.sleep(0.1)
        self.gaps += self.sequence.gaps
        self._close_socket()
