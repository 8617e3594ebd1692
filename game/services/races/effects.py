"""What a race's transitions do to dungeons, runs and ratings, and so to their events.

The pure machine says that something happened; here it is carried out under the race's
lock and its facts are filled in.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

from game.contest.events import Event, EventKind
from game.contest.placing import EntrantResult, assign_places
from game.contest.race import Format, RaceFacts, entrant_state
from game.models import Dungeon, Entrant, Race, Run
from game.selectors.core.times import as_text, elapsed_ms
from game.selectors.races.tables import shown_of
from game.services.boards.ratings import race_rate
from game.services.core.failpoints import failpoint
from game.services.races.bot_pacing import first_turn
from game.services.races.leaver_penalty import leaving_note
from game.services.races.locking import RaceWork, with_body
from game.services.runs.dungeons import dungeon_draw, seed_open
from game.services.runs.runs import run_break_off, run_create

_HOW = {"forfeited": Run.Status.FORFEITED}


class _Act(NamedTuple):
    """What an effect works on; `facts` is the race as it is to be."""

    work: RaceWork
    facts: RaceFacts
    happened: Event
    at: datetime


def carried_out(
    work: RaceWork, facts: RaceFacts, happened: Event, at: datetime
) -> Event:
    """Do what the event stands for; the event with the facts that came of it."""
    carry = _EFFECTS.get(happened.kind)
    return carry(_Act(work, facts, happened, at)) if carry else happened


def _count_down(act: _Act) -> Event:
    """Draw and seal the dungeon, unless the race is against a ghost and has one."""
    race = act.work.race
    if race.dungeon is None:
        race.dungeon = dungeon_draw(
            ruleset=race.ruleset, origin=Dungeon.Origin.RACE, at=act.at
        )
    return with_body(
        act.happened,
        starts_at=as_text(act.facts.starts_at),
        deadline_at=as_text(act.facts.deadline_at),
        seal=race.dungeon.seal,
    )


def _start(act: _Act) -> Event:
    """Deal everybody's run, as of the start."""
    race = act.work.race
    assert race.dungeon is not None
    assert act.facts.starts_at is not None
    for one in act.work.active:
        one.run = run_create(
            account=one.account,
            dungeon=race.dungeon,
            kind=Run.Kind.RACE,
            difficulty=race.difficulty,
            at=act.facts.starts_at,
            race_id=race.id,
        )
        one.turn_at = first_turn(one, act.facts.starts_at)
        one.save(update_fields=["run", "turn_at"])
    return with_body(
        act.happened,
        starts_at=as_text(act.facts.starts_at),
        deadline_at=as_text(act.facts.deadline_at),
    )


def _end(act: _Act) -> Event:
    """Break the run off: a forfeit come into force, or the deadline."""
    assert act.happened.seat is not None
    one = act.work.entrants[act.happened.seat]
    assert one.run is not None
    assert act.happened.at is not None
    state = str(act.happened.body["state"])
    how = _HOW.get(state, Run.Status.EXPIRED)
    run = run_break_off(run_id=one.run.id, how=how, at=act.happened.at)
    assert run is not None
    one.run = run
    leaving_note(
        act.work.race,
        one,
        state,
        idle=act.happened.at - run.moved_at,
        others_playing=_others_playing(act),
    )
    if one.turn_at is not None:
        one.turn_at = None
        one.save(update_fields=["turn_at"])
    assert run.finished_at is not None
    body = {
        "depth": run.faced,
        "score": run.score,
        "elapsed_ms": elapsed_ms(run.started_at, run.finished_at),
        "told": True,
    }
    return with_body(act.happened, **body)._replace(needs=shown_of(run))


def _others_playing(act: _Act) -> bool:
    """Whether anybody else was still playing when that run was broken off."""
    assert act.happened.at is not None
    return any(
        one.ended_at is None or one.ended_at > act.happened.at
        for one in act.facts.active
        if one.seat != act.happened.seat
    )


def _close(act: _Act) -> Event:
    """The last run is over: the dungeon is revealed, and everything with it."""
    race = act.work.race
    dungeon = race.dungeon
    assert dungeon is not None
    if dungeon.revealed_at is None:
        dungeon.revealed_at = act.facts.closed_at
        dungeon.save(update_fields=["revealed_at"])
    Entrant.objects.filter(race=race, turn_at__isnull=False).update(turn_at=None)
    seed = seed_open(dungeon.id, dungeon.seed_sealed)
    results = [_outcome(one) for one in act.work.active]
    return with_body(act.happened, seed=seed, results=results)


def _outcome(one: Entrant) -> dict[str, Any]:
    run = _run_over(one)
    assert run.finished_at is not None
    state = entrant_state(
        status=run.status,
        moves=run.index,
        ready=True,
        disqualified=one.is_disqualified,
    )
    return {
        "seat": one.seat,
        "state": str(state),
        "depth": run.faced,
        "score": run.score,
        "elapsed_ms": elapsed_ms(run.started_at, run.finished_at),
        "run": run.id,
    }


def _settle(act: _Act) -> Event:
    """Give the places, and apply the ratings: once a race."""
    race = act.work.race
    placed = race_places(race, act.work.active)
    for one in act.work.active:
        one.place = placed[one.seat]
        one.save(update_fields=["place"])
    failpoint("settle_mid")
    rated = race_rate(race, act.work.active, at=act.at) if race.rated else {}
    results = [
        {"seat": one.seat, "place": one.place, **rated.get(one.account_id, {})}
        for one in act.work.active
    ]
    return with_body(act.happened, rated=bool(rated), results=results)


def race_places(race: Race, entrants: list[Entrant]) -> dict[int, int | None]:
    """The place of each seat, by the one comparator."""
    return assign_places(Format(race.format), [result_of(one) for one in entrants])


def result_of(one: Entrant) -> EntrantResult:
    """What an entrant came to, for placing."""
    run = _run_over(one)
    assert run.score is not None
    assert run.finished_at is not None
    return EntrantResult(
        one.seat,
        run.status == Run.Status.CLEARED,
        run.score,
        elapsed_ms(run.started_at, run.finished_at),
        one.is_disqualified,
    )


def _run_over(one: Entrant) -> Run:
    assert one.run is not None
    assert one.run.status != Run.Status.PLAYING
    return one.run


_EFFECTS: dict[EventKind, Callable[[_Act], Event]] = {
    EventKind.COUNTDOWN_BEGUN: _count_down,
    EventKind.STARTED: _start,
    EventKind.ENDED: _end,
    EventKind.CLOSED: _close,
    EventKind.SETTLED: _settle,
}
