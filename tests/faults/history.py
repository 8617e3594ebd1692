"""Compares what clients sent and received with what is stored in the end.

Pure. An accepted move must be stored (I3), a refused one must not, and none twice. No
text may have told its reader a card beyond their horizon when they received it (I11).
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
class MoveAttempt:
    """A move that a client sent, its outcome as far as known, and the answered run."""

    race_id: str
    account_id: str
    index: int
    code: str
    key: str
    outcome: Outcome = "unknown"
    run: Mapping[str, Any] | None = None


class Received(NamedTuple):
    """A text about a race that an account received, at seconds since 1970."""

    race_id: str
    account_id: str
    at: float
    payload: str


class StoredMove(NamedTuple):
    """A row of the moves' table."""

    index: int  # type: ignore[assignment]  # hides tuple.index
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
    """A race with its seed and deck, and its runs by account."""

    seed: str
    sealed: str
    deck: tuple[str, ...]
    starts_at: datetime | None
    closed_at: datetime | None
    runs: dict[str, StoredRun] = field(default_factory=dict)


StoredRaces = Mapping[str, StoredRace]


def find_history_errors(
    attempts: Iterable[MoveAttempt], races: StoredRaces
) -> Iterator[str]:
    """Describe each difference between the attempts and the stored moves."""
    known: set[tuple[str, str, str]] = set()
    for one in attempts:
        known.add((one.race_id, one.account_id, one.key))
        yield from _attempt_errors(one, races)
    for race_id, race in races.items():
        for run in race.runs.values():
            keys = Counter(move.key for move in run.moves)
            for key, count in keys.items():
                what = f"race {race_id} of {run.account_id}: {key}"
                if count > 1:
                    yield f"stored {count} times: {what}"
                is_bot_move = key is not None and key.startswith("house:")
                if not is_bot_move and (race_id, run.account_id, key) not in known:
                    yield f"stored, but no client sent it: {what}"


def _attempt_errors(one: MoveAttempt, races: StoredRaces) -> Iterator[str]:
    race = races.get(one.race_id)
    run = race.runs.get(one.account_id) if race else None
    found = [move for move in run.moves if move.key == one.key] if run else []
    if one.outcome == "fail":
        if found:
            yield f"refused, but stored: {one}"
        return
    if one.outcome == "ok" and not found:
        yield f"I3 acknowledged, but not stored: {one}"
    if any((move.index, move.code) != (one.index, one.code) for move in found):
        yield f"I3 stored as another move: {one} as {found}"
    if one.outcome == "ok" and found and race is not None and run is not None:
        positions, answered = states(race, run), one.run or {}
        if one.index + 1 >= len(positions):
            yield f"I3 stored after an illegal move: {one}"
            return
        after = positions[one.index + 1]
        if (answered.get("index"), answered.get("health")) != (
            after.index,
            after.health,
        ):
            yield f"I3 answered with another run than stored: {one}"


def states(race: StoredRace, run: StoredRun) -> list[State]:
    """The states of a run: at the start and after each move, up to an illegal one."""
    state = start(find_ruleset(run.ruleset), race.deck, run.difficulty)
    found = [state]
    for move in sorted(run.moves, key=lambda move: move.index):
        try:
            state, _ = apply(state, move.code)
        except Refusal:
            break
        found.append(state)
    return found


def find_leaks(texts: Iterable[Received], races: StoredRaces) -> Iterator[str]:
    """Describe each text with a card or seed beyond its reader's horizon then."""
    horizons = {race_id: Horizons(race) for race_id, race in races.items()}
    for text in texts:
        cards = set(CARD.findall(text.payload))
        race_horizons = horizons.get(text.race_id)
        if race_horizons is None:
            if cards:
                yield f"I11 {sorted(cards)} about an unknown race: {text.payload[:300]}"
            continue
        horizon = race_horizons.horizon(text.account_id, text.at)
        if horizon == len(DECK):
            continue
        race = race_horizons.race
        if race.seed in text.payload or race.sealed in text.payload:
            yield f"I11 the seed, to {text.account_id}: {text.payload[:300]}"
        beyond = cards - set(race.deck[:horizon])
        if beyond:
            where = f"race {text.race_id}, {text.account_id}, horizon {horizon}"
            yield f"I11 {sorted(beyond)} ({where}): {text.payload[:500]}"


class Horizons:
    """The horizon of every account in a race at any time."""

    def __init__(self, race: StoredRace) -> None:
        self.race = race
        self._shown = {
            account: [shown_count(state) for state in states(race, run)]
            for account, run in race.runs.items()
        }

    def horizon(self, account_id: str, at: float) -> int:
        """How many deck positions the account could know at that time.

        An entrant: what their own run had shown. Others, and entrants whose run is
        over: what the slowest run still going on had shown; all once none was.
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


class EventSequence:
    """Checks that the events of one client arrive without a gap."""

    def __init__(self) -> None:
        self.seq: int | None = None
        self.gaps: list[str] = []

    def check(self, frame: Mapping[str, Any]) -> None:
        """Check the next frame."""
        if frame["t"] == "race.snapshot":
            self.seq = frame["d"]["race"]["seq"]
        elif frame["t"] == "race.event":
            if self.seq is not None and frame["seq"] != self.seq + 1:
                self.gaps.append(f"event {frame['seq']} after {self.seq}")
            self.seq = frame["seq"]
