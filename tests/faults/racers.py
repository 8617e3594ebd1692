"""Clients that race through faults, each with a history of what it tried and read.

They play as real ones do: over the socket, resuming by the last event's number; with
the same key again where no answer came, and over REST where the socket keeps failing.
None of them looks at anything but what it was sent.
"""

import itertools
import os
import random
import threading
import time
from contextlib import suppress
from typing import Any, Final

from tests.faults.links import ANSWER_S, Line, Lost, Rest
from tests.faults.record import Feed, Read, Tried
from tests.faults.sites import Person

OVER: Final = ("closed", "settled", "cancelled")
# Refusals that say for good that the move was not played.
REFUSED: Final = ("run.stale_index", "run.over", "race.wrong_phase")
LONGEST_S: Final = 60.0
# Between two moves of a client, in seconds; shorter where many moves are wanted.
QUICK: Final = os.environ.get("NEMESIS_SIZE", "1") != "1"
PAUSE_S: Final = (0.05, 0.2) if QUICK else (0.2, 0.7)


class Racer:
    """A client without a socket: everything over REST. What the others have too."""

    def __init__(self, person: Person, ports: list[int], seed: int) -> None:
        self.person, self.chance = person, random.Random(seed)
        self.rest = Rest(ports, person.token, self._keep)
        self.rest.at = seed
        self.hurry = threading.Event()
        self.tries: list[Tried] = []
        self.reads: list[Read] = []
        self.holes: list[str] = []
        # When a move was accepted; from when to when there was a run to play.
        self.accepted: list[float] = []
        self.spans: list[tuple[float, float]] = []
        self._keys = itertools.count()
        self.run: dict[str, Any] | None = None
        self.over = False

    @property
    def port(self) -> int:
        """The web process that this client hangs on."""
        return self.rest.port

    def make(self, **asked: Any) -> str:
        """A new race of which this is the host; its id."""
        return str(self.rest.until_answered("races/", asked)["id"])

    def race(self, race_id: str) -> None:
        """One race, from the seat to the end of the own run."""
        self.run, self.over = None, False
        deadline = time.monotonic() + LONGEST_S
        if not self._sit_down(race_id, deadline):
            return
        began = time.monotonic()
        try:
            self._play(race_id, deadline)
        finally:
            self.spans.append((began, time.monotonic()))

    def _sit_down(self, race_id: str, deadline: float) -> bool:
        """Join, and be ready once all are there; whether the race is on, with us."""
        path = f"races/{race_id}/"
        while time.monotonic() < deadline:
            race = self.rest.until_answered(path, race_id=race_id)
            name = self.person.name
            mine = [e["state"] for e in race["entrants"] if e["player"] == name]
            if race["phase"] != "open" or self.hurry.is_set():
                return bool(mine) and race["phase"] not in ("open", *OVER)
            is_full = len(race["entrants"]) == race["seats"]
            if not mine or (is_full and mine != ["ready"]):
                act = "ready/" if mine else "join/"
                self.rest.until_answered(path + act, {}, race_id=race_id)
            time.sleep(0.2)
        return False

    def _play(self, race_id: str, deadline: float) -> None:
        path = f"races/{race_id}/"
        while time.monotonic() < deadline:
            race = self.rest.until_answered(path, race_id=race_id)
            self.run = race["run"]
            if race["phase"] in OVER:
                return
            while self.run is not None and self.run["status"] == "playing":
                one = self._try(race_id, self._choice())
                self._resolve(one)
                self._pause()
            if self.run is not None:
                return
            time.sleep(0.2)

    def _choice(self) -> str:
        """A move that hurts little, so that races last."""
        assert self.run is not None
        best = min(
            self.run["legal"],
            key=lambda one: (
                one["lethal"],
                one["action"] == "avoid" and self.chance.random() < 0.7,
                one["damage"] - one["heal"],
                self.chance.random(),
            ),
        )
        return str(best["move"])

    def _try(self, race_id: str, code: str) -> Tried:
        assert self.run is not None
        key = f"{self.person.name[-1]}-{next(self._keys)}"
        one = Tried(race_id, self.person.id, self.run["index"], code, key)
        self.tries.append(one)
        return one

    def _resolve(self, one: Tried, within_s: float = 40.0) -> None:
        """Ask over REST, with the same key, until the move's fate is known."""
        body = {"index": one.index, "move": one.code, "key": one.key}
        path = f"races/{one.race_id}/moves/"
        deadline = time.monotonic() + within_s
        while one.outcome == "unknown" and time.monotonic() < deadline:
            with suppress(Lost):
                status, found = self.rest.call(path, body, race_id=one.race_id)
                self._learn(one, found, accepted=status == 200)
            if one.outcome == "unknown":
                time.sleep(0.2)

    def _learn(self, one: Tried, answer: dict[str, Any], *, accepted: bool) -> None:
        """What an answer says of a move."""
        if accepted:
            one.outcome, one.run = "ok", answer["run"]
            self.accepted.append(time.monotonic())
        elif answer.get("code") in REFUSED or str(answer.get("code")).startswith(
            "move.illegal"
        ):
            one.outcome = "fail"
        else:
            return
        run = answer.get("run")
        if run and (self.run is None or run["index"] >= self.run["index"]):
            self.run = run

    def _pause(self) -> None:
        if not self.hurry.is_set():
            time.sleep(self.chance.uniform(*PAUSE_S))

    def _keep(self, race_id: str, at: float, text: str) -> None:
        self.reads.append(Read(race_id, self.person.id, at, text))


class Socketed(Racer):
    """A client with a socket, which resumes, and falls back to REST."""

    def __init__(self, person: Person, ports: list[int], seed: int) -> None:
        super().__init__(person, ports, seed)
        self.line: Line | None = None
        self.feed = Feed()
        self._asked = 0.0

    @property
    def port(self) -> int:
        """The web process at the other end of the socket."""
        return self.line.port if self.line else super().port

    def _play(self, race_id: str, deadline: float) -> None:
        self.feed, waits_until = Feed(), deadline
        while time.monotonic() < min(deadline, waits_until) and not self.over:
            try:
                self._step(race_id)
            except Lost:
                self._lose()
            if self.run is not None and self.run["status"] != "playing":
                # The others may take long; stay for the close if it comes soon.
                waits_until = min(waits_until, time.monotonic() + 2.5)
        self.holes += self.feed.holes
        self._hang_up()

    def _step(self, race_id: str) -> None:
        line = self._connected(race_id)
        if self.run is None or self.run["status"] != "playing":
            self._ask_for_run(line)
            self._listen(line, 0.3)
            return
        self._move(line, self._try(race_id, self._choice()))
        if not self.hurry.is_set():
            self._listen(line, self.chance.uniform(*PAUSE_S))

    def _connected(self, race_id: str) -> Line:
        if self.line is None:
            self.line = Line(self.port, race_id, self.person.token, self._keep)
            known = {} if self.feed.seq is None else {"since": self.feed.seq}
            self.line.send("hello", "hello", **known)
        return self.line

    def _ask_for_run(self, line: Line) -> None:
        """A run that started while the socket was down is told of when asked for."""
        if self.run is None and time.monotonic() > self._asked + 1.5:
            self._asked = time.monotonic()
            line.send("resync", f"resync-{next(self._keys)}")

    def _move(self, line: Line, one: Tried) -> None:
        line.send("move.play", one.key, index=one.index, move=one.code)
        self._await(line, one)

    def _await(self, line: Line, one: Tried) -> None:
        deadline = time.monotonic() + ANSWER_S
        while one.outcome == "unknown":
            frame = line.read(deadline - time.monotonic())
            if frame is None:
                raise Lost("no answer")
            self._take(frame)
            if frame.get("id") == one.key and frame["t"] in ("move.accepted", "error"):
                self._learn(one, frame["d"], accepted=frame["t"] == "move.accepted")
                if one.outcome == "unknown":
                    raise Lost(frame["d"].get("code", ""))

    def _listen(self, line: Line, for_s: float) -> None:
        deadline = time.monotonic() + for_s
        while (left := deadline - time.monotonic()) > 0:
            frame = line.read(left)
            if frame is not None:
                self._take(frame)

    def _take(self, frame: dict[str, Any]) -> None:
        self.feed.take(frame)
        body = frame["d"]
        if frame["t"] == "race.event":
            self.over |= body["kind"] in ("closed", "cancelled")
            return
        if frame["t"] == "bye":
            raise Lost("bye")
        is_whole = frame["t"] == "race.snapshot"
        race: dict[str, Any] = body["race"] if is_whole else {}
        self.over |= race.get("phase") in OVER
        run = race["run"] if race else body.get("run")
        if run and (self.run is None or run["index"] >= self.run["index"]):
            self.run = run

    def _lose(self) -> None:
        """The socket is gone: settle what is open, by a new one or by REST."""
        self._hang_up()
        self.rest.at += 1
        for one in self.tries:
            if one.outcome == "unknown":
                self._again(one)

    def _again(self, one: Tried) -> None:
        for _ in range(3):
            try:
                self._move(self._connected(one.race_id), one)
            except Lost:
                self._hang_up()
                self.rest.at += 1
                time.sleep(0.1)
            else:
                return
        self._resolve(one)

    def _hang_up(self) -> None:
        if self.line is not None:
            self.line.close()
        self.line = None


class Dropper(Socketed):
    """A client whose network goes as soon as it has sent something."""

    def _move(self, line: Line, one: Tried) -> None:
        line.send("move.play", one.key, index=one.index, move=one.code)
        if self.chance.random() < 0.3:
            line.drop()
        self._await(line, one)


class TwoTabs(Socketed):
    """A client with two sockets, which at times play at once: the same or not."""

    def __init__(self, person: Person, ports: list[int], seed: int) -> None:
        super().__init__(person, ports, seed)
        self.tab: Line | None = None

    def _move(self, line: Line, one: Tried) -> None:
        rival = self._on_the_tab(one)
        super()._move(line, one)
        if rival is not None and rival is not one:
            self._resolve(rival)

    def _on_the_tab(self, one: Tried) -> Tried | None:
        """Play on the other tab first: the very same frame, or another move."""
        taste = self.chance.random()
        if one.run is not None or self.run is None or taste > 0.5:
            return None
        rival = one
        if taste < 0.25:
            rival = self._try(one.race_id, self._choice())
        try:
            if self.tab is None or self.tab.race_id != one.race_id:
                self._close_tab()
                port = self.rest.ports[(self.rest.at + 1) % len(self.rest.ports)]
                self.tab = Line(port, one.race_id, self.person.token, self._keep)
                self.tab.send("hello", "hello")
            while self.tab.read(0.0) is not None:
                pass
            self.tab.send("move.play", rival.key, index=rival.index, move=rival.code)
        except Lost:
            self._close_tab()
        return rival

    def _hang_up(self) -> None:
        super()._hang_up()
        self._close_tab()

    def _close_tab(self) -> None:
        if self.tab is not None:
            self.tab.close()
        self.tab = None


class Watcher(Socketed):
    """Somebody who only looks on."""

    def watch(self, race_id: str, until: threading.Event) -> None:
        """Read a race until it is over."""
        self.feed, self.over = Feed(), False
        deadline = time.monotonic() + LONGEST_S
        while not (self.over or until.is_set()) and time.monotonic() < deadline:
            try:
                self._listen(self._connected(race_id), 0.5)
            except Lost:
                self._hang_up()
                self.rest.at += 1
                time.sleep(0.1)
        self.holes += self.feed.holes
        self._hang_up()
