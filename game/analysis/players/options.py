"""The options a player has in a room, with their values.

Nothing new is revealed inside a room, so a player decides once per room: avoid it, or
leave one card and face the others in the best order.
"""

from typing import NamedTuple

from game.analysis.players.evaluation import AVOID_VALUES, HEALTH_VALUES, LEFT_VALUES
from game.analysis.players.view import View
from game.analysis.solver.encoding import code_of, solver_rules
from game.analysis.solver.lines import LinePosition, room_paths
from game.analysis.solver.room import RoomRules
from game.rules import Move
from game.rules.moves import AVOID


class Option(NamedTuple):
    """Moves to the end of the room, what they leave, and the greedy value of that.

    `left`: the code of the card left (0: none). `moves` is ("avoid",) for avoiding.
    """

    value: float
    moves: tuple[Move, ...]
    left: int
    health: int
    weapon: int


def room_options(view: View) -> list[Option]:
    """Every way to survive the room that no other dominates, best first; no avoiding.

    Paths with the same result (card left, health and weapon) are one option. An option
    is dominated if another leaves the same card and is no worse in health and weapon.
    """
    room_rules = RoomRules(solver_rules(view.ruleset, view.cap))
    position = LinePosition(
        view.room,
        len(view.room),
        view.faces,
        view.health,
        view.weapon,
        view.potion_used,
    )
    options: dict[tuple[int, int, int], Option] = {}
    for path in room_paths(room_rules, position):
        if path.health <= 0:
            continue
        carried_card = code_of(path.left[0]) if path.left else 0
        key = (carried_card, path.health, path.weapon)
        if key not in options:
            value = HEALTH_VALUES[path.health] + LEFT_VALUES[carried_card][path.weapon]
            options[key] = Option(value, path.moves, *key)
    undominated: list[Option] = []
    # An option that dominates another has the higher value, so it comes first.
    for option in sorted(options.values(), key=lambda option: -option.value):
        if not any(_dominates(other, option) for other in undominated):
            undominated.append(option)
    return undominated


def _dominates(option: Option, other: Option) -> bool:
    return (
        option.left == other.left
        and option.health >= other.health
        and option.weapon >> 4 >= other.weapon >> 4
        and option.weapon & 15 >= other.weapon & 15
    )


def avoid_option(view: View) -> Option:
    """The option of avoiding the room."""
    value = HEALTH_VALUES[view.health] + AVOID_VALUES[view.weapon]
    return Option(value, (AVOID,), 0, view.health, view.weapon)


def least_bad_death(view: View) -> tuple[Move, ...]:
    """The path with the best death score, where no path through the room survives."""
    room_rules = RoomRules(solver_rules(view.ruleset, view.cap))
    position = LinePosition(
        view.room,
        len(view.room),
        view.faces,
        view.health,
        view.weapon,
        view.potion_used,
    )
    return max(
        room_paths(room_rules, position),
        key=lambda path: room_rules.death_score(
            path.health, bytes(map(code_of, path.left))
        ),
    ).moves
