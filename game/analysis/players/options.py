"""The ways through the room on the table, as a player weighs them.

Nothing new is shown inside a room, so a player decides once per room: avoid it, or
leave one card and face the others in the best order.
"""

from typing import NamedTuple

from game.analysis.players.judgement import AVOID_WORTH, HEALTH, LEFT
from game.analysis.players.view import View
from game.analysis.solver.terms import code_of, terms_of
from game.analysis.solver.walk import Walk
from game.analysis.solver.witness import Stand, ways
from game.rules import Move
from game.rules.moves import AVOID


class Option(NamedTuple):
    """Moves to the end of the room, what they leave, and the greedy worth of that.

    `left`: the code of the card left (0: none). `moves` is ("avoid",) for avoiding.
    """

    worth: float
    moves: tuple[Move, ...]
    left: int
    health: int
    weapon: int


def options_of(view: View) -> list[Option]:
    """Every way to live through the room worth weighing, best first, without avoiding.

    Ways that end alike (same card left, health and weapon) count once, and one that
    another beats in health and weapon at once does not count.
    """
    walk = Walk(terms_of(view.ruleset, view.cap))
    stand = Stand(
        view.room, len(view.room), view.faces, view.health, view.weapon, view.drank
    )
    found: dict[tuple[int, int, int], Option] = {}
    for way in ways(walk, stand):
        if way.health <= 0:
            continue
        left = code_of(way.left[0]) if way.left else 0
        key = (left, way.health, way.weapon)
        if key not in found:
            worth = HEALTH[way.health] + LEFT[left][way.weapon]
            found[key] = Option(worth, way.moves, *key)
    kept: list[Option] = []
    # What replaces an option is worth more, so it comes before it.
    for option in sorted(found.values(), key=lambda option: -option.worth):
        if not any(_replaces(other, option) for other in kept):
            kept.append(option)
    return kept


def _replaces(one: Option, other: Option) -> bool:
    return (
        one.left == other.left
        and one.health >= other.health
        and one.weapon >> 4 >= other.weapon >> 4
        and one.weapon & 15 >= other.weapon & 15
    )


def avoiding(view: View) -> Option:
    """Avoiding as an option."""
    worth = HEALTH[view.health] + AVOID_WORTH[view.weapon]
    return Option(worth, (AVOID,), 0, view.health, view.weapon)


def last_stand(view: View) -> tuple[Move, ...]:
    """What to do where no way through the room is survived: the least bad death."""
    walk = Walk(terms_of(view.ruleset, view.cap))
    stand = Stand(
        view.room, len(view.room), view.faces, view.health, view.weapon, view.drank
    )
    return max(
        ways(walk, stand),
        key=lambda way: walk.death(way.health, bytes(map(code_of, way.left))),
    ).moves
