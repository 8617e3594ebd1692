"""Refuses rated races between accounts that were used in the same browser."""

from game.contest.race import EntrantKind, RaceFacts
from game.selectors.moderation.links import linked_among
from game.services.core.errors import Kind, ServiceRefusal


def require_unlinked(race: RaceFacts) -> None:
    """Raise race.linked_accounts if two players of a rated race are linked.

    The refusal does not name them: a third entrant need not know.
    """
    if not race.rated:
        return
    players = {
        entrant.account for entrant in race.active if entrant.kind is EntrantKind.PLAYER
    }
    if len(players) > 1 and linked_among(players):
        raise ServiceRefusal(
            Kind.CONFLICT,
            "race.linked_accounts",
            "Accounts that were used in the same browser cannot race each other for"
            " ratings. Create an unrated race instead.",
        )
