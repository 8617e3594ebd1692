"""The log of who did what as a moderator: added to, and read through. Nothing else.

Whoever adds takes the head's row last of all locks and keeps it to the commit, so that
numbers follow commits without a hole.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from django.db import transaction

from game.contest.moderation.chain import (
    GENESIS_HASH,
    ChainEntry,
    ChainFault,
    entry_hash,
    find_faults,
)
from game.models import AuditEntry, AuditHead


@transaction.atomic
def audit_add(
    *,
    verb: str,
    at: datetime,
    actor_id: str | None = None,
    subject_id: str | None = None,
    target: str = "",
    facts: Mapping[str, Any] | None = None,
) -> AuditEntry:
    """Add an entry. `facts` are JSON values: ids, keys, numbers; no names.

    The last thing of a transaction: until it ends, nobody else adds.
    """
    AuditHead.objects.get_or_create(id=1, defaults={"hash": GENESIS_HASH})
    head = AuditHead.objects.select_for_update().get(id=1)
    body = json.dumps(dict(facts or {}), separators=(",", ":"), sort_keys=True)
    entry = AuditEntry(
        number=head.count + 1,
        at=at,
        actor_id=actor_id,
        verb=verb,
        subject_id=subject_id,
        target=target,
        body=body,
        previous=head.hash,
    )
    entry.hash = entry_hash(entry.number, facts_of(entry), entry.previous)
    entry.save(force_insert=True)
    head.count, head.hash = entry.number, entry.hash
    head.save()
    return entry


def audit_breaks() -> Iterator[ChainFault]:
    """Where the log is not what was written: a changed, missing or reordered row."""
    head = AuditHead.objects.filter(id=1).first()
    links = (
        ChainEntry(entry.number, facts_of(entry), entry.previous, entry.hash)
        for entry in AuditEntry.objects.order_by("number").iterator()
    )
    yield from find_faults(
        links, count=head.count if head else 0, head=head.hash if head else GENESIS_HASH
    )


def facts_of(entry: AuditEntry) -> dict[str, Any]:
    """What of an entry is hashed."""
    return {
        "at": entry.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "actor": entry.actor_id,
        "verb": entry.verb,
        "subject": entry.subject_id,
        "target": entry.target,
        "body": entry.body,
    }
