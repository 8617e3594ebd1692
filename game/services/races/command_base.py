"""The one way in for whatever people do to a race: lock, ask, carry out, write."""

from datetime import datetime

from django.db import transaction

from game.contest.commands import (
    Command,
    Join,
    Ready,
    Start,
    apply_command,
    remove_entrants,
)
from game.contest.errors import RaceRefusal
from game.contest.events import Transition
from game.contest.race import RaceFacts
from game.models import Entrant
from game.selectors.races.schemas import RaceDone
from game.services.core.errors import Kind, ServiceRefusal
from game.services.core.retry import retry_transaction
from game.services.races.effects import carried_out
from game.services.races.leaver_penalty import wait_refuse
from game.services.races.locking import RaceWork, race_lock, race_write, refusal_of
from game.services.races.timeouts import race_due


def race_act(race_id: str, command: Command, at: datetime) -> RaceDone:
    """Carry out a command. Raises race.* as the pure machine says."""
    race_due(race_id, at=at)
    try:
        return _act(race_id, command, at)
    except RaceRefusal as refusal:
        raise refusal_of(refusal) from refusal


@retry_transaction
@transaction.atomic
def _act(race_id: str, command: Command, at: datetime) -> RaceDone:
    work = race_lock(race_id)
    decision = decided(work, command, at)
    return {"race_id": race_id, "seq": written(work, decision, at)}


def decided(work: RaceWork, command: Command, at: datetime) -> Transition:
    """What the command comes to, with those left out who race elsewhere for a rating.

    Raises RaceRefusal, race.one_rated, race.wait.
    """
    if work.race.rated and isinstance(command, Join | Ready):
        wait_refuse(command.account, at=at)
    decision = apply_command(work.facts, command, at)
    if not (work.race.rated and isinstance(command, Ready | Start)):
        return decision
    busy = _busy(work)
    if command.account in {one.account_id for one in busy}:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "race.one_rated",
            "You are in another rated race; finish that one first.",
        )
    if not busy or decision.race.starts_at is None:
        return decision
    seats = frozenset(one.seat for one in busy)
    without = remove_entrants(work.facts, seats, "elsewhere", at)
    decision = apply_command(without.race, command, at)
    return Transition(decision.race, without.events + decision.events)


def _busy(work: RaceWork) -> list[Entrant]:
    live = Entrant.objects.filter(
        account__in=[one.account_id for one in work.active], is_rated_live=True
    ).exclude(race=work.race)
    elsewhere = set(live.values_list("account_id", flat=True))
    return [one for one in work.active if one.account_id in elsewhere]


def written(work: RaceWork, decision: Transition, at: datetime) -> int:
    """Carry the decision out and write it; the number the race has come to."""
    after: RaceFacts = decision.race
    if after == work.facts and not decision.events:
        return work.race.seq
    events = tuple(
        carried_out(work, after, happened, at) for happened in decision.events
    )
    return race_write(work, after, events, at)
