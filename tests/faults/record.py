"""What clients have lived through, held against what is stored in the end.

Pure: a history of moves tried, the bytes read and when, and the truth of the tables. A
move answered as accepted must be there (I3), one that was refused must not, none twice;
and no byte may have told its reader more than he could know when he read it (I11).
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

from game.rules import DECK, Refusal, State, apply, find_ruleset, start
from game.rules.observation import shown_count

CARD: Final = re.compile(r"(?<![0-9A-Za-z])([2-9TJQKA][CSDH])[wb]?(?![0-9A-Za-z])")
Outcome = Literal["ok", "fail", "unknown"]


@dataclass
class Tried:
    """A move somebody tried, and what is known of its fate; `run` as answered."""

    race_id: str
    account_id: str
    index: int
    code: str
    key: str
    outcome: Outcome = "unknown"
    run: dict[str, Any] | None = None


class Read(NamedTuple):
    """Bytes that an account got about a race, and when (seconds since 1970)."""

    race_id: str
    account_id: str
    at: float
    payload: str


class StoredMove(NamedTuple):
    """A row of the moves' table."""

    index: int  # type: ignore[assignment]  # not tuple.index, which nobody needs
    code: str
    key: str | None
    at: datetime


@dataclass
class StoredRun:
    """An entrant's run as it is stored."""

    account_id: str
    ruleset: str
    difficulty: str
    finished_at: datetime | None
    moves: list[StoredMove] = field(default_factory=list)


@dataclass
class StoredRace:
    """A race, its dungeon opened, and the runs in it by account."""

    seed: str
    sealed: str
    deck: tuple[str, ...]
    starts_at: datetime | None
    closed_at: datetime | None
    runs: dict[str, StoredRun] = field(default_factory=dict)


Truth = Mapping[str, StoredRace]


def history_breaches(tries: Iterable[Tried], truth: Truth) -> Iterator[str]:
    """Whatever of a history does not agree with what is stored."""
    known: set[tuple[str, str, str]] = set()
    for one in tries:
        known.add((one.race_id, one.account_id, one.key))
        yield from _try_breaches(one, truth)
    for race_id, race in truth.items():
        for run in race.runs.values():
            keys = Counter(move.key for move in run.moves)
            for key, count in keys.items():
                what = f"race {race_id} of {run.account_id}: {key}"
                if count > 1:
                    yield f"stored {count} times: {what}"
                house = key is not None and key.startswith("house:")
                if not house and (race_id, run.account_id, key) not in known:
                    yield f"stored, and nobody tried it: {what}"


def _try_breaches(one: Tried, truth: Truth) -> Iterator[str]:
    race = truth.get(one.race_id)
    run = race.runs.get(one.account_id) if race else None
    found = [move for move in run.moves if move.key == one.key] if run else []
    if one.outcome == "fail":
        if found:
            yield f"refused, and stored: {one}"
        return
    if one.outcome == "ok" and not found:
        yield f"I3 acknowledged, and lost: {one}"
    if any((move.index, move.code) != (one.index, one.code) for move in found):
        yield f"I3 stored as another move: {one} as {found}"
    if one.outcome == "ok" and found and race is not None and run is not None:
        positions, said = states(race, run), one.run or {}
        if one.index + 1 >= len(positions):
            yield f"I3 stored among moves that cannot be played: {one}"
            return
        after = positions[one.index + 1]
        if (said.get("index"), said.get("health")) != (after.index, after.health):
            yield f"I3 answered with another run than was stored: {one}"


def states(race: StoredRace, run: StoredRun) -> list[State]:
    """The positions of a run: at first, and after each move while they are legal."""
    state = start(find_ruleset(run.ruleset), race.deck, run.difficulty)
    found = [state]
    for move in sorted(run.moves, key=lambda move: move.index):
        try:
            state, _ = apply(state, move.code)
        except Refusal:
            break
        found.append(state)
    return found


def leaks(reads: Iterable[Read], truth: Truth) -> Iterator[str]:
    """Whatever was read that its reader could not know at that moment."""
    sights = {race_id: Sights(race) for race_id, race in truth.items()}
    for read in reads:
        cards = set(CARD.findall(read.payload))
        sight = sights.get(read.race_id)
        if sight is None:
            if cards:
                yield f"I11 {sorted(cards)} of no race: {read.payload[:300]}"
            continue
        far = sight.horizon(read.account_id, read.at)
        if far == len(DECK):
            continue
        race = sight.race
        if race.seed in read.payload or race.sealed in read.payload:
            yield f"I11 the seed, to {read.account_id}: {read.payload[:300]}"
        beyond = cards - set(race.deck[:far])
        if beyond:
            where = f"race {read.race_id}, {read.account_id}, horizon {far}"
            yield f"I11 {sorted(beyond)} ({where}): {read.payload[:500]}"


class Sights:
    """How far everybody could see into a race's deck, at any time."""

    def __init__(self, race: StoredRace) -> None:
        self.race = race
        self._shown = {
            account: [shown_count(state) for state in states(race, run)]
            for account, run in race.runs.items()
        }

    def horizon(self, account_id: str, at: float) -> int:
        """Deck positions an account may have been told of: what its own run had shown,
        and once that is over (or where there is none) what the slowest had who still
        played; all, once nobody did.
        """
        closed, starts = self.race.closed_at, self.race.starts_at
        if closed is not None and closed.timestamp() <= at:
            return len(DECK)
        if starts is None or starts.timestamp() > at or not self.race.runs:
            return 0
        own = self._of(account_id, at) if account_id in self._shown else 0
        if account_id in self._shown and self._plays(account_id, at):
            return own
        playing = [one for one in self._shown if self._plays(one, at)]
        slowest = min((self._of(one, at) for one in playing), default=len(DECK))
        return max(own, slowest)

    def _of(self, account_id: str, at: float) -> int:
        moves = self.race.runs[account_id].moves
        made = sum(move.at.timestamp() <= at for move in moves)
        return self._shown[account_id][: made + 1][-1]

    def _plays(self, account_id: str, at: float) -> bool:
        finished = self.race.runs[account_id].finished_at
        return finished is None or finished.timestamp() > at


class Feed:
    """Follows the events' numbers on sockets of one client; notes every hole."""

    def __init__(self) -> None:
        self.seq: int | None = None
        self.holes: list[str] = []

    def take(self, frame: Mapping[str, Any]) -> None:
        """Look at a frame that came next."""
        if frame["t"] == "race.snapshot":
            self.seq = frame["d"]["race"]["seq"]
        elif frame["t"] == "race.event":
            if self.seq is not None and frame["seq"] != self.seq + 1:
                self.holes.append(f"event {frame['seq']} after {self.seq}")
            self.seq = frame["seq"]
