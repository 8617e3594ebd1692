"""Records: round trips, and refusal of invalid text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules import (
    IllegalMove,
    InvalidPosition,
    InvalidSeed,
    MalformedMove,
    Record,
    Refusal,
    Ruleset,
    UnknownRuleset,
    deal,
    format_record,
    make_record,
    parse_record,
    start,
)
from game.rules.record import BROKEN_OFF
from tests.rules.table import BOUND, TAVERN, play, walks

MOVES = ["avoid", "2H", "5Cb", "6D", "8Cw"]
RECORD = make_record("tavern-1", "normal", "tavern", MOVES, "abandoned")
TEXT = """\
[Ruleset "tavern-1"]
[Difficulty "normal"]
[Seed "tavern"]
[Result "abandoned -195"]

1. avoid 2H 5Cb 6D 2. 8Cw abandoned -195
"""


def test_example_record() -> None:
    assert format_record(RECORD) == TEXT
    assert parse_record(TEXT) == RECORD
    assert RECORD.state() == play(start(TAVERN, deal("tavern")), *MOVES)


def test_round_trip(ruleset: Ruleset) -> None:
    for number, walk in enumerate(walks(ruleset, 24, "text")):
        if number % 2 == 0:
            continue  # a immortal walk: its rules are not published
        moves = [played.move for played in walk]
        level = walk[0].before.difficulty
        for length in (len(moves), len(moves) // 2):
            record = make_record(
                ruleset.key, level, f"text-{number}", moves[:length], "expired"
            )
            text = format_record(record)
            assert parse_record(text) == record
            assert format_record(parse_record(text)) == text
            assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("how", BROKEN_OFF)
def test_broken_off(how: str) -> None:
    assert make_record("tavern-1", "normal", "a", [], how).result == f"{how} -208"
    flee = make_record("flee-1", "normal", "a", [], how)
    assert flee.result == f"{how} -191"
    assert parse_record(format_record(flee)) == flee


def test_broken_off_is_ignored_for_a_finished_run() -> None:
    moves = ["KSb", "8Sw"]
    died = make_record("tavern-1", "normal", "death", [], None)
    assert died.result == "playing"
    with pytest.raises(IllegalMove):
        make_record("tavern-1", "normal", "tavern", moves)


@pytest.mark.parametrize("how", ["", "cleared", "died", "playing", "timed_out", "x"])
def test_unknown_broken_off_is_refused(how: str) -> None:
    with pytest.raises(InvalidPosition):
        make_record("tavern-1", "normal", "tavern", MOVES, how)


HEADERS = {
    "Player": 'Ada "the \\ Fox"',
    "Date": "2026-01-02",
    "Seal": "[1. avoid]",
    "Empty": "",
    "Word": "Größe 💀",
}


def test_headers_are_kept_in_order() -> None:
    record = make_record("tavern-1", "normal", "tavern", MOVES, headers=HEADERS)
    again = parse_record(format_record(record))
    assert again == record
    assert list(again.headers.items()) == list(HEADERS.items())


@pytest.mark.parametrize(
    "key",
    ["", "player", "Two Words", 'X"]', "Größe", "A\n", "Result", "Seed", "Ruleset"],
)
def test_bad_header_keys(key: str) -> None:
    with pytest.raises(InvalidPosition):
        make_record("tavern-1", "normal", "tavern", MOVES, headers={key: "x"})


def test_unprintable_characters_are_removed_from_headers() -> None:
    odd = {"Player": "a\nb\0c\u2028d\ud800e"}
    record = make_record("tavern-1", "normal", "tavern", MOVES, headers=odd)
    assert record.headers == {"Player": "abcde"}
    assert parse_record(format_record(record)) == record


@given(
    st.dictionaries(st.from_regex(r"X[A-Za-z]{0,9}", fullmatch=True), st.text()),
    st.text(
        st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=64
    ),
)
def test_any_header_and_any_seed_round_trip(headers: dict[str, str], seed: str) -> None:
    record = make_record("bound-1", "hard", seed, [], headers=headers)
    assert parse_record(format_record(record)) == record


def test_line_breaks_and_indentation_do_not_matter() -> None:
    head, moves = TEXT.split("\n\n")
    loose = head.replace("\n", "  \r\n\t") + "\n\n" + moves.replace(" ", "\n  ")
    assert parse_record(loose) == RECORD
    bare = head + "\n\navoid 2H 5Cb 6D 8Cw abandoned -195"
    assert parse_record(bare) == RECORD


FALSE = [
    (TEXT.replace("-195", "-194"), InvalidPosition),
    (TEXT.replace("abandoned", "cleared"), InvalidPosition),
    (TEXT.replace("abandoned", "died"), InvalidPosition),
    (TEXT.replace("abandoned", "won"), InvalidPosition),
    (TEXT.replace("abandoned -195", "playing -195"), InvalidPosition),
    (TEXT.replace(' "abandoned -195"', ' "abandoned -194"'), InvalidPosition),
    (TEXT.replace('"abandoned -195"', '""'), InvalidPosition),
    (TEXT.replace("abandoned -195\n", "\n"), InvalidPosition),
    (TEXT.replace('[Seed "tavern"]\n', ""), InvalidPosition),
    (TEXT.replace('[Ruleset "tavern-1"]\n', ""), InvalidPosition),
    (TEXT.replace('[Result "abandoned -195"]\n', ""), InvalidPosition),
    (TEXT.replace('[Seed "tavern"]', '[Seed "tavern"] [Seed "a"]'), InvalidPosition),
    (TEXT.replace('[Seed "tavern"]', '[Seed "tavern"]\n[Seed "a"]'), InvalidPosition),
    (TEXT.replace('[Seed "tavern"]', "[Seed tavern]"), InvalidPosition),
    (TEXT.replace('[Seed "tavern"]', '[Seed "tav\\ern"]'), InvalidPosition),
    (TEXT.replace('[Seed "tavern"]', '[Seed "tavern'), InvalidPosition),
    (TEXT.replace('"tavern"', '" tavern"'), InvalidSeed),
    (TEXT.replace('"tavern"', '""'), InvalidSeed),
    (TEXT.replace('"tavern"', '"' + "a" * 65 + '"'), InvalidSeed),
    (TEXT.replace('"tavern"', '"other"'), IllegalMove),
    (TEXT.replace("tavern-1", "tavern-2"), UnknownRuleset),
    (TEXT.replace('"normal"', '"hard"'), UnknownRuleset),
    (TEXT.replace("2. 8Cw", "2. 8C"), MalformedMove),
    (TEXT.replace("2. 8Cw", "2 8Cw"), MalformedMove),
    (TEXT.replace("2. 8Cw", "\u0662. 8Cw"), MalformedMove),
    (TEXT.replace("8Cw", "8Cw 8Cw"), IllegalMove),
    (TEXT.replace("8Cw", "\0"), MalformedMove),
    ("", InvalidPosition),
    ("\n", InvalidPosition),
    ("[]", InvalidPosition),
    ("hello", InvalidPosition),
    (TEXT * 100, InvalidPosition),
    ("\ud800", InvalidPosition),
    (None, InvalidPosition),
    (TEXT.encode(), InvalidPosition),
    (7, InvalidPosition),
]


@pytest.mark.parametrize(("text", "refusal"), FALSE, ids=range(len(FALSE)))
def test_false_records(text: object, refusal: type[Refusal]) -> None:
    with pytest.raises(refusal):
        parse_record(text)


@given(st.text(), st.integers(0, len(TEXT)), st.integers(0, 20))
def test_fuzzed_records_are_refused_or_valid(text: str, at: int, cut: int) -> None:
    try:
        record = parse_record(TEXT[:at] + text + TEXT[at + cut :])
    except Refusal:
        return
    assert isinstance(record, Record)
    assert parse_record(format_record(record)) == record


@given(st.lists(st.sampled_from(TEXT.split()), max_size=20))
def test_shuffled_words_are_refused_or_valid(words: list[str]) -> None:
    try:
        record = parse_record("\n".join(words))
    except Refusal:
        return
    assert parse_record(format_record(record)) == record


def test_difficulties_are_kept() -> None:
    for level in BOUND.difficulties:
        record = make_record("bound-1", level.key, "tavern", ["avoid"])
        assert parse_record(format_record(record)).state().cap == level.cap


def test_too_long_records_are_refused() -> None:
    """Even where everything in them is valid: parsing is bounded."""
    longest = 16_384
    added = longest - len(TEXT) - len('[Note ""]\n')
    assert parse_record(f'[Note "{"x" * added}"]\n{TEXT}').result == RECORD.result
    with pytest.raises(InvalidPosition):
        parse_record(f'[Note "{"x" * (added + 1)}"]\n{TEXT}')
