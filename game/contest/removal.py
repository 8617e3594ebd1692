"""Removes entrants from a race that has not started."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from game.contest.events import Event, EventKind, Transition
from game.contest.race import MIN_ENTRANTS, EntrantFacts, EntrantKind, RaceFacts


def remove_entrants(
    race: RaceFacts, seats: frozenset[int], reason: str, at: datetime
) -> Transition:
    """The race without the entrants of those seats; `reason` is sent with each event.

    A host who is removed is replaced by the next player. The race is cancelled if no
    player is left who came by themselves, and in its countdown if too few are left.
    """
    gone = [entrant for entrant in race.active if entrant.seat in seats]
    events = []
    for entrant in gone:
        race = race.with_entrant(
            replace(entrant, has_left=True, is_ready=False, unready_since=None)
        )
        players = _players(race)
        if players and race.host not in {player.account for player in players}:
            race = replace(race, host=players[0].account)
        host = race.entrant(race.host)
        body: dict[str, Any] = {"reason": reason}
        if host is not None:
            body["host_seat"] = host.seat
        events.append(Event(EventKind.LEFT, entrant.seat, body))
    cancelled_for = _cancel_reason(race)
    if cancelled_for is not None:
        race = replace(race, cancelled_at=at)
        events.append(Event(EventKind.CANCELLED, None, {"reason": cancelled_for}))
    return Transition(race, tuple(events))


def _players(race: RaceFacts) -> list[EntrantFacts]:
    """The players who came by themselves or have answered a rematch."""
    return [
        entrant
        for entrant in race.active
        if entrant.kind is EntrantKind.PLAYER and not entrant.is_invited
    ]


def _cancel_reason(race: RaceFacts) -> str | None:
    """Why the race cannot go on after somebody left; None if it can."""
    if not _players(race):
        return (
            "withdrawn"
            if any(entrant.is_invited for entrant in race.active)
            else "empty"
        )
    if race.starts_at is not None and len(race.active) < MIN_ENTRANTS:
        return "too_few"
    return None
