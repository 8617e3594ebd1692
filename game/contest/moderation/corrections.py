"""The rating changes a race should have, after acts of moderators.

The ledger is append-only. A correction is the difference between these changes and the
ledger's so far; so undoing an act is a correction, too.
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
    """The rating change each entrant should have from the race, in the same order.

    `skills` are those before the race, `places` the current ones; `cheats` are the
    positions of entrants marked as cheats. A void race changes no rating. An honest
    entrant gets the change computed without the cheats if that is better for them.
    """
    if is_void:
        return [0.0] * len(skills)
    moves = _rating_changes(skills, places)
    honest = [position for position in range(len(skills)) if position not in cheats]
    if len(honest) == len(skills):
        return moves
    without = _rating_changes(
        [skills[position] for position in honest],
        [places[position] for position in honest],
    )
    for position, move in zip(honest, without, strict=True):
        moves[position] = max(moves[position], move)
    return moves


def _rating_changes(skills: Sequence[Skill], places: Sequence[int]) -> list[float]:
    after = rate_race(skills, places)
    return [new.rating - old.rating for new, old in zip(after, skills, strict=True)]
