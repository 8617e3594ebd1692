"""Early close of a score race whose remaining players are gone.

An entrant who has played to the end can close the race once everybody who still plays
has been gone for a minute. The others keep the result that the deadline would give
them.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from game.contest.errors import RaceRefusal
from game.contest.race import EntrantFacts, Format, RaceFacts

GONE_FOR: Final = timedelta(seconds=60)
_PLAYED_TO_THE_END: Final = frozenset({"cleared", "died"})


def require_early_close(
    race: RaceFacts,
    own: EntrantFacts,
    gone_since: Mapping[int, datetime | None],
    at: datetime,
) -> None:
    """Refuse unless the entrant can close the running race now.

    `gone_since` says for each seat since when its player is gone; None: they are here.
    Raises race.close_score_only, race.close_unfinished, race.close_not_gone {seats,
    retry_after_s}.
    """
    if race.format is not Format.SCORE:
        raise RaceRefusal(
            "race.close_score_only",
            "Only a race for the best score can be closed early. In this format the"
            " first finished run leaves the others three minutes.",
        )
    if own.status not in _PLAYED_TO_THE_END:
        raise RaceRefusal(
            "race.close_unfinished",
            "Only a player who has played to the end can close the race.",
        )
    waits = {
        entrant.seat: (gone_since.get(entrant.seat) or at) + GONE_FOR - at
        for entrant in race.active
        if entrant.is_playing
    }
    here = sorted(seat for seat, wait in waits.items() if wait > timedelta())
    if here:
        longest = max(waits.values())
        raise RaceRefusal(
            "race.close_not_gone",
            "The race can be closed once everybody who still plays has been gone for"
            " a minute.",
            {"seats": here, "retry_after_s": -(-longest // timedelta(seconds=1))},
        )
