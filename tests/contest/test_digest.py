"""The canonical text of a board and its digest."""

import random
from datetime import date

from game.contest.digest import (
    DigestEntry,
    DigestHeader,
    digest_text,
    moves_digest,
    text_digest,
)

HEAD = DigestHeader(date(2026, 11, 29), "tavern-1", "normal", "ab" * 32, 1, None)
LINES = [
    DigestEntry(
        "people", 1, 24, "cleared", 754_210, "aaa", moves_digest(["8D", "JSw"])
    ),
    DigestEntry("people", 2, -31, "died", 512_004, "ccc", moves_digest([])),
    DigestEntry("people", 2, -31, "died", 512_004, "bbb", moves_digest([])),
    DigestEntry("bots", 1, 30, "cleared", 1000, "ddd", moves_digest(["avoid"])),
]


def test_digest_text_is_canonical() -> None:
    text = digest_text(HEAD, LINES)
    for seed in range(10):
        shuffled = LINES[:]
        random.Random(seed).shuffle(shuffled)
        assert digest_text(HEAD, shuffled) == text
    lines = text.split("\n")
    assert lines[0] == "scoundrel-digest-1"
    assert lines[1] == "daily 2026-11-29 tavern-1 normal"
    assert lines[4:6] == ["previous -", "entries 4"]
    assert [line.split()[5] for line in lines[6:10]] == ["aaa", "bbb", "ccc", "ddd"]
    assert lines[10] == ""


def test_any_change_changes_the_digest() -> None:
    base = text_digest(digest_text(HEAD, LINES))
    for changed in (
        digest_text(HEAD, LINES[1:]),
        digest_text(HEAD._replace(revision=2), LINES),
        digest_text(HEAD._replace(previous=base), LINES),
        digest_text(HEAD, [LINES[0]._replace(score=23), *LINES[1:]]),
        digest_text(HEAD, [LINES[0]._replace(moves=moves_digest(["8D"])), *LINES[1:]]),
    ):
        assert text_digest(changed) != base


def test_adjacent_moves_are_not_ambiguous() -> None:
    assert moves_digest(["2C", "w"]) != moves_digest(["2Cw"])
