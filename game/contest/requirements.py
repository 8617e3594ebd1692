"""What a race requires of a command; each function raises RaceRefusal."""

from datetime import datetime

from game.contest.errors import RaceRefusal
from game.contest.race import EntrantFacts, RaceFacts, RacePhase, race_phase


def require_may_join(known: EntrantFacts | None) -> None:
    """Refuse an account that has a seat already, or was removed from the race."""
    if known is None:
        return
    if not known.has_left:
        raise RaceRefusal("race.already_joined", "You are in this race already.")
    if known.is_removed:
        raise RaceRefusal(
            "race.removed",
            "The host has removed you from this race. You can watch it.",
        )


def require_rateable(race: RaceFacts, pool: str) -> None:
    """Refuse a pool that cannot play this race, if it is rated."""
    if not race.rated:
        return
    if not pool:
        raise RaceRefusal(
            "race.rated_needs_account",
            "Rated races are for signed-up accounts; guests and bots can join unrated"
            " races.",
        )
    if any(entrant.pool != pool for entrant in race.active):
        raise RaceRefusal(
            "race.rated_one_pool",
            "A rated race is either for people or for API bots, not for both.",
        )


def require_phase(race: RaceFacts, at: datetime, *allowed: RacePhase) -> None:
    """Refuse in any other phase."""
    now = race_phase(race, at)
    if now not in allowed:
        raise RaceRefusal(
            "race.wrong_phase",
            f"This is not possible while the race is {now}.",
            {"phase": str(now), "allowed": [str(phase) for phase in allowed]},
        )


def require_entrant(race: RaceFacts, account: str) -> EntrantFacts:
    """The account's entrant; refuse if it has none or has left."""
    entrant = race.entrant(account)
    if entrant is None or entrant.has_left:
        raise RaceRefusal("race.not_entrant", "You are not in this race.")
    return entrant


def require_host(race: RaceFacts, account: str, otherwise: str) -> EntrantFacts:
    """The account's entrant; refuse with that sentence if it is not the host."""
    entrant = require_entrant(race, account)
    if account != race.host:
        raise RaceRefusal("race.not_host", otherwise)
    return entrant


def require_racing(race: RaceFacts, account: str, at: datetime) -> EntrantFacts:
    """The account's entrant; refuse unless its run is in progress."""
    require_phase(race, at, RacePhase.RUNNING)
    entrant = require_entrant(race, account)
    if entrant.status is not None and not entrant.is_playing:
        raise RaceRefusal("race.already_over", "Your run in this race is over.")
    return entrant
