"""Ghosts: recorded runs that are replayed in unrated races, at their own pace."""

from typing import NamedTuple

from game.models import Account, Run
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.races.bots import GHOST_BOT, account_get_or_create


class Ghost(NamedTuple):
    """A recorded run and the account that replays it."""

    run: Run
    account: Account


def ghost_find(run_id: str) -> Ghost:
    """The ghost of a finished run on a revealed dungeon.

    Raises run.not_found, race.ghost_unfinished.
    """
    run = Run.objects.select_related("dungeon", "account").filter(id=run_id).first()
    if run is None or (run.dungeon.revealed_at is None and not run.dungeon.seed_given):
        # Whether a run on a sealed dungeon exists is secret.
        raise not_found("run")
    if run.status not in (Run.Status.CLEARED, Run.Status.DIED):
        raise ServiceRefusal(
            Kind.CONFLICT,
            "race.ghost_unfinished",
            "Only a run that was cleared or ended in death has a ghost.",
        )
    return Ghost(run, account_get_or_create(GHOST_BOT))
