"""Snapshots: short, without hidden cards, and other text is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules import InvalidPosition, Ruleset, State, deal, start
from game.rules.snapshot import from_text, to_text
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
    assert GOOD == "1|p|2|20|20|fua|1|5C6D7S|36|3HTC5S3C|||2H|2H|20"


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
