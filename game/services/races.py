"""What people do to races: make, join, leave, get ready, start, give up, once more.

Every act first lets time do what is overdue, then takes the race's lock, asks the pure
machine and writes what it decided; it answers {race_id, seq}.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from game.contest.commands import (
    Forfeit,
    Join,
    Leave,
    Ready,
    Start,
    TakeBack,
    Unready,
    decide,
)
from game.contest.errors import RaceRefusal
from game.contest.events import Decision, EventKind, Happened
from game.contest.race import OPEN_FOR, EntrantKind, Phase, RaceFacts, phase
from game.models import Account, Entrant, Race
from game.rules import DEFAULT_RULESET, find_ruleset
from game.selectors.race_tables import facts_of, pool_of
from game.services.again import tried_again
from game.services.errors import Kind, ServiceRefusal
from game.services.ghosts import Ghost, ghost_of
from game.services.house import house_account
from game.services.race_acts import race_act, written
from game.services.race_work import RaceWork, race_lock, race_write, refusal_of
from game.services.races_due import race_due


@dataclass(frozen=True, slots=True)
class RaceAsked:
    """A race as its maker wants it.

    `house` names a house player to sit down ready at once, `ghost` a revealed run to
    race against on its own dungeon; a race with either is unrated.
    """

    ruleset: str = DEFAULT_RULESET
    difficulty: str = "normal"
    format: str = Race.Format.SCORE
    seats: int = 2
    time_limit_s: int = 600
    visibility: str = Race.Visibility.PUBLIC
    rated: bool = False
    house: str | None = None
    ghost: str | None = None


def race_make(*, account_id: str, asked: RaceAsked, at: datetime) -> dict[str, Any]:
    """Make a race and sit down in it as its host.

    Raises UnknownRuleset, race.bounds, race.rated_needs_account, race.rated_with_house,
    race.no_such_house, and what `ghost_of` raises.
    """
    try:
        return _make(account_id, asked, at)
    except RaceRefusal as refusal:
        raise refusal_of(refusal) from refusal


@transaction.atomic
def _make(account_id: str, asked: RaceAsked, at: datetime) -> dict[str, Any]:
    if asked.rated and (asked.house or asked.ghost):
        raise ServiceRefusal(
            Kind.CONFLICT,
            "race.rated_with_house",
            "Races against house players and ghosts are unrated.",
        )
    ghost = ghost_of(asked.ghost) if asked.ghost else None
    race = _new_race(account_id, asked, ghost, at)
    commands = [_join(account_id)]
    if asked.house:
        commands.append(Join(house_account(asked.house).id, kind=EntrantKind.HOUSE))
    if ghost:
        commands.append(Join(ghost.account.id, kind=EntrantKind.GHOST))
    return _seated(race, commands, at, ghost)


def _new_race(
    account_id: str, asked: RaceAsked, ghost: Ghost | None, at: datetime
) -> Race:
    ruleset = ghost.run.ruleset if ghost else asked.ruleset
    difficulty = ghost.run.difficulty if ghost else asked.difficulty
    find_ruleset(ruleset).difficulty(difficulty)
    return Race.objects.create(
        host_id=account_id,
        dungeon=ghost.run.dungeon if ghost else None,
        ruleset=ruleset,
        difficulty=difficulty,
        format=asked.format,
        visibility=asked.visibility,
        seats=asked.seats,
        rated=asked.rated,
        time_limit_s=asked.time_limit_s,
        made_at=at,
        changed_at=at,
        expires_at=at + OPEN_FOR,
        due_at=at + OPEN_FOR,
    )


def _seated(
    race: Race, commands: list[Join], at: datetime, ghost: Ghost | None = None
) -> dict[str, Any]:
    """A new race with its first people sitting in it."""
    facts = facts_of(race, ())
    events: tuple[Happened, ...] = (Happened(EventKind.MADE, None, {"host_seat": 1}),)
    for command in commands:
        facts, joined = decide(facts, command, at)
        events += joined
    work = RaceWork(race, {}, facts)
    seq = race_write(work, facts, events, at, ghost=ghost.run if ghost else None)
    return {"race_id": race.id, "seq": seq}


def race_join(*, account_id: str, race_id: str, at: datetime) -> dict[str, Any]:
    """Take a seat. Raises race.not_found, race.wrong_phase, race.full,
    race.already_joined, race.rated_needs_account, race.rated_one_pool.
    """
    return race_act(race_id, _join(account_id), at)


def _join(account_id: str) -> Join:
    return Join(account_id, pool_of(Account.objects.get(id=account_id)))


def race_leave(*, account_id: str, race_id: str, at: datetime) -> dict[str, Any]:
    """Give up a seat before the start; the next player becomes host."""
    return race_act(race_id, Leave(account_id), at)


def race_ready(*, account_id: str, race_id: str, at: datetime) -> dict[str, Any]:
    """Be ready; when all are, the countdown begins. Raises race.one_rated."""
    return race_act(race_id, Ready(account_id), at)


def race_unready(*, account_id: str, race_id: str, at: datetime) -> dict[str, Any]:
    """Be ready no longer."""
    return race_act(race_id, Unready(account_id), at)


def race_start(*, account_id: str, race_id: str, at: datetime) -> dict[str, Any]:
    """The host begins the countdown; in a rated race without those not ready.

    Raises race.not_host, race.too_few, race.one_rated.
    """
    return race_act(race_id, Start(account_id), at)


def race_forfeit(*, account_id: str, race_id: str, at: datetime) -> dict[str, Any]:
    """Give up, in force after five seconds. Raises race.already_over."""
    return race_act(race_id, Forfeit(account_id), at)


def race_unforfeit(*, account_id: str, race_id: str, at: datetime) -> dict[str, Any]:
    """Take that back in time. Raises race.take_back_too_late."""
    return race_act(race_id, TakeBack(account_id), at)


def race_rematch(*, account_id: str, race_id: str, at: datetime) -> dict[str, Any]:
    """The same people and terms once more, on a dungeon nobody has seen.

    Whoever asks first becomes its host; everybody who asks gets the same race, and a
    seat in it. Raises race.not_found, race.wrong_phase, race.not_entrant.
    """
    race_due(race_id, at=at)
    new_id, known = _rematch(account_id, race_id, at)
    if known:
        try:
            return race_act(new_id, _join(account_id), at)
        except ServiceRefusal as refusal:
            if refusal.code not in ("race.already_joined", "race.wrong_phase"):
                raise
    seq = Race.objects.values_list("seq", flat=True).get(id=new_id)
    return {"race_id": new_id, "seq": seq}


@tried_again
@transaction.atomic
def _rematch(account_id: str, race_id: str, at: datetime) -> tuple[str, bool]:
    """The race's rematch, and whether it was there already."""
    work = race_lock(race_id)
    _rematchable(work, account_id, at)
    known = Race.objects.filter(rematch_of_id=race_id).first()
    if known is not None and known.cancelled_at is None:
        return known.id, True
    if known is not None:
        Race.objects.filter(id=known.id).update(rematch_of=None)
    race = _like(work.race, account_id, at)
    people = [one for one in work.active if one.kind != Entrant.Kind.GHOST]
    people.sort(key=lambda one: (one.account_id != account_id, one.seat))
    commands = [
        Join(
            one.account_id,
            pool_of(one.account) if one.kind == Entrant.Kind.PLAYER else "",
            EntrantKind(one.kind),
        )
        for one in people
    ]
    _seated(race, commands, at)
    again = Happened(EventKind.REMATCHED, None, {"race": race.id})
    written(work, Decision(work.facts, (again,)), at)
    return race.id, False


def _rematchable(work: RaceWork, account_id: str, at: datetime) -> None:
    facts: RaceFacts = work.facts
    now = phase(facts, at)
    if now not in (Phase.CLOSED, Phase.SETTLED):
        raise ServiceRefusal(
            Kind.CONFLICT,
            "race.wrong_phase",
            f"A rematch follows a race that is over; this one is {now}.",
            {"phase": str(now), "allowed": ["closed", "settled"]},
        )
    own = facts.entrant(account_id)
    if own is None or own.left:
        raise ServiceRefusal(
            Kind.FORBIDDEN, "race.not_entrant", "You were not in this race."
        )


def _like(old: Race, host_id: str, at: datetime) -> Race:
    return Race.objects.create(
        host_id=host_id,
        ruleset=old.ruleset,
        difficulty=old.difficulty,
        format=old.format,
        visibility=old.visibility,
        seats=old.seats,
        rated=old.rated,
        time_limit_s=old.time_limit_s,
        made_at=at,
        changed_at=at,
        expires_at=at + OPEN_FOR,
        due_at=at + OPEN_FOR,
        rematch_of=old,
    )
