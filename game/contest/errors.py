"""What a race refuses, as the pure machine sees it; doors know nothing of it."""

from game.rules.errors import Refusal


class RaceRefusal(Refusal):
    """An act that the race, as it stands at that instant, does not allow.

    Codes: race.wrong_phase, race.full, race.already_joined, race.not_entrant,
    race.not_host, race.too_few, race.rated_needs_account, race.rated_one_pool,
    race.already_over, race.take_back_too_late.
    """
