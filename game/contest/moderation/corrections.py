"""What a race should have done to ratings, once moderators have judged it.

The ledger is only added to: a correction is the difference between this and what the
ledger says so far, so that the same call also takes a correction back.
"""

from collections.abc import Collection, Sequence

from game.contest.rating import Skill, rate_race


def corrected_changes(
    skills: Sequence[Skill],
    places: Sequence[int],
    *,
    is_void: bool = False,
    cheats: Collection[int] = (),
) -> list[float]:
    """How many points each rating is to have moved by a race, in its order.

    `skills` are those before it, `places` as they stand now; `cheats` are the positions
    of entrants whose results are left out of rated play. A void race moves nobody. What
    an honest entrant lost to a cheat is given back: he has at least what the race would
    have given him without; nobody has anything taken for having met one.
    """
    if is_void:
        return [0.0] * len(skills)
    moves = _rating_changes(skills, places)
    honest = [one for one in range(len(skills)) if one not in cheats]
    if len(honest) == len(skills):
        return moves
    without = _rating_changes(
        [skills[one] for one in honest], [places[one] for one in honest]
    )
    for one, move in zip(honest, without, strict=True):
        moves[one] = max(moves[one], move)
    return moves


def _rating_changes(skills: Sequence[Skill], places: Sequence[int]) -> list[float]:
    after = rate_race(skills, places)
    return [new.rating - old.rating for new, old in zip(after, skills, strict=True)]
