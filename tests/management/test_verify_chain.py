"""`manage.py verify_chain`: what only a kept copy shows, and how it is named."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from game.contest.chain import canonical_json, entry_hash, signed_text
from game.management import chain_copies
from game.models import AuditEntry, AuditHead, Commitment, CommitmentHead, Daily
from game.rules import seal_of
from game.services.core.signing import sign
from game.services.dailies.commitments import commitment_facts
from game.services.dailies.publish import dailies_publish
from game.services.maintenance.invariants import commitments as invariant
from game.services.moderation.audit import audit_add, audit_breaks
from game.services.runs.dungeons import seed_encrypt
from tests.fixtures.audit import without_chain_triggers
from tests.fixtures.dailies import MORNING, SETTLES

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
DAYS = 31


@pytest.fixture
def kept(quick: None, one_ruleset: None, client: Client, tmp_path: Path) -> Path:
    """A copy of the chain and of the signed heads, made after the draw."""
    dailies_publish(at=MORNING)
    audit_add(verb="role_set", at=MORNING)
    file = tmp_path / "chain.ndjson"
    heads = client.get("/api/v1/fairness/").content
    file.write_bytes(client.get("/api/v1/fairness/chain/").content + heads + b"\n")
    return file


def verify(*words: str) -> str:
    """The output of the command, with its error if it failed."""
    said = StringIO()
    try:
        call_command("verify_chain", *words, stdout=said)
    except CommandError as error:
        said.write(f"FAILED {error}")
    return said.getvalue()


def compared(kept: Path) -> str:
    return verify("--copy", str(kept))


def operator_rewrites(number: int, **change: str) -> None:
    """Change an entry, then hash and sign all from there on: needs the key."""
    with without_chain_triggers():
        previous = ""
        for row in Commitment.objects.filter(number__gte=number).order_by("number"):
            facts = commitment_facts(row)
            if row.number == number:
                facts, previous = facts | change, row.previous
            row.previous, row.facts = previous, canonical_json(facts)
            row.hash = previous = entry_hash(row.number, facts, previous)
            row.signature = sign(signed_text("dailies", row.hash))
            row.save()
        CommitmentHead.objects.update(hash=previous)


def operator_cuts(last: int) -> None:
    with without_chain_triggers():
        Commitment.objects.filter(number__gt=last)._raw_delete("default")
        CommitmentHead.objects.update(
            count=last, hash=Commitment.objects.get(number=last).hash
        )


def test_intact_chain_continues_the_copy(kept: Path) -> None:
    assert "The chain is intact: 32 entries, head " in verify()
    assert "32 entries and 1 signed heads are unchanged" in compared(kept)
    dailies_publish(at=SETTLES)  # it has grown
    assert "33 entries" in compared(kept)


def test_master_replaced_by_somebody_with_the_key(kept: Path) -> None:
    daily = Daily.objects.order_by("-on")[0]
    seal = seal_of("ab" * 32)
    daily.master_seal, daily.master_sealed = seal, seed_encrypt("ab" * 32, daily.id)
    daily.save()
    operator_rewrites(1 + DAYS, master_seal=seal)
    assert list(invariant.breaches(at=MORNING)) == []  # nothing without a copy
    assert "intact" in verify()
    said = compared(kept)
    day = f"({daily.on} tavern-1)"
    assert f"first difference: entry 32 has {day} other values of master_seal" in said
    assert "FAILED" in said


def test_truncation_is_found_with_a_copy_only(kept: Path) -> None:
    operator_cuts(20)
    Daily.objects.order_by("-on")[:12]
    assert "intact" in verify()
    assert "entry 21 is in the copy, but no longer in the chain" in compared(kept)


def test_signed_heads_alone_are_enough(kept: Path) -> None:
    kept.write_text(kept.read_text().splitlines()[-1])
    assert "0 entries and 1 signed heads are unchanged" in compared(kept)
    operator_rewrites(5, planned="hard")
    assert "entry 32 is not the signed head of the copy" in compared(kept)


def test_audit_log_written_anew_with_the_key(kept: Path) -> None:
    with without_chain_triggers():
        AuditEntry.objects.all()._raw_delete("default")
        AuditHead.objects.all()._raw_delete("default")
    audit_add(verb="role_set", at=MORNING)
    assert list(audit_breaks()) == []
    assert "entry 1 of the audit log is not the signed head" in compared(kept)


def test_faults_are_named(kept: Path) -> None:
    with without_chain_triggers():
        Commitment.objects.filter(number=7)._raw_delete("default")
    said = compared(kept)
    assert "entry 7: entry 7 is missing before entry 8" in said
    assert "first difference: entry 7 is in the copy" in said
    assert "FAILED" in said


def test_another_site_is_compared(
    kept: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def get(url: str) -> str:
        return client.get(url.removeprefix("https://other.example")).content.decode()

    monkeypatch.setattr(chain_copies, "outgoing_get", get)
    site = ("--site", "https://other.example/")
    assert "unchanged" in verify("--copy", str(kept), *site)
    operator_rewrites(9, planned="hard")
    said = verify("--copy", str(kept), *site)
    assert "first difference: entry 9 has " in said
    assert "other values of planned" in said
    monkeypatch.setattr(chain_copies, "outgoing_get", lambda _: "{}")
    assert "publishes no chain" in verify(*site)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"number": 5', "", "is not a copy of a chain"),
        ("master_seal", "master_sea1", "is not its text's"),
        ('"signature":"', '"signature":"00', "The signature of the heads is wrong"),
        ('"signature": "', '"signature": "00', "The signature of entry 1 is wrong"),
    ],
)
def test_damaged_copy_is_refused(kept: Path, old: str, new: str, expected: str) -> None:
    text = kept.read_text()
    assert old in text
    kept.write_text(text.replace(old, new))
    assert expected in compared(kept)


def test_missing_copy_is_refused(db: None, tmp_path: Path) -> None:
    assert "is not a copy of a chain" in compared(tmp_path / "none")
    assert "The chain is intact: 0 entries" in verify()


def test_copy_has_what_the_program_of_third_parties_keeps(kept: Path) -> None:
    lines = [json.loads(line) for line in kept.read_text().splitlines()]
    assert [line.get("number") for line in lines[:-1]] == list(range(1, DAYS + 2))
    assert lines[-1]["dailies"]["number"] == DAYS + 1
