"""Makes races: by hand, by a quick match, against the house or a ghost, once more."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction

from game.contest.commands import Command, Join, Ready, apply_command
from game.contest.errors import RaceRefusal
from game.contest.events import Event, EventKind, Transition
from game.contest.race import OPEN_FOR, EntrantKind, RaceFacts, RacePhase, race_phase
from game.models import Account, Dungeon, Entrant, Race
from game.rules import DEFAULT_RULESET, find_ruleset
from game.selectors.races.schemas import RaceDone
from game.selectors.races.tables import facts_of, rating_pool_of
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.restrictions import Activity, require_allowed
from game.services.core.retry import retry_transaction
from game.services.races.bots import house_account
from game.services.races.command_base import race_act, written
from game.services.races.effects import carried_out
from game.services.races.ghosts import Ghost, ghost_of
from game.services.races.leaver_penalty import wait_refuse
from game.services.races.locking import RaceWork, race_lock, race_write, refusal_of
from game.services.races.timeouts import race_due


@dataclass(frozen=True, slots=True)
class RaceAsked:
    """A race as its maker wants it.

    `house` names a house player to sit down ready at once, `ghost` a revealed run to
    race against on its own dungeon; a race with either is unrated. With `ready` the
    maker is ready at once, so that such a race counts down as it is made.
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
    ready: bool = False


def race_make(*, account_id: str, asked: RaceAsked, at: datetime) -> RaceDone:
    """Make a race and sit down in it as its host.

    Raises UnknownRuleset, race.bounds, race.rated_needs_account, race.rated_with_house,
    race.no_such_house, what `ghost_of` raises, and what `require_allowed` does.
    """
    require_allowed(account_id, activity_of(rated=asked.rated), at=at)
    try:
        return _make(account_id, asked, at)
    except RaceRefusal as refusal:
        raise refusal_of(refusal) from refusal


@transaction.atomic
def _make(account_id: str, asked: RaceAsked, at: datetime) -> RaceDone:
    if asked.rated and (asked.house or asked.ghost):
        raise ServiceRefusal(
            Kind.CONFLICT,
            "race.rated_with_house",
            "Races against house players and ghosts are unrated.",
        )
    if asked.rated:
        wait_refuse(account_id, at=at)
    ghost = ghost_of(asked.ghost) if asked.ghost else None
    if ghost:
        # A ghost replays its own dungeon under the terms of its run.
        asked = replace(
            asked, ruleset=ghost.run.ruleset, difficulty=ghost.run.difficulty
        )
    dungeon = ghost.run.dungeon if ghost else None
    race = _create_row(account_id, asked, at, dungeon=dungeon)
    commands: list[Command] = [join_of(Account.objects.get(id=account_id))]
    if asked.house:
        commands.append(Join(house_account(asked.house).id, kind=EntrantKind.HOUSE))
    if ghost:
        commands.append(Join(ghost.account.id, kind=EntrantKind.GHOST))
    if asked.ready:
        commands.append(Ready(account_id))
    return _seated(race, commands, at, ghost)


def race_matched(
    *, accounts: Sequence[Account], asked: RaceAsked, at: datetime
) -> RaceDone:
    """A race of people who have agreed to it already: it counts down at once."""
    race = _create_row(accounts[0].id, asked, at)
    commands: list[Command] = [join_of(account) for account in accounts]
    commands += [Ready(account.id) for account in accounts]
    try:
        return _seated(race, commands, at)
    except RaceRefusal as refusal:
        raise refusal_of(refusal) from refusal


def _create_row(
    host_id: str,
    terms: RaceAsked,
    at: datetime,
    *,
    dungeon: Dungeon | None = None,
    rematch_of: Race | None = None,
) -> Race:
    """Insert an open race with these terms. Raises UnknownRuleset."""
    find_ruleset(terms.ruleset).difficulty(terms.difficulty)
    return Race.objects.create(
        host_id=host_id,
        dungeon=dungeon,
        ruleset=terms.ruleset,
        difficulty=terms.difficulty,
        format=terms.format,
        visibility=terms.visibility,
        seats=terms.seats,
        rated=terms.rated,
        time_limit_s=terms.time_limit_s,
        made_at=at,
        changed_at=at,
        expires_at=at + OPEN_FOR,
        due_at=at + OPEN_FOR,
        rematch_of=rematch_of,
    )


def _terms_of(race: Race) -> RaceAsked:
    """The terms of an existing race, for its rematch."""
    return RaceAsked(
        ruleset=race.ruleset,
        difficulty=race.difficulty,
        format=race.format,
        seats=race.seats,
        time_limit_s=race.time_limit_s,
        visibility=race.visibility,
        rated=race.rated,
    )


def _seated(
    race: Race, commands: Sequence[Command], at: datetime, ghost: Ghost | None = None
) -> RaceDone:
    """A new race with its first people sitting in it."""
    facts = facts_of(race, ())
    events: tuple[Event, ...] = (Event(EventKind.MADE, None, {"host_seat": 1}),)
    for command in commands:
        facts, came = apply_command(facts, command, at)
        events += came
    work = RaceWork(race, {}, facts)
    events = tuple(carried_out(work, facts, happened, at) for happened in events)
    seq = race_write(work, facts, events, at, ghost=ghost.run if ghost else None)
    return {"race_id": race.id, "seq": seq}


def activity_of(*, rated: bool) -> Activity:
    """What sitting down in such a race is, to whom something is barred."""
    return Activity.RATED if rated else Activity.PLAY


def join_of(account: Account) -> Join:
    """The command by which a person or program sits down."""
    return Join(account.id, rating_pool_of(account))


def race_rematch(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """The same people and terms once more, on a dungeon nobody has seen.

    Whoever asks first becomes its host; everybody who asks gets the same race, and a
    seat in it. Raises race.not_found, race.wrong_phase, race.not_entrant, and what
    `require_allowed` does.
    """
    rated = Race.objects.filter(id=race_id, rated=True).exists()
    require_allowed(account_id, activity_of(rated=rated), at=at)
    race_due(race_id, at=at)
    new_id, known = _rematch(account_id, race_id, at)
    if known:
        try:
            return race_act(new_id, join_of(Account.objects.get(id=account_id)), at)
        except ServiceRefusal as refusal:
            if refusal.code not in ("race.already_joined", "race.wrong_phase"):
                raise
    seq = Race.objects.values_list("seq", flat=True).get(id=new_id)
    return {"race_id": new_id, "seq": seq}


@retry_transaction
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
    race = _create_row(account_id, _terms_of(work.race), at, rematch_of=work.race)
    people = [one for one in work.active if one.kind != Entrant.Kind.GHOST]
    people.sort(key=lambda one: (one.account_id != account_id, one.seat))
    commands: list[Command] = [
        Join(
            one.account_id,
            rating_pool_of(one.account) if one.kind == Entrant.Kind.PLAYER else "",
            EntrantKind(one.kind),
        )
        for one in people
    ]
    _seated(race, commands, at)
    again = Event(EventKind.REMATCHED, None, {"race": race.id})
    written(work, Transition(work.facts, (again,)), at)
    return race.id, False


def _rematchable(work: RaceWork, account_id: str, at: datetime) -> None:
    facts: RaceFacts = work.facts
    now = race_phase(facts, at)
    if now not in (RacePhase.CLOSED, RacePhase.SETTLED):
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
