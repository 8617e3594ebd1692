"""The review's sentences. Dry, short, and true of the figures they are given."""

from typing import Final

from game.rules import Action, Card, Move, State

_RANKS: Final = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_SUITS: Final = {"C": "clubs", "S": "spades", "D": "diamonds", "H": "hearts"}


def card_name(card: Card) -> str:
    """The card as it is called at a table: the jack of spades."""
    return f"the {_RANKS.get(card.rank, card.rank)} of {_SUITS[card.suit]}"


def doing(state: State, move: Move) -> str:
    """The move as something done: fighting the jack of spades bare-handed."""
    card = move.card
    if card is None:
        return "avoiding the room"
    if move.action is Action.EQUIP:
        return f"taking up {card_name(card)}"
    if move.action is Action.DRINK:
        verb = "wasting" if state.potion_used else "drinking"
        return f"{verb} {card_name(card)}"
    if move.armed and state.weapon is not None:
        return f"fighting {card_name(card)} with {card_name(state.weapon)}"
    return f"fighting {card_name(card)} bare-handed"


def points(count: int) -> str:
    """The count with its noun."""
    return f"{count} point" if count == 1 else f"{count} points"


def turning_point(
    state: State, move: Move, better: Move | None, values: tuple[int, int]
) -> str:
    """What a move gave away; `values` are the best scores in reach before and after."""
    before, after = values
    what = doing(state, move)
    opening = f"Move {state.index + 1}: {what} "
    if before > 0 >= after:
        said = "lost the dungeon here."
        kept = f"a clearance of {before}"
    elif before > 0:
        said = f"cost {points(before - after)}; {after} was then the most to be had."
        kept = str(before)
    else:
        said = f"made a lost run worse by {points(before - after)}."
        kept = str(before)
    if better is None:
        return opening + said
    instead = doing(state, better)
    return f"{opening}{said} {instead[0].upper()}{instead[1:]} kept {kept} in reach."
