"""Which races may be rated: the terms of a race, not its entrants."""

from typing import Final

from game.contest.errors import RaceRefusal

# A player who chooses the opponents of a larger race can fill it with accomplices who
# tell them the cards. The system may pair more.
MAX_CHOSEN_RATED_SEATS: Final = 2


def require_rated_terms(*, seats: int, is_against_bot: bool) -> None:
    """Raise a refusal if a player may not create a rated race with these terms.

    `is_against_bot`: whether a bot or a ghost has a seat. Raises race.rated_with_house,
    race.rated_two_seats {seats}.
    """
    if is_against_bot:
        raise RaceRefusal(
            "race.rated_with_house", "Races against bots and ghosts are unrated."
        )
    require_rated_size(seats, is_paired=False)


def require_rated_size(entrants: int, *, is_paired: bool) -> None:
    """Raise race.rated_two_seats if a rated race may not have that many entrants.

    `is_paired`: whether the system chose them.
    """
    if not is_paired and entrants > MAX_CHOSEN_RATED_SEATS:
        raise RaceRefusal(
            "race.rated_two_seats",
            "A rated race that a player creates has two seats. Make it unrated, or"
            " search for a quick match.",
            {"seats": MAX_CHOSEN_RATED_SEATS},
        )


def rematch_is_rated(*, rated: bool, seats: int) -> bool:
    """Whether the rematch of a race is rated: its entrants choose each other."""
    return rated and seats <= MAX_CHOSEN_RATED_SEATS
