"""The part of a race that decides who sees what of its events, kept up to date by them.

Reading the whole race for each of its moves would cost more than the move. A move's
event has all that it changes here: how many deck positions its player has been shown,
and whether they still play. So a move is applied to the last state; after any other
event the race is read again. The state may lag behind the race, so it may show too
little for a moment, never too much.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Self

from game.contest.events import EventKind
from game.contest.horizon import viewpoint
from game.contest.race import EntrantState
from game.models import Run
from game.selectors.races.entrants import player_name
from game.selectors.races.loading import LoadedRace, positions_shown
from game.selectors.races.snapshots import KnownEvent, ViewerContext


class RaceState(NamedTuple):
    """What cutting a race's events for a viewer needs, and when the race is due next.

    `seats` by account of the entrants; `names` by seat; `shown` is how many deck
    positions each seat has been shown; `playing` has the seats whose runs are not over.
    At `due_at` time changes the race: its start, its deadline.
    """

    seats: Mapping[str, int]
    names: Mapping[int, str]
    starts_at: datetime | None
    due_at: datetime | None
    shown: Mapping[int, int]
    playing: frozenset[int]
    is_closed: bool

    @classmethod
    def from_table(cls, table: LoadedRace) -> Self:
        """The state of a race that has just been read."""
        active = [entrant for entrant in table.entrants if entrant.left_at is None]
        runs = [
            (entrant.seat, entrant.run) for entrant in active if entrant.run is not None
        ]
        return cls(
            seats={entrant.account_id: entrant.seat for entrant in active},
            names={entrant.seat: player_name(entrant) for entrant in table.entrants},
            starts_at=table.race.starts_at,
            due_at=table.race.due_at,
            shown={seat: positions_shown(run) for seat, run in runs},
            playing=frozenset(
                seat for seat, run in runs if run.status == Run.Status.PLAYING
            ),
            is_closed=table.race.closed_at is not None,
        )

    def apply_moves(self, events: Sequence[KnownEvent]) -> Self | None:
        """The state after these events; None if one of them is not a move."""
        shown, playing, due_at = dict(self.shown), self.playing, self.due_at
        for row, body in events:
            if row.kind != EventKind.MOVED or row.seat not in playing:
                return None
            shown[row.seat] = max(shown[row.seat], row.needs)
            if body.get("state") != EntrantState.RACING:
                # The run is over: the race is due now, since it may be over too.
                playing, due_at = playing - {row.seat}, row.at
        return self._replace(shown=shown, playing=playing, due_at=due_at)

    def viewer_context(self, account_id: str | None) -> ViewerContext:
        """The context that masks events for that account; None is any spectator."""
        seat = self.seats.get(account_id) if account_id is not None else None
        own = viewpoint(
            seat=seat, shown=self.shown, playing=self.playing, is_closed=self.is_closed
        )
        return ViewerContext(own, self.names, self.starts_at)


class RaceUpdate(NamedTuple):
    """Events of a race in order, the number of the last one, and the state after it."""

    last_seq: int
    events: Sequence[KnownEvent]
    state: RaceState


def update_from_moves(
    events: Sequence[KnownEvent], state: RaceState
) -> RaceUpdate | None:
    """The update that these events make; None if the database must be read instead."""
    after = state.apply_moves(events) if events else None
    return RaceUpdate(events[-1].row.seq, events, after) if after else None
