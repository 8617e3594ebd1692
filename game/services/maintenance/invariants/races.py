"""I4, I5, I6, I9, I11: races, their entrants and their stored events."""

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from game.contest.events import EventKind
from game.models import ChatMessage, Entrant, Move, Race, RaceEvent, Run
from game.rules import CARDS
from game.selectors.races.loading import LoadedRace, positions_shown, race_load
from game.services.maintenance.invariants.breach import Breach
from game.services.races.effects import race_placings
from game.services.runs.dungeons import dungeon_deck, seed_decrypt


def breaches() -> Iterator[Breach]:
    """Every breach in races."""
    for race_id in Race.objects.values_list("id", flat=True).iterator():
        table = race_load(race_id)
        if table is None:
            yield Breach("I5", f"race {race_id}", "has no entrants")
            continue
        events = list(RaceEvent.objects.filter(race_id=race_id).order_by("seq"))
        yield from _roster(table)
        yield from _numbers(table.race, events)
        yield from _move_events(table, events)
        yield from _secrets(table, events)


def _roster(table: LoadedRace) -> Iterator[Breach]:
    """Every entrant who did not leave has a run on the race's dungeon, and a place."""
    race, row = table.race, f"race {table.race.id}"
    active = [entrant for entrant in table.entrants if entrant.left_at is None]
    runs = set(Run.objects.filter(race=race).values_list("id", flat=True))
    if runs != {entrant.run_id for entrant in active if entrant.run_id is not None}:
        yield Breach("I5", row, "its runs are not its entrants' runs")
    for entrant in active:
        yield from _result(race, entrant)
    over = all(
        entrant.run is not None and entrant.run.score is not None for entrant in active
    )
    if race.settled_at is not None and over:
        placed = race_placings(race, active)
        if placed != {entrant.seat: entrant.place for entrant in active}:
            yield Breach("I9", row, "the places are not those of the results")


def _result(race: Race, entrant: Entrant) -> Iterator[Breach]:
    row = f"race {race.id} seat {entrant.seat}"
    run = entrant.run
    if (run is None) != (race.started_at is None):
        yield Breach("I5", row, "a run without a start, or a start without a run")
    if run is None:
        return
    if (run.dungeon_id, run.account_id) != (race.dungeon_id, entrant.account_id):
        yield Breach("I5", row, "the run is of another dungeon or account")
    if run.started_at != race.started_at:
        yield Breach("I5", row, "the run did not start with the race")
    if race.closed_at is not None and run.status == Run.Status.PLAYING:
        yield Breach("I4", row, "is still played in a race that has closed")


def _numbers(race: Race, events: list[RaceEvent]) -> Iterator[Breach]:
    row = f"race {race.id}"
    if [event.seq for event in events] != list(range(1, race.seq + 1)):
        yield Breach("I6", row, "the events are not numbered 1 to seq")
    for kind in (EventKind.STARTED, EventKind.CLOSED, EventKind.SETTLED):
        count = sum(event.kind == kind for event in events)
        has_happened = getattr(race, f"{kind}_at") is not None
        if count != has_happened:
            yield Breach("I6", row, f"{count} events {kind}")
    messages = ChatMessage.objects.filter(race=race).count()
    if messages != race.chat_count:
        yield Breach("I6", row, "the messages are not numbered 1 to their count")


def _move_events(table: LoadedRace, events: list[RaceEvent]) -> Iterator[Breach]:
    """Each move has one event, in the same order and with the same time."""
    by_seat: dict[int | None, list[Any]] = defaultdict(list)
    for event in events:
        if event.kind == EventKind.MOVED:
            body = json.loads(event.body)
            by_seat[event.seat].append((body["index"], body["move"], event.at))
    for entrant in table.entrants:
        moves = Move.objects.filter(run_id=entrant.run_id).order_by("index")
        played = (
            list(moves.values_list("index", "code", "at")) if entrant.run_id else []
        )
        if by_seat.pop(entrant.seat, []) != played:
            row = f"race {table.race.id} seat {entrant.seat}"
            yield Breach("I6", row, "its events are not its moves")
    if by_seat:
        yield Breach("I6", f"race {table.race.id}", "has moves of an empty seat")


def _secrets(table: LoadedRace, events: list[RaceEvent]) -> Iterator[Breach]:
    """No event contains cards beyond those that its `needs` requires to be shown."""
    race = table.race
    if race.dungeon is None:
        return
    row = f"race {race.id}"
    deck = dungeon_deck(race.dungeon.id, race.dungeon.seed_sealed)
    seed = seed_decrypt(race.dungeon.id, race.dungeon.seed_sealed)
    for event in events:
        if race.closed_at is None and seed in event.body:
            yield Breach("I11", row, f"event {event.seq} holds the seed")
        if event.kind == EventKind.CLOSED:
            continue
        beyond = _cards(json.loads(event.body)) - set(deck[: event.needs])
        if beyond:
            yield Breach("I11", row, f"event {event.seq} contains {sorted(beyond)}")
    for entrant in table.entrants:
        if entrant.run is not None and any(
            event.needs > positions_shown(entrant.run)
            for event in events
            if event.seat == entrant.seat
        ):
            yield Breach(
                "I11", f"{row} seat {entrant.seat}", "needs more than was shown"
            )


def _cards(value: Any) -> set[str]:
    if isinstance(value, dict):
        return {card for inner in value.values() for card in _cards(inner)}
    if isinstance(value, list):
        return {card for inner in value for card in _cards(inner)}
    if isinstance(value, str) and value[:2] in CARDS and len(value) <= 3:
        return {value[:2]}
    return set()
