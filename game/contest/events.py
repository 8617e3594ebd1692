"""The events of a race. Bodies refer to seats, not to accounts.

Names are looked up when an event is read, so that renaming or erasing an account takes
effect in every stored event.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from game.contest.race import RaceFacts, ShownKind, entrant_state
from game.rules import Effect, State, score
from game.rules.effects import as_json
from game.rules.moves import AVOID
from game.rules.observation import faced_count, observe_table


class EventKind(StrEnum):
    """The stored kinds. `hidden` is never stored, only shown in place of one."""

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
    CLOSED_EARLY = "closed_early"
    CLOSED = "closed"
    SETTLED = "settled"
    REMATCHED = "rematched"
    APPEARED = "appeared"
    VANISHED = "vanished"
    OUTAGE = "outage"
    # Acts of moderators and their consequences.
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
    """One event: its kind, the seat it is about, and its facts.

    Datetimes in `body` are written as text when it is stored. `needs` is how many deck
    positions a viewer must have been shown to see the event in full (0: none); see
    `horizon`. `at` is when a timed transition was due; None: when it is written.
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
    """The race after a command or a due time, and the events in order."""

    race: RaceFacts
    events: tuple[Event, ...]


def move_event_body(
    after: State, code: str, effects: tuple[Effect, ...], *, shows_program: bool = False
) -> dict[str, Any]:
    """The body of a move's event.

    {index, move, depth, state, effects, table, score, told}; `told`: the move changed
    what others see of the entrant (`horizon.MASKED_FIELDS`). `shows_program`: it is the
    run's first move by token; then the body also has the entrant's new kind.
    """
    state = entrant_state(status=after.status, moves=after.index, is_ready=True)
    body = {
        "index": after.index - 1,
        "move": code,
        "depth": faced_count(after),
        "state": str(state),
        "effects": [as_json(effect) for effect in effects],
        "table": observe_table(after),
        "score": score(after),
        "told": code != AVOID or shows_program,
    }
    if shows_program:
        body["entrant_kind"] = str(ShownKind.BOT)
    return body
