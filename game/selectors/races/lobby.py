"""The lobby: public races that can be joined or watched.

The newest race of each host comes first, then the second of each, and so on; so one
host cannot fill the first page.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet, Sum, Window
from django.db.models.functions import RowNumber

from game.contest.race import race_phase
from game.models import Entrant, Race
from game.selectors.core.times import as_text
from game.selectors.races import schemas as races_schemas
from game.selectors.races.entrants import player_name
from game.selectors.races.loading import entrant_kind, race_facts

LOBBY_ORDER = ("nth_of_host", "-made_at", "-id")


def lobby_races(at: datetime, **terms: str) -> QuerySet[Race]:
    """The public races that are open or running at that time, with `nth_of_host`.

    `terms` are columns, such as format="score". `nth_of_host` is 1 for the newest of
    the host's races among them.
    """
    live = _live().filter(Q(starts_at=None, expires_at__gt=at) | Q(deadline_at__gt=at))
    return live.filter(**terms).annotate(
        nth_of_host=Window(
            RowNumber(),
            partition_by="host_id",
            order_by=[F("made_at").desc(), F("id").desc()],
        )
    )


def _live() -> QuerySet[Race]:
    return Race.objects.filter(
        visibility=Race.Visibility.PUBLIC, closed_at=None, cancelled_at=None
    )


def lobby_list(
    at: datetime, watchers: Callable[[str], int], most: int = 100
) -> list[races_schemas.LobbyRace]:
    """The first public races in the order of the lobby, as entries of `lobby_show`."""
    return lobby_show(lobby_races(at).order_by(*LOBBY_ORDER)[:most], at, watchers)


def lobby_show(
    races: Sequence[Race] | QuerySet[Race],
    at: datetime,
    watchers: Callable[[str], int],
) -> list[races_schemas.LobbyRace]:
    """Lobby entries: the race's terms, phase, entrants and number of spectators.

    `watchers` returns the number of spectators of a race id.
    """
    shown_races = list(races)
    entrants: dict[str, list[Entrant]] = {race.id: [] for race in shown_races}
    for entrant in (
        Entrant.objects.filter(race__in=shown_races)
        .select_related("account", "run", "ghost__account")
        .order_by("seat")
    ):
        entrants[entrant.race_id].append(entrant)
    return [
        _entry(race, entrants[race.id], at, spectators=watchers(race.id))
        for race in shown_races
    ]


def _entry(
    race: Race, entrants: list[Entrant], at: datetime, *, spectators: int
) -> races_schemas.LobbyRace:
    facts = race_facts(race, entrants)
    active = [entrant for entrant in entrants if entrant.left_at is None]
    host = [
        player_name(entrant)
        for entrant in entrants
        if entrant.account_id == race.host_id
    ]
    return {
        "id": race.id,
        "phase": str(race_phase(facts, at)),
        "ruleset": race.ruleset,
        "difficulty": race.difficulty,
        "format": race.format,
        "seats": race.seats,
        "rated": race.rated,
        "time_limit_ms": race.time_limit_s * 1000,
        "host": host[0] if host else None,
        "entrants": [
            {
                "player": player_name(entrant),
                "kind": entrant_kind(entrant),
                "state": str(fact.state),
                "depth": entrant.run.faced if entrant.run else 0,
            }
            for entrant, fact in zip(active, facts.active, strict=True)
        ],
        "spectators": spectators,
        "made_at": as_text(race.made_at),
        "expires_at": as_text(race.expires_at),
        "starts_at": as_text(race.starts_at),
        "deadline_at": as_text(race.deadline_at),
    }


def lobby_version() -> tuple[Any, ...]:
    """A value that changes whenever a race of the lobby changes, except by moves."""
    totals = _live().aggregate(
        races=Count("id"),
        revs=Sum("rev"),
        newest=Max("made_at"),
        live=Count("id", filter=Q(starts_at__isnull=False)),
    )
    return (totals["races"], totals["revs"], totals["newest"], totals["live"])
