"""What the hub reads from the game and writes to it. Tests replace it with a fake.

Every method is synchronous, for a database thread.
"""

import json
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from api.ws.protocol.frames import wall_clock
from api.ws.races.race_state import RaceState, RaceUpdate
from game.contest.horizon import ChatRoom, ViewerRole, can_read_room
from game.selectors.accounts.blocks import blocks_against
from game.selectors.races import schemas as races_schemas
from game.selectors.races.chat import chat_role, chat_rows, is_running, message_show
from game.selectors.races.loading import race_load
from game.selectors.races.snapshots import (
    KnownEvent,
    RaceVersion,
    Viewer,
    race_event_rows,
    race_events,
    race_versions,
)
from game.selectors.runs import schemas as runs_schemas
from game.selectors.runs.runs import run_row
from game.services.core.errors import not_found
from game.services.races.presence import presence_end, presence_refresh
from game.services.races.spectators import spectator_counts
from game.services.races.timeouts import race_advance
from game.services.races.views import race_snapshot
from game.services.runs.runs import run_json

MAX_EVENTS = 500


class ChatUpdate(NamedTuple):
    """Messages {number, player, room, ...} in order, and who may read each now."""

    messages: list[races_schemas.ChatMessage]
    may_read: Callable[[str, races_schemas.ChatMessage], bool]  # (account id, message)


class Backend:
    """Selectors and services of the game, as the hub needs them."""

    def update(
        self, race_id: str, since: int | None, state: RaceState | None
    ) -> RaceUpdate:
        """The events after `since` (None: no events), and the state after them.

        At most MAX_EVENTS events. `state` is the state at `since`, if known.

        Raises:
            Refusal: race.not_found.
        """
        # The events are read before the race: a state older than an event could show
        # too much of it.
        rows = [] if since is None else race_event_rows(race_id, since, MAX_EVENTS)
        events = [KnownEvent(row, json.loads(row.body)) for row in rows]
        after = state.apply_moves(events) if state is not None else None
        if after is None:
            table = race_load(race_id)
            if table is None:
                raise not_found("race")
            after = RaceState.from_table(table)
            since = table.race.seq if since is None else since
        return RaceUpdate(events[-1].row.seq if events else since or 0, events, after)

    def heads(self, race_ids: Collection[str]) -> Mapping[str, RaceVersion]:
        """The last event, last message and due time of each race, in one statement."""
        return race_versions(race_ids)

    def missed_events(
        self, race_id: str, since: int, account_id: str
    ) -> list[races_schemas.RaceEvent] | None:
        """The events after `since`, cut for that account.

        None if there are more than MAX_EVENTS, or if `since` is not reached yet.
        """
        head = race_versions([race_id]).get(race_id)
        if head is None or not head.seq - MAX_EVENTS <= since <= head.seq:
            return None
        events = race_events(race_id, since, Viewer(account_id), MAX_EVENTS + 1)
        return None if len(events) > MAX_EVENTS else events

    def snapshot(self, race_id: str, account_id: str | None) -> races_schemas.Race:
        """The race as that account may see it (None: any spectator).

        `spectators` counts those of other processes only.
        """
        race = race_snapshot(race_id, Viewer(account_id), wall_clock())
        return {**race, "spectators": spectator_counts.count_elsewhere(race_id)}

    def own_runs(
        self, race_id: str, accounts: Collection[str]
    ) -> dict[str, runs_schemas.Run]:
        """The runs of those of the accounts who take part, as each player sees it."""
        table, at = race_load(race_id), wall_clock()
        if table is None:
            return {}
        return {
            entrant.account_id: run_json(run_row(entrant.run), at=at)
            for entrant in table.entrants
            if entrant.account_id in accounts
            and entrant.run is not None
            and not entrant.left_at
        }

    def chat(self, race_id: str, since: int) -> ChatUpdate | None:
        """The messages after number `since`; None if there is no such race."""
        table = race_load(race_id)
        if table is None:
            return None
        running = is_running(table, wall_clock())
        rows = list(chat_rows(race_id, list(ChatRoom), since)[:MAX_EVENTS])
        authors = {row.number: row.account_id for row in rows}
        blocking = blocks_against(authors.values()) if authors else set()
        roles = {
            entrant.account_id: chat_role(table, entrant.account_id)
            for entrant in table.entrants
        }

        def may_read_message(
            account_id: str, message: races_schemas.ChatMessage
        ) -> bool:
            if (account_id, authors[message["number"]]) in blocking:
                return False
            role = roles.get(account_id, ViewerRole.SPECTATOR)
            return can_read_room(message["room"], role, running=running)

        return ChatUpdate([message_show(row) for row in rows], may_read_message)

    def apply_due(self, race_id: str) -> None:
        """Apply what time has changed in the race: its start, its deadline."""
        race_advance(race_id, at=wall_clock())

    def note_present(self, present: Collection[tuple[str, str]]) -> None:
        """Record that each (race id, account id) has a socket open here now."""
        presence_refresh(present, at=wall_clock())

    def note_gone(self, race_id: str, account_id: str) -> None:
        """Record that the account's last socket on the race has closed here."""
        presence_end(race_id=race_id, account_id=account_id, at=wall_clock())

    def report_spectators(self, counts: Mapping[str, int]) -> None:
        """Tell the other processes how many people watch each race here."""
        spectator_counts.publish(counts)
