"""Undo in practice: the position before, the mark, and who may not."""

import pytest

from game.models import Account, Daily, Move, Run
from game.rules import deal, find_ruleset, fold
from game.rules.snapshot import to_text
from game.selectors.accounts.accounts import measured_runs
from game.services.core.errors import ServiceRefusal
from game.services.maintenance.invariants import breaches
from game.services.runs.coaching import run_undo
from game.services.runs.moves.play import move_play
from game.services.runs.moves.sql import MoveWrite, move_write
from game.services.runs.runs import practice_start, run_abandon
from tests.fixtures.accounts import person
from tests.fixtures.dailies import attempt, member
from tests.fixtures.runs import NOON

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def play(run: Run, *codes: str) -> None:
    for code in codes:
        run.refresh_from_db()
        move_play(account_id=run.account_id, run_id=run.id, index=run.index, code=code)


def undo(run: Run, index: int) -> Run:
    return run_undo(account_id=run.account_id, run_id=run.id, index=index, at=NOON)


def code_of(index: int, run: Run, account_id: str | None = None) -> str:
    with pytest.raises(ServiceRefusal) as refused:
        run_undo(
            account_id=account_id or run.account_id, run_id=run.id, index=index, at=NOON
        )
    return refused.value.code


def test_undo_restores_the_position_and_marks_the_run(run: Run) -> None:
    play(run, "2D", "4Cw")
    for left in (["2D"], []):
        after = undo(run, len(left) + 1)
        rules = find_ruleset("tavern-1")
        assert after.snapshot == to_text(fold(rules, deal("a"), left))
        stored = Move.objects.filter(run=run).order_by("index")
        assert list(stored.values_list("code", flat=True)) == left
        assert (after.index, after.coached) == (len(left), True)
    assert after.health == 20
    play(run, "TH", "2D", "4Cw")
    assert list(breaches(at=NOON)) == []


def test_undo_refusals(run: Run, bob: Account) -> None:
    assert code_of(0, run) == "undo.first_room"
    play(run, "2D")
    assert code_of(0, run) == "run.stale_index"
    assert code_of(1, run, bob.id) == "run.not_found"
    run_abandon(account_id=run.account_id, run_id=run.id, at=NOON)
    assert code_of(1, run) == "run.over"
    run.refresh_from_db()
    assert not run.coached


def test_repeated_undo_undoes_one_move(run: Run) -> None:
    play(run, "2D", "4Cw")
    undo(run, 2)
    assert code_of(2, run) == "run.stale_index"
    run.refresh_from_db()
    assert run.index == 1


def test_run_of_a_daily_has_no_undo(daily: Daily) -> None:
    olga = member("Olga")
    run = attempt(olga, chance=1, most=1)
    assert code_of(1, run) == "coach.not_practice"
    run.refresh_from_db()
    assert (run.index, run.coached) == (1, False)


def test_coached_run_is_not_measured(db: None) -> None:
    olga = person("Olga")
    counted, helped = (practice_start(account=olga, at=NOON) for _ in range(2))
    for run in (counted, helped):
        play(run, "avoid")
    undo(helped, 1)
    for run in (counted, helped):
        run_abandon(account_id=olga.id, run_id=run.id, at=NOON)
    assert list(measured_runs(olga)) == [counted]


def test_move_computed_before_an_undo_is_not_written(run: Run) -> None:
    play(run, "2D")
    run.refresh_from_db()
    late = MoveWrite(
        run_id=run.id,
        index=1,
        code="4Cw",
        key=None,
        snapshot="computed from 2D",
        status="playing",
        health=18,
        faced=2,
        score=None,
        before=run.snapshot,
    )
    undo(run, 1)
    play(run, "TH")
    assert move_write(late) is None
    run.refresh_from_db()
    assert run.index == 1
    assert list(breaches(at=NOON)) == []
