"""The hash chain of the audit log: each entry's hash covers the one before it.

A changed, missing or reordered row breaks the chain at that row. Hashes are SHA-256
over canonical JSON (sorted keys, no spaces).
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

GENESIS_HASH: Final = "0" * 64


class ChainEntry(NamedTuple):
    """An entry: its number, its facts, the previous hash and its own."""

    number: int
    facts: Mapping[str, Any]
    previous: str
    hash: str


class ChainFault(NamedTuple):
    """A fault of the chain: the entry's number and a description."""

    number: int
    text: str


def entry_hash(number: int, facts: Mapping[str, Any], previous: str) -> str:
    """The hash of an entry, 64 hexadecimal digits. `facts` are JSON values."""
    whole = {"facts": facts, "number": number, "previous": previous}
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def find_faults(
    links: Iterable[ChainEntry], *, count: int, head: str
) -> Iterator[ChainFault]:
    """The faults of a chain that is read in order of number.

    `count` and `head` (the last hash) are stored apart from the rows, so that rows
    missing at the end are found, too.
    """
    expected, previous = 1, GENESIS_HASH
    for link in links:
        if link.number != expected:
            text = f"entry {expected} is missing before entry {link.number}"
            yield ChainFault(expected, text)
        elif link.previous != previous:
            yield ChainFault(link.number, "does not follow on the entry before it")
        if entry_hash(link.number, link.facts, link.previous) != link.hash:
            yield ChainFault(link.number, "is not what was written")
        expected, previous = link.number + 1, link.hash
    if (expected - 1, previous) != (count, head):
        yield ChainFault(
            expected - 1, f"is the last found, of {count} that were written"
        )
