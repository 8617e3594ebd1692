"""What a player may see of a position: the only form in which state leaves the server.

An observation contains no card of the pile except those that the player avoided. The
scanner in the tests checks every response for hidden cards.
"""

from game.rules.cards import Card
from game.rules.legality import legal_moves, why_illegal
from game.rules.moves import ARMED, AVOID, Action, Move
from game.rules.rulesets import Limit
from game.rules.schemas import (
    BlockedMove,
    LegalMove,
    Observation,
    Part,
    Table,
    Weapon,
)
from game.rules.scoring import breakdown, broken_off_score, score
from game.rules.state import PLAYING, State


def observe(state: State) -> Observation:
    """The position as its player sees it, ready for JSON."""
    over = state.status is not PLAYING
    return {
        **observe_table(state),
        "legal": [_consequence(state, move) for move in legal_moves(state)],
        "blocked": [] if over else _blocked(state),
        "score": score(state),
        "potential_score": broken_off_score(state),
        "breakdown": observe_breakdown(state) if over else None,
    }


def observe_table(state: State) -> Table:
    """The cards and numbers only, as a replay shows them after each move."""
    faced = faced_count(state)
    return {
        "index": state.index,
        "status": state.status,
        "health": state.health,
        "cap": state.cap,
        "room": list(state.room),
        "faced_in_room": state.faced_in_room,
        "faced": faced,
        "room_number": _room_number(state, faced),
        "weapon": _weapon(state),
        "potion_used": state.potion_used,
        "avoided_last": state.avoided_last,
        "dungeon_left": len(state.dungeon),
        "bottom": list(state.bottom),
    }


def observe_breakdown(state: State) -> list[Part]:
    """The parts of the score; while still playing, those of breaking off now."""
    return [{"part": part.part, "value": part.value} for part in breakdown(state)]


def faced_count(state: State) -> int:
    """How many cards were faced (0..44)."""
    on_table = len(state.kill_stack) + (state.weapon is not None)
    return len(state.discard) + on_table


def shown_count(state: State) -> int:
    """How many cards of the deck the player has been shown, from its top (4..44).

    Cards are dealt in order and avoided ones are put at the bottom, so the cards not
    yet shown are always the last ones of the deck.
    """
    out_of_pile = len(state.room) + faced_count(state)
    return out_of_pile + state.known


def _room_number(state: State, faced: int) -> int:
    # Three cards per room; the last card of a run does not start another room.
    over = state.status is not PLAYING
    return (faced - 1 if over else faced) // 3 + 1


def _weapon(state: State) -> Weapon | None:
    if state.weapon is None:
        return None
    stack = state.kill_stack
    return {
        "card": state.weapon,
        "kill_stack": list(stack),
        "limit": stack[-1].value if stack else None,
        "limit_inclusive": state.ruleset.limit is Limit.EQUAL_OR_WEAKER,
    }


def _consequence(state: State, move: Move) -> LegalMove:
    card = move.card
    damage = heal = 0
    wasted = False
    drops: list[Card] = []
    if card is not None and move.action is Action.FIGHT:
        damage = card.value
        if move.armed and state.weapon is not None:
            damage = max(0, damage - state.weapon.value)
    elif card is not None and move.action is Action.DRINK:
        wasted = state.potion_used
        heal = 0 if wasted else min(state.cap, state.health + card.value) - state.health
    elif move.action is Action.EQUIP and state.weapon is not None:
        drops = [state.weapon, *state.kill_stack]
    health_after = state.health - damage + heal
    return {
        "move": move,
        "card": card,
        "action": move.action,
        "armed": move.armed,
        "damage": damage,
        "heal": heal,
        "wasted": wasted,
        "health_after": health_after,
        "lethal": health_after <= 0,
        "drops": drops,
    }


def _blocked(state: State) -> list[BlockedMove]:
    moves = [ARMED[card] for card in state.room if card.is_monster] + [AVOID]
    refusals = ((move, why_illegal(state, move)) for move in moves)
    return [
        {"move": move, "code": refusal.code, "detail": refusal.text}
        for move, refusal in refusals
        if refusal is not None
    ]
