"""Races as their viewers see them, with what selectors may not open: run and seed.

Looking is also coming by: whatever time has done to the race is carried out first.
"""

from datetime import datetime

from game.models import Race
from game.selectors.races import schemas as races_schemas
from game.selectors.races.chat import race_chat
from game.selectors.races.snapshots import Viewer, race_events, race_show
from game.selectors.races.tables import RaceTable, race_table
from game.selectors.runs.runs import row_of
from game.services.core.errors import not_found
from game.services.races.spectators import watching
from game.services.races.timeouts import race_due
from game.services.runs.dungeons import seed_open
from game.services.runs.runs import run_json


def race_snapshot(race_id: str, viewer: Viewer, at: datetime) -> races_schemas.Race:
    """The race for that viewer now, with `seq` and his own `run`.

    Whoever knows the id may look. Raises race.not_found.
    """
    race_due(race_id, at=at)
    table = race_table(race_id)
    if table is None:
        raise not_found("race")
    return snapshot_of(table, viewer, at)


def snapshot_of(table: RaceTable, viewer: Viewer, at: datetime) -> races_schemas.Race:
    """The same of a race that has just been read."""
    shown = race_show(table, viewer, at)
    race = table.race
    if race.closed_at is not None and race.dungeon is not None:
        shown["seed"] = seed_open(race.dungeon.id, race.dungeon.seed_sealed)
    shown["spectators"] = watching.count(race.id)
    own = table.entrant(viewer.account_id)
    if own is not None and own.run is not None:
        shown["run"] = run_json(row_of(own.run), at=at)
    return shown


def race_events_shown(
    race_id: str, since: int, viewer: Viewer, at: datetime, most: int = 500
) -> list[races_schemas.RaceEvent]:
    """The events after `since`, cut to that viewer. Raises race.not_found."""
    race_due(race_id, at=at)
    found = race_events(race_id, since, viewer, most)
    if not found and race_table(race_id) is None:
        raise not_found("race")
    return found


def race_chat_shown(
    race_id: str, viewer: Viewer, since: int, at: datetime
) -> list[races_schemas.ChatMessage]:
    """The messages after number `since` that the viewer may hear now.

    Raises race.not_found.
    """
    race_due(race_id, at=at)
    if not Race.objects.filter(id=race_id).exists():
        raise not_found("race")
    return race_chat(race_id, viewer, since, at)
