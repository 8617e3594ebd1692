"""Kept copies of the chain of commitments, and the chain they are compared with."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from game.contest.chain import (
    GENESIS_HASH,
    ChainEntry,
    ChainFault,
    SignatureCheck,
    find_faults,
)
from game.contest.commitments import (
    Head,
    first_difference,
    import_entry,
    lines_of,
    statement_heads,
)
from game.models import AuditEntry, CommitmentHead
from game.services.core.outgoing import OutgoingError, outgoing_get
from game.services.core.signing import is_signed
from game.services.dailies.commitments import (
    commitment_breaks,
    commitment_is_signed,
    commitment_links,
)


class CopyError(Exception):
    """Why a copy or a chain cannot be read, as a sentence for the operator."""


class KeptCopy(NamedTuple):
    """What a third party kept: entries, and signed heads (dailies, audit)."""

    links: Sequence[ChainEntry]
    statements: Sequence[tuple[Head, Head]]


class ChainSource(NamedTuple):
    """A chain that is checked: this site's own, or the one that a site publishes.

    `has_audit` says whether the audit log's entries can be looked up, too.
    """

    links: Sequence[ChainEntry]
    head: Head
    faults: Sequence[ChainFault]
    has_audit: bool


def own_chain() -> ChainSource:
    """The chain in this database, with its faults."""
    row = CommitmentHead.objects.filter(id=1).first()
    head = Head(row.count, row.hash) if row else Head(0, GENESIS_HASH)
    return ChainSource(
        list(commitment_links()), head, list(commitment_breaks()), has_audit=True
    )


def published_chain(site: str) -> ChainSource:
    """The chain that a site publishes, with its faults. Raises CopyError."""
    base = f"{site.rstrip('/')}/api/v1/fairness/"
    try:
        answer = json.loads(outgoing_get(base))
        head, _ = _signed_heads(answer)
        links: list[ChainEntry] = []
        while page := outgoing_get(f"{base}chain/?after={_last(links)}"):
            links += [import_entry(line) for line in lines_of(page.splitlines())]
    except (OutgoingError, ValueError, KeyError, TypeError) as error:
        raise CopyError(f"{site} publishes no chain: {error}") from error
    # Entries that were added after the head was read.
    links = [link for link in links if link.number <= head.number]
    faults = find_faults(
        links,
        count=head.number,
        head=head.hash,
        signatures=SignatureCheck({link.key for link in links}, commitment_is_signed),
    )
    return ChainSource(links, head, list(faults), has_audit=False)


def copy_read(file: Path) -> KeptCopy:
    """A kept file. Raises CopyError if it is damaged or was never signed."""
    links: list[ChainEntry] = []
    statements: list[tuple[Head, Head]] = []
    try:
        with file.open(encoding="utf-8") as lines:
            for line in lines_of(lines):
                if "statement" in line:
                    statements.append(_signed_heads(line))
                else:
                    links.append(_signed_entry(line))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CopyError(f"{file} is not a copy of a chain: {error}") from error
    links.sort(key=lambda link: link.number)
    return KeptCopy(links, statements)


def difference(copy: KeptCopy, chain: ChainSource) -> str | None:
    """The first difference between a copy and a chain, as a sentence."""
    first = first_difference(copy.links, chain.links)
    if first is not None:
        return f"entry {first.number} {first.text}"
    hashes = {link.number: link.hash for link in chain.links} | {0: GENESIS_HASH}
    for dailies, audit in copy.statements:
        if hashes.get(dailies.number) != dailies.hash:
            return f"entry {dailies.number} is not the signed head of the copy"
        if chain.has_audit and not _is_logged(audit):
            return f"entry {audit.number} of the audit log is not the signed head"
    return None


def _is_logged(head: Head) -> bool:
    if head.number == 0:
        return head.hash == GENESIS_HASH
    return AuditEntry.objects.filter(number=head.number, hash=head.hash).exists()


def _last(links: Sequence[ChainEntry]) -> int:
    return links[-1].number if links else 0


def _signed_heads(answer: Any) -> tuple[Head, Head]:
    statement = answer["statement"]
    if not is_signed(answer["public_key"], statement, answer["signature"]):
        raise ValueError("The signature of the heads is wrong.")
    return statement_heads(statement)


def _signed_entry(line: Any) -> ChainEntry:
    link = import_entry(line)
    if not commitment_is_signed(link.key, link.hash, link.signature):
        raise ValueError(f"The signature of entry {link.number} is wrong.")
    return link
