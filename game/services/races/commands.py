"""What people do to races: join, leave, get ready, start, give up.

Every act first lets time do what is overdue, then takes the race's lock, asks the pure
machine and writes what it decided; it answers {race_id, seq}.
"""

from datetime import datetime

from game.contest.commands import CancelForfeit, Forfeit, Leave, Ready, Start, Unready
from game.models import Account, Race
from game.selectors.races.schemas import RaceDone
from game.services.core.restrictions import require_allowed
from game.services.races.command_base import race_act
from game.services.races.create import (
    RaceAsked,
    activity_of,
    join_of,
    race_make,
    race_matched,
    race_rematch,
)

__all__ = [
    "RaceAsked",
    "race_forfeit",
    "race_join",
    "race_leave",
    "race_make",
    "race_matched",
    "race_ready",
    "race_rematch",
    "race_start",
    "race_unforfeit",
    "race_unready",
]


def race_join(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """Take a seat. Raises race.not_found, race.wrong_phase, race.full,
    race.already_joined, race.rated_needs_account, race.rated_one_pool, and what
    `require_allowed` does.
    """
    rated = Race.objects.filter(id=race_id, rated=True).exists()
    require_allowed(account_id, activity_of(rated=rated), at=at)
    return race_act(race_id, join_of(Account.objects.get(id=account_id)), at)


def race_leave(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """Give up a seat before the start; the next player becomes host."""
    return race_act(race_id, Leave(account_id), at)


def race_ready(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """Be ready; when all are, the countdown begins. Raises race.one_rated."""
    return race_act(race_id, Ready(account_id), at)


def race_unready(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """Be ready no longer."""
    return race_act(race_id, Unready(account_id), at)


def race_start(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """The host begins the countdown; in a rated race without those not ready.

    Raises race.not_host, race.too_few, race.one_rated.
    """
    return race_act(race_id, Start(account_id), at)


def race_forfeit(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """Give up, in force after five seconds. Raises race.already_over."""
    return race_act(race_id, Forfeit(account_id), at)


def race_unforfeit(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """Take that back in time. Raises race.take_back_too_late."""
    return race_act(race_id, CancelForfeit(account_id), at)
