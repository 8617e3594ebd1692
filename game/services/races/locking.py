"""Locking a race and writing a transition of it.

Lock order: runs, then the race, then ratings, as in the SQL of a move; code that will
end runs calls `runs_lock` first. Entrants and events are written only under the race's
lock, and every event gets its number there, so numbers follow commits without a gap.
"""

import json
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from game.contest.errors import RaceRefusal
from game.contest.events import Event
from game.contest.race import EntrantFacts, EntrantKind, RaceFacts, next_due_at
from game.models import Entrant, Race, RaceEvent, Run
from game.selectors.core.times import as_text
from game.selectors.races.loading import LoadedRace, race_load
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.core.failpoints import failpoint
from game.services.core.notify import race_changed

_KINDS = {
    "race.not_host": Kind.FORBIDDEN,
    "race.not_entrant": Kind.FORBIDDEN,
    "race.rated_needs_account": Kind.FORBIDDEN,
}


@dataclass
class LockedRace:
    """A race under its lock: its rows by seat, and its state as read."""

    race: Race
    entrants: dict[int, Entrant]
    facts: RaceFacts

    @property
    def active(self) -> list[Entrant]:
        """The entrants who have not left, by seat."""
        return [
            entrant for entrant in self.entrants.values() if entrant.left_at is None
        ]


def runs_lock(race_id: str) -> None:
    """Lock the race's runs that are still being played, by id. Before `race_lock`."""
    playing = Run.objects.filter(race_id=race_id, status=Run.Status.PLAYING)
    list(playing.order_by("id").select_for_update(no_key=True).values_list("id"))


def race_lock(race_id: str) -> LockedRace:
    """Lock the race, then read it. Raises race.not_found."""
    # no_key: rows that refer to the race may be inserted meanwhile.
    lock = Race.objects.filter(id=race_id).select_for_update(no_key=True)
    if not lock.values_list("id").first():
        raise not_found("race")
    failpoint("after_lock")
    loaded = race_load(race_id)
    assert loaded is not None
    entrants = {entrant.seat: entrant for entrant in loaded.entrants}
    return LockedRace(loaded.race, entrants, loaded.facts)


def live_flags_match(loaded: LoadedRace) -> bool:
    """Whether no entrant has a live seat whose run has ended."""
    live = {entrant.seat for entrant in loaded.entrants if entrant.is_live}
    return all(
        _can_be_live(loaded.facts, entrant)
        for entrant in loaded.facts.entrants
        if entrant.seat in live
    )


def race_write(
    locked: LockedRace,
    facts: RaceFacts,
    events: tuple[Event, ...],
    at: datetime,
    ghost_run: Run | None = None,
) -> int:
    """Write the race, its entrants and the events; the number of the last event.

    Writes only what `facts` holds; the caller has saved runs, dungeon and places.
    `ghost_run` is the run that a ghost who joins here replays. Sockets are notified
    after the commit.
    """
    race = locked.race
    race.host_id = facts.host
    for name in ("starts_at", "deadline_at", "started_at", "closed_at"):
        setattr(race, name, getattr(facts, name))
    race.settled_at, race.cancelled_at = facts.settled_at, facts.cancelled_at
    race.held_at, race.voided_at = facts.held_at, facts.voided_at
    race.rated, race.paused_to = facts.rated, facts.paused_to
    race.unrated_at = facts.unrated_at
    due_at = next_due_at(facts)
    race.due_at = min(due_at, at) if due_at and facts.is_played_out else due_at
    race.changed_at = max(race.changed_at, at)
    race.rev += bool(events)
    _write_events(race, events, at)
    race.save()
    _write_entrants(locked, facts, at, ghost_run)
    failpoint("before_commit")
    if events:
        race_id, seq = race.id, race.seq
        transaction.on_commit(lambda: race_changed(race_id, seq))
    return race.seq


def _write_events(race: Race, events: tuple[Event, ...], at: datetime) -> None:
    rows = []
    for event in events:
        race.seq += 1
        rows.append(
            RaceEvent(
                race=race,
                seq=race.seq,
                kind=event.kind,
                at=event.at or at,
                seat=event.seat,
                needs=event.needs,
                body=json.dumps(
                    dict(event.body), separators=(",", ":"), default=as_text
                ),
                rev=race.rev,
                deadline_at=event.deadline_at,
            )
        )
    RaceEvent.objects.bulk_create(rows)


def _write_entrants(
    locked: LockedRace, facts: RaceFacts, at: datetime, ghost_run: Run | None
) -> None:
    begins = locked.race.starts_at is not None and locked.facts.starts_at is None
    # By account: two races with the same entrants lock the rows in the same order.
    for entrant in sorted(facts.entrants, key=lambda entrant: entrant.account):
        row = locked.entrants.get(entrant.seat)
        is_new = row is None
        if row is None:
            row = Entrant(
                race=locked.race,
                account_id=entrant.account,
                seat=entrant.seat,
                kind=entrant.kind,
            )
            row.ghost = ghost_run if entrant.kind is EntrantKind.GHOST else None
            locked.entrants[entrant.seat] = row
        if is_new or (row.left_at is not None and not entrant.has_left):
            row.joined_at, row.seen_at = entrant.joined_at or at, at
        before = _written_fields(row)
        row.is_ready, row.forfeits_at = entrant.is_ready, entrant.forfeits_at
        row.is_removed, row.is_invited = entrant.is_removed, entrant.is_invited
        row.unready_at = entrant.unready_since
        row.left_at = (row.left_at or at) if entrant.has_left else None
        row.is_present = row.is_present and not entrant.has_left
        # Set by the countdown alone, so that an account has to be free only there.
        row.is_live = (begins or row.is_live) and _can_be_live(facts, entrant)
        if before != _written_fields(row) or is_new:
            row.save()


def _written_fields(row: Entrant) -> tuple[object, ...]:
    return (
        row.is_ready,
        row.left_at,
        row.forfeits_at,
        row.is_removed,
        row.is_invited,
        row.unready_at,
        row.is_live,
    )


def _can_be_live(facts: RaceFacts, entrant: EntrantFacts) -> bool:
    """Whether the player is in the countdown or in their unfinished run."""
    engaged = facts.starts_at is not None and facts.cancelled_at is None
    unfinished = entrant.status in (None, "playing") and not entrant.has_left
    return engaged and unfinished and entrant.kind is EntrantKind.PLAYER


def service_refusal(refusal: RaceRefusal) -> ServiceRefusal:
    """The refusal of the pure functions as a service's refusal, with its kind."""
    kind = _KINDS.get(refusal.code, Kind.CONFLICT)
    return ServiceRefusal(kind, refusal.code, refusal.text, refusal.detail)
