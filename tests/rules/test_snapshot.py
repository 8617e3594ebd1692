"""Snapshots: short, without hidden cards, and other text is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules import InvalidPosition, Ruleset, State, deal, start
from game.rules.snapshot import from_text, to_text, unseen_in
from tests.rules.table import BOUND, TAVERN, play, walks

DECK = deal("tavern")
GOOD = to_text(play(start(TAVERN, DECK), "avoid", "2H"))


def _parts(at: int, value: str) -> str:
    parts = GOOD.split("|")
    parts[at] = value
    return "|".join(parts)


JUNK = [
    "", "|", "1", "1|p", "|" * 14, "1" + "|" * 14, "0" + GOOD[1:], "2" + GOOD[1:],
    GOOD + "|", GOOD + "|x", GOOD[2:], "\0" * 20, "\ud800|" * 15,
    _parts(1, "x"), _parts(1, ""), _parts(2, "x"), _parts(2, ""), _parts(3, "1.5"),
    _parts(4, "x"), _parts(6, ""), _parts(7, "2C3"), _parts(7, "XXYY"),
    _parts(8, "-1"), _parts(8, "45"), _parts(8, "x"), _parts(9, "2c"),
    _parts(10, "8D8D"), _parts(10, "x"), _parts(11, "x"), _parts(12, "1C"),
    _parts(13, "xx"), _parts(14, ""),
]  # fmt: skip


def test_example_snapshot() -> None:
    avoided = play(start(TAVERN, DECK), "avoid")
    assert to_text(avoided) == "1|p|1|20|20|fa|0|2H5C6D7S|36|3HTC5S3C|||||20"
    text = "1|p|2|20|20|fua|1|5C6D7S|36|3HTC5S3C|||2H|2H|20"
    assert to_text(play(avoided, "2H")) == text == GOOD
    assert unseen_in(text) == 36


def test_flags_and_weapon_in_the_text() -> None:
    armed = start(TAVERN, ["9C", "8S"], weapon="5D", kill_stack=["QC", "JC"])
    assert to_text(armed) == "1|p|0|20|20||0|9C8S|0||5D|QCJC|||20"
    died = play(start(TAVERN, ["9C", "8S"], health=3), "9Cb")
    assert to_text(died) == "1|d|1|-6|20||1|8S|0||||9C|9C|3"
    assert to_text(play(start(TAVERN, ["9D"]), "9D")).startswith(
        "1|c|1|20|20||1||0||9D|"
    )


@pytest.mark.parametrize("count", [0, 1, 44])
def test_undealt_cards_are_the_end_of_the_deck(count: int) -> None:
    text = _parts(8, str(count))
    expected = DECK[44 - count :]
    assert from_text(text, TAVERN, "normal", DECK).dungeon[:-4] == expected
    assert unseen_in(text) == count


def test_round_trip_at_every_step(ruleset: Ruleset) -> None:
    for number, walk in enumerate(walks(ruleset, 24, "snap")):
        first = walk[0].before
        deck = deal(f"snap-{number}")
        rules, level = first.ruleset, first.difficulty
        for state in (first, *(played.after for played in walk)):
            text = to_text(state)
            assert from_text(text, rules, level, deck) == state
            assert text.isascii()
            assert len(text) <= 160


def test_round_trip_of_each_difficulty() -> None:
    for level in BOUND.difficulties:
        state = play(start(BOUND, DECK, level.key), "avoid")
        assert from_text(to_text(state), BOUND, level.key, DECK) == state


@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_junk(junk: str) -> None:
    with pytest.raises(InvalidPosition):
        from_text(junk, TAVERN, "normal", DECK)


def test_snapshot_of_a_larger_deck_is_refused() -> None:
    with pytest.raises(InvalidPosition):
        from_text(GOOD, TAVERN, "normal", DECK[:20])


@given(
    st.text(alphabet="1|pcdfua0123456789TJQKACSDH-", max_size=60), st.integers(0, 60)
)
def test_fuzzed_text_is_refused_or_read(text: str, at: int) -> None:
    try:
        state = from_text(GOOD[:at] + text, TAVERN, "normal", DECK)
    except InvalidPosition:
        return
    assert isinstance(state, State)
