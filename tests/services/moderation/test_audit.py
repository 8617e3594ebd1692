"""The log is only added to, and whoever gets past that is found."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from game.models import Account, AuditEntry, AuditHead
from game.services.moderation.audit import (
    audit_add,
    audit_breaks,
    audit_triggers_missing,
)
from tests.fixtures.audit import without_audit_triggers
from tests.fixtures.moderation import DAY, do
from tests.fixtures.races import member, now

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def log(mona: Account) -> Account:
    """Four entries about Dora, after the one that made Mona a moderator."""
    dora = member("Dora")
    for minutes in range(3):
        do(mona, "warn", dora, at=now() + timedelta(minutes=minutes))
    do(mona, "mute", dora, length=DAY)
    return dora


def broken() -> list[int]:
    return [one.number for one in audit_breaks()]


@pytest.mark.parametrize("way", ["update", "delete"])
def test_the_database_itself_refuses(log: Account, way: str) -> None:
    rows = AuditEntry.objects.filter(number=2)
    with pytest.raises(DatabaseError), transaction.atomic():
        rows.update(verb="x") if way == "update" else rows._raw_delete("default")
    assert broken() == []


@pytest.mark.parametrize("table", ["game_auditentry", "game_audithead"])
def test_it_is_not_emptied(log: Account, table: str) -> None:
    # SQLite has no other way to empty a table than to delete its rows.
    way = "delete from" if connection.vendor == "sqlite" else "truncate"
    with connection.cursor() as cursor:
        if connection.vendor != "sqlite":
            cursor.execute("set constraints all immediate")
        with pytest.raises(DatabaseError, match="only added"), transaction.atomic():
            cursor.execute(f"{way} {table}")
    assert broken() == []


def test_nothing_takes_the_place_of_an_entry(log: Account) -> None:
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
def test_the_head_only_goes_on_by_one(log: Account, count: int) -> None:
    with pytest.raises(DatabaseError, match="only added"), transaction.atomic():
        AuditHead.objects.update(count=count)
    with pytest.raises(DatabaseError, match="only added"), transaction.atomic():
        AuditHead.objects.all()._raw_delete("default")
    assert broken() == []


def test_a_guard_that_is_gone_is_found(log: Account) -> None:
    assert audit_triggers_missing() == []
    with without_audit_triggers():
        assert len(audit_triggers_missing()) == 6
        with pytest.raises(CommandError, match="broken in 6 places"):
            call_command("verify_audit", stdout=StringIO())
    assert audit_triggers_missing() == []


def test_a_changed_row_is_found(log: Account) -> None:
    with without_audit_triggers():
        AuditEntry.objects.filter(number=2).update(subject=None)
    assert broken() == [2]


def test_a_changed_body_is_found(log: Account) -> None:
    with without_audit_triggers():
        AuditEntry.objects.filter(number=3).update(body='{"kind":"ban"}')
    assert broken() == [3]


@pytest.mark.parametrize("number", [1, 2, 5])
def test_a_missing_row_is_found(log: Account, number: int) -> None:
    with without_audit_triggers():
        AuditEntry.objects.filter(number=number)._raw_delete("default")
    assert broken()


def test_swapped_rows_are_found(log: Account) -> None:
    with without_audit_triggers():
        AuditEntry.objects.filter(number=2).update(number=99)
        AuditEntry.objects.filter(number=3).update(number=2)
        AuditEntry.objects.filter(number=99).update(number=3)
    assert broken()


def test_an_emptied_log_is_found(log: Account) -> None:
    with without_audit_triggers():
        AuditEntry.objects.all()._raw_delete("default")
    assert broken() == [0]


def test_numbers_go_on_without_a_hole(log: Account) -> None:
    audit_add(verb="role_set", at=now(), subject_id=log.id, facts={"role": "helper"})
    assert list(
        AuditEntry.objects.order_by("number").values_list("number", flat=True)
    ) == [1, 2, 3, 4, 5, 6]
    assert AuditHead.objects.get().count == 6
    assert broken() == []


def test_a_failed_act_leaves_no_entry(log: Account) -> None:
    with transaction.atomic():
        audit_add(verb="role_set", at=now())
        transaction.set_rollback(True)
    assert (AuditHead.objects.get().count, broken()) == (5, [])


def test_the_command_says_so(log: Account) -> None:
    said = StringIO()
    call_command("verify_audit", stdout=said)
    assert "The log holds: 5 entries, head " in said.getvalue()
    with without_audit_triggers():
        AuditEntry.objects.filter(number=2).update(verb="ban")
    said = StringIO()
    with pytest.raises(CommandError):
        call_command("verify_audit", stdout=said)
    assert "entry 2: is not what was written" in said.getvalue()


def test_the_command_knows_an_empty_log(db: None) -> None:
    said = StringIO()
    call_command("verify_audit", stdout=said)
    assert "0 entries" in said.getvalue()
