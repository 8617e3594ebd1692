"""The canonical text of a settled board and its digest, which anybody can recompute.

    scoundrel-digest-1
    daily 2026-11-29 tavern-1 normal
    seal <seal of the seed>
    revision 1
    previous -
    entries 2
    people 1 24 cleared 754210 <run> <SHA-256 of the moves, one a line>
    people 2 -31 died 512004 <run> <...>

Every line ends in LF. `previous` is the digest of the previous revision, so the
revisions form a chain in which a changed or missing one is noticed.
"""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

FORMAT = "scoundrel-digest-1"


class DigestEntry(NamedTuple):
    """One entry of a settled board."""

    pool: str
    rank: int
    score: int
    status: str
    elapsed_ms: int
    run: str
    moves: str


class DigestHeader(NamedTuple):
    """The header of the text: the daily, and the revision in its chain."""

    on: date
    ruleset: str
    difficulty: str
    seal: str
    revision: int
    previous: str | None


def moves_digest(codes: Iterable[str]) -> str:
    """SHA-256 of a run's move codes, each ended by LF, in hexadecimal."""
    return hashlib.sha256("".join(f"{code}\n" for code in codes).encode()).hexdigest()


def digest_text(head: DigestHeader, lines: Sequence[DigestEntry]) -> str:
    """The canonical text; the order of `lines` does not matter."""
    ordered = sorted(
        lines, key=lambda line: (line.pool != "people", line.rank, line.run)
    )
    return "".join(
        f"{line}\n"
        for line in (
            FORMAT,
            f"daily {head.on.isoformat()} {head.ruleset} {head.difficulty}",
            f"seal {head.seal}",
            f"revision {head.revision}",
            f"previous {head.previous or '-'}",
            f"entries {len(ordered)}",
            *(" ".join(str(field) for field in line) for line in ordered),
        )
    )


def text_digest(text: str) -> str:
    """SHA-256 of the canonical text, 64 hexadecimal characters."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()
