"""The refusals of race commands; services convert them to their own errors."""

from game.rules.errors import Refusal


class RaceRefusal(Refusal):
    """The race does not allow the command now.

    Codes: race.wrong_phase, race.full, race.already_joined, race.not_entrant,
    race.not_host, race.too_few, race.rated_needs_account, race.rated_one_pool,
    race.rated_with_house, race.rated_two_seats, race.already_over,
    race.take_back_too_late, race.removed, race.seat_empty, race.remove_self,
    race.close_score_only, race.close_unfinished, race.close_not_gone.
    """
