"""All 71 moves and their codes, whatever the position.

`avoid`; a weapon or potion is its card (`8D`, `4H`); a monster is its card and `w`
(armed) or `b` (bare-handed): `JSw`, `JSb`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from game.rules.cards import DECK, Card, Kind
from game.rules.errors import MalformedMove


class Action(StrEnum):
    """What a move does."""

    FIGHT = "fight"
    EQUIP = "equip"
    DRINK = "drink"
    AVOID = "avoid"


class Move(str):
    """One move: a string with its code, and its action, card and armed.

    `card` is None for avoid. `armed` is True or False for a fight, else None. There is
    one object for each move: take it from `parse_move` or `legal_moves`.
    """

    __slots__ = ("action", "armed", "card")

    action: Action
    card: Card | None
    armed: bool | None

    def __new__(
        cls, code: str, action: Action, card: Card | None, armed: bool | None = None
    ) -> Self:
        """Create a move of the table below; use `parse_move` for unchecked input."""
        move = super().__new__(cls, code)
        move.action, move.card, move.armed = action, card, armed
        return move

    def __repr__(self) -> str:
        return f"Move({str(self)!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return parse_move, (str(self),)


AVOID = Move("avoid", Action.AVOID, None)
ARMED = {c: Move(f"{c}w", Action.FIGHT, c, True) for c in DECK if c.is_monster}
BARE = {c: Move(f"{c}b", Action.FIGHT, c, False) for c in DECK if c.is_monster}
EQUIP = {c: Move(c, Action.EQUIP, c) for c in DECK if c.kind is Kind.WEAPON}
DRINK = {c: Move(c, Action.DRINK, c) for c in DECK if c.kind is Kind.POTION}
MOVES: dict[str, Move] = {
    str(move): move
    for move in (
        AVOID,
        *EQUIP.values(),
        *DRINK.values(),
        *ARMED.values(),
        *BARE.values(),
    )
}


def parse_move(text: object) -> Move:
    """The move with that code. Raises MalformedMove for anything else."""
    if isinstance(text, Move):
        return text
    move = MOVES.get(text) if isinstance(text, str) else None
    if move is None:
        raise MalformedMove(text)
    return move
