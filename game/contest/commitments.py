"""The chain of what is published about dailies: its entries, and how copies compare.

Each thing that is published about a daily is an entry of one chain: its draw, the
choice of its dungeon, the commitment to its difficulty, its board and reveal. A copy of
the chain, or only a number with its hash, can prove later that an entry up to there was
changed.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final, NamedTuple

from game.contest.chain import ChainEntry, entry_text

CHAIN: Final = "scoundrel-chain-1"
STATEMENT: Final = "scoundrel-heads-1"
# What was published before the chain began is added this long after its first entry.
ADOPT_WITHIN: Final = timedelta(days=1)


class EntryKind(StrEnum):
    """What an entry records."""

    # The first entry: the format of the chain.
    START = "start"
    # A daily was drawn: master seal, times, planned difficulty, the round it names.
    DRAWN = "drawn"
    # The same for a daily that was published before the chain began.
    ADOPTED = "adopted"
    # Its dungeon was chosen: seal, rule, the public value that was used.
    CHOSEN = "chosen"
    # Its difficulty was measured: a commitment that the reveal opens.
    ASSESSED = "assessed"
    # Its board was settled (or settled again): digest, and the reveal.
    SETTLED = "settled"
    # The length and last hash of the audit log.
    AUDIT = "audit"
    # A backup was restored: what the chain had after it is lost.
    RESTORED = "restored"


# The kinds that can be recorded only once for a daily.
ONCE: Final = (EntryKind.DRAWN, EntryKind.CHOSEN, EntryKind.ASSESSED)
DayKey = tuple[str, str]


class RecordedDay(NamedTuple):
    """What the chain has about one daily: {kind: facts}, and what was recorded twice.

    `drawn` also has the facts of an adopted daily. `boards` are the digests of its
    settled boards by revision. `repeated` are the numbers of entries
    that publish again what may be published only once.
    """

    facts: dict[str, dict[str, Any]]
    boards: dict[int, str]
    repeated: list[int]


def recorded_days(links: Iterable[ChainEntry]) -> dict[DayKey, RecordedDay]:
    """What a chain has about each daily, by (day, ruleset)."""
    days: dict[DayKey, RecordedDay] = {}
    for link in links:
        facts = dict(link.facts)
        if "day" not in facts:
            continue
        key = (facts["day"], facts["ruleset"])
        day = days.setdefault(key, RecordedDay({}, {}, []))
        kind = EntryKind.DRAWN if facts["kind"] == EntryKind.ADOPTED else facts["kind"]
        board = facts.get("revision")
        if (kind in ONCE and kind in day.facts) or board in day.boards:
            day.repeated.append(link.number)
            continue
        if board is not None:
            day.boards[board] = facts["digest"]
        day.facts[kind] = facts
    return days


class ExportedEntry(NamedTuple):
    """An entry as third parties get and keep it; `head` is the SHA-256 of `text`."""

    number: int
    text: str
    head: str
    signature: str


def export_entry(link: ChainEntry) -> ExportedEntry:
    """An entry in the form that is exported."""
    text = entry_text(link.number, link.facts, link.previous)
    return ExportedEntry(link.number, text, link.hash, link.signature)


def import_entry(line: Mapping[str, Any]) -> ChainEntry:
    """An entry from a line of an export.

    Raises ValueError, KeyError or TypeError if it is none.
    """
    text = str(line["text"])
    if hashlib.sha256(text.encode()).hexdigest() != line["head"]:
        raise ValueError(f"The head of entry {line['number']} is not its text's.")
    parsed = json.loads(text)
    return ChainEntry(
        int(parsed["number"]),
        parsed["facts"],
        parsed["previous"],
        line["head"],
        str(parsed["facts"]["key"]),
        str(line["signature"]),
    )


class Difference(NamedTuple):
    """The first entry that two chains do not share, and what differs."""

    number: int
    text: str


def first_difference(
    copy: Iterable[ChainEntry], current: Iterable[ChainEntry]
) -> Difference | None:
    """Where a kept copy and the current chain differ first; None if they do not.

    A copy may begin later and end earlier than the chain, and have gaps.
    """
    current_links = iter(current)
    now = next(current_links, None)
    for link in copy:
        while now is not None and now.number < link.number:
            now = next(current_links, None)
        if now is None or now.number != link.number:
            return Difference(link.number, "is in the copy, but no longer in the chain")
        if now.hash != link.hash:
            return Difference(link.number, _what_differs(link.facts, now.facts))
    return None


def _what_differs(copy: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    names = sorted(name for name in {*copy, *now} if copy.get(name) != now.get(name))
    what = f"other values of {', '.join(names)}" if names else "another entry before it"
    day = f" ({copy['day']} {copy['ruleset']})" if "day" in copy else ""
    return f"has{day} {what} than in the copy"


class Head(NamedTuple):
    """The number and hash of a chain's last entry; 0 and zeros if it has none."""

    number: int
    hash: str


def heads_statement(*, at: str, dailies: Head, audit: Head) -> str:
    """The text about both chains' heads that the site signs. `at` is RFC 3339."""
    return "".join(
        f"{line}\n"
        for line in (
            STATEMENT,
            f"at {at}",
            f"dailies {dailies.number} {dailies.hash}",
            f"audit {audit.number} {audit.hash}",
        )
    )


def statement_heads(text: str) -> tuple[Head, Head]:
    """The heads (dailies, audit) of a signed text. Raises ValueError if it is none."""
    lines = text.split("\n")
    if len(lines) != 5 or lines[0] != STATEMENT or lines[4]:
        raise ValueError("This is no statement of heads.")
    return _head(lines[2], "dailies"), _head(lines[3], "audit")


def _head(line: str, name: str) -> Head:
    chain, number, text = line.split(" ")
    if chain != name:
        raise ValueError(f"{chain!r} stands where {name!r} should.")
    return Head(int(number), text)


def lines_of(text: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The JSON objects of an NDJSON text. Raises ValueError for another line."""
    for number, line in enumerate(text, start=1):
        if not line.strip():
            continue
        if not line.lstrip().startswith("{"):
            raise ValueError(f"Line {number} is not a JSON object.")
        yield json.loads(line)
