"""Closing a score race early, once all who still play have been gone for a minute.

`game.contest.early_close` has the rule. Whether somebody is gone is read from the
presence rows, which the sockets and REST calls of players write.
"""

from datetime import datetime

from django.db import transaction

from game.contest.commands import CloseEarly, apply_command
from game.contest.errors import RaceRefusal
from game.contest.events import EventKind
from game.models import Entrant, RaceEvent
from game.selectors.races.schemas import RaceDone
from game.services.core.retry import retry_transaction
from game.services.races.effects import apply_transition
from game.services.races.locking import (
    LockedRace,
    race_lock,
    runs_lock,
    service_refusal,
)
from game.services.races.presence import presence_refresh
from game.services.races.timeouts import race_advance


def race_close_early(*, account_id: str, race_id: str, at: datetime) -> RaceDone:
    """End the runs that are still played, as the deadline would.

    Raises race.not_found, race.wrong_phase, race.not_entrant, race.close_score_only,
    race.close_unfinished, race.close_not_gone.
    """
    race_advance(race_id, at=at)
    presence_refresh([(race_id, account_id)], at=at)
    try:
        result = _close(race_id, account_id, at)
    except RaceRefusal as refusal:
        raise service_refusal(refusal) from refusal
    race_advance(race_id, at=at)
    return result


@retry_transaction
@transaction.atomic
def _close(race_id: str, account_id: str, at: datetime) -> RaceDone:
    runs_lock(race_id)
    locked = race_lock(race_id)
    command = CloseEarly(account_id, _gone_since(locked, account_id))
    transition = apply_command(locked.facts, command, at)
    return {"race_id": race_id, "seq": apply_transition(locked, transition, at)}


def _gone_since(locked: LockedRace, account_id: str) -> dict[int, datetime | None]:
    """Since when the player of each seat is gone; None: they are here, or a bot.

    Counted at the earliest from the start and the player's last move, and from when the
    account itself came: after a fault of the server nobody is gone until the account
    has been back for a minute and the others have not.
    """
    came = RaceEvent.objects.filter(
        race=locked.race,
        kind=EventKind.APPEARED,
        seat__in=[
            entrant.seat
            for entrant in locked.active
            if entrant.account_id == account_id
        ],
    )
    came_at = came.order_by("-seq").values_list("at", flat=True).first()
    starts_at = locked.race.starts_at or locked.race.made_at
    earliest = max(starts_at, came_at or starts_at)
    return {entrant.seat: _absent_since(entrant, earliest) for entrant in locked.active}


def _absent_since(entrant: Entrant, earliest: datetime) -> datetime | None:
    if entrant.is_present or entrant.kind != Entrant.Kind.PLAYER or entrant.run is None:
        return None
    return max(entrant.seen_at, entrant.run.moved_at, earliest)
