"""Invariants of moderation: each is broken once and found."""

from collections.abc import Callable

import pytest

from game.models import Account, Act, BoardEntry, Case, PointsLine, Race, Report, Run
from game.services.boards.entries import board_get_or_create
from game.services.maintenance.invariants import moderation
from tests.fixtures.moderation import DAY, do, do_confirmed, report, undo
from tests.fixtures.races import member, now
from tests.services.moderation.test_races import finished

pytestmark = pytest.mark.django_db


def broken_invariants() -> set[str]:
    return {one.invariant for one in moderation.breaches()}


@pytest.fixture
def judged(mona: Account, milo: Account) -> tuple[Account, str]:
    """An account with many acts, and a void race of theirs."""
    dora, emil = member("Dora"), member("Emil")
    case = report(emil, dora).case
    race_id, other = finished(dora, emil), finished(dora, emil)
    do(mona, "void_race", target=race_id)
    do(mona, "disqualify", dora, target=other)
    do(mona, "ban", dora, length=DAY, case_id=case.id)
    do(mona, "close", case_id=case.id)
    do_confirmed(mona, milo, "mark_cheat", dora)
    undo(mona, do(mona, "warn", emil))
    assert broken_invariants() == set()
    return dora, race_id


def _board(dora: Account, race_id: str) -> None:
    run = Run.objects.filter(race_id=race_id, account=dora).get()
    board = board_get_or_create(
        "best", "people", ruleset="tavern-1", difficulty="normal"
    )
    BoardEntry.objects.create(board=board, account=dora, run=run, order=0, number=1)


def _points(dora: Account, race_id: str) -> None:
    PointsLine.objects.create(
        account=dora,
        source=race_id,
        pool="people",
        ruleset="tavern-1",
        on=now().date(),
        points=5,
    )


BROKEN: dict[str, tuple[str, Callable[[Account, str], object]]] = {
    "an act that differs from its log entry": (
        "I16",
        lambda *_: Act.objects.filter(kind="ban").update(reason="spam"),
    ),
    "an act by another moderator than logged": (
        "I16",
        lambda *_: Act.objects.filter(kind="warn").update(
            by=Account.objects.get(name="Milo")
        ),
    ),
    "a role without a log entry": (
        "I16",
        lambda dora, _: Account.objects.filter(id=dora.id).update(
            staff_role="administrator", is_staff=True
        ),
    ),
    "another role than logged": (
        "I16",
        lambda *_: Account.objects.filter(name="Mona").update(
            staff_role="administrator"
        ),
    ),
    "a role removed without a log entry": (
        "I16",
        lambda *_: Account.objects.filter(name="Mona").update(
            staff_role="", is_staff=False
        ),
    ),
    "an act without a log entry": (
        "I16",
        lambda dora, _: Act.objects.create(
            kind="warn",
            state="in_force",
            by=Account.objects.get(name="Mona"),
            subject=dora,
            reason="other",
            made_at=now(),
            at=now(),
        ),
    ),
    "an inverse of an act in force": (
        "I16",
        lambda *_: Act.objects.filter(kind="warn").update(
            state="in_force", undone_at=None
        ),
    ),
    "a closed case without an act": (
        "I16",
        lambda dora, _: Case.objects.create(
            subject=dora,
            kind="other",
            opened_at=now(),
            touched_at=now(),
            closed_at=now(),
            outcome="dismissed",
        ),
    ),
    "a report with another outcome than its case": (
        "I16",
        lambda *_: Report.objects.update(outcome="dismissed"),
    ),
    "a run that should be void": (
        "I17",
        lambda _, race: Run.objects.filter(race_id=race).update(voided_at=None),
    ),
    "a run that should not be void": (
        "I17",
        lambda *_: Run.objects.filter(voided_at=None).update(voided_at=now()),
    ),
    "a void run on a board": ("I17", _board),
    "a void race with points": ("I17", _points),
    "a ban missing in the account's row": (
        "I18",
        lambda dora, _: Account.objects.filter(id=dora.id).update(banned_until=None),
    ),
    "a ban without an act": (
        "I18",
        lambda *_: Account.objects.filter(name="Emil").update(banned_until=now()),
    ),
    "a race without its correction": (
        "I7",
        lambda _, race: Race.objects.filter(id=race).update(voided_at=None),
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_broken_invariant_is_found(judged: tuple[Account, str], what: str) -> None:
    invariant, break_it = BROKEN[what]
    break_it(*judged)
    assert invariant in broken_invariants()
