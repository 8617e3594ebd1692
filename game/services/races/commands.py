"""Commands of entrants: join, leave, get ready, start, forfeit.

Each command first applies the race's overdue timed transitions, then locks the race,
asks `game.contest.commands` for the new state and writes it. All return {race_id, seq}
with the number of the race's last event.
"""

from datetime import datetime

from django.db import transaction

from game.contest.commands import (
    CancelForfeit,
    Command,
    Forfeit,
    Join,
    Leave,
    Ready,
    Start,
    Unready,
    apply_command,
    remove_entrants,
)
from game.contest.errors import RaceRefusal
from game.contest.events import Transition
from game.models import Account, Entrant, Race
from game.selectors.races.loading import rating_pool_of
from game.selectors.races.schemas import RaceDone
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.restrictions import Activity, require_allowed
from game.services.core.retry import retry_transaction
from game.services.races.effects import apply_transition
from game.services.races.leaver_penalty import require_no_leaver_penalty
from game.services.races.linked_entrants import require_unlinked
from game.services.races.locking import LockedRace, race_lock, service_refusal
from game.services.races.timeouts import race_advance


def race_join(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """Take a seat. Raises race.not_found, race.wrong_phase, race.full,
    race.already_joined, race.rated_needs_account, race.rated_one_pool,
    race.linked_accounts, race.wait, and what `require_allowed` does.
    """
    rated = Race.objects.filter(id=race_id, rated=True).exists()
    require_allowed(account_id, activity_of(rated=rated), at=at)
    return _execute(race_id, join_command(Account.objects.get(id=account_id)), at)


def race_leave(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """Give up a seat before the start; if the host leaves, the next player is host."""
    return _execute(race_id, Leave(account_id), at)


def race_ready(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """Mark as ready; the countdown begins once all are.

    Raises race.one_rated, race.linked_accounts, race.rated_two_seats, race.wait.
    """
    return _execute(race_id, Ready(account_id), at)


def race_unready(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """Mark as not ready."""
    return _execute(race_id, Unready(account_id), at)


def race_start(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """Begin the countdown as the host; a rated race drops entrants who are not ready.

    Raises race.not_host, race.too_few, race.one_rated, race.linked_accounts,
    race.rated_two_seats.
    """
    return _execute(race_id, Start(account_id), at)


def race_forfeit(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """Give up; takes effect after five seconds. Raises race.already_over."""
    return _execute(race_id, Forfeit(account_id), at)


def race_unforfeit(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """Cancel a pending forfeit. Raises race.take_back_too_late."""
    return _execute(race_id, CancelForfeit(account_id), at)


def activity_of(*, rated: bool) -> Activity:
    """The restricted activity that taking a seat in such a race is."""
    return Activity.RATED if rated else Activity.PLAY


def join_command(account: Account) -> Join:
    """The command that seats a person or a bot account."""
    return Join(account.id, rating_pool_of(account), by_program=account.is_bot)


def _execute(race_id: str, command: Command, at: datetime) -> RaceDone:
    race_advance(race_id, at=at)
    try:
        return _lock_and_execute(race_id, command, at)
    except RaceRefusal as refusal:
        raise service_refusal(refusal) from refusal


@retry_transaction
@transaction.atomic
def _lock_and_execute(race_id: str, command: Command, at: datetime) -> RaceDone:
    locked = race_lock(race_id)
    transition = _decide(locked, command, at)
    return {"race_id": race_id, "seq": apply_transition(locked, transition, at)}


def _decide(locked: LockedRace, command: Command, at: datetime) -> Transition:
    """The transition of a command. A rated start drops entrants of other rated races.

    Raises RaceRefusal, race.one_rated, race.linked_accounts, race.wait.
    """
    if locked.race.rated and isinstance(command, Join | Ready):
        require_no_leaver_penalty(command.account, at=at)
    transition = apply_command(locked.facts, command, at)
    if isinstance(command, Join) or _begins_countdown(locked, transition):
        require_unlinked(transition.race)
    if not (locked.race.rated and isinstance(command, Ready | Start)):
        return transition
    busy = _entrants_in_other_rated_races(locked)
    if command.account in {entrant.account_id for entrant in busy}:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "race.one_rated",
            "You are in another rated race; finish that one first.",
        )
    if not busy or not _begins_countdown(locked, transition):
        return transition
    seats = frozenset(entrant.seat for entrant in busy)
    removal = remove_entrants(locked.facts, seats, "elsewhere", at)
    transition = apply_command(removal.race, command, at)
    return Transition(transition.race, removal.events + transition.events)


def _begins_countdown(locked: LockedRace, transition: Transition) -> bool:
    return locked.facts.starts_at is None and transition.race.starts_at is not None


def _entrants_in_other_rated_races(locked: LockedRace) -> list[Entrant]:
    live = Entrant.objects.filter(
        account__in=[entrant.account_id for entrant in locked.active],
        is_rated_live=True,
    ).exclude(race=locked.race)
    elsewhere = set(live.values_list("account_id", flat=True))
    return [entrant for entrant in locked.active if entrant.account_id in elsewhere]
