"""What happens in a race, as facts in the past tense. Bodies name seats, not people.

A name is looked up when the event is read, so that renaming or erasing an account
reaches every stored event. `needs` is how many positions of the deck somebody must have
been shown to see the event in full (0: anybody); `horizon` cuts by it.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from game.contest.race import RaceFacts, entrant_state
from game.rules import Effect, State, score
from game.rules.effects import as_json
from game.rules.moves import AVOID
from game.rules.observation import faced_count, observe_table


class EventKind(StrEnum):
    """Every kind that is stored. `hidden` is only ever shown in place of one."""

    MADE = "made"
    JOINED = "joined"
    LEFT = "left"
    READIED = "readied"
    UNREADIED = "unreadied"
    COUNTDOWN_BEGUN = "countdown_begun"
    CANCELLED = "cancelled"
    STARTED = "started"
    MOVED = "moved"
    FORFEITING = "forfeiting"
    FORFEIT_TAKEN_BACK = "forfeit_taken_back"
    ENDED = "ended"
    CLOSED = "closed"
    SETTLED = "settled"
    REMATCHED = "rematched"
    APPEARED = "appeared"
    VANISHED = "vanished"
    # A moderator's, and what came of it.
    HELD = "held"
    RELEASED = "released"
    VOIDED = "voided"
    RESTORED = "restored"
    DISQUALIFIED = "disqualified"
    REQUALIFIED = "requalified"
    CORRECTED = "corrected"
    UNSAID = "unsaid"


HIDDEN = "hidden"


class Event(NamedTuple):
    """One event: its kind, whose seat it is about, and the facts.

    Times in a body are datetimes; whoever stores it writes them as text. `at`, where it
    is given, is the instant it belongs to, whenever it was noticed.
    """

    kind: EventKind
    seat: int | None = None
    body: Mapping[str, Any] = {}
    needs: int = 0
    deadline_at: datetime | None = None
    at: datetime | None = None

    def with_body(self, **more: Any) -> "Event":
        """The event with these facts added to its body."""
        return self._replace(body={**self.body, **more})


class Transition(NamedTuple):
    """The race after a command, and what happened, in order."""

    race: RaceFacts
    events: tuple[Event, ...]


def move_event_body(
    after: State, code: str, effects: tuple[Effect, ...]
) -> dict[str, Any]:
    """The facts of a move: {index, move, depth, state, effects, table, score, told}.

    `told`: depth or state changed, so that others may be told as much (`horizon.MASK`).
    """
    state = entrant_state(status=after.status, moves=after.index, ready=True)
    return {
        "index": after.index - 1,
        "move": code,
        "depth": faced_count(after),
        "state": str(state),
        "effects": [as_json(effect) for effect in effects],
        "table": observe_table(after),
        "score": score(after),
        "told": code != AVOID,
    }
