"""Database effects of a race's transitions: dungeon, runs, places and ratings.

The pure functions of `game.contest` decide the transition; the functions here apply its
effects under the race's lock and add the results to the events.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

from game.contest.events import Event, EventKind, Transition
from game.contest.placing import EntrantResult, assign_places
from game.contest.race import EntrantState, Format, RaceFacts, entrant_state
from game.models import Dungeon, Entrant, Race, Run
from game.selectors.core.times import as_text, elapsed_ms
from game.selectors.races.loading import positions_shown
from game.services.boards.ratings import race_rate
from game.services.core.failpoints import failpoint
from game.services.races.bot_pacing import first_move_at
from game.services.races.leaver_penalty import (
    abandonment_record,
    countdown_leave_record,
)
from game.services.races.locking import LockedRace, race_write
from game.services.races.match_tickets import (
    ticket_delete_of_leaver,
    tickets_return_to_front,
)
from game.services.runs.dungeons import dungeon_create, seed_decrypt
from game.services.runs.programs import runs_mark_bots
from game.services.runs.runs import run_break_off, run_create


class EffectContext(NamedTuple):
    """Arguments of an effect. `facts` is the race after the transition."""

    locked: LockedRace
    facts: RaceFacts
    event: Event
    at: datetime


def apply_transition(
    locked: LockedRace,
    transition: Transition,
    at: datetime,
    ghost_run: Run | None = None,
) -> int:
    """Apply the effects of a transition and write it; return the last event's number.

    `ghost_run` is the run that a ghost joining in this transition replays.
    """
    after = transition.race
    if after == locked.facts and not transition.events:
        return locked.race.seq
    events = tuple(
        apply_effect(locked, after, event, at) for event in transition.events
    )
    return race_write(locked, after, events, at, ghost_run=ghost_run)


def apply_effect(
    locked: LockedRace, facts: RaceFacts, event: Event, at: datetime
) -> Event:
    """Apply the effect of an event; return the event with the results added."""
    effect = _EFFECTS.get(event.kind)
    return effect(EffectContext(locked, facts, event, at)) if effect else event


def _leave(context: EffectContext) -> Event:
    """Record who leaves a rated race in its countdown; end their ticket."""
    race, event = context.locked.race, context.event
    if context.locked.facts.starts_at is None:
        return event
    assert event.seat is not None
    entrant = context.locked.entrants[event.seat]
    ticket_delete_of_leaver(race.id, entrant.account_id)
    if race.rated and event.body["reason"] == "left":
        countdown_leave_record(race, entrant, at=context.at)
    return event


def _cancel(context: EffectContext) -> Event:
    """Return those who stayed, and came from the queue, to its front."""
    if context.locked.facts.starts_at is not None:
        tickets_return_to_front(context.locked.race.id, at=context.at)
    return context.event


def _begin_countdown(context: EffectContext) -> Event:
    """Draw the race's dungeon and publish its seal. A ghost's race already has one."""
    race = context.locked.race
    if race.dungeon is None:
        race.dungeon = dungeon_create(
            ruleset=race.ruleset, origin=Dungeon.Origin.RACE, at=context.at
        )
    return context.event.with_body(
        starts_at=as_text(context.facts.starts_at),
        deadline_at=as_text(context.facts.deadline_at),
        seal=race.dungeon.seal,
    )


def _start(context: EffectContext) -> Event:
    """Create each entrant's run, started at `starts_at`."""
    race, starts_at = context.locked.race, context.facts.starts_at
    assert race.dungeon is not None
    assert starts_at is not None
    for entrant in context.locked.active:
        entrant.run = run_create(
            account=entrant.account,
            dungeon=race.dungeon,
            kind=Run.Kind.RACE,
            difficulty=race.difficulty,
            at=starts_at,
            race_id=race.id,
        )
        entrant.turn_at = first_move_at(entrant, starts_at)
        entrant.save(update_fields=["run", "turn_at"])
    return context.event.with_body(
        starts_at=as_text(starts_at), deadline_at=as_text(context.facts.deadline_at)
    )


def _end_run(context: EffectContext) -> Event:
    """End a run by forfeit or deadline; record it if it abandons a rated race."""
    event = context.event
    assert event.seat is not None
    assert event.at is not None
    entrant = context.locked.entrants[event.seat]
    assert entrant.run is not None
    state = str(event.body["state"])
    forfeited = state == EntrantState.FORFEITED
    status = Run.Status.FORFEITED if forfeited else Run.Status.EXPIRED
    run = run_break_off(run_id=entrant.run.id, how=status, at=event.at)
    assert run is not None
    entrant.run = run
    abandonment_record(
        context.locked.race,
        entrant,
        state,
        idle=event.at - run.moved_at,
        are_others_playing=_are_others_playing(context, event.at),
    )
    if entrant.turn_at is not None:
        entrant.turn_at = None
        entrant.save(update_fields=["turn_at"])
    assert run.finished_at is not None
    return event.with_body(
        depth=run.faced,
        score=run.score,
        elapsed_ms=elapsed_ms(run.started_at, run.finished_at),
        told=True,
    )._replace(needs=positions_shown(run))


def _are_others_playing(context: EffectContext, ended_at: datetime) -> bool:
    """Whether any other entrant was still playing when that run ended."""
    return any(
        entrant.ended_at is None or entrant.ended_at > ended_at
        for entrant in context.facts.active
        if entrant.seat != context.event.seat
    )


def _close(context: EffectContext) -> Event:
    """Reveal the dungeon and all results; stop the bots."""
    race = context.locked.race
    dungeon = race.dungeon
    assert dungeon is not None
    if dungeon.revealed_at is None:
        dungeon.revealed_at = context.facts.closed_at
        dungeon.save(update_fields=["revealed_at"])
    Entrant.objects.filter(race=race, turn_at__isnull=False).update(turn_at=None)
    seed = seed_decrypt(dungeon.id, dungeon.seed_sealed)
    results = [_closed_result(entrant) for entrant in context.locked.active]
    return context.event.with_body(seed=seed, results=results)


def _closed_result(entrant: Entrant) -> dict[str, Any]:
    run = _finished_run(entrant)
    assert run.finished_at is not None
    state = entrant_state(
        status=run.status,
        moves=run.index,
        is_ready=True,
        is_disqualified=entrant.is_disqualified,
    )
    return {
        "seat": entrant.seat,
        "state": str(state),
        "depth": run.faced,
        "score": run.score,
        "elapsed_ms": elapsed_ms(run.started_at, run.finished_at),
        "run": run.id,
    }


def _settle(context: EffectContext) -> Event:
    """Write the places and, in a rated race, the rating changes."""
    race, entrants = context.locked.race, context.locked.active
    _mark_bots(entrants)
    place_of = race_placings(race, entrants)
    for entrant in entrants:
        entrant.place = place_of[entrant.seat]
        entrant.save(update_fields=["place"])
    failpoint("settle_mid")
    rated = race_rate(race, entrants, at=context.at) if race.rated else {}
    results = [
        {
            "seat": entrant.seat,
            "place": entrant.place,
            **rated.get(entrant.account_id, {}),
        }
        for entrant in entrants
    ]
    return context.event.with_body(rated=bool(rated), results=results)


def _mark_bots(entrants: list[Entrant]) -> None:
    """Mark the runs of accounts that became bots during the race."""
    runs = [_finished_run(entrant) for entrant in entrants]
    late = [run for run in runs if run.account.is_bot and not run.by_program]
    for run in late:
        run.by_program = True
    if late:
        runs_mark_bots(Run.objects.filter(id__in=[run.id for run in late]))


def race_placings(race: Race, entrants: list[Entrant]) -> dict[int, int | None]:
    """Return the place of each seat; None for disqualified entrants."""
    results = [placing_result(entrant) for entrant in entrants]
    return assign_places(Format(race.format), results)


def placing_result(entrant: Entrant) -> EntrantResult:
    """Return the result of an entrant whose run has ended."""
    run = _finished_run(entrant)
    assert run.score is not None
    assert run.finished_at is not None
    return EntrantResult(
        entrant.seat,
        run.status == Run.Status.CLEARED,
        run.score,
        elapsed_ms(run.started_at, run.finished_at),
        entrant.is_disqualified,
    )


def _finished_run(entrant: Entrant) -> Run:
    assert entrant.run is not None
    assert entrant.run.status != Run.Status.PLAYING
    return entrant.run


_EFFECTS: dict[EventKind, Callable[[EffectContext], Event]] = {
    EventKind.LEFT: _leave,
    EventKind.CANCELLED: _cancel,
    EventKind.COUNTDOWN_BEGUN: _begin_countdown,
    EventKind.STARTED: _start,
    EventKind.ENDED: _end_run,
    EventKind.CLOSED: _close,
    EventKind.SETTLED: _settle,
}
