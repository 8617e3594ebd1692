"""Ghosts: recorded runs that play themselves again, at their own times, unrated."""

from typing import NamedTuple

from game.models import Account, Run
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.races.bots import GHOST, account_of


class Ghost(NamedTuple):
    """A recorded run and the account that plays it again."""

    run: Run
    account: Account


def ghost_of(run_id: str) -> Ghost:
    """The ghost of a run that was played to its end and whose dungeon is revealed.

    Raises run.not_found, race.ghost_not_revealed, race.ghost_unfinished.
    """
    run = Run.objects.select_related("dungeon", "account").filter(id=run_id).first()
    if run is None or (run.dungeon.revealed_at is None and not run.dungeon.seed_given):
        # Of a run on a sealed dungeon nobody may know even that it is there.
        raise not_found("run")
    if run.status not in (Run.Status.CLEARED, Run.Status.DIED):
        raise ServiceRefusal(
            Kind.CONFLICT,
            "race.ghost_unfinished",
            "Only a run that was played to its end has a ghost.",
        )
    return Ghost(run, account_of(GHOST))
