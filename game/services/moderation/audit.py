"""The audit log of moderation: entries are added and verified, never changed."""

import json
import secrets
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from django.db import transaction

from game.contest.chain import (
    GENESIS_HASH,
    ChainEntry,
    ChainFault,
    SignatureCheck,
    canonical_json,
    entry_hash,
    find_faults,
    signed_text,
)
from game.models import AuditEntry, AuditHead, Commitment
from game.services.core.append_only import triggers_missing
from game.services.core.signing import is_signed, known_keys, public_key, sign

_CHAIN: Final = "audit"
# Written before the first signed entry of a log that has unsigned ones, and before the
# first entry of a new key.
KEY_VERB: Final = "log_key"
CHAIN_VERB: Final = "chain_began"


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
    head = _lock_head()
    before = AuditEntry.objects.filter(number=head.count).only("key").first()
    if before is not None and before.key != public_key():
        switch = {"before": before.key, "key": public_key()}
        _append(head, AuditEntry(at=at, verb=KEY_VERB, body=canonical_json(switch)))
    entry = AuditEntry(
        at=at,
        actor_id=actor_id,
        verb=verb,
        subject_id=subject_id,
        target=target,
        body=json.dumps(dict(facts or {}), separators=(",", ":"), sort_keys=True),
    )
    _append(head, entry)
    return entry


@transaction.atomic
def audit_sign(*, at: datetime) -> int:
    """Begin to sign a log that has only unsigned entries; 1 if that was done now."""
    last = AuditEntry.objects.order_by("-number").only("key").first()
    if last is None or last.key:
        return 0
    head = _lock_head()
    switch = {"before": None, "key": public_key()}
    _append(head, AuditEntry(at=at, verb=KEY_VERB, body=canonical_json(switch)))
    return 1


def audit_record_chain(*, at: datetime) -> int:
    """Record the first entry of the chain of commitments, once; 1 if that was done now.

    If somebody empties that chain, the site begins it anew, and this entry shows it.
    """
    first = Commitment.objects.filter(number=1).first()
    if first is None or AuditEntry.objects.filter(verb=CHAIN_VERB).exists():
        return 0
    audit_add(verb=CHAIN_VERB, at=at, facts={"hash": first.hash})
    return 1


def audit_breaks() -> Iterator[ChainFault]:
    """Yield each changed, missing, added, reordered or unsigned entry of the log."""
    head = AuditHead.objects.filter(id=1).first()
    links = (
        ChainEntry(
            entry.number,
            hashed_fields(entry),
            entry.previous,
            entry.hash,
            entry.key or "",
            entry.signature or "",
        )
        for entry in AuditEntry.objects.order_by("number").iterator()
    )
    yield from find_faults(
        links,
        count=head.count if head else 0,
        head=head.hash if head else GENESIS_HASH,
        signatures=SignatureCheck(known_keys(), _is_valid),
    )


def hashed_fields(entry: AuditEntry) -> dict[str, Any]:
    """Return the fields of an entry that its hash covers.

    Entries from before the log was signed have neither salt nor key.
    """
    fields = {
        "at": entry.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "actor": entry.actor_id,
        "verb": entry.verb,
        "subject": entry.subject_id,
        "target": entry.target,
        "body": entry.body,
    }
    if entry.key is not None:
        fields |= {"salt": entry.salt, "key": entry.key}
    return fields


def audit_triggers_missing() -> list[str]:
    """Return the names of the triggers that are absent or disabled."""
    return triggers_missing(
        "game_auditentry", "game_audithead", others=["stays_signed"]
    )


def _lock_head() -> AuditHead:
    AuditHead.objects.get_or_create(id=1, defaults={"hash": GENESIS_HASH})
    return AuditHead.objects.select_for_update().get(id=1)


def _append(head: AuditHead, entry: AuditEntry) -> None:
    """Number, hash, sign and store an entry. The head must be locked.

    The head is published. The salt keeps others from testing guesses about an entry,
    such as which moderator acted, against it.
    """
    entry.number, entry.previous = head.count + 1, head.hash
    entry.salt, entry.key = secrets.token_hex(16), public_key()
    entry.hash = entry_hash(entry.number, hashed_fields(entry), entry.previous)
    entry.signature = sign(signed_text(_CHAIN, entry.hash))
    entry.save(force_insert=True)
    head.count, head.hash = entry.number, entry.hash
    head.save()


def _is_valid(key: str, hashed: str, signature: str) -> bool:
    return is_signed(key, signed_text(_CHAIN, hashed), signature)
