"""I19: the chain of commitments is complete, and every daily is as it was published.

The chain alone shows a change by somebody who has not the site's key. Against somebody
who has it, compare with a kept copy (`manage.py verify_chain`).
"""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from game.contest.beacon import BEACON_LEAD, round_at, round_time
from game.contest.calendar import SETTLEMENT_LATE_AFTER
from game.contest.commitments import EntryKind, RecordedDay, recorded_days
from game.models import AuditEntry, Commitment, Daily
from game.services.dailies.beacons import beacon_is_valid, beacon_network
from game.services.dailies.commitments import (
    assessed_facts,
    chosen_facts,
    commitment_breaks,
    commitment_facts,
    commitment_links,
    commitment_triggers_missing,
    drawn_facts,
)
from game.services.maintenance.invariants.breach import Breach
from game.services.moderation.audit import CHAIN_VERB


def breaches(*, at: datetime) -> Iterator[Breach]:
    """Every breach of this invariant."""
    for fault in commitment_breaks():
        yield Breach("I19", f"commitment {fault.number}", fault.text)
    for name in commitment_triggers_missing():
        yield Breach("I19", f"trigger {name}", "is not there")
    yield from _columns()
    recorded = recorded_days(commitment_links())
    rows = Daily.objects.select_related("dungeon__assessment").order_by("on", "ruleset")
    for daily in rows.prefetch_related("digests").iterator(200):
        day = recorded.pop((daily.on.isoformat(), daily.ruleset), None)
        if day is None:
            yield Breach("I19", str(daily), "is not in the chain")
            continue
        for number in day.repeated:
            text = f"was published again (commitment {number})"
            yield Breach("I19", str(daily), text)
        yield from _draw(daily, day)
        yield from _choice(daily, day)
        yield from _boards(daily, day, at)
    for on, ruleset in recorded:
        yield Breach("I19", f"daily {on} {ruleset}", "was published, and is gone")
    yield from _audit()


def _columns() -> Iterator[Breach]:
    """The columns by which entries are found repeat what their facts say."""
    for row in Commitment.objects.order_by("number").iterator():
        facts = commitment_facts(row)
        expected = (facts["kind"], facts.get("day"), facts.get("ruleset", ""))
        if expected != (row.kind, row.on.isoformat() if row.on else None, row.ruleset):
            yield Breach("I19", f"commitment {row.number}", "is filed as another entry")


def _draw(daily: Daily, day: RecordedDay) -> Iterator[Breach]:
    """Master seal, times, planned difficulty and named round are as published."""
    yield from _differences(
        daily, day.facts.get(EntryKind.DRAWN, {}), drawn_facts(daily)
    )
    number, network = daily.beacon_round, beacon_network()
    if number is None:
        if daily.beacon_signature:
            yield Breach("I19", str(daily), "uses a public value that it does not name")
        return
    is_due = number == round_at(network, daily.opens_at - BEACON_LEAD)
    if not is_due or round_time(network, number) <= daily.drawn_at:
        yield Breach("I19", str(daily), "names another round than it must")
    signature = daily.beacon_signature
    if signature and not beacon_is_valid(network, number, signature):
        yield Breach("I19", str(daily), "uses a public value that is not genuine")


def _choice(daily: Daily, day: RecordedDay) -> Iterator[Breach]:
    """The dungeon and its difficulty are those that were published."""
    chosen = day.facts.get(EntryKind.CHOSEN)
    assessed = day.facts.get(EntryKind.ASSESSED)
    if daily.dungeon is None:
        if chosen:
            yield Breach("I19", str(daily), "has lost its published dungeon")
        return
    yield from _differences(daily, chosen or {}, chosen_facts(daily))
    if getattr(daily.dungeon, "assessment", None) is not None:
        yield from _differences(daily, assessed or {}, assessed_facts(daily))
    elif assessed:
        yield Breach("I19", str(daily), "has lost its difficulty")


def _boards(daily: Daily, day: RecordedDay, at: datetime) -> Iterator[Breach]:
    """Every settled board is the published one, and is published soon."""
    for digest in daily.digests.all():
        published = day.boards.pop(digest.revision, None)
        if published is None and digest.at < at - SETTLEMENT_LATE_AFTER:
            yield Breach(
                "I19", str(daily), f"revision {digest.revision} is not published"
            )
        elif published not in (None, digest.digest):
            text = f"revision {digest.revision} is not the published board"
            yield Breach("I19", str(daily), text)
    for revision in day.boards:
        yield Breach("I19", str(daily), f"has lost revision {revision} of its board")


def _differences(
    daily: Daily, published: Mapping[str, Any], stored: Mapping[str, Any]
) -> Iterator[Breach]:
    for name, value in stored.items():
        if published.get(name) != value:
            yield Breach("I19", str(daily), f"has another {name} than was published")


def _audit() -> Iterator[Breach]:
    """I12, I19: each of the two logs has the entries whose hashes the other has."""
    first = Commitment.objects.filter(number=1).first()
    for entry in AuditEntry.objects.filter(verb=CHAIN_VERB):
        if first is None or json.loads(entry.body)["hash"] != first.hash:
            yield Breach("I19", "commitment 1", "is not the one that the audit log has")
    rows = Commitment.objects.filter(kind=EntryKind.AUDIT)
    heads = [commitment_facts(row) for row in rows]
    stored = AuditEntry.objects.in_bulk([facts["count"] for facts in heads])
    for facts in heads:
        logged = stored.get(facts["count"])
        if logged is None or logged.hash != facts["hash"]:
            what = f"audit {facts['count']}"
            yield Breach("I12", what, "is not the entry that the chain has")
