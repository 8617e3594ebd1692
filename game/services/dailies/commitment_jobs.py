"""What the tick adds to the chain: earlier days, settled boards, the audit log's head.

Each job is derived from the rows, so it may run twice or late.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from game.contest.commitments import ADOPT_WITHIN, EntryKind
from game.models import AuditHead, Commitment, Daily, DailyDigest
from game.services.dailies.commitments import (
    NewEntry,
    adopted_entry,
    assessed_entry,
    chosen_entry,
    commitment_facts,
    commitments_add,
    commitments_lock,
    label_of,
    settled_entry,
)
from game.services.runs.dungeons import seed_decrypt

# How far back the tick looks for settled boards that are not in the chain.
_LOOK_BACK = timedelta(days=30)


def commitments_adopt(*, at: datetime) -> int:
    """Add what was published before the chain began; how many entries.

    Processes of an older version may still draw and choose dailies while a new one is
    installed. So what is missing is added within a day of the first entry; later, a
    daily that is not in the chain is a breach of the invariants.
    """
    if not _is_adopting(at) or not Daily.objects.exists():
        return 0
    with transaction.atomic():
        commitments_lock()
        chosen = _dailies_without(EntryKind.CHOSEN).exclude(dungeon=None)
        assessed = _dailies_without(EntryKind.ASSESSED).exclude(
            dungeon__assessment=None
        )
        new = [
            *(
                adopted_entry(daily)
                for daily in _dailies_without(EntryKind.DRAWN, EntryKind.ADOPTED)
            ),
            *(chosen_entry(daily) for daily in chosen),
            *(assessed_entry(daily) for daily in assessed),
        ]
        return commitments_add(new, at=at)


def commitments_add_settled(*, at: datetime) -> int:
    """Add the settled boards that the chain does not have yet; how many."""
    if not _unrecorded_digests(at).exists():
        return 0
    with transaction.atomic():
        commitments_lock()
        rows = _unrecorded_digests(at).select_related("daily__dungeon__assessment")
        rows = rows.order_by("daily__on", "daily_id", "revision")
        return commitments_add([_digest_entry(digest) for digest in rows], at=at)


def commitments_add_audit_head(*, at: datetime) -> int:
    """Add the head of the audit log if the log has grown; 1 if it was added."""
    if _new_audit_head() is None:
        return 0
    with transaction.atomic():
        commitments_lock()
        head = _new_audit_head()
        if head is None:
            return 0
        facts = {"count": head.count, "hash": head.hash}
        return commitments_add([NewEntry(EntryKind.AUDIT, facts)], at=at)


def _new_audit_head() -> AuditHead | None:
    """The head of the audit log, unless the chain has it already."""
    last = Commitment.objects.filter(kind=EntryKind.AUDIT).order_by("-number").first()
    known = commitment_facts(last)["count"] if last else 0
    return AuditHead.objects.filter(id=1).exclude(count=known).first()


def _is_adopting(at: datetime) -> bool:
    """Whether the chain is empty or began less than a day ago."""
    first = Commitment.objects.filter(number=1).first()
    if first is None:
        return True
    return at < datetime.fromisoformat(commitment_facts(first)["at"]) + ADOPT_WITHIN


def _dailies_without(*kinds: EntryKind) -> QuerySet[Daily]:
    """The dailies that the chain has no entry of these kinds about, oldest first."""
    there = Commitment.objects.filter(
        on=OuterRef("on"), ruleset=OuterRef("ruleset"), kind__in=kinds
    )
    rows = Daily.objects.filter(~Exists(there)).select_related("dungeon__assessment")
    return rows.order_by("on", "ruleset")


def _unrecorded_digests(at: datetime) -> QuerySet[DailyDigest]:
    """The revisions of boards that the chain does not have."""
    recorded = (
        Commitment.objects.filter(
            kind=EntryKind.SETTLED,
            on=OuterRef("daily__on"),
            ruleset=OuterRef("daily__ruleset"),
        )
        .order_by()
        .values("on")
        .annotate(n=Count("number"))
        .values("n")
    )
    rows = DailyDigest.objects.annotate(recorded=Coalesce(Subquery(recorded), 0))
    rows = rows.filter(revision__gt=F("recorded"))
    return rows if _is_adopting(at) else rows.filter(at__gte=at - _LOOK_BACK)


def _digest_entry(digest: DailyDigest) -> NewEntry:
    """The entry of a settled board: its digest, and the reveal of the daily."""
    daily = digest.daily
    dungeon = daily.dungeon
    assert dungeon is not None
    assessment = getattr(dungeon, "assessment", None)
    facts: dict[str, Any] = {
        "revision": digest.revision,
        "digest": digest.digest,
        "master": seed_decrypt(daily.id, daily.master_sealed),
        "seed": seed_decrypt(dungeon.id, dungeon.seed_sealed),
        "candidate": daily.candidate,
        "label": label_of(assessment) if assessment else None,
    }
    return settled_entry(daily, facts)
