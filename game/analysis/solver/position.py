"""A position in the solver's encoding: one card list, health, weapon, room flags.

The card list is the room in slot order and then the pile from the top. So avoiding is a
rotation by four, and the list includes the whole history of avoided rooms.
"""

from typing import NamedTuple

from game.analysis.solver.encoding import (
    FRESH_LIMIT,
    UNARMED,
    SolverRules,
    code_of,
    solver_rules,
)
from game.rules import Card, State
from game.rules.state import FACED_IN_FULL_ROOM, reach


class Position(NamedTuple):
    """A position: the first `room` of `cards` are face up, the others are the pile.

    `faces` cards of the room are to be faced before the next room is dealt. `weapon` is
    a weapon code (see `weapon_code`). `potion_used`: a potion was faced in this room.
    `may_avoid`: the room may be avoided now.
    """

    rules: SolverRules
    cards: bytes
    room: int
    faces: int
    health: int
    weapon: int
    potion_used: bool
    may_avoid: bool


def position_of(state: State) -> Position:
    """The solver's position of a state that is still being played."""
    room = len(state.room)
    full = state.room_full
    rules = solver_rules(state.ruleset, state.cap)
    return Position(
        rules=rules,
        cards=bytes(map(code_of, state.room + state.dungeon)),
        room=room,
        faces=FACED_IN_FULL_ROOM - state.faced_in_room if full else room,
        health=state.health,
        weapon=weapon_code(state),
        potion_used=state.potion_used,
        may_avoid=rules.can_avoid
        and room == 4
        and not state.avoided_last
        and bool(state.dungeon),
    )


def weapon_code(state: State) -> int:
    """The weapon in hand as strength << 4 | limit: usable on values below limit."""
    if state.weapon is None:
        return UNARMED
    limit = min(FRESH_LIMIT, reach(state) + 1)
    return state.weapon.value << 4 | limit


def cards_of(state: State) -> tuple[Card, ...]:
    """The cards that `Position.cards` encodes, in the same order."""
    return state.room + state.dungeon
