"""Applying a move. `apply` is the only function that makes a later state.

It runs for every move of every player, replay, review and simulation. So it is written
for speed: states are built with positional arguments and attributes are read once.
"""

from game.rules.cards import Card
from game.rules.effects import (
    Avoided,
    Cleared,
    Dealt,
    Died,
    Effect,
    Equipped,
    Fought,
    Healed,
    Wasted,
)
from game.rules.legality import why_illegal
from game.rules.moves import Action, Move, parse_move
from game.rules.state import (
    CLEARED,
    DIED,
    FACED_IN_FULL_ROOM,
    PLAYING,
    ROOM_SIZE,
    State,
    Status,
)

# Weapon, kill stack, discard.
_Held = tuple[Card | None, tuple[Card, ...], tuple[Card, ...]]


def apply(state: State, move: Move | str) -> tuple[State, tuple[Effect, ...]]:
    """The state after a move, and the effects of the move, in order.

    The given state does not change. Raises MalformedMove for text that is not a move,
    IllegalMove if the move is not legal in the position.
    """
    move = parse_move(move)
    refusal = why_illegal(state, move)
    if refusal is not None:
        raise refusal
    card = move.card
    if card is None:
        return _avoid(state)
    if move.action is Action.FIGHT:
        return _fight(state, card, armed=bool(move.armed))
    if move.action is Action.DRINK:
        return _drink(state, card)
    return _equip(state, card)


def _fight(state: State, card: Card, armed: bool) -> tuple[State, tuple[Effect, ...]]:
    weapon, stack, discard = state.weapon, state.kill_stack, state.discard
    damage = card.value
    if armed and weapon is not None:
        damage = max(0, damage - weapon.value)
        stack = (*stack, card)
    else:
        discard = (*discard, card)
    health = state.health - damage
    effect = Fought(card, armed, damage, health)
    hand = (weapon, stack, discard)
    return _state_after_facing(state, card, effect, health, hand, state.potion_used)


def _drink(state: State, card: Card) -> tuple[State, tuple[Effect, ...]]:
    health = state.health
    effect: Effect = Wasted(card)
    if not state.potion_used:
        health = min(state.cap, health + card.value)
        effect = Healed(card, health - state.health, health)
    hand = (state.weapon, state.kill_stack, (*state.discard, card))
    return _state_after_facing(state, card, effect, health, hand, potion_used=True)


def _equip(state: State, card: Card) -> tuple[State, tuple[Effect, ...]]:
    dropped = state.kill_stack
    if state.weapon is not None:
        dropped = (state.weapon, *dropped)
    effect = Equipped(card, dropped)
    hand = (card, (), state.discard + dropped)
    return _state_after_facing(
        state, card, effect, state.health, hand, state.potion_used
    )


def _state_after_facing(
    state: State,
    card: Card,
    effect: Effect,
    health: int,
    hand: _Held,
    potion_used: bool,
) -> tuple[State, tuple[Effect, ...]]:
    """The state after facing a card: dead, cleared, in a new room or the same room."""
    at = state.room.index(card)
    room, dungeon = state.room[:at] + state.room[at + 1 :], state.dungeon
    faced, full = state.faced_in_room + 1, state.room_full
    avoided_last = state.avoided_last
    status: Status = PLAYING
    effects: tuple[Effect, ...] = (effect,)
    if health <= 0:
        status, effects = DIED, (effect, Died(card))
    elif not room and not dungeon:
        status, effects = CLEARED, (effect, Cleared())
    elif full and faced == FACED_IN_FULL_ROOM:
        need = ROOM_SIZE - len(room)
        dealt, dungeon = dungeon[:need], dungeon[need:]
        room += dealt
        faced, full = 0, len(room) == ROOM_SIZE
        potion_used = avoided_last = False
        if dealt:
            effects = (effect, Dealt(dealt))
    after = State(
        state.ruleset,
        state.difficulty,
        state.cap,
        health,
        room,
        dungeon,
        min(state.known, len(dungeon)),
        *hand,
        faced,
        full,
        potion_used,
        avoided_last,
        card,
        state.health,
        status,
        state.index + 1,
    )
    return after, effects


def _avoid(state: State) -> tuple[State, tuple[Effect, ...]]:
    # The room is put under the pile before dealing: with a short pile, avoided cards
    # are dealt again at once. Nothing was faced in this room, so its counters do not
    # change.
    pile = state.dungeon + state.room
    room, dungeon = pile[:ROOM_SIZE], pile[ROOM_SIZE:]
    after = state._replace(
        room=room,
        dungeon=dungeon,
        known=min(state.known + ROOM_SIZE, len(dungeon)),
        avoided_last=True,
        index=state.index + 1,
    )
    return after, (Avoided(state.room), Dealt(room))
