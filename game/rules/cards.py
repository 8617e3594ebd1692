"""The 44 cards: ranks, suits, values and kinds. Has no rules of play."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Self

from game.rules.errors import InvalidPosition


class Kind(StrEnum):
    """What a card is for the player."""

    MONSTER = "monster"
    WEAPON = "weapon"
    POTION = "potion"


RANKS = "23456789TJQKA"
KIND_OF_SUIT = {
    "C": Kind.MONSTER,
    "S": Kind.MONSTER,
    "D": Kind.WEAPON,
    "H": Kind.POTION,
}


class Card(str):
    """One card: a string with its two-character code ("8D"), and its properties.

    Cards compare, sort and serialize as text. There is one object for each card: take
    it from `CARDS` or `parse_card` instead of creating one.
    """

    __slots__ = ("is_monster", "kind", "rank", "suit", "value")

    rank: str
    suit: str
    value: int
    kind: Kind
    is_monster: bool

    def __new__(cls, code: str) -> Self:
        """Create a card from a valid code; use `parse_card` for unchecked input."""
        card = super().__new__(cls, code)
        card.rank, card.suit = code[0], code[1]
        card.value = RANKS.index(card.rank) + 2
        card.kind = KIND_OF_SUIT[card.suit]
        card.is_monster = card.kind is Kind.MONSTER
        return card

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return parse_card, (str(self),)


# The canonical order before shuffling (rules.md); every shuffle depends on it.
DECK: tuple[Card, ...] = tuple(
    Card(rank + suit)
    for suit, ranks in (
        ("C", RANKS),
        ("S", RANKS),
        ("D", RANKS[:9]),
        ("H", RANKS[:9]),
    )
    for rank in ranks
)
CARDS: dict[str, Card] = {str(card): card for card in DECK}


def parse_card(code: object) -> Card:
    """The card of a code such as "8D".

    Raises InvalidPosition for anything else.
    """
    card = CARDS.get(code) if isinstance(code, str) else None
    if card is None:
        raise InvalidPosition(f"{code!r} is not one of the 44 cards.")
    return card


def parse_cards(codes: Iterable[object]) -> tuple[Card, ...]:
    """The cards of some codes, in order.

    Raises InvalidPosition for an unknown or repeated card.
    """
    cards = tuple(parse_card(code) for code in codes)
    if len(set(cards)) != len(cards):
        raise InvalidPosition("A card appears twice.")
    return cards


def monsters_sum(cards: Iterable[Card]) -> int:
    """The sum of the values of the monsters among the cards (208 in a full deck)."""
    return sum(card.value for card in cards if card.is_monster)
