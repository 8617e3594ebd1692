"""A race taken under its lock, and what the pure machine decided written back.

Lock order is runs, then race, then ratings, as in the SQL of a move: whoever will end
runs calls `runs_lock` first. Entrants and events are written only under the race's
lock, and every event gets the next number there, so numbers follow commits.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from game.contest.errors import RaceRefusal
from game.contest.events import Event, Transition
from game.contest.race import EntrantFacts, EntrantKind, RaceFacts, next_due_at
from game.models import Entrant, Race, RaceEvent, Run
from game.selectors.core.times import as_text
from game.selectors.races.tables import RaceTable, facts_of, race_table
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.core.failpoints import failpoint
from game.services.core.notify import race_changed

_KINDS = {
    "race.not_host": Kind.FORBIDDEN,
    "race.not_entrant": Kind.FORBIDDEN,
    "race.rated_needs_account": Kind.FORBIDDEN,
}


@dataclass
class RaceWork:
    """A locked race, its rows by seat, and its value as read."""

    race: Race
    entrants: dict[int, Entrant]
    facts: RaceFacts

    @property
    def active(self) -> list[Entrant]:
        """The entrants who have not left, by seat."""
        return [one for one in self.entrants.values() if one.left_at is None]


def runs_lock(race_id: str) -> None:
    """Lock the race's runs that are still being played, by id. Before `race_lock`."""
    playing = Run.objects.filter(race_id=race_id, status=Run.Status.PLAYING)
    list(playing.order_by("id").select_for_update(no_key=True).values_list("id"))


def race_lock(race_id: str) -> RaceWork:
    """The race under its lock, read whole after it was had. Raises race.not_found."""
    # The key is not changed: rows that refer to the race may be written meanwhile.
    locked = Race.objects.filter(id=race_id).select_for_update(no_key=True)
    if not locked.values_list("id").first():
        raise not_found("race")
    failpoint("after_lock")
    table = race_table(race_id)
    assert table is not None
    return work_of(table)


def engagements_hold(table: RaceTable) -> bool:
    """Whether each entrant's row says rightly if this race engages him."""
    rows = {one.seat: one.is_rated_live for one in table.entrants}
    return all(
        rows.get(one.seat) == _rated_live(table.facts, one)
        for one in table.facts.entrants
    )


def work_of(table: RaceTable) -> RaceWork:
    """Work on a race that is locked, or that nobody else can know yet."""
    return RaceWork(table.race, {one.seat: one for one in table.entrants}, table.facts)


def race_write(
    work: RaceWork,
    facts: RaceFacts,
    events: tuple[Event, ...],
    at: datetime,
    ghost: Run | None = None,
) -> int:
    """Write the race as it is now, and what happened; the number it has come to.

    `facts` has to hold only what the pure machine decides; runs, dungeon and places
    have been put in by whoever calls, and `ghost` is the run that a ghost who sits down
    here replays. Calls `notify.race_changed` after the commit.
    """
    race = work.race
    race.host_id = facts.host
    for name in ("starts_at", "deadline_at", "started_at", "closed_at"):
        setattr(race, name, getattr(facts, name))
    race.settled_at, race.cancelled_at = facts.settled_at, facts.cancelled_at
    race.held_at, race.voided_at = facts.held_at, facts.voided_at
    race.due_at = next_due_at(facts)
    race.changed_at = max(race.changed_at, at)
    race.rev += bool(events)
    _write_events(race, events, at)
    race.save()
    _write_entrants(work, facts, at, ghost)
    failpoint("before_commit")
    if events:
        race_id, seq = race.id, race.seq
        transaction.on_commit(lambda: race_changed(race_id, seq))
    return race.seq


def _write_events(race: Race, events: tuple[Event, ...], at: datetime) -> None:
    rows = []
    for happened in events:
        race.seq += 1
        rows.append(
            RaceEvent(
                race=race,
                seq=race.seq,
                kind=happened.kind,
                at=happened.at or at,
                seat=happened.seat,
                needs=happened.needs,
                body=json.dumps(
                    dict(happened.body), separators=(",", ":"), default=as_text
                ),
                rev=race.rev,
                deadline_at=happened.deadline_at,
            )
        )
    RaceEvent.objects.bulk_create(rows)


def _write_entrants(
    work: RaceWork, facts: RaceFacts, at: datetime, ghost: Run | None
) -> None:
    # By account: two races that take the same people wait for each other in one order.
    for one in sorted(facts.entrants, key=lambda entrant: entrant.account):
        row = work.entrants.get(one.seat)
        if row is None:
            row = Entrant(
                race=work.race, account_id=one.account, seat=one.seat, kind=one.kind
            )
            row.joined_at = row.seen_at = at
            row.ghost = ghost if one.kind is EntrantKind.GHOST else None
            work.entrants[one.seat] = row
        before = (row.is_ready, row.left_at, row.forfeits_at, row.is_rated_live)
        row.is_ready, row.forfeits_at = one.ready, one.forfeits_at
        row.left_at = (row.left_at or at) if one.left else None
        row.is_present = row.is_present and not one.left
        row.is_rated_live = _rated_live(facts, one)
        after = (row.is_ready, row.left_at, row.forfeits_at, row.is_rated_live)
        if before != after or row.pk is None:
            row.save()


def _rated_live(facts: RaceFacts, one: EntrantFacts) -> bool:
    engaged = facts.starts_at is not None and facts.cancelled_at is None
    undone = one.status in (None, "playing") and not one.left
    return facts.rated and engaged and undone


def refusal_of(refusal: RaceRefusal) -> ServiceRefusal:
    """The pure machine's no as a service's."""
    kind = _KINDS.get(refusal.code, Kind.CONFLICT)
    return ServiceRefusal(kind, refusal.code, refusal.text, refusal.detail)


def with_body(happened: Event, **more: Any) -> Event:
    """The event with more facts in its body."""
    body: Mapping[str, Any] = {**happened.body, **more}
    return happened._replace(body=body)


__all__ = [
    "RaceWork",
    "Transition",
    "facts_of",
    "race_lock",
    "race_write",
    "refusal_of",
    "runs_lock",
    "with_body",
    "work_of",
]
