"""The chain of published commitments: adds entries, and checks the stored chain.

An entry is added in the transaction that publishes what it records. That locks the
chain's head until the commit; take the lock after those on dailies, runs, races and
ratings, and before the one on the audit log's head.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from django.conf import settings
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
from game.contest.commitments import CHAIN, EntryKind
from game.contest.drawing import label_seal
from game.models import Assessment, Commitment, CommitmentHead, Daily
from game.selectors.core.times import as_text
from game.services.core.append_only import triggers_missing
from game.services.core.signing import is_signed, known_keys, public_key, sign
from game.services.runs.dungeons import seed_decrypt

_CHAIN: Final = "dailies"


class NewEntry(NamedTuple):
    """An entry to be added: its kind, its facts, and the daily it is about."""

    kind: EntryKind
    facts: Mapping[str, Any]
    on: date | None = None
    ruleset: str = ""


def drawn_entry(daily: Daily) -> NewEntry:
    """The entry of a daily's draw: everything about it that is fixed then."""
    return _about(daily, EntryKind.DRAWN, drawn_facts(daily))


def drawn_facts(daily: Daily) -> dict[str, Any]:
    """What the chain records when a daily is drawn."""
    return {
        "difficulty": daily.difficulty,
        "planned": daily.planned,
        "master_seal": daily.master_seal,
        "drawn_at": as_text(daily.drawn_at),
        "beacon": beacon_named(daily),
        "opens_at": as_text(daily.opens_at),
        "closes_at": as_text(daily.closes_at),
        "settles_at": as_text(daily.settles_at),
    }


def beacon_named(daily: Daily) -> dict[str, Any] | None:
    """The drand round that a daily names: {chain, round}, or None."""
    if daily.beacon_round is None:
        return None
    return {"chain": settings.BEACON_NETWORK.chain, "round": daily.beacon_round}


def chosen_entry(daily: Daily) -> NewEntry:
    """The entry of the choice of a daily's dungeon."""
    return _about(daily, EntryKind.CHOSEN, chosen_facts(daily))


def chosen_facts(daily: Daily) -> dict[str, Any]:
    """What the chain records when a daily's dungeon is chosen."""
    assert daily.dungeon is not None
    return {
        "seal": daily.dungeon.seal,
        "choice": daily.choice,
        "chosen_at": as_text(daily.chosen_at),
        "beacon_signature": daily.beacon_signature or None,
    }


def assessed_entry(daily: Daily) -> NewEntry:
    """The entry of a daily's measured difficulty."""
    return _about(daily, EntryKind.ASSESSED, assessed_facts(daily))


def assessed_facts(daily: Daily) -> dict[str, Any]:
    """What the chain records of a measured difficulty: a commitment to the label.

    The label itself stays secret until the reveal.
    """
    assert daily.dungeon is not None
    master = seed_decrypt(daily.id, daily.master_sealed)
    return {"label_seal": label_seal(master, label_of(daily.dungeon.assessment))}


def label_of(assessment: Assessment) -> dict[str, Any]:
    """The difficulty label of a dungeon, as it is committed to and revealed."""
    return {
        "difficulty": assessment.difficulty,
        "version": assessment.version,
        "winnable": assessment.winnable,
        "best": assessment.best,
        "cleared": assessment.cleared,
        "games": assessment.games,
        "band": assessment.band,
    }


def _about(daily: Daily, kind: EntryKind, facts: Mapping[str, Any]) -> NewEntry:
    day_facts = {"day": daily.on.isoformat(), "ruleset": daily.ruleset}
    return NewEntry(kind, {**day_facts, **facts}, daily.on, daily.ruleset)


def settled_entry(daily: Daily, facts: Mapping[str, Any]) -> NewEntry:
    """The entry of a settled board."""
    return _about(daily, EntryKind.SETTLED, facts)


def adopted_entry(daily: Daily) -> NewEntry:
    """The entry of the draw of a daily that was published before the chain began."""
    return _about(daily, EntryKind.ADOPTED, drawn_facts(daily))


@transaction.atomic
def commitments_add(entries: Iterable[NewEntry], *, at: datetime) -> int:
    """Add entries to the chain, in this order; how many. The first one begins it."""
    entries = list(entries)
    if not entries:
        return 0
    head = commitments_lock()
    if head.count == 0:
        entries.insert(0, NewEntry(EntryKind.START, {"chain": CHAIN}))
    key, rows = public_key(), []
    number, previous = head.count, head.hash
    for new in entries:
        number += 1
        facts = {**new.facts, "kind": new.kind, "at": as_text(at), "key": key}
        hashed = entry_hash(number, facts, previous)
        rows.append(
            Commitment(
                number=number,
                kind=new.kind,
                on=new.on,
                ruleset=new.ruleset,
                facts=canonical_json(facts),
                previous=previous,
                hash=hashed,
                signature=sign(signed_text(_CHAIN, hashed)),
            )
        )
        previous = hashed
    Commitment.objects.bulk_create(rows)
    head.count, head.hash = number, previous
    head.save()
    return len(rows)


def commitments_lock() -> CommitmentHead:
    """Lock the chain's head until the transaction ends. Nobody else can then add."""
    CommitmentHead.objects.get_or_create(id=1, defaults={"hash": GENESIS_HASH})
    return CommitmentHead.objects.select_for_update().get(id=1)


def commitment_links(*, after: int = 0) -> Iterator[ChainEntry]:
    """The stored entries with a higher number, in order."""
    rows = Commitment.objects.filter(number__gt=after).order_by("number")
    for row in rows.iterator():
        yield link_of(row)


def link_of(row: Commitment) -> ChainEntry:
    """A stored entry as an entry of a chain."""
    facts = commitment_facts(row)
    return ChainEntry(
        row.number, facts, row.previous, row.hash, str(facts["key"]), row.signature
    )


def commitment_facts(row: Commitment) -> dict[str, Any]:
    """The facts of a stored entry."""
    facts: dict[str, Any] = json.loads(row.facts)
    return facts


def commitment_breaks() -> Iterator[ChainFault]:
    """Yield each changed, missing, added, reordered or wrongly signed entry."""
    head = CommitmentHead.objects.filter(id=1).first()
    yield from find_faults(
        commitment_links(),
        count=head.count if head else 0,
        head=head.hash if head else GENESIS_HASH,
        signatures=commitment_signatures(),
    )


def commitment_signatures() -> SignatureCheck:
    """How signatures of the chain are checked."""
    return SignatureCheck(known_keys(), commitment_is_signed)


def commitment_is_signed(key: str, hashed: str, signature: str) -> bool:
    """Whether that public key has signed an entry with this hash."""
    return is_signed(key, signed_text(_CHAIN, hashed), signature)


def commitment_triggers_missing() -> list[str]:
    """Return the names of the triggers that are absent or disabled."""
    return triggers_missing("game_commitment", "game_commitmenthead")
