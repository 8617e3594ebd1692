"""Race snapshots, events and chat for a viewer, after overdue transitions are applied.

Services, not selectors: reading a race advances it, and a snapshot includes the own run
and the revealed seed, which only services may decrypt.
"""

from datetime import datetime

from game.models import Race
from game.selectors.races import schemas
from game.selectors.races.chat import race_chat
from game.selectors.races.loading import LoadedRace, race_load
from game.selectors.races.snapshots import Viewer, race_events, race_show
from game.selectors.runs.runs import run_row
from game.services.core.errors import not_found
from game.services.races.spectators import spectator_counts
from game.services.races.timeouts import race_advance
from game.services.runs.dungeons import seed_decrypt
from game.services.runs.runs import run_json


def race_snapshot(race_id: str, viewer: Viewer, at: datetime) -> schemas.Race:
    """The race as that viewer may see it now, with `seq` and the viewer's own `run`.

    Anonymous viewers who know the id may read it. Raises race.not_found.
    """
    race_advance(race_id, at=at)
    loaded = race_load(race_id)
    if loaded is None:
        raise not_found("race")
    return snapshot_show(loaded, viewer, at)


def snapshot_show(loaded: LoadedRace, viewer: Viewer, at: datetime) -> schemas.Race:
    """`race_snapshot` of a race that is loaded already."""
    snapshot = race_show(loaded, viewer, at)
    race = loaded.race
    if race.closed_at is not None and race.dungeon is not None:
        snapshot["seed"] = seed_decrypt(race.dungeon.id, race.dungeon.seed_sealed)
    snapshot["spectators"] = spectator_counts.count(race.id)
    own = loaded.entrant(viewer.account_id)
    if own is not None and own.run is not None:
        snapshot["run"] = run_json(run_row(own.run), at=at)
    return snapshot


def race_events_for(
    race_id: str, since: int, viewer: Viewer, at: datetime, most: int = 500
) -> list[schemas.RaceEvent]:
    """The events after number `since` as the viewer may see them now.

    Raises race.not_found.
    """
    race_advance(race_id, at=at)
    events = race_events(race_id, since, viewer, most)
    if not events and race_load(race_id) is None:
        raise not_found("race")
    return events


def race_chat_for(
    race_id: str, viewer: Viewer, since: int, at: datetime
) -> list[schemas.ChatMessage]:
    """The messages after number `since` that the viewer may read now.

    Raises race.not_found.
    """
    race_advance(race_id, at=at)
    if not Race.objects.filter(id=race_id).exists():
        raise not_found("race")
    return race_chat(race_id, viewer, since, at)
