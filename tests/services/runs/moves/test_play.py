"""Moves: stored, answered and refused alike on both databases."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext

from game.models import Account, Dungeon, Move, RaceEvent, Run
from game.rules import RULESETS, IllegalMove, MalformedMove, deal, fold, legal_moves
from game.rules.snapshot import from_text
from game.services.core.errors import ServiceRefusal
from game.services.runs.moves import play
from game.services.runs.moves.play import move_play, race_move_play
from game.services.runs.moves.sql import MoveWrite
from game.services.runs.runs import practice_start, run_abandon
from tests.fixtures.races import read_race, start_race
from tests.fixtures.runs import NOON

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def ask(run: Run, index: int, code: str, key: str | None = None) -> Any:
    return move_play(
        account_id=run.account_id, run_id=run.id, index=index, code=code, key=key
    )


def test_move_is_stored_and_answered(run: Run) -> None:
    answer = ask(run, 0, "2D", "k")
    assert answer["replayed"] is False
    assert answer["effects"] == [{"kind": "equipped", "card": "2D", "discarded": []}]
    assert answer["run"]["index"] == 1
    assert answer["run"]["weapon"]["card"] == "2D"
    stored = Move.objects.get()
    assert (stored.run_id, stored.index, stored.code, stored.key) == (
        run.id,
        0,
        "2D",
        "k",
    )
    run.refresh_from_db()
    assert (run.index, run.health, run.status) == (1, 20, "playing")
    assert run.moved_at == stored.at


def test_snapshot_equals_the_replayed_moves(run: Run) -> None:
    deck = deal("a")
    rules = RULESETS["tavern-1"]
    played: list[str] = []
    while True:
        state = fold(rules, deck, played)
        legal = legal_moves(state)
        if not legal:
            break
        ask(run, len(played), legal[0])
        played.append(legal[0])
        run.refresh_from_db()
        after = fold(rules, deck, played)
        assert from_text(run.snapshot, rules, "normal", deck) == after
        assert (run.health, run.index) == (after.health, after.index)
    assert run.status == state.status
    assert run.finished_at == Move.objects.order_by("-index")[0].at


def test_last_move_reveals_a_practice_dungeon(run: Run) -> None:
    end_by_dying(run)
    run.refresh_from_db()
    assert run.status == "died"
    assert Dungeon.objects.get().revealed_at == run.finished_at


def end_by_dying(run: Run) -> Any:
    """Fight bare-handed until death, which is in the third room of seed "a"."""
    index = 0
    while True:
        shown = ask(run, index, first_bare(run))
        index += 1
        if shown["run"]["status"] != "playing":
            return shown


def first_bare(run: Run) -> str:
    run.refresh_from_db()
    deck = deal("a")
    state = from_text(run.snapshot, RULESETS["tavern-1"], "normal", deck)
    moves = legal_moves(state)
    return next((m for m in moves if m.armed is False), moves[0])


def test_answer_to_the_last_move_has_score_breakdown_and_seed(ada: Account) -> None:
    run = practice_start(account=ada, at=NOON)
    shown = ask(run, 0, "avoid")
    assert shown["run"]["seed"] is None
    index = 1
    while shown["run"]["status"] == "playing":
        legal = shown["run"]["legal"]
        bare = [m for m in legal if m["armed"] is False] or legal
        shown = ask(run, index, bare[0]["move"])
        index += 1
    ended = shown["run"]
    assert ended["seed"] is not None
    assert sum(p["value"] for p in ended["breakdown"]) == ended["score"]
    assert ended["legal"] == []


def test_same_key_and_body_returns_the_first_answer(run: Run) -> None:
    first = ask(run, 0, "2D", "k")
    ask(run, 1, "4Cw", "l")
    again = ask(run, 0, "2D", "k")
    assert again == {**first, "replayed": True}
    assert Move.objects.count() == 2


def test_same_key_returns_the_first_answer_to_the_last_move(run: Run) -> None:
    index = 0
    while True:
        code = first_bare(run)
        shown = ask(run, index, code, f"k{index}")
        if shown["run"]["status"] != "playing":
            break
        index += 1
    assert ask(run, index, code, f"k{index}") == {**shown, "replayed": True}


def test_same_key_other_body_is_refused(run: Run) -> None:
    ask(run, 0, "2D", "k")
    for index, code in ((0, "THb"[:2]), (1, "2D")):
        with pytest.raises(ServiceRefusal) as refused:
            ask(run, index, code, "k")
        assert refused.value.code == "move.key_reused"


def test_stale_index_refusal_has_the_run(run: Run) -> None:
    ask(run, 0, "2D")
    for index in (0, 2):
        with pytest.raises(ServiceRefusal) as refused:
            ask(run, index, "4Cw")
        assert refused.value.code == "run.stale_index"
        assert refused.value.extra["run"]["index"] == 1


def test_illegal_move_changes_nothing(run: Run) -> None:
    with pytest.raises(IllegalMove) as refused:
        ask(run, 0, "4Cw")
    assert refused.value.code == "move.illegal.no_weapon"
    with pytest.raises(MalformedMove):
        ask(run, 0, "4Cx")
    run.refresh_from_db()
    assert run.index == 0
    assert not Move.objects.exists()


def test_run_of_another_account_is_not_found(run: Run, bob: Account) -> None:
    for account_id, run_id in ((bob.id, run.id), (run.account_id, "nosuchrun")):
        with pytest.raises(ServiceRefusal) as refused:
            move_play(account_id=account_id, run_id=run_id, index=0, code="2D")
        assert refused.value.code == "run.not_found"


def test_move_after_the_end_is_refused(run: Run) -> None:
    run_abandon(account_id=run.account_id, run_id=run.id, at=NOON)
    with pytest.raises(ServiceRefusal) as refused:
        ask(run, 0, "2D")
    assert refused.value.code == "run.over"
    assert refused.value.extra["run"]["status"] == "abandoned"


def test_move_past_the_deadline_is_refused_and_ends_the_run(run: Run) -> None:
    Run.objects.update(deadline_at=NOON + timedelta(minutes=1))
    with pytest.raises(ServiceRefusal) as refused:
        ask(run, 0, "2D")
    assert refused.value.code == "run.over"
    run.refresh_from_db()
    assert (run.status, run.finished_at) == ("expired", NOON + timedelta(minutes=1))
    assert run.score == -208


def test_times_of_moves_never_decrease(run: Run) -> None:
    ahead = NOON + timedelta(days=3650)
    Run.objects.update(moved_at=ahead)
    ask(run, 0, "2D")
    ask(run, 1, "4Cw")
    times = list(Move.objects.order_by("index").values_list("at", flat=True))
    assert times == [ahead, ahead]


@pytest.mark.django_db(transaction=True)
def test_at_most_four_statements_a_move(run: Run) -> None:
    with CaptureQueriesContext(
        connection,
    ) as first:
        ask(run, 0, "2D", "k")
    assert len([q for q in first if is_statement(q["sql"])]) <= 4


@pytest.mark.django_db(transaction=True)
def test_at_most_four_statements_for_the_last_move(ada: Account) -> None:
    run = practice_start(account=ada, at=NOON, seed="a")
    Run.objects.update(snapshot=run.snapshot.replace("|20|20|", "|1|20|"), health=1)
    with CaptureQueriesContext(connection) as ending:
        assert ask(run, 0, "KSb")["run"]["status"] == "died"
    assert len([q for q in ending if is_statement(q["sql"])]) <= 4


def is_statement(sql: str) -> bool:
    """Whether the statement counts; those that begin or end a transaction do not."""
    return not sql.upper().startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE"))


def test_used_index_or_key_is_a_conflict(run: Run) -> None:
    """Both unique constraints of a move mean that another request was faster."""
    ask(run, 0, "2D", "k")
    run.refresh_from_db()
    assert play._write(write_at(run, 0)) is None
    assert play._write(write_at(run, 1)._replace(key="k")) is None
    assert Move.objects.count() == 1


def test_other_violated_constraint_is_raised(run: Run) -> None:
    """A missing health violates NOT NULL: an error of the server, not a conflict."""
    missing: dict[str, Any] = {"health": None}
    with pytest.raises(IntegrityError):
        play._write(write_at(run, 0)._replace(**missing))
    with pytest.raises(IntegrityError):  # a check constraint: an end has a score
        play._write(write_at(run, 0)._replace(status="died", score=None))
    assert not Move.objects.exists()


def test_other_unique_constraint_is_raised(ada: Account, bob: Account) -> None:
    """An event number that exists already is no conflict of two moves."""
    race_id = start_race([ada, bob])
    shown = read_race(race_id, ada)
    RaceEvent.objects.create(
        race_id=race_id, seq=shown["seq"] + 1, kind="moved", at=NOON, needs=0, body="{}"
    )
    with pytest.raises(IntegrityError):
        race_move_play(
            account_id=ada.id,
            race_id=race_id,
            index=0,
            code=shown["run"]["legal"][0]["move"],
        )
    assert not Move.objects.exists()


def write_at(run: Run, index: int) -> MoveWrite:
    """A write at that index, whose condition on the run's row holds."""
    Run.objects.filter(id=run.id).update(index=index)
    return MoveWrite(
        run_id=run.id,
        index=index,
        code="2D",
        key=None,
        snapshot=run.snapshot,
        status="playing",
        health=20,
        faced=1,
        score=None,
        before=run.snapshot,
    )
