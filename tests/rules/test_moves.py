"""The table of move codes, and refused input."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules import (
    CARDS,
    MOVES,
    Action,
    MalformedMove,
    apply,
    deal,
    parse_move,
    start,
    why_illegal,
)
from tests.rules.table import TAVERN

NO_MOVES = [
    "", " ", "AVOID", "Avoid", "avoid ", " avoid", "avoid\n", "avoid\0", "a", "run",
    "8d", "8D ", "8Dw", "8Db", "8DW", "4Hb", "4Hw", "JS", "JSW", "JSB", "JSx", "jsw",
    "JSww", "JSwb", "10S", "10Sw", "1Sw", "AD", "AH", "JD", "KH", "TSw\0", "\0",
    "\x00TSw", "\ud800", "JS\udfffw", "\uff2a\uff33\uff57", "♠Jw", "JSw,8D",
    "x" * 100_000, "null", "0",
    b"8D", b"JSw", 0, 1, -1, 8.5, True, False, None, float("nan"), [], ["8D"], {},
    {"move": "8D"}, ("8D",), {"8D"}, object(), Action.AVOID.__class__, 10**40,
]  # fmt: skip


def test_there_are_71_moves() -> None:
    fights = [move for move in MOVES.values() if move.action is Action.FIGHT]
    assert len(MOVES) == 1 + 9 + 9 + 2 * 26 == 71
    assert len(fights) == 52
    for code, move in MOVES.items():
        assert str(move) == code == move
        assert parse_move(code) is move is parse_move(move)
        assert pickle.loads(pickle.dumps(move)) is copy.deepcopy(move) is move


def test_move_properties() -> None:
    assert [
        (m.action, m.card, m.armed)
        for m in map(parse_move, ("JSw", "JSb", "8D", "4H", "avoid"))
    ] == [
        (Action.FIGHT, "JS", True),
        (Action.FIGHT, "JS", False),
        (Action.EQUIP, "8D", None),
        (Action.DRINK, "4H", None),
        (Action.AVOID, None, None),
    ]
    assert repr(parse_move("JSw")) == "Move('JSw')"
    assert parse_move(CARDS["8D"]) is MOVES["8D"]


@pytest.mark.parametrize("junk", NO_MOVES, ids=lambda junk: repr(junk)[:20])
def test_malformed(junk: object) -> None:
    state = start(TAVERN, deal("tavern"))
    for refuse in (
        lambda: parse_move(junk),
        lambda: why_illegal(state, junk),  # type: ignore[arg-type]
        lambda: apply(state, junk),  # type: ignore[arg-type]
    ):
        with pytest.raises(MalformedMove) as refused:
            refuse()
        assert refused.value.code == "move.malformed"
        assert len(str(refused.value.detail["move"])) <= 40
        str(refused.value).encode()


@given(st.text() | st.binary() | st.integers() | st.none() | st.lists(st.text()))
def test_arbitrary_text_is_malformed_or_a_move(junk: object) -> None:
    if isinstance(junk, str) and junk in MOVES:
        assert parse_move(junk) == junk
    else:
        with pytest.raises(MalformedMove):
            parse_move(junk)
