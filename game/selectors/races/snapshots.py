"""The JSON of a race and its events, limited to what a viewer may see.

Everything clients receive about a race is built here; `game.contest.horizon` decides
what a viewer may see. `services/races/views` adds the viewer's run and the revealed
seed, which need decryption.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple, cast

from django.db import connection

from game.contest.early_close import GONE_FOR
from game.contest.events import HIDDEN
from game.contest.horizon import MASKED_FIELDS, Disclosure, Viewpoint, event_disclosure
from game.contest.race import (
    RELEASE_AFTER,
    Format,
    full_since,
    race_phase,
)
from game.contest.race_points import gives_points
from game.models import Race, RaceEvent, RatingChange
from game.selectors.boards.ratings import RatingMove, rating_moves
from game.selectors.core.prepared_statements import all_rows
from game.selectors.core.times import as_text, elapsed_ms
from game.selectors.races import schemas as races_schemas
from game.selectors.races.entrants import entrant_show, new_entrant, player_name
from game.selectors.races.loading import LoadedRace, race_load, race_viewpoint

PLAYED_OUT = frozenset({"cleared", "died"})


class Viewer(NamedTuple):
    """The viewer; `account_id` None: an anonymous viewer."""

    account_id: str | None
    is_staff: bool = False


class EventRow(NamedTuple):
    """A stored event with all its facts. Send it only through `event_show`."""

    seq: int
    kind: str
    at: datetime
    seat: int | None
    needs: int
    body: str
    rev: int | None
    deadline_at: datetime | None


class KnownEvent(NamedTuple):
    """An event that has just been stored, with its body before serialization."""

    row: EventRow
    body: Mapping[str, Any]


class ViewerContext(NamedTuple):
    """What showing events to a viewer needs. Create it after reading the events: an
    older context could hide facts that have been revealed since.
    """

    viewpoint: Viewpoint
    names: Mapping[int, str]
    starts_at: datetime | None

    def key(self, event: EventRow) -> Disclosure:
        """Viewers with equal keys get exactly the same JSON of that event."""
        return _disclosure(event, json.loads(event.body), self.viewpoint)


class RaceContext(NamedTuple):
    """A loaded race, to create the contexts of all its viewers from."""

    loaded: LoadedRace

    def viewer(self, viewer: Viewer) -> ViewerContext:
        """The context of one viewer."""
        names = {entrant.seat: player_name(entrant) for entrant in self.loaded.entrants}
        viewpoint = race_viewpoint(self.loaded, viewer.account_id)
        return ViewerContext(viewpoint, names, self.loaded.race.starts_at)


def race_context(race_id: str) -> RaceContext | None:
    """The context of the race, loaded now; None if it does not exist."""
    loaded = race_load(race_id)
    return RaceContext(loaded) if loaded else None


def viewer_context(race_id: str, viewer: Viewer) -> ViewerContext | None:
    """The context of one viewer, loaded now; None if the race does not exist."""
    context = race_context(race_id)
    return context.viewer(viewer) if context else None


# Columns in the order of EventRow's fields.
_EVENTS = """
select seq, kind, at, seat, needs, body, rev, deadline_at from game_raceevent
where race_id = %s and seq > %s order by seq limit %s
"""


def race_event_rows(race_id: str, since: int, most: int = 500) -> list[EventRow]:
    """The stored events after number `since`, in order."""
    if connection.vendor == "postgresql":
        return [EventRow(*row) for row in all_rows(_EVENTS, (race_id, since, most))]
    rows = (
        RaceEvent.objects.filter(race_id=race_id, seq__gt=since)
        .order_by("seq")
        .values_list(*EventRow._fields)[:most]
    )
    return [EventRow(*row) for row in rows]


def race_events(
    race_id: str, since: int, viewer: Viewer, most: int = 500
) -> list[races_schemas.RaceEvent]:
    """The events after `since` as that viewer may see them now.

    Each is {seq, kind, at, ...}; a hidden one is {seq, kind: "hidden", at}.
    """
    rows = race_event_rows(race_id, since, most)
    context = viewer_context(race_id, viewer) if rows else None
    return [event_show(row, context) for row in rows] if context else []


def event_show(
    event: EventRow, context: ViewerContext, facts: Mapping[str, Any] | None = None
) -> races_schemas.RaceEvent:
    """One event as the viewer may see it; docs/races.md lists the kinds and fields.

    `facts` is its body if that has been parsed already.
    """
    body = json.loads(event.body) if facts is None else dict(facts)
    how = _disclosure(event, body, context.viewpoint)
    fields: dict[str, Any] = {"seq": event.seq, "kind": event.kind}
    fields["at"] = as_text(event.at)
    if how is Disclosure.HIDDEN:
        return {"seq": event.seq, "kind": HIDDEN, "at": as_text(event.at)}
    body.pop("told", None)
    if event.seat is not None:
        fields["player"] = context.names[event.seat]
        fields["seat"] = event.seat
    if event.rev is not None:
        fields["rev"] = event.rev
    if how is Disclosure.MASKED:
        body = {name: body[name] for name in MASKED_FIELDS if name in body}
        fields["masked"] = True
    fields |= _with_names(body, context.names)
    if "entrant" in fields:
        who = {"player": fields["player"], "seat": fields["seat"]}
        fields["entrant"] = {**who, **new_entrant(fields["entrant"], fields["at"])}
    if body.get("state") in PLAYED_OUT and context.starts_at is not None:
        fields["elapsed_ms"] = elapsed_ms(context.starts_at, event.at)
    if event.deadline_at is not None:
        fields["deadline_at"] = as_text(event.deadline_at)
    return cast("races_schemas.RaceEvent", fields)


def _disclosure(
    event: EventRow, body: Mapping[str, Any], viewpoint: Viewpoint
) -> Disclosure:
    return event_disclosure(event.kind, event.seat, event.needs, body, viewpoint)


def _with_names(body: Mapping[str, Any], names: Mapping[int, str]) -> dict[str, Any]:
    """The body with names added for seats."""
    fields = dict(body)
    if "host_seat" in fields:
        fields["host"] = names[fields.pop("host_seat")]
    if "results" in fields:
        fields["results"] = [
            {"player": names[result["seat"]], **result} for result in fields["results"]
        ]
    return fields


def race_show(loaded: LoadedRace, viewer: Viewer, at: datetime) -> races_schemas.Race:
    """The race as the viewer may see it, without their run and the seed."""
    race, own = loaded.race, loaded.entrant(viewer.account_id)
    facts = loaded.facts
    dungeon = race.dungeon
    host = next(
        entrant for entrant in loaded.entrants if entrant.account_id == race.host_id
    )
    changes = _changes(race)
    return {
        "id": race.id,
        "phase": str(race_phase(facts, at)),
        "held": race.held_at is not None,
        "ruleset": race.ruleset,
        "difficulty": race.difficulty,
        "format": race.format,
        "seats": race.seats,
        "rated": race.rated,
        "unrated_at": as_text(race.unrated_at),
        "gives_points": gives_points(is_rated=race.rated, is_paired=race.is_paired),
        "linked": race.is_linked and own is not None,
        "visibility": race.visibility,
        "time_limit_ms": race.time_limit_s * 1000,
        "start_mode": "host_or_all_ready",
        "seal": dungeon.seal if dungeon and race.starts_at else None,
        "seed": None,
        "made_at": as_text(race.made_at),
        "expires_at": as_text(race.expires_at),
        "starts_at": as_text(race.starts_at),
        "deadline_at": as_text(race.deadline_at),
        "seq": race.seq,
        "rev": race.rev,
        "host": player_name(host),
        "entrants": [
            entrant_show(
                race, entrant, changes.get(entrant.account_id), own=entrant is own
            )
            for entrant in loaded.entrants
            if entrant.left_at is None
        ],
        "run": None,
        "you": {
            "seat": own.seat if own else None,
            "player": player_name(own) if own else None,
        },
        "spectators": 0,
        "rematch": _rematch_id(race),
        "full_since": as_text(full_since(facts)),
        "seat_release_ms": _ms(RELEASE_AFTER) if facts.is_listed else None,
        "early_close_ms": _ms(GONE_FOR) if facts.format is Format.SCORE else None,
    }


def rating_step(change: RatingChange) -> int:
    """The rating change of a race, as the difference of the displayed ratings."""
    return round(change.rating_after) - round(change.rating_before)


def _ms(length: timedelta) -> int:
    return length // timedelta(milliseconds=1)


def _changes(race: Race) -> dict[str, RatingMove]:
    # Corrections have events of their own, so reading newer changes does no harm.
    if not race.rated or race.settled_at is None:
        return {}
    return rating_moves(race.rating_changes.all())


def _rematch_id(race: Race) -> str | None:
    rematch = getattr(race, "rematch", None)
    return rematch.id if rematch is not None else None


class RaceVersion(NamedTuple):
    """The last event and chat numbers of a race, and when it is next due."""

    seq: int
    chat: int
    due_at: datetime | None


def race_versions(race_ids: Iterable[str]) -> dict[str, RaceVersion]:
    """Each race's last event and chat numbers and next due time, in one query."""
    rows = Race.objects.filter(id__in=list(race_ids)).values_list(
        "id", "seq", "chat_count", "due_at"
    )
    return {
        race_id: RaceVersion(seq, chat, due_at) for race_id, seq, chat, due_at in rows
    }
