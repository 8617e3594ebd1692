"""What a player that does not know the order can know of a position.

The only way from a state to a player: it contains no card of the pile except those the
player avoided. The unseen cards are derived from the seen ones, never read.
"""

from dataclasses import dataclass

from game.analysis.solver.position import weapon_code
from game.rules import DECK, Card, Move, Ruleset, State, legal_moves
from game.rules.state import FACED_IN_FULL_ROOM


@dataclass(frozen=True, slots=True)
class View:
    """The table as the player sees it, and what the player can remember.

    `weapon`: strength << 4 | limit (usable on values below it), 0 for none. `faces`:
    how many cards of the room are still to be faced. `bottom`: the avoided cards that
    are still under the pile, in order. `unseen`: the cards never seen, in canonical
    order; `unseen_left` of them are on top of `bottom`, in an unknown order.
    """

    ruleset: Ruleset
    cap: int
    health: int
    room: tuple[Card, ...]
    faces: int
    weapon: int
    potion_used: bool
    may_avoid: bool
    bottom: tuple[Card, ...]
    unseen: tuple[Card, ...]
    unseen_left: int
    legal: tuple[Move, ...]


def view_of(state: State) -> View:
    """The view of a state that is still being played."""
    legal = legal_moves(state)
    bottom = state.bottom
    seen_cards = {*state.room, *bottom, *state.discard, *state.kill_stack}
    if state.weapon is not None:
        seen_cards.add(state.weapon)
    faces = FACED_IN_FULL_ROOM - state.faced_in_room
    return View(
        ruleset=state.ruleset,
        cap=state.cap,
        health=state.health,
        room=state.room,
        faces=faces if state.room_full else len(state.room),
        weapon=weapon_code(state),
        potion_used=state.potion_used,
        may_avoid="avoid" in legal,
        bottom=bottom,
        unseen=tuple(card for card in DECK if card not in seen_cards),
        unseen_left=len(state.dungeon) - state.known,
        legal=legal,
    )
