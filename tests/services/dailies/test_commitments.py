"""What is published about dailies is added to the chain, once and in order."""

from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction

from game.models import AuditHead, Commitment, CommitmentHead, Daily, Run
from game.services.dailies.commitment_jobs import (
    commitments_add_audit_head,
    commitments_add_settled,
    commitments_adopt,
)
from game.services.dailies.commitments import commitment_breaks, commitment_facts
from game.services.dailies.publish import dailies_publish, daily_choose_step
from game.services.dailies.settle import daily_settle
from game.services.maintenance.invariants import breaches
from game.services.maintenance.tick import tick
from game.services.moderation.audit import audit_record_chain
from tests.fixtures.audit import without_chain_triggers
from tests.fixtures.dailies import DAY, MORNING, SETTLES
from tests.fixtures.moderation import do, staff

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
LATER = SETTLES + timedelta(minutes=1)


def kinds(daily: Daily) -> list[str]:
    rows = Commitment.objects.filter(on=daily.on, ruleset=daily.ruleset)
    return list(rows.order_by("number").values_list("kind", flat=True))


def broken_invariants() -> list[str]:
    return [str(breach) for breach in breaches(at=LATER)]


def test_each_publication_is_one_entry(daily: Daily, played_daily: list[Run]) -> None:
    assert kinds(daily) == ["drawn", "chosen"]
    assert daily_choose_step(daily.id, at=MORNING)
    assert kinds(daily) == ["drawn", "chosen", "assessed"]
    daily_settle(daily.id, at=SETTLES)
    assert [commitments_add_settled(at=LATER) for _ in range(2)] == [1, 0]
    do(staff("Mona"), "void_run", target=played_daily[0].id, at=LATER)
    assert [commitments_add_settled(at=LATER) for _ in range(2)] == [1, 0]
    assert kinds(daily) == ["drawn", "chosen", "assessed", "settled", "settled"]
    assert CommitmentHead.objects.get().count == Commitment.objects.count() == 31 + 5
    assert broken_invariants() == []


def test_chosen_with_its_difficulty(daily: Daily) -> None:
    ahead = Daily.objects.get(on=DAY + timedelta(days=1))
    while not daily_choose_step(ahead.id, at=MORNING):
        pass
    assert kinds(ahead) == ["drawn", "chosen", "assessed"]
    secrets = ("candidate", "band", "master", "seed", "label")
    for row in Commitment.objects.filter(on=ahead.on):
        assert not set(secrets) & set(commitment_facts(row)), row.kind


def test_failed_drawing_leaves_no_entry(quick: None, one_ruleset: None) -> None:
    with transaction.atomic():
        dailies_publish(at=MORNING)
        transaction.set_rollback(True)
    assert not Daily.objects.exists()
    assert not Commitment.objects.exists()


def forget_chain() -> None:
    """Make a site from before the chain."""
    with without_chain_triggers():
        Commitment.objects.all()._raw_delete("default")
        CommitmentHead.objects.all()._raw_delete("default")


def test_existing_site_adopts_what_it_has_published(
    daily: Daily, played_daily: list[Run]
) -> None:
    daily_choose_step(daily.id, at=MORNING)
    daily_settle(daily.id, at=SETTLES)
    forget_chain()
    assert any("is not in the chain" in one for one in broken_invariants())
    tick(at=LATER)
    assert kinds(daily) == ["adopted", "chosen", "assessed", "settled"]
    first = Commitment.objects.get(number=1)
    assert commitment_facts(first)["kind"] == "start"
    assert broken_invariants() == []
    before = Commitment.objects.count()
    tick(at=LATER)
    assert Commitment.objects.count() == before


def test_processes_of_the_old_version_may_draw_for_a_day(
    quick: None, one_ruleset: None
) -> None:
    dailies_publish(at=MORNING)
    newest = Daily.objects.order_by("-on")[0]
    Daily.objects.filter(id=newest.id).update(on=newest.on + timedelta(days=9))
    assert commitments_adopt(at=MORNING + timedelta(hours=23)) == 1
    Daily.objects.filter(id=newest.id).update(on=newest.on + timedelta(days=8))
    assert commitments_adopt(at=MORNING + timedelta(days=1)) == 0


def test_head_of_the_audit_log_is_added_when_it_has_grown(daily: Daily) -> None:
    assert commitments_add_audit_head(at=MORNING) == 0  # an empty log
    mona = staff("Mona")
    assert [commitments_add_audit_head(at=MORNING) for _ in range(2)] == [1, 0]
    do(mona, "warn", staff("Dora", role="helper"), at=LATER)
    assert commitments_add_audit_head(at=LATER) == 1
    facts = commitment_facts(Commitment.objects.order_by("-number")[0])
    head = AuditHead.objects.get()
    assert (facts["count"], facts["hash"]) == (head.count, head.hash)
    assert broken_invariants() == []


def test_chain_that_was_emptied_and_begun_anew_is_found(daily: Daily) -> None:
    assert [audit_record_chain(at=MORNING) for _ in range(2)] == [1, 0]
    assert broken_invariants() == []
    forget_chain()
    tick(at=LATER)
    assert any(
        "commitment 1: is not the one that the audit" in one
        for one in broken_invariants()
    )


@pytest.mark.parametrize(
    "statement",
    [
        "update game_commitment set kind = 'x' where number = 2",
        "delete from game_commitment where number = 2",
        "insert into game_commitment select * from game_commitment where number = 2",
        "update game_commitmenthead set count = count - 1",
        "update game_commitmenthead set count = count",
        "delete from game_commitmenthead",
    ],
)
def test_database_refuses_changes(daily: Daily, statement: str) -> None:
    with (
        connection.cursor() as cursor,
        pytest.raises(DatabaseError, match=r"only added|duplicate key"),
        transaction.atomic(),
    ):
        cursor.execute(statement)
    assert list(commitment_breaks()) == []
