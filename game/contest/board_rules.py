"""The rules of points, records and ratings in sentences, for pages and REST."""

from typing import Final

from game.contest.race_points import MAX_POINTS_A_DAY, POINTS_BY_MEETING

_FIRST, _SECOND, _THIRD = POINTS_BY_MEETING

POINTS: Final = (
    (
        "A ranked daily in which you face a card gives 10 points, and up to 90 more:"
        " at most 10 for each player behind you. Players who share your network"
        " address, browser or e-mail mailbox do not count."
    ),
    (
        f"A rated quick match gives {_FIRST} points for an opponent behind you. If you"
        f" meet the same opponent again on that day (UTC), it gives {_SECOND}, the"
        f" third time {_THIRD}, later nothing."
    ),
    f"Quick matches give at most {MAX_POINTS_A_DAY} points a day on this board.",
    "An equal place gives no points.",
    "Races that a player creates and rematches give no points.",
)
RECORDS: Final = (
    "Ranked dailies and rated quick matches count.",
    "Races that a player creates, rematches and practice do not count.",
)
RATINGS: Final = (
    (
        "Ratings change in quick matches of signed-up players, and in races of two that"
        " a player creates as rated."
    ),
    "Accounts that were used in the same browser cannot race each other for ratings.",
)
