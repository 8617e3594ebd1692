"""The 44 cards: codes, values, kinds, and refused input."""

import copy
import json
import pickle

import pytest

from game.rules import CARDS, DECK, InvalidPosition, Kind
from game.rules.cards import Card, monsters_sum, parse_card, parse_cards

CANONICAL = (
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"
    " 2D 3D 4D 5D 6D 7D 8D 9D TD 2H 3H 4H 5H 6H 7H 8H 9H TH"
)
NO_CARDS = [
    "", "8", "8d", "10D", "AD", "JH", "KD", "1C", "8X", " 8D", "8D ", "8D8D", "8D\0",
    "\ud8008", b"8D", 8, None, 8.0, True, ["8D"], {"8D": 1}, ("8", "D"),
]  # fmt: skip


def test_deck_is_in_canonical_order() -> None:
    assert " ".join(DECK) == CANONICAL
    assert list(CARDS.values()) == list(DECK)


def test_kinds_and_values() -> None:
    kinds = {kind: [c for c in DECK if c.kind is kind] for kind in Kind}
    assert [len(kinds[kind]) for kind in Kind] == [26, 9, 9]
    assert monsters_sum(DECK) == monsters_sum(kinds[Kind.MONSTER]) == 208
    values = {rank: CARDS[rank + "S"].value for rank in "29TJQKA"}
    assert values == {"2": 2, "9": 9, "T": 10, "J": 11, "Q": 12, "K": 13, "A": 14}
    assert CARDS["TD"].value == CARDS["TH"].value == 10


def test_card_is_a_string_with_its_code() -> None:
    card = parse_card("8D")
    assert card == "8D"
    assert str(card) == "8D"
    assert repr(card) == "Card('8D')"
    assert json.dumps([card]) == '["8D"]'
    assert (card.rank, card.suit, card.is_monster) == ("8", "D", False)


def test_there_is_one_object_for_each_card() -> None:
    for card in DECK:
        assert parse_card(str(card)) is card
        assert pickle.loads(pickle.dumps(card)) is card
        assert copy.deepcopy(card) is card


@pytest.mark.parametrize("junk", NO_CARDS, ids=repr)
def test_parse_card_refuses_junk(junk: object) -> None:
    with pytest.raises(InvalidPosition) as refused:
        parse_card(junk)
    assert refused.value.code == "position.invalid"


def test_repeated_cards_are_refused() -> None:
    assert parse_cards(["8D", Card("4H")]) == ("8D", "4H")
    with pytest.raises(InvalidPosition, match="appears twice"):
        parse_cards(["8D", "4H", "8D"])
