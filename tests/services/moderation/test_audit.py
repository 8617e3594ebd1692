"""The audit log: entries cannot be changed, and changes are found."""

import base64
import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from game.contest.chain import GENESIS_HASH, entry_hash, signed_text
from game.models import Account, AuditEntry, AuditHead
from game.services.core.signing import public_key
from game.services.moderation.audit import (
    audit_add,
    audit_breaks,
    audit_sign,
    audit_triggers_missing,
    hashed_fields,
)
from tests.fixtures.audit import without_chain_triggers
from tests.fixtures.moderation import DAY, do
from tests.fixtures.races import member, now

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def log(mona: Account) -> Account:
    """Four entries about Dora, after the entry of Mona's role."""
    dora = member("Dora")
    for minutes in range(3):
        do(mona, "warn", dora, at=now() + timedelta(minutes=minutes))
    do(mona, "mute", dora, length=DAY)
    return dora


def broken() -> list[int]:
    return [one.number for one in audit_breaks()]


@pytest.mark.parametrize("way", ["update", "delete"])
def test_database_refuses_changes_of_entries(log: Account, way: str) -> None:
    rows = AuditEntry.objects.filter(number=2)
    with pytest.raises(DatabaseError), transaction.atomic():
        rows.update(verb="x") if way == "update" else rows._raw_delete("default")
    assert broken() == []


@pytest.mark.parametrize("table", ["game_auditentry", "game_audithead"])
def test_database_refuses_to_empty_the_log(log: Account, table: str) -> None:
    # SQLite has no other way to empty a table than to delete its rows.
    way = "delete from" if connection.vendor == "sqlite" else "truncate"
    with connection.cursor() as cursor:
        if connection.vendor != "sqlite":
            cursor.execute("set constraints all immediate")
        with pytest.raises(DatabaseError, match="only added"), transaction.atomic():
            cursor.execute(f"{way} {table}")
    assert broken() == []


def test_database_refuses_to_replace_an_entry(log: Account) -> None:
    if connection.vendor == "sqlite":
        said = "insert or replace into game_auditentry"
        clash = ""
    else:
        said = "insert into game_auditentry"
        clash = " on conflict (number) do update set verb = excluded.verb"
    columns = "number, at, verb, target, body, previous, hash"
    with (
        connection.cursor() as cursor,
        pytest.raises(DatabaseError, match="only added"),
        transaction.atomic(),
    ):
        cursor.execute(
            f"{said} ({columns}) select number, at, 'x', target, body, previous, hash"
            f" from game_auditentry where number = 2{clash}"
        )
    assert broken() == []


@pytest.mark.parametrize("count", [0, 3, 5, 7])
def test_database_refuses_other_head_counts(log: Account, count: int) -> None:
    with pytest.raises(DatabaseError, match="only added"), transaction.atomic():
        AuditHead.objects.update(count=count)
    with pytest.raises(DatabaseError, match="only added"), transaction.atomic():
        AuditHead.objects.all()._raw_delete("default")
    assert broken() == []


def test_missing_trigger_is_found(log: Account) -> None:
    assert audit_triggers_missing() == []
    with without_chain_triggers():
        assert len(audit_triggers_missing()) == 7
        with pytest.raises(CommandError, match="has 7 faults"):
            call_command("verify_audit", stdout=StringIO())
    assert audit_triggers_missing() == []


def test_changed_entry_is_found(log: Account) -> None:
    with without_chain_triggers():
        AuditEntry.objects.filter(number=2).update(subject=None)
    assert broken() == [2]


def test_changed_body_is_found(log: Account) -> None:
    with without_chain_triggers():
        AuditEntry.objects.filter(number=3).update(body='{"kind":"ban"}')
    assert broken() == [3]


@pytest.mark.parametrize("number", [1, 2, 5])
def test_missing_entry_is_found(log: Account, number: int) -> None:
    with without_chain_triggers():
        AuditEntry.objects.filter(number=number)._raw_delete("default")
    assert broken()


def test_swapped_entries_are_found(log: Account) -> None:
    with without_chain_triggers():
        AuditEntry.objects.filter(number=2).update(number=99)
        AuditEntry.objects.filter(number=3).update(number=2)
        AuditEntry.objects.filter(number=99).update(number=3)
    assert broken()


def test_emptied_log_is_found(log: Account) -> None:
    with without_chain_triggers():
        AuditEntry.objects.all()._raw_delete("default")
    assert broken() == [0]


def test_numbers_have_no_gap(log: Account) -> None:
    audit_add(verb="role_set", at=now(), subject_id=log.id, facts={"role": "helper"})
    assert list(
        AuditEntry.objects.order_by("number").values_list("number", flat=True)
    ) == [1, 2, 3, 4, 5, 6]
    assert AuditHead.objects.get().count == 6
    assert broken() == []


def test_failed_act_leaves_no_entry(log: Account) -> None:
    with transaction.atomic():
        audit_add(verb="role_set", at=now())
        transaction.set_rollback(True)
    assert (AuditHead.objects.get().count, broken()) == (5, [])


def test_command_reports_a_changed_log(log: Account) -> None:
    said = StringIO()
    call_command("verify_audit", stdout=said)
    assert "The log is intact: 5 entries, head " in said.getvalue()
    with without_chain_triggers():
        AuditEntry.objects.filter(number=2).update(verb="ban")
    said = StringIO()
    with pytest.raises(CommandError):
        call_command("verify_audit", stdout=said)
    assert "entry 2: is not what was written" in said.getvalue()


def test_command_accepts_an_empty_log(db: None) -> None:
    said = StringIO()
    call_command("verify_audit", stdout=said)
    assert "0 entries" in said.getvalue()


def from_before_the_signatures() -> None:
    """Make the entries those of a site whose log was not signed yet."""
    with without_chain_triggers():
        previous = GENESIS_HASH
        for entry in AuditEntry.objects.order_by("number"):
            entry.salt = entry.key = entry.signature = None
            entry.previous = previous
            fields = hashed_fields(entry)
            entry.hash = previous = entry_hash(entry.number, fields, entry.previous)
            entry.save()
        AuditHead.objects.update(hash=previous)


def test_unsigned_log_is_continued_by_signed_entries(log: Account) -> None:
    from_before_the_signatures()
    assert broken() == []
    assert [audit_sign(at=now()) for _ in range(2)] == [1, 0]
    assert AuditEntry.objects.get(number=6).verb == "log_key"
    audit_add(verb="role_set", at=now())
    assert AuditEntry.objects.count() == 7
    assert broken() == []
    with without_chain_triggers():
        AuditEntry.objects.filter(number=2).update(verb="x")
    assert broken() == [2]


def test_next_act_begins_to_sign_an_unsigned_log(log: Account) -> None:
    from_before_the_signatures()
    audit_add(verb="role_set", at=now())
    verbs = list(AuditEntry.objects.order_by("number").values_list("verb", flat=True))
    assert verbs[5:] == ["log_key", "role_set"]
    assert broken() == []


def test_empty_log_needs_no_switch(db: None) -> None:
    assert audit_sign(at=now()) == 0
    assert not AuditEntry.objects.exists()


def test_new_key_is_recorded(log: Account, settings: Any) -> None:
    old = AuditEntry.objects.get(number=5).key
    settings.SIGNING_KEY = base64.urlsafe_b64encode(b"k" * 32).decode()
    audit_add(verb="role_set", at=now())
    assert broken() == [1, 2, 3, 4, 5]
    assert next(audit_breaks()).text == f"is signed by an unknown key, {old}"
    settings.SIGNING_KEYS_BEFORE = [old]
    assert broken() == []
    switch = AuditEntry.objects.get(number=6)
    assert json.loads(switch.body) == {"before": old, "key": public_key()}


def test_database_refuses_unsigned_entries_after_signed_ones(log: Account) -> None:
    unsigned = AuditEntry(number=6, at=now(), verb="x", previous="p", hash="h")
    with pytest.raises(DatabaseError, match="only added"), transaction.atomic():
        unsigned.save(force_insert=True)


def test_forger_without_the_key_is_found(log: Account) -> None:
    """The whole log is written anew, correctly hashed, with a key of the forger's."""
    forger = Ed25519PrivateKey.from_private_bytes(b"f" * 32)
    with without_chain_triggers():
        previous = GENESIS_HASH
        for entry in AuditEntry.objects.order_by("number"):
            entry.actor_id = None
            entry.key = forger.public_key().public_bytes_raw().hex()
            entry.previous = previous
            fields = hashed_fields(entry)
            entry.hash = previous = entry_hash(entry.number, fields, entry.previous)
            text = signed_text("audit", entry.hash)
            entry.signature = forger.sign(text.encode()).hex()
            entry.save()
        AuditHead.objects.update(hash=previous)
    assert broken() == [1, 2, 3, 4, 5]
    audit_add(verb="role_set", at=now())  # the site goes on, and signs on top
    assert broken() == [1, 2, 3, 4, 5]


def test_hash_of_an_entry_cannot_be_guessed(log: Account) -> None:
    salts = set(AuditEntry.objects.values_list("salt", flat=True))
    assert len(salts) == 5
    entry = AuditEntry.objects.get(number=2)
    without_salt = hashed_fields(entry) | {"salt": ""}
    assert entry_hash(2, without_salt, entry.previous) != entry.hash
