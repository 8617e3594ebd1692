"""Commands of entrants: join, leave, remove, get ready, start, forfeit, close early.

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
    Remove,
    Start,
    Unready,
    apply_command,
)
from game.contest.errors import RaceRefusal
from game.contest.events import Transition
from game.contest.race import EntrantFacts, EntrantKind
from game.contest.removal import remove_entrants
from game.models import Account, Entrant, Race
from game.selectors.races.loading import rating_pool_of
from game.selectors.races.schemas import RaceDone
from game.services.core.restrictions import Activity, require_allowed
from game.services.core.retry import retry_transaction
from game.services.races.effects import apply_transition
from game.services.races.leaver_penalty import require_no_leaver_penalty
from game.services.races.linked_entrants import require_unlinked
from game.services.races.live_seats import (
    accounts_live,
    live_seats_release,
    require_no_live_seat,
)
from game.services.races.locking import LockedRace, race_lock, service_refusal
from game.services.races.match_tickets import searches_end
from game.services.races.open_seats import (
    account_lock,
    require_free_seat,
    require_no_block,
)
from game.services.races.timeouts import race_advance


def race_join(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """Take a seat, or answer a rematch; a search for an opponent ends.

    Raises race.not_found, race.wrong_phase, race.full, race.already_joined,
    race.removed, race.blocked, race.too_many_seats, race.one_live, race.one_rated,
    race.rated_needs_account, race.rated_one_pool, race.linked_accounts, race.wait, and
    what `require_allowed` does.
    """
    rated = Race.objects.filter(id=race_id, rated=True).exists()
    require_allowed(account_id, activity_of(rated=rated), at=at)
    return _execute(race_id, join_command(Account.objects.get(id=account_id)), at)


def race_leave(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """Give up a seat before the start; if the host leaves, the next player is host.

    In the countdown of a rated race this counts as abandoning it.
    """
    return _execute(race_id, Leave(account_id), at)


def race_remove(*, account_id: str, race_id: str, seat: int, at: datetime) -> RaceDone:
    """Remove an entrant before the start, as the host; they cannot join again.

    Raises race.not_host, race.seat_empty, race.remove_self, race.wrong_phase.
    """
    return _execute(race_id, Remove(account_id, seat), at)


def race_ready(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """Mark as ready; the countdown begins once all are.

    Raises race.one_live, race.one_rated, race.linked_accounts, race.rated_two_seats,
    race.wait.
    """
    return _execute(race_id, Ready(account_id), at)


def race_unready(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """Mark as not ready."""
    return _execute(race_id, Unready(account_id), at)


def race_start(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """Begin the countdown as the host.

    Drops entrants who are in another running race or have not answered a rematch; a
    rated race drops all who are not ready. Raises race.not_host, race.too_few,
    race.one_live, race.one_rated, race.linked_accounts, race.rated_two_seats.
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
    if isinstance(command, Join):
        live_seats_release([command.account], at=at)
    elif isinstance(command, Ready | Start):
        seated = Entrant.objects.filter(race_id=race_id, left_at=None)
        live_seats_release(seated.values_list("account_id", flat=True), at=at)
    try:
        return _lock_and_execute(race_id, command, at)
    except RaceRefusal as refusal:
        raise service_refusal(refusal) from refusal


@retry_transaction
@transaction.atomic
def _lock_and_execute(race_id: str, command: Command, at: datetime) -> RaceDone:
    if isinstance(command, Join):
        account_lock(command.account)
    locked = race_lock(race_id)
    transition = _decide(locked, command, at)
    return {"race_id": race_id, "seq": apply_transition(locked, transition, at)}


def _decide(locked: LockedRace, command: Command, at: datetime) -> Transition:
    """The transition of a command, after all checks that need the database.

    Raises RaceRefusal, race.one_live, race.one_rated, race.linked_accounts, race.wait,
    race.blocked, race.too_many_seats.
    """
    if locked.race.rated and isinstance(command, Join | Ready):
        require_no_leaver_penalty(command.account, at=at)
    transition = apply_command(locked.facts, command, at)
    if not isinstance(command, Join | Ready | Start):
        return transition
    require_no_live_seat(command.account, except_race=locked.race.id)
    if isinstance(command, Join):
        players = [
            entrant.account for entrant in locked.facts.active if _is_player(entrant)
        ]
        require_no_block(command.account, players)
        require_free_seat(command.account, at=at, except_race=locked.race.id)
    if transition.race.starts_at is not None:
        transition = _start_without_busy(locked, command, transition, at)
    else:
        searches_end([command.account], at=at)
    if isinstance(command, Join) or _begins_countdown(locked, transition):
        require_unlinked(transition.race, at=at)
    return transition


def _begins_countdown(locked: LockedRace, transition: Transition) -> bool:
    return locked.facts.starts_at is None and transition.race.starts_at is not None


def _start_without_busy(
    locked: LockedRace, command: Command, transition: Transition, at: datetime
) -> Transition:
    """The start of the countdown without entrants who are in another running race.

    Ends the searches of all who start.
    """
    accounts = [
        entrant.account for entrant in transition.race.active if _is_player(entrant)
    ]
    busy = accounts_live(accounts, except_race=locked.race.id)
    if busy:
        seats = [
            entrant.seat for entrant in locked.facts.active if entrant.account in busy
        ]
        removal = remove_entrants(locked.facts, frozenset(seats), "elsewhere", at)
        started = apply_command(removal.race, command, at)
        transition = Transition(started.race, removal.events + started.events)
        accounts = [account for account in accounts if account not in busy]
    has_started = transition.race.starts_at is not None
    searches_end(accounts if has_started else [command.account], at=at)
    return transition


def _is_player(entrant: EntrantFacts) -> bool:
    return entrant.kind is EntrantKind.PLAYER
