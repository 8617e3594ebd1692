"""Hash chains: each entry's hash covers the one before it, and a signature the hash.

Two logs are such chains: the audit log and the published commitments of dailies. A
changed, missing or reordered entry breaks the chain at that entry. A hash is the
SHA-256 of the entry's canonical JSON (sorted keys, no spaces), so anybody can recompute
it.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

GENESIS_HASH: Final = "0" * 64


class ChainEntry(NamedTuple):
    """An entry: its number, its facts, the previous hash and its own.

    `key` is the public key that signed the hash. Both are empty for entries of the
    audit log from before it was signed.
    """

    number: int
    facts: Mapping[str, Any]
    previous: str
    hash: str
    key: str = ""
    signature: str = ""


class ChainFault(NamedTuple):
    """A fault of the chain: the entry's number and a description."""

    number: int
    text: str


class SignatureCheck(NamedTuple):
    """How signatures are checked: the public keys that may sign, and the check of one.

    `is_valid` takes a public key, a hash and a signature.
    """

    keys: Collection[str]
    is_valid: Callable[[str, str, str], bool]


def canonical_json(value: Mapping[str, Any]) -> str:
    """Write JSON in the one form that is hashed: sorted keys, no spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def entry_text(number: int, facts: Mapping[str, Any], previous: str) -> str:
    """The canonical text of an entry, whose SHA-256 is its hash."""
    return canonical_json({"facts": facts, "number": number, "previous": previous})


def entry_hash(number: int, facts: Mapping[str, Any], previous: str) -> str:
    """The hash of an entry, 64 hexadecimal digits. `facts` are JSON values."""
    return hashlib.sha256(entry_text(number, facts, previous).encode()).hexdigest()


def signed_text(chain: str, hashed: str) -> str:
    """The text that is signed for an entry with this hash of the chain of that name."""
    return f"scoundrel-entry-1 {chain} {hashed}"


def find_faults(
    links: Iterable[ChainEntry],
    *,
    count: int,
    head: str,
    signatures: SignatureCheck | None = None,
) -> Iterator[ChainFault]:
    """The faults of a chain that is read in order of number.

    `count` and `head` (the last hash) are stored apart from the rows, so that rows
    missing at the end are found, too. With `signatures`, every entry from the first
    signed one on must be signed by a known key.
    """
    expected, previous, last = 1, GENESIS_HASH, None
    for link in links:
        if link.number != expected:
            text = f"entry {expected} is missing before entry {link.number}"
            yield ChainFault(expected, text)
        elif link.previous != previous:
            yield ChainFault(link.number, "does not follow on the entry before it")
        if entry_hash(link.number, link.facts, link.previous) != link.hash:
            yield ChainFault(link.number, "is not what was written")
        yield from _signature_faults(link, last, signatures)
        expected, previous, last = link.number + 1, link.hash, link
    if (expected - 1, previous) != (count, head):
        yield ChainFault(
            expected - 1, f"is the last found, of {count} that were written"
        )


def _signature_faults(
    link: ChainEntry, before: ChainEntry | None, signatures: SignatureCheck | None
) -> Iterator[ChainFault]:
    if signatures is None:
        return
    if link.signature:
        if link.key not in signatures.keys:
            yield ChainFault(link.number, f"is signed by an unknown key, {link.key}")
        elif not signatures.is_valid(link.key, link.hash, link.signature):
            yield ChainFault(link.number, "has a wrong signature")
    elif before is not None and before.signature:
        yield ChainFault(link.number, "is not signed")
