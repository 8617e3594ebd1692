"""Effects of acts on races: hold, void, disqualify, and their inverses.

Each runs under the race's lock and writes an event. Doing and undoing correct ratings
in the same way: `race_correct_ratings` adds to the ledger the difference between what
the race should have changed and what it has changed.
"""

from collections import defaultdict
from dataclasses import replace
from datetime import datetime
from typing import Any

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
from game.selectors.boards.ratings import rating_moves
from game.selectors.races.loading import race_facts
from game.services.boards.race_points import race_count_runs, race_points_update
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.moderation.corrections import race_correct_ratings
from game.services.moderation.effects_account import restrictions_refresh
from game.services.moderation.effects_run import runs_refresh_void
from game.services.moderation.notices import (
    notice_of_act,
    notice_of_lift,
    notice_of_refund,
)
from game.services.races.effects import apply_effect, race_placings
from game.services.races.leaver_penalty import abandonment_excuse
from game.services.races.locking import LockedRace, race_lock, race_write, runs_lock

_STARTED = (RacePhase.RUNNING, RacePhase.CLOSED, RacePhase.HELD, RacePhase.SETTLED)


def hold(act: Act) -> None:
    """Let the race be played to its end but not settled. Raises act.race_phase."""
    work = _lock_in_phase(
        act, (RacePhase.OPEN, RacePhase.COUNTDOWN, RacePhase.RUNNING, RacePhase.CLOSED)
    )
    _set_held(work, act, EventKind.HELD, held_at=act.changed_at)


def release(act: Act) -> None:
    """Let the race be settled, unless another act holds it."""
    work = _lock(act)
    holds = Act.objects.filter(kind=act.kind, target=act.target)
    if holds.filter(state=ActState.IN_FORCE).exists():
        return
    _set_held(work, act, EventKind.RELEASED, held_at=None)


def _set_held(
    work: LockedRace, act: Act, kind: EventKind, *, held_at: datetime | None
) -> None:
    at = act.changed_at
    facts = replace(work.facts, held_at=held_at)
    body = _phase_fields(facts, at)
    race_write(work, facts, (Event(kind, None, body),), at)


def void(act: Act) -> None:
    """End the race if it runs, and take it out of ratings, points and boards.

    Raises act.race_phase.
    """
    at = act.changed_at
    work = _lock_in_phase(act, _STARTED)
    facts, events = _end_now(work, work.facts, at)
    facts = replace(facts, voided_at=at, held_at=None)
    race_write(work, facts, events, at)
    race_correct_ratings(work.race, act=act, at=at)
    _write_event(work, EventKind.VOIDED, at)
    _update_points_and_records(work, at)
    notice_of_act(act, _player_ids(work), at=at)


def restore(act: Act) -> None:
    """Count the race again."""
    at = act.changed_at
    work = _lock(act)
    facts = replace(work.facts, voided_at=None)
    race_write(work, facts, (), at)
    race_correct_ratings(work.race, act=act.latest, at=at)
    _write_event(work, EventKind.RESTORED, at)
    _update_points_and_records(work, at)
    notice_of_lift(act, _player_ids(work), at=at)


def disqualify(act: Act) -> None:
    """Place the entrant last and void their run; the others move up.

    Raises act.race_phase, entrant.not_found, act.already.
    """
    work = _lock_in_phase(act, _STARTED)
    entrant = _entrant(work, act)
    if entrant.is_disqualified:
        raise ServiceRefusal(
            Kind.CONFLICT, "act.already", "That act is in force already."
        )
    _end_run(work, entrant, act.changed_at)
    _set_disqualified(work, entrant, act, is_disqualified=True)


def _end_run(work: LockedRace, entrant: Entrant, at: datetime) -> None:
    """End the entrant's run, if it is being played, in the way of a forfeit."""
    if entrant.run is None or entrant.run.status != Run.Status.PLAYING:
        return
    before = next(each for each in work.facts.entrants if each.seat == entrant.seat)
    facts = work.facts.with_entrant(replace(before, forfeits_at=at))
    decision = next_transition(facts, at)
    assert decision is not None
    events = tuple(
        apply_effect(work, decision.race, happened, at) for happened in decision.events
    )
    # The entrant did not forfeit: only `next_transition` needed that time.
    ended = next(each for each in decision.race.entrants if each.seat == entrant.seat)
    after = decision.race.with_entrant(replace(ended, forfeits_at=before.forfeits_at))
    race_write(work, after, events, at)
    abandonment_excuse(account_id=entrant.account_id, race_id=work.race.id, at=at)


def requalify(act: Act) -> None:
    """Count the entrant's result again. Raises entrant.not_found."""
    work = _lock(act)
    _set_disqualified(work, _entrant(work, act), act, is_disqualified=False)


def _set_disqualified(
    work: LockedRace, entrant: Entrant, act: Act, *, is_disqualified: bool
) -> None:
    """Set the mark, and compute places, ratings and points of a settled race again."""
    at = act.changed_at
    entrant.is_disqualified = is_disqualified
    entrant.save(update_fields=["is_disqualified"])
    if work.race.settled_at is not None:
        places = race_placings(work.race, work.active)
        for each in work.active:
            each.place = places[each.seat]
            each.save(update_fields=["place"])
        race_correct_ratings(work.race, act=act.latest, at=at)
    kind = EventKind.DISQUALIFIED if is_disqualified else EventKind.REQUALIFIED
    _write_event(work, kind, at, seat=entrant.seat)
    _update_points_and_records(work, at)


def refresh_cheat_mark(act: Act) -> None:
    """Leave a marked account's results out of rated play, or count them again.

    Gives back the rating points that others lost to the account, and notifies them.
    """
    assert act.subject_id is not None
    at = act.changed_at
    restrictions_refresh(act.subject_id)
    races = Race.objects.filter(
        rated=True,
        settled_at__isnull=False,
        entrants__account_id=act.subject_id,
        entrants__kind=Entrant.Kind.PLAYER,
    )
    refunds: dict[str, float] = defaultdict(float)
    for race_id in list(races.order_by("id").values_list("id", flat=True)):
        work = race_lock(race_id)
        corrected = race_correct_ratings(work.race, act=act.latest, at=at)
        if corrected:
            _write_event(work, EventKind.CORRECTED, at)
        for account_id, points in corrected.items():
            refunds[account_id] += points
    # Rating boards are updated by `changed_at`: they remove or add the account.
    Rating.objects.filter(account_id=act.subject_id).update(changed_at=at)
    for account_id, points in refunds.items():
        if round(points):
            notice_of_refund(act.latest, account_id, round(points), at=at)


def _update_points_and_records(work: LockedRace, at: datetime) -> None:
    """Compute the race's points, void runs and records again.

    Also the points of its players' later races of the day. In this order: points before
    records, as everywhere, so that the locks of boards cannot deadlock.
    """
    race_points_update(work.race)
    runs_refresh_void(work.race.runs.all(), at=at)
    race_count_runs(work.race)


def _end_now(
    work: LockedRace, facts: RaceFacts, at: datetime
) -> tuple[RaceFacts, tuple[Event, ...]]:
    """Return the race and events after moving its deadline to now, which ends it."""
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
            apply_effect(work, facts, happened, at)._replace(
                deadline_at=facts.deadline_at
            )
            for happened in decision.events
        )
    return facts, events


def _write_event(
    work: LockedRace,
    kind: EventKind,
    at: datetime,
    *,
    seat: int | None = None,
) -> None:
    """Write the event with the results of all entrants."""
    moves = rating_moves(work.race.rating_changes.all())
    results = []
    for entrant in work.active:
        line: dict[str, Any] = {"seat": entrant.seat, "state": str(_state(entrant))}
        if work.race.settled_at is not None:
            line["place"] = entrant.place
        move = moves.get(entrant.account_id)
        if move is not None:
            line |= {"rating_before": move.before, "rating_change": move.change}
        results.append(line)
    rows = [work.entrants[number] for number in sorted(work.entrants)]
    facts = race_facts(work.race, rows)
    body = {**_phase_fields(facts, at), "results": results}
    race_write(work, facts, (Event(kind, seat, body),), at)


def _phase_fields(facts: RaceFacts, at: datetime) -> dict[str, Any]:
    return {"phase": str(race_phase(facts, at)), "held": facts.held_at is not None}


def _state(entrant: Entrant) -> EntrantState:
    run = entrant.run
    return entrant_state(
        status=run.status if run else None,
        moves=run.index if run else 0,
        is_ready=entrant.is_ready,
        is_disqualified=entrant.is_disqualified,
    )


def _lock(act: Act) -> LockedRace:
    runs_lock(act.target)
    return race_lock(act.target)


def _lock_in_phase(act: Act, allowed: tuple[RacePhase, ...]) -> LockedRace:
    work = _lock(act)
    phase = race_phase(work.facts, act.changed_at)
    if phase not in allowed:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "act.race_phase",
            f"That is not possible while the race is {phase}.",
            {"phase": str(phase), "allowed": [str(option) for option in allowed]},
        )
    return work


def _entrant(work: LockedRace, act: Act) -> Entrant:
    for entrant in work.active:
        if entrant.account_id == act.subject_id and entrant.kind == Entrant.Kind.PLAYER:
            return entrant
    raise not_found("entrant")


def _player_ids(work: LockedRace) -> list[str]:
    return [
        entrant.account_id
        for entrant in work.active
        if entrant.kind == Entrant.Kind.PLAYER
    ]
