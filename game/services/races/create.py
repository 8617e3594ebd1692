"""Creation of races: by a player, by matchmaking, and as a rematch."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction

from game.contest.commands import Command, Join, Ready, apply_command
from game.contest.errors import RaceRefusal
from game.contest.events import Event, EventKind, Transition
from game.contest.race import OPEN_FOR, EntrantKind, RaceFacts, RacePhase, race_phase
from game.contest.rated_terms import rematch_is_rated, require_rated_terms
from game.models import Account, Dungeon, Entrant, Race
from game.rules import DEFAULT_RULESET, find_ruleset
from game.selectors.accounts.blocks import unpairable
from game.selectors.races.loading import race_facts, rating_pool_of
from game.selectors.races.rematches import rematch_decliners
from game.selectors.races.schemas import RaceDone
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.restrictions import require_allowed
from game.services.core.retry import retry_transaction
from game.services.races.bots import bot_account
from game.services.races.commands import activity_of, join_command, race_join
from game.services.races.effects import apply_transition
from game.services.races.ghosts import Ghost, ghost_find
from game.services.races.leaver_penalty import require_no_leaver_penalty
from game.services.races.linked_entrants import require_unlinked
from game.services.races.live_seats import live_seats_release, require_no_live_seat
from game.services.races.locking import LockedRace, race_lock, service_refusal
from game.services.races.match_tickets import searches_end
from game.services.races.open_seats import (
    account_lock,
    require_free_open_race,
    require_free_seat,
)
from game.services.races.timeouts import race_advance


@dataclass(frozen=True, slots=True)
class RaceTerms:
    """The terms of a new race.

    `house` names a bot that joins ready, `ghost` a revealed run to race against on its
    own dungeon; a race with either is unrated. A rated race has two seats, unless the
    system pairs its entrants. With `ready` the host is ready at once, so a race with a
    bot or ghost starts its countdown when it is created.
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


def race_make(*, account_id: str, terms: RaceTerms, at: datetime) -> RaceDone:
    """Create a race with the account as host and first entrant: {race_id, seq}.

    A search for an opponent ends. Raises UnknownRuleset, race.rated_needs_account,
    race.rated_with_house, race.rated_two_seats, race.no_such_house, race.wait,
    race.one_live, race.one_rated, race.too_many_open, race.too_many_seats, what
    `ghost_find` and `require_allowed` raise.
    """
    require_allowed(account_id, activity_of(rated=terms.rated), at=at)
    live_seats_release([account_id], at=at)
    try:
        return _make(account_id, terms, at)
    except RaceRefusal as refusal:
        raise service_refusal(refusal) from refusal


@retry_transaction
@transaction.atomic
def _make(account_id: str, terms: RaceTerms, at: datetime) -> RaceDone:
    account = _require_can_host(account_id, at)
    searches_end([account_id], at=at)
    return race_make_of_search(account=account, terms=terms, at=at)


def _require_can_host(account_id: str, at: datetime) -> Account:
    """The account, locked. Raises race.one_live, race.one_rated, race.too_many_open,
    race.too_many_seats.
    """
    account = account_lock(account_id)
    require_no_live_seat(account_id)
    require_free_open_race(account_id, at=at)
    require_free_seat(account_id, at=at)
    return account


@transaction.atomic
def race_make_of_search(
    *, account: Account, terms: RaceTerms, at: datetime
) -> RaceDone:
    """`race_make` without its checks of the account; leaves their ticket to the caller.

    Raises RaceRefusal and what `race_make` does about the terms.
    """
    if terms.rated:
        is_against_bot = bool(terms.house or terms.ghost)
        require_rated_terms(seats=terms.seats, is_against_bot=is_against_bot)
        require_no_leaver_penalty(account.id, at=at)
    ghost = ghost_find(terms.ghost) if terms.ghost else None
    if ghost:
        # A ghost replays its own dungeon under the terms of its run.
        terms = replace(
            terms, ruleset=ghost.run.ruleset, difficulty=ghost.run.difficulty
        )
    dungeon = ghost.run.dungeon if ghost else None
    race = _create_row(account.id, terms, at, dungeon=dungeon)
    commands: list[Command] = [join_command(account)]
    if terms.house:
        commands.append(Join(bot_account(terms.house).id, kind=EntrantKind.BOT))
    if ghost:
        commands.append(Join(ghost.account.id, kind=EntrantKind.GHOST))
    if terms.ready:
        commands.append(Ready(account.id))
    return _apply_first_commands(race, commands, at, ghost)


def race_make_matched(
    *,
    accounts: Sequence[Account],
    terms: RaceTerms,
    at: datetime,
    is_linked: bool = False,
) -> RaceDone:
    """Create a race of accounts that the system paired; its countdown begins at once.

    It has a seat for each of them. `is_linked`: it is unrated, because they may be the
    same person's. Raises race.linked_accounts.
    """
    terms = replace(terms, seats=len(accounts))
    race = _create_row(accounts[0].id, terms, at, is_paired=True)
    if is_linked:
        race.is_linked = True
        race.save(update_fields=["is_linked"])
    commands: list[Command] = [join_command(account) for account in accounts]
    commands += [Ready(account.id) for account in accounts]
    try:
        return _apply_first_commands(race, commands, at)
    except RaceRefusal as refusal:
        raise service_refusal(refusal) from refusal


def race_rematch(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """Create or join the race's rematch: same entrants and terms, a new dungeon.

    The first account to ask becomes its host; every later one gets the same race and
    its seat in it. Who has declined an earlier rematch of the race is not seated, nor
    who has a block with somebody seated. Raises race.not_found, race.wrong_phase,
    race.not_entrant, and what `race_join` and `race_make` do.
    """
    rated = Race.objects.filter(id=race_id, rated=True).exists()
    require_allowed(account_id, activity_of(rated=rated), at=at)
    race_advance(race_id, at=at)
    live_seats_release([account_id], at=at)
    for earlier_id in Race.objects.filter(rematch_of=race_id).values_list("id"):
        race_advance(*earlier_id, at=at)
    rematch_id, existed = _find_or_create_rematch(account_id, race_id, at)
    if existed:
        try:
            return race_join(account_id=account_id, race_id=rematch_id, at=at)
        except ServiceRefusal as refusal:
            if refusal.code not in ("race.already_joined", "race.wrong_phase"):
                raise
    seq = Race.objects.values_list("seq", flat=True).get(id=rematch_id)
    return {"race_id": rematch_id, "seq": seq}


@retry_transaction
@transaction.atomic
def _find_or_create_rematch(
    account_id: str, race_id: str, at: datetime
) -> tuple[str, bool]:
    """The id of the rematch, and whether it existed already.

    A cancelled rematch is replaced by a new one.
    """
    account_lock(account_id)
    locked = race_lock(race_id)
    _require_rematch_allowed(locked.facts, account_id, at)
    existing = Race.objects.filter(rematch_of_id=race_id).first()
    if existing is not None and existing.cancelled_at is None:
        return existing.id, True
    _require_can_host(account_id, at)
    terms = _terms_of(locked.race)
    if terms.rated:
        require_no_leaver_penalty(account_id, at=at)
    searches_end([account_id], at=at)
    if existing is not None:
        Race.objects.filter(id=existing.id).update(rematch_of=None)
    race = _create_row(account_id, terms, at, rematch_of=locked.race)
    _apply_first_commands(race, _rematch_joins(locked, account_id), at)
    event = Event(EventKind.REMATCHED, None, {"race": race.id})
    apply_transition(locked, Transition(locked.facts, (event,)), at)
    return race.id, False


def _rematch_joins(locked: LockedRace, host_id: str) -> list[Command]:
    """The seats of the rematch: the new host first, the others by seat.

    Without ghosts, players who declined a rematch of this race, players who have a
    block with somebody seated before them, and in a rated race who is in another pool
    than the host by now.
    """
    entrants = [
        entrant for entrant in locked.active if entrant.kind != Entrant.Kind.GHOST
    ]
    entrants.sort(key=lambda entrant: (entrant.account_id != host_id, entrant.seat))
    apart = unpairable(entrant.account_id for entrant in entrants)
    absent = rematch_decliners(locked.race.id) - {host_id}
    host_pool = rating_pool_of(entrants[0].account)
    joins: list[Command] = []
    for entrant in entrants:
        is_player = entrant.kind == Entrant.Kind.PLAYER
        pool = rating_pool_of(entrant.account) if is_player else ""
        if entrant.account_id in absent or (locked.race.rated and pool != host_pool):
            continue
        absent |= apart.get(entrant.account_id, frozenset())
        joins.append(
            Join(
                entrant.account_id,
                pool,
                EntrantKind(entrant.kind),
                by_program=entrant.account.is_bot,
                is_invited=is_player and entrant.account_id != host_id,
            )
        )
    return joins


def _require_rematch_allowed(facts: RaceFacts, account_id: str, at: datetime) -> None:
    now = race_phase(facts, at)
    if now not in (RacePhase.CLOSED, RacePhase.SETTLED):
        raise ServiceRefusal(
            Kind.CONFLICT,
            "race.wrong_phase",
            f"A rematch is possible once the race is over; this one is {now}.",
            {"phase": str(now), "allowed": ["closed", "settled"]},
        )
    own = facts.entrant(account_id)
    if own is None or own.has_left:
        raise ServiceRefusal(
            Kind.FORBIDDEN, "race.not_entrant", "You were not in this race."
        )


def _create_row(
    host_id: str,
    terms: RaceTerms,
    at: datetime,
    *,
    dungeon: Dungeon | None = None,
    rematch_of: Race | None = None,
    is_paired: bool = False,
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
        is_paired=is_paired,
        time_limit_s=terms.time_limit_s,
        made_at=at,
        changed_at=at,
        expires_at=at + OPEN_FOR,
        due_at=at + OPEN_FOR,
        rematch_of=rematch_of,
        rematch_origin=rematch_of,
    )


def _terms_of(race: Race) -> RaceTerms:
    """The terms of an existing race, for its rematch."""
    return RaceTerms(
        ruleset=race.ruleset,
        difficulty=race.difficulty,
        format=race.format,
        seats=race.seats,
        time_limit_s=race.time_limit_s,
        visibility=race.visibility,
        rated=rematch_is_rated(rated=race.rated, seats=race.seats),
    )


def _apply_first_commands(
    race: Race, commands: Sequence[Command], at: datetime, ghost: Ghost | None = None
) -> RaceDone:
    """Apply the commands that fill a race which no other transaction can see yet."""
    locked = LockedRace(race, {}, race_facts(race, ()))
    facts = locked.facts
    events: tuple[Event, ...] = (Event(EventKind.MADE, None, {"host_seat": 1}),)
    for command in commands:
        facts, more = apply_command(facts, command, at)
        events += more
    require_unlinked(facts, at=at)
    replayed = ghost.run if ghost else None
    seq = apply_transition(locked, Transition(facts, events), at, ghost_run=replayed)
    return {"race_id": race.id, "seq": seq}
