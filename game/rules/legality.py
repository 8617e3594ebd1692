"""The legal moves of a position, and the reasons why others are illegal."""

from typing import Any

from game.rules.cards import DECK, Card
from game.rules.errors import IllegalMove
from game.rules.moves import ARMED, AVOID, BARE, DRINK, EQUIP, Move, parse_move
from game.rules.rulesets import Avoid, Limit
from game.rules.state import PLAYING, State, reach

# Moves by card, when the weapon does not reach it (_PLAIN) and when it does (_REACHED):
# one look-up per card, as `legal_moves` is called often. Weapons and potions have one
# move.
_PLAIN: dict[Card, tuple[Move, ...]] = {
    c: (BARE[c],) if c.is_monster else ((EQUIP.get(c) or DRINK[c]),) for c in DECK
}
_REACHED: dict[Card, tuple[Move, ...]] = {
    c: (ARMED[c], BARE[c]) if c.is_monster else _PLAIN[c] for c in DECK
}


def may_avoid(state: State) -> bool:
    """Whether the current room may be avoided."""
    return (
        state.room_full
        and state.faced_in_room == 0
        and not state.avoided_last
        and bool(state.dungeon)
        and state.ruleset.avoid is not Avoid.NEVER
    )


def legal_moves(state: State) -> tuple[Move, ...]:
    """Every legal move: room order, armed before bare-handed, avoid last."""
    if state.status is not PLAYING:
        return ()
    strongest = reach(state)
    moves: list[Move] = []
    for card in state.room:
        moves += _REACHED[card] if card.value <= strongest else _PLAIN[card]
    if state.faced_in_room == 0 and may_avoid(state):
        moves.append(AVOID)
    return tuple(moves)


def why_illegal(state: State, move: Move | str) -> IllegalMove | None:
    """Why a move is illegal in this position, or None if it is legal.

    Raises MalformedMove for text that is not a move code.
    """
    move = parse_move(move)
    if state.status is not PLAYING:
        return _refusal("over", f"The run is over: {state.status}.", move)
    if move is AVOID:
        return None if may_avoid(state) else _why_not_avoid(state)
    card = move.card
    if card not in state.room:
        return _refusal("no_such_card", f"{card} is not in the room.", move)
    if move.armed and card.value > reach(state):
        return _why_not_armed(state, card, move)
    return None


def _refusal(code: str, text: str, move: Move, **detail: Any) -> IllegalMove:
    return IllegalMove(f"move.illegal.{code}", text, {"move": str(move), **detail})


def _why_not_armed(state: State, card: Card, move: Move) -> IllegalMove:
    if state.weapon is None:
        return _refusal("no_weapon", "You hold no weapon.", move)
    last = state.kill_stack[-1]
    inclusive = state.ruleset.limit is Limit.EQUAL_OR_WEAKER
    words = f"up to {last.value}" if inclusive else f"below {last.value}"
    return _refusal(
        "weapon_limit",
        f"That weapon only reaches monsters {words}.",
        move,
        weapon=str(state.weapon),
        limit=last.value,
        limit_inclusive=inclusive,
        value=card.value,
    )


def _why_not_avoid(state: State) -> IllegalMove:
    if state.ruleset.avoid is Avoid.NEVER:
        return _refusal("avoid_never", "This ruleset does not allow avoiding.", AVOID)
    if not state.room_full:
        return _refusal("avoid_not_full", "Only a full room can be avoided.", AVOID)
    if state.faced_in_room:
        return _refusal(
            "avoid_after_facing", "You have already faced a card in this room.", AVOID
        )
    if state.avoided_last:
        return _refusal("avoid_twice", "You avoided the room before this one.", AVOID)
    return _refusal("avoid_empty_dungeon", "No cards are left under the room.", AVOID)
