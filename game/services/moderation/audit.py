"""The audit log of moderation: entries are added and verified, never changed."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from django.db import connection, transaction

from game.contest.moderation.chain import (
    GENESIS_HASH,
    ChainEntry,
    ChainFault,
    entry_hash,
    find_faults,
)
from game.models import AuditEntry, AuditHead

# The triggers that refuse changes of the log. Migrations create them. The owner of the
# database can drop them, and SQLite drops them when a migration rebuilds a table.
_TRIGGERS: Final = {
    "postgresql": (
        "game_auditentry_only_added",
        "game_auditentry_not_emptied",
        "game_audithead_begins",
        "game_audithead_goes_on",
        "game_audithead_stays",
        "game_audithead_not_emptied",
    ),
    "sqlite": (
        "game_auditentry_no_update",
        "game_auditentry_no_delete",
        "game_auditentry_no_replace",
        "game_audithead_begins",
        "game_audithead_goes_on",
        "game_audithead_stays",
    ),
}
_SELECT_TRIGGERS: Final = {
    # 'O' fires in ordinary sessions, 'A' in all; 'D' is disabled.
    "postgresql": (
        "select tgname from pg_trigger where tgenabled in ('O', 'A') and tgrelid in"
        " ('game_auditentry'::regclass, 'game_audithead'::regclass)"
    ),
    "sqlite": (
        "select name from sqlite_master where type = 'trigger'"
        " and tbl_name in ('game_auditentry', 'game_audithead')"
    ),
}


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
    """Add an entry. `facts` are JSON values: ids, keys and numbers; no names.

    Call it last in a transaction: it locks the head's row until the commit, so that the
    numbers follow the order of commits and have no gap.
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
    entry.hash = entry_hash(entry.number, hashed_fields(entry), entry.previous)
    entry.save(force_insert=True)
    head.count, head.hash = entry.number, entry.hash
    head.save()
    return entry


def audit_breaks() -> Iterator[ChainFault]:
    """Yield each changed, missing, added or reordered entry of the log."""
    head = AuditHead.objects.filter(id=1).first()
    links = (
        ChainEntry(entry.number, hashed_fields(entry), entry.previous, entry.hash)
        for entry in AuditEntry.objects.order_by("number").iterator()
    )
    yield from find_faults(
        links, count=head.count if head else 0, head=head.hash if head else GENESIS_HASH
    )


def hashed_fields(entry: AuditEntry) -> dict[str, Any]:
    """Return the fields of an entry that its hash covers."""
    return {
        "at": entry.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "actor": entry.actor_id,
        "verb": entry.verb,
        "subject": entry.subject_id,
        "target": entry.target,
        "body": entry.body,
    }


def audit_triggers_missing() -> list[str]:
    """Return the names of the triggers that are absent or disabled."""
    with connection.cursor() as cursor:
        cursor.execute(_SELECT_TRIGGERS[connection.vendor])
        found = {name for (name,) in cursor.fetchall()}
    return [name for name in _TRIGGERS[connection.vendor] if name not in found]
