"""Entries of the chain of commitments, copies of them, and signed heads."""

from typing import Any

import pytest

from game.contest.chain import GENESIS_HASH, ChainEntry, entry_hash
from game.contest.commitments import (
    EntryKind,
    Head,
    export_entry,
    first_difference,
    heads_statement,
    import_entry,
    lines_of,
    recorded_days,
    statement_heads,
)

DAY = {"day": "2027-03-17", "ruleset": "tavern-1", "key": "k"}


def chain(*facts: dict[str, Any]) -> list[ChainEntry]:
    links, previous = [], GENESIS_HASH
    for number, one in enumerate(facts, start=1):
        hashed = entry_hash(number, one, previous)
        links.append(ChainEntry(number, one, previous, hashed, "k", "s"))
        previous = hashed
    return links


DRAWN = {**DAY, "kind": "drawn", "master_seal": "m"}
CHOSEN = {**DAY, "kind": "chosen", "seal": "s"}
KEPT = chain({"kind": "start", "key": "k"}, DRAWN, CHOSEN)
GROWN = chain({"kind": "start", "key": "k"}, DRAWN, CHOSEN, {"kind": "x", "key": "k"})


def redrawn(**change: str) -> list[ChainEntry]:
    return chain({"kind": "start", "key": "k"}, {**DRAWN, **change}, CHOSEN)


SUBJECT = "(2027-03-17 tavern-1)"


@pytest.mark.parametrize(
    ("kept", "now", "expected"),
    [
        (KEPT, KEPT, None),
        (KEPT, GROWN, None),
        (KEPT[1:2], GROWN, None),
        (KEPT[::2], GROWN, None),
        ([], [], None),
        (KEPT, KEPT[:2], (3, "is in the copy, but no longer in the chain")),
        (KEPT, [], (1, "is in the copy, but no longer in the chain")),
        (KEPT[1:], KEPT[:1] + KEPT[2:], (2, "is in the copy, but no longer in")),
        (
            KEPT,
            redrawn(master_seal="n"),
            (2, f"has {SUBJECT} other values of master_seal than in the copy"),
        ),
        (
            KEPT[2:],
            redrawn(master_seal="n"),
            (3, f"has {SUBJECT} another entry before it than in the copy"),
        ),
    ],
)
def test_first_difference(
    kept: list[ChainEntry], now: list[ChainEntry], expected: tuple[int, str] | None
) -> None:
    found = first_difference(kept, now)
    if expected is None or found is None:
        assert found is expected
    else:
        assert found.number == expected[0]
        assert found.text.startswith(expected[1])


def test_export_is_read_back() -> None:
    for link in GROWN:
        line = export_entry(link)._asdict()
        assert import_entry(line) == link
        for name in ("text", "head"):
            with pytest.raises(ValueError, match="not its text"):
                import_entry({**line, name: line[name].replace("1", "2")})


def test_what_is_recorded_of_a_day() -> None:
    board = {**DAY, "kind": "settled", "revision": 1, "digest": "d"}
    again = {**board, "revision": 2, "digest": "e"}
    other = {**DAY, "day": "2027-03-18", "kind": "adopted"}
    days = recorded_days(chain(DRAWN, CHOSEN, {"kind": "audit"}, board, other, again))
    assert list(days) == [("2027-03-17", "tavern-1"), ("2027-03-18", "tavern-1")]
    first, second = days.values()
    assert first.facts == {"drawn": DRAWN, "chosen": CHOSEN, "settled": again}
    assert (first.boards, first.repeated) == ({1: "d", 2: "e"}, [])
    assert second.facts == {EntryKind.DRAWN: other}


@pytest.mark.parametrize("kind", ["drawn", "adopted", "chosen", "assessed", "settled"])
def test_second_publication_is_found_and_does_not_count(kind: str) -> None:
    first = {**DAY, "kind": kind, "value": 1, "revision": 1, "digest": "d"}
    found = recorded_days(chain(first, {**first, "value": 2, "digest": "e"}))
    (day,) = found.values()
    assert day.repeated == [2]
    assert next(iter(day.facts.values()))["value"] == 1


def test_statement_of_heads() -> None:
    dailies, audit = Head(7, "a" * 64), Head(0, GENESIS_HASH)
    at = "2027-03-17T09:00:00.000Z"
    text = heads_statement(at=at, dailies=dailies, audit=audit)
    assert text.startswith(f"scoundrel-heads-1\nat {at}\ndailies 7 aa")
    assert statement_heads(text) == (dailies, audit)
    changed = (text.replace("audit", "x"), text.replace("heads-1", "heads-2"))
    for wrong in ("", text[:-1], *changed):
        with pytest.raises(ValueError, match=r"statement|stands|unpack"):
            statement_heads(wrong)


def test_lines_of_an_export() -> None:
    assert list(lines_of(['{"a":1}\n', "\n", '{"b":2}'])) == [{"a": 1}, {"b": 2}]
    for wrong in ("[1]", "x", "{"):
        with pytest.raises(ValueError, match=r"JSON object|Expecting"):
            list(lines_of([wrong]))
