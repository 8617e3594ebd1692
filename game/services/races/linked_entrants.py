"""Refuses rated races between accounts that may belong to one person."""

from datetime import datetime

from game.contest.race import EntrantKind, RaceFacts
from game.selectors.accounts.links import links_among
from game.services.core.errors import Kind, ServiceRefusal


def require_unlinked(race: RaceFacts, *, at: datetime) -> None:
    """Raise race.linked_accounts if two players of a rated race are linked.

    The refusal does not name them: a third entrant need not know.
    """
    if not race.rated:
        return
    players = {
        entrant.account for entrant in race.active if entrant.kind is EntrantKind.PLAYER
    }
    if len(players) > 1 and links_among(players, at=at).among(players):
        raise ServiceRefusal(
            Kind.CONFLICT,
            "race.linked_accounts",
            "Accounts that share a browser, a mailbox or a network address cannot race"
            " each other for ratings. Create an unrated race instead.",
        )
