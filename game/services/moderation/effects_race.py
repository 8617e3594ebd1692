"""Acts on races: hold, void, disqualify; and back. Under the race's lock, with events.

What a race should have done to ratings is always worked out anew from how it now stands
(`race_correct`), and the difference is added to the ledger: the same way both ways.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from game.contest.calendar import day_of
from game.contest.events import Event, EventKind
from game.contest.moderation.acts import ActState
from game.contest.race import (
    EntrantState,
    RaceFacts,
    RacePhase,
    entrant_state,
    race_phase,
)
from game.contest.timed_transitions import next_transition
from game.models import Act, Entrant, Race, Rating, Run
from game.selectors.boards.rating_changes import rating_moves
from game.selectors.races.tables import facts_of
from game.services.boards.points import points_write, race_points_write
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.moderation.corrections import race_correct
from game.services.moderation.effect_context import Effected
from game.services.moderation.effects_account import standing_refresh
from game.services.moderation.effects_run import runs_remark
from game.services.moderation.notices import (
    notice_of_act,
    notice_of_lift,
    notice_of_refund,
)
from game.services.races.effects import carried_out, race_places
from game.services.races.leaver_penalty import leaving_excuse
from game.services.races.locking import RaceWork, race_lock, race_write, runs_lock

_PLAYED = (RacePhase.RUNNING, RacePhase.CLOSED, RacePhase.HELD, RacePhase.SETTLED)


def hold(it: Effected) -> None:
    """Play it to its end, and do not settle it. Raises act.race_phase."""
    work = _locked(
        it.act,
        it.at,
        (RacePhase.OPEN, RacePhase.COUNTDOWN, RacePhase.RUNNING, RacePhase.CLOSED),
    )
    facts = replace(work.facts, held_at=it.at)
    body = _stands(facts, it.at)
    race_write(work, facts, (Event(EventKind.HELD, None, body),), it.at)


def release(it: Effected) -> None:
    """Let it be settled; whoever comes by next does that. Unless another holds it."""
    work = _work(it.act)
    held = Act.objects.filter(kind=it.act.kind, target=it.act.target)
    if held.filter(state=ActState.IN_FORCE).exists():
        return
    facts = replace(work.facts, held_at=None)
    body = _stands(facts, it.at)
    race_write(work, facts, (Event(EventKind.RELEASED, None, body),), it.at)


def void(it: Effected) -> None:
    """Take it out of the record, ratings, points and runs; end it if it still runs."""
    work = _locked(it.act, it.at, _PLAYED)
    facts, events = _ended_now(work, work.facts, it.at)
    facts = replace(facts, voided_at=it.at, held_at=None)
    race_write(work, facts, events, it.at)
    race_correct(work.race, act=it.act, at=it.at)
    _told(work, EventKind.VOIDED, it.at)
    _recount(work, it.at)
    notice_of_act(it.act, _people(work), at=it.at)


def restore(it: Effected) -> None:
    """Put it back into the record."""
    work = _work(it.act)
    facts = replace(work.facts, voided_at=None)
    race_write(work, facts, (), it.at)
    race_correct(work.race, act=it.by, at=it.at)
    _told(work, EventKind.RESTORED, it.at)
    _recount(work, it.at)
    notice_of_lift(it.act, _people(work), at=it.at)


def disqualify(it: Effected) -> None:
    """The entrant's result comes last and counts for nothing; the others move up."""
    work = _locked(it.act, it.at, _PLAYED)
    one = _entrant(work, it.act)
    if one.is_disqualified:
        raise ServiceRefusal(Kind.CONFLICT, "act.already", "That is in force already.")
    _break_off(work, one, it.at)
    _judge(work, one, it.act, EventKind.DISQUALIFIED, it.at, out=True)


def _break_off(work: RaceWork, one: Entrant, at: datetime) -> None:
    """End his run, if it still goes on, as by a forfeit that is in force."""
    if one.run is None or one.run.status != Run.Status.PLAYING:
        return
    seat = next(each for each in work.facts.entrants if each.seat == one.seat)
    facts = work.facts.with_entrant(replace(seat, forfeits_at=at))
    decision = next_transition(facts, at)
    assert decision is not None
    events = tuple(
        carried_out(work, decision.race, happened, at) for happened in decision.events
    )
    # It was no forfeit of his; the instant was for `due` alone.
    ended = next(each for each in decision.race.entrants if each.seat == one.seat)
    after = decision.race.with_entrant(replace(ended, forfeits_at=seat.forfeits_at))
    race_write(work, after, events, at)
    leaving_excuse(account_id=one.account_id, race_id=work.race.id, at=at)


def requalify(it: Effected) -> None:
    """His result counts again."""
    work = _work(it.act)
    _judge(work, _entrant(work, it.act), it.by, EventKind.REQUALIFIED, it.at, out=False)


def _judge(
    work: RaceWork, one: Entrant, act: Act, kind: EventKind, at: datetime, *, out: bool
) -> None:
    """Mark the entrant, and give places, ratings and points anew if they were given."""
    one.is_disqualified = out
    one.save(update_fields=["is_disqualified"])
    if work.race.settled_at is not None:
        placed = race_places(work.race, work.active)
        for each in work.active:
            each.place = placed[each.seat]
            each.save(update_fields=["place"])
        race_correct(work.race, act=act, at=at)
    _told(work, kind, at, seat=one.seat)
    _recount(work, at)


def mark_cheat(it: Effected) -> None:
    """Leave the account's results out of rated play, so that what others lost to it is
    given back; or count them again, once the mark is gone.
    """
    assert it.act.subject_id is not None
    standing_refresh(it.act.subject_id)
    races = Race.objects.filter(
        rated=True,
        settled_at__isnull=False,
        entrants__account_id=it.act.subject_id,
        entrants__kind=Entrant.Kind.PLAYER,
    )
    given: dict[str, float] = defaultdict(float)
    for race_id in list(races.order_by("id").values_list("id", flat=True)):
        work = race_lock(race_id)
        gained = race_correct(work.race, act=it.by, at=it.at)
        if gained:
            _told(work, EventKind.CORRECTED, it.at)
        for account_id, points in gained.items():
            given[account_id] += points
    # The boards of ratings take the account off, or on again.
    Rating.objects.filter(account_id=it.act.subject_id).update(changed_at=it.at)
    for account_id, points in given.items():
        if round(points):
            notice_of_refund(it.by, account_id, round(points), at=it.at)


def _recount(work: RaceWork, at: datetime) -> None:
    """Points and records of the race as it now stands."""
    race = work.race
    runs_remark(work.race.runs.all(), at=at)
    if not race.rated or race.settled_at is None:
        return
    if race.voided_at is None:
        race_points_write(race)
    else:
        on = day_of(race.settled_at)
        points_write(source=race.id, ruleset=race.ruleset, on=on, points=[])


def _ended_now(
    work: RaceWork, facts: RaceFacts, at: datetime
) -> tuple[RaceFacts, tuple[Event, ...]]:
    """The race ended as by a deadline that is now: runs break off, all is revealed."""
    events: tuple[Event, ...] = ()
    if facts.closed_at is not None:
        return facts, events
    assert facts.deadline_at is not None
    facts = replace(facts, deadline_at=min(facts.deadline_at, at))
    while facts.closed_at is None:
        decision = next_transition(facts, at)
        assert decision is not None
        facts = decision.race
        events += tuple(
            carried_out(work, facts, happened, at)._replace(
                deadline_at=facts.deadline_at
            )
            for happened in decision.events
        )
    return facts, events


def _told(
    work: RaceWork,
    kind: EventKind,
    at: datetime,
    *,
    seat: int | None = None,
) -> None:
    """Write the event with how the entrants now stand."""
    moves = rating_moves(work.race.rating_changes.all())
    results = []
    for one in work.active:
        line: dict[str, Any] = {"seat": one.seat, "state": str(_state(one))}
        if work.race.settled_at is not None:
            line["place"] = one.place
        move = moves.get(one.account_id)
        if move is not None:
            line |= {"rating_before": move.before, "rating_change": move.change}
        results.append(line)
    rows = [work.entrants[number] for number in sorted(work.entrants)]
    facts = facts_of(work.race, rows)
    body = {**_stands(facts, at), "results": results}
    race_write(work, facts, (Event(kind, seat, body),), at)


def _stands(facts: RaceFacts, at: datetime) -> dict[str, Any]:
    return {"phase": str(race_phase(facts, at)), "held": facts.held_at is not None}


def _state(one: Entrant) -> EntrantState:
    run = one.run
    return entrant_state(
        status=run.status if run else None,
        moves=run.index if run else 0,
        ready=one.is_ready,
        disqualified=one.is_disqualified,
    )


def _work(act: Act) -> RaceWork:
    runs_lock(act.target)
    return race_lock(act.target)


def _locked(act: Act, at: datetime, allowed: tuple[RacePhase, ...]) -> RaceWork:
    work = _work(act)
    stands = race_phase(work.facts, at)
    if stands not in allowed:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "act.race_phase",
            f"That cannot be done to a race that is {stands}.",
            {"phase": str(stands), "allowed": [str(one) for one in allowed]},
        )
    return work


def _entrant(work: RaceWork, act: Act) -> Entrant:
    for one in work.active:
        if one.account_id == act.subject_id and one.kind == Entrant.Kind.PLAYER:
            return one
    raise not_found("entrant")


def _people(work: RaceWork) -> Iterable[str]:
    return [one.account_id for one in work.active if one.kind == Entrant.Kind.PLAYER]
