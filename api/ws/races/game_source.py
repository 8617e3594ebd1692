"""The hub's readings, from the game's selectors and services."""

import json
from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import partial
from typing import Any

from api.ws.connection import identity
from api.ws.connection.sockets import Standing
from api.ws.protocol.frames import wall_clock
from api.ws.races.race_state import Picture
from api.ws.races.source import Chat, Event, Head, News, Role
from game.contest.events import EventKind
from game.contest.horizon import ChatRoom, can_read_room, event_disclosure
from game.contest.horizon import ViewerRole as Part
from game.selectors.accounts.blocks import deaf_to
from game.selectors.races.chat import chat_role, chat_rows, is_running, message_show
from game.selectors.races.lobby import lobby_head, lobby_list
from game.selectors.races.snapshots import (
    EventRow,
    KnownEvent,
    Viewer,
    event_for,
    race_event_rows,
    race_events,
    races_watch,
)
from game.selectors.races.tables import race_table
from game.selectors.runs.runs import row_of
from game.services.core.errors import not_found
from game.services.races.presence import race_gone, races_seen
from game.services.races.spectators import watching
from game.services.races.timeouts import race_due
from game.services.races.views import race_snapshot
from game.services.runs.runs import run_json

MOST = 500


class GameSource:
    """Reads races, in whatever thread it is called in."""

    def news(self, race_id: str, since: int | None, picture: Any) -> News:
        """The race's events after `since`, then the race: never the other way round."""
        rows = [] if since is None else race_event_rows(race_id, since, MOST)
        events = _events(rows)
        now = picture.after(events) if isinstance(picture, Picture) else None
        if now is None:
            table = race_table(race_id)
            if table is None:
                raise not_found("race")
            now = Picture.of(table)
            since = table.race.seq if since is None else since
        return _news(events, now, since or 0)

    def told(self, rows: Sequence[KnownEvent], picture: Any) -> News | None:
        """The same where all those events are mere moves, at hand already."""
        events = [Event(one.row.seq, one.row, one.body) for one in rows]
        now = picture.after(events) if isinstance(picture, Picture) else None
        return _news(events, now, 0) if now is not None else None

    def key(self, event: Event, role: Role) -> Hashable:
        """Roles with equal keys are shown the same of the event, to the byte."""
        row, sight = event.row, role.context.sight
        return event_disclosure(row.kind, row.seat, row.needs, event.body, sight)

    def cut(self, event: Event, role: Role) -> dict[str, Any]:
        """The event as that role may see it."""
        return event_for(event.row, role.context, event.body)

    def subject(self, event: Event, news: News) -> str | None:
        """Whose run it changed."""
        row: EventRow = event.row
        if row.kind not in (EventKind.MOVED, EventKind.ENDED):
            return None
        picture: Picture = news.picture
        return next(
            (account for account, seat in picture.seats.items() if seat == row.seat),
            None,
        )

    def starts(self, event: Event) -> bool:
        """Whether the runs are dealt by it."""
        return bool(event.row.kind == EventKind.STARTED)

    def heads(self, race_ids: Collection[str]) -> Mapping[str, Head]:
        """How far those races are."""
        return races_watch(race_ids)

    def missed(
        self, race_id: str, since: int, account_id: str
    ) -> list[dict[str, Any]] | None:
        """What came after `since`, cut for that account now."""
        head = races_watch([race_id])
        if race_id not in head or not head[race_id].seq - MOST <= since:
            return None
        if since > head[race_id].seq:
            return None
        found = race_events(race_id, since, Viewer(account_id), MOST + 1)
        return None if len(found) > MOST else found

    def snapshot(self, race_id: str, account_id: str | None) -> dict[str, Any]:
        """The race for that account, or for any spectator."""
        return race_snapshot(race_id, Viewer(account_id), wall_clock())

    def runs(self, race_id: str, accounts: Collection[str]) -> dict[str, Any]:
        """The runs of those entrants, each as its player sees it."""
        table, at = race_table(race_id), wall_clock()
        if table is None:
            return {}
        return {
            one.account_id: run_json(row_of(one.run), at=at)
            for one in table.entrants
            if one.account_id in accounts and one.run is not None and not one.left_at
        }

    def due(self, race_id: str) -> None:
        """Let time do what is overdue."""
        race_due(race_id, at=wall_clock())

    def seen(self, present: Collection[tuple[str, str]]) -> None:
        """Note who is here."""
        races_seen(present, at=wall_clock())

    def gone(self, race_id: str, account_id: str) -> None:
        """Note that somebody has left."""
        race_gone(race_id=race_id, account_id=account_id, at=wall_clock())

    def chat(self, race_id: str, since: int) -> Chat | None:
        """What was said after message `since`, and which accounts may hear which."""
        table = race_table(race_id)
        if table is None:
            return None
        running = is_running(table, wall_clock())
        rows = list(chat_rows(race_id, list(ChatRoom), since)[:MOST])
        speaker = {row.number: row.account_id for row in rows}
        deaf = deaf_to(speaker.values()) if speaker else set()
        parts = {
            one.account_id: chat_role(table, one.account_id) for one in table.entrants
        }

        def hears(account_id: str, message: dict[str, Any]) -> bool:
            if (account_id, speaker[message["number"]]) in deaf:
                return False
            part = parts.get(account_id, Part.SPECTATOR)
            return can_read_room(message["room"], part, running=running)

        return Chat([message_show(row) for row in rows], hears)

    def watching(self, counts: Mapping[str, int]) -> None:
        """Note how many watch here, and tell the other processes."""
        watching.tell(counts)

    def watch_elsewhere(self, race_id: str) -> int:
        """How many watch in other processes."""
        return watching.elsewhere(race_id)

    def still_good(
        self, credentials: Collection[tuple[str, str]]
    ) -> dict[tuple[str, str], str]:
        """Which sessions and tokens still open a socket."""
        return identity.still_good(credentials, at=wall_clock())

    def standings(self, accounts: Collection[str]) -> Mapping[str, Standing]:
        """How each account stands with the moderators."""
        return identity.standings(accounts, at=wall_clock())

    def lobby(self, known: Any) -> tuple[Any, list[dict[str, Any]] | None]:
        """The lobby's list, unless its mark is the known one."""
        mark = (lobby_head(), watching.mark())
        if mark == known:
            return mark, None
        return mark, lobby_list(wall_clock(), watching.count)


def _events(rows: Sequence[EventRow]) -> list[Event]:
    return [Event(row.seq, row, json.loads(row.body)) for row in rows]


def _news(events: list[Event], picture: Picture, since: int) -> News:
    return News(
        head=events[-1].seq if events else since,
        events=events,
        accounts=frozenset(picture.seats),
        role_of=partial(_role, picture),
        due_at=picture.due_at,
        is_over=picture.is_closed,
        picture=picture,
    )


def _role(picture: Picture, account_id: str | None) -> Role:
    context = picture.context(account_id)
    return Role(context.sight, context)
