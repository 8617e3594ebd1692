"""A position as the solver sees it: one list of cards, health, weapon, room flags.

The list is the room in slot order and then the pile from the top, so that avoiding is a
rotation by four and the whole history of avoided rooms is inside it.
"""

from typing import NamedTuple

from game.analysis.solver.terms import FRESH_LIMIT, UNARMED, Terms, code_of, terms_of
from game.rules import Card, State
from game.rules.state import FACED_IN_FULL_ROOM, reach


class Position(NamedTuple):
    """`room` cards of `cards` lie face up; `faces` of them are to be faced before the
    next room is dealt. `may_avoid`: avoiding is allowed here and now.
    """

    terms: Terms
    cards: bytes
    room: int
    faces: int
    health: int
    weapon: int
    drank: bool
    may_avoid: bool


def position_of(state: State) -> Position:
    """The solver's position of a state that is still being played."""
    room = len(state.room)
    full = state.room_full
    terms = terms_of(state.ruleset, state.cap)
    return Position(
        terms=terms,
        cards=bytes(map(code_of, state.room + state.dungeon)),
        room=room,
        faces=FACED_IN_FULL_ROOM - state.faced_in_room if full else room,
        health=state.health,
        weapon=weapon_code(state),
        drank=state.potion_used,
        may_avoid=terms.avoid
        and room == 4
        and not state.avoided_last
        and bool(state.dungeon),
    )


def weapon_code(state: State) -> int:
    """The weapon in hand as strength << 4 | limit (usable on values below it)."""
    if state.weapon is None:
        return UNARMED
    limit = min(FRESH_LIMIT, reach(state) + 1)
    return state.weapon.value << 4 | limit


def cards_of(state: State) -> tuple[Card, ...]:
    """The cards behind `Position.cards`, in the same order."""
    return state.room + state.dungeon
