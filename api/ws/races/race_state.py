"""A race as much as cutting its events needs it, kept in step by those very events.

Reading a race whole for each of its moves would cost more than the move. A move tells
all that changes who may see what: how far its player has been shown the deck, and
whether he still plays. So after moves alone the last reading is still good with that
put in; after anything else the race is read again. What is kept may lag behind the
race, so it may show too little for a moment, never too much.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple, Self

from api.ws.races.source import Event
from game.contest.events import EventKind
from game.contest.horizon import Viewpoint, viewpoint
from game.contest.race import EntrantState
from game.models import Run
from game.selectors.races.snapshots import EventRow, ViewerContext, player_name
from game.selectors.races.tables import RaceTable, shown_of


class Picture(NamedTuple):
    """Seats, names, how far each has been shown the deck, and who still plays."""

    seats: Mapping[str, int]
    names: Mapping[int, str]
    starts_at: datetime | None
    due_at: datetime | None
    shown: Mapping[int, int]
    playing: frozenset[int]
    is_closed: bool

    @classmethod
    def of(cls, table: RaceTable) -> Self:
        """The picture of a race that has just been read."""
        active = [one for one in table.entrants if one.left_at is None]
        dealt = [(one.seat, one.run) for one in active if one.run is not None]
        return cls(
            seats={one.account_id: one.seat for one in active},
            names={one.seat: player_name(one) for one in table.entrants},
            starts_at=table.race.starts_at,
            due_at=table.race.due_at,
            shown={seat: shown_of(run) for seat, run in dealt},
            playing=frozenset(
                seat for seat, run in dealt if run.status == Run.Status.PLAYING
            ),
            is_closed=table.race.closed_at is not None,
        )

    def after(self, events: Iterable[Event]) -> Self | None:
        """The picture after these; None where they change more than moves do."""
        shown, playing, due_at = dict(self.shown), self.playing, self.due_at
        for event in events:
            row: EventRow = event.row
            if row.kind != EventKind.MOVED or row.seat not in playing:
                return None
            shown[row.seat] = max(shown[row.seat], row.needs)
            if event.body.get("state") != EntrantState.RACING:
                # An end: the race is due at once, if only to be looked at.
                playing, due_at = playing - {row.seat}, row.at
        return self._replace(shown=shown, playing=playing, due_at=due_at)

    def context(self, account_id: str | None) -> ViewerContext:
        """What cutting events for that account needs."""
        seat = self.seats.get(account_id) if account_id is not None else None
        return ViewerContext(self._sight(seat), self.names, self.starts_at)

    def _sight(self, seat: int | None) -> Viewpoint:
        return viewpoint(
            seat=seat, shown=self.shown, playing=self.playing, closed=self.is_closed
        )
