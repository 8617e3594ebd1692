"""Moves in races: stored together with the race's event."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from game.contest.race import SPEED_GRACE
from game.models import Account, Entrant, Move, Race, RaceEvent, Run
from game.rules import IllegalMove, legal_moves
from game.services.core.errors import Kind, ServiceRefusal
from game.services.races.commands import race_leave, race_start
from game.services.runs.moves import play as move_path
from game.services.runs.moves.cache import known_runs
from game.services.runs.moves.play import move_play, race_move_play
from game.services.runs.moves.sql import (
    MoveWrite,
    RaceWrite,
    move_read_in_race,
    move_write,
)
from game.services.runs.runs import run_abandon, run_break_off, runs_expire
from tests.fixtures.races import (
    backdate,
    create_race,
    expect_refusal,
    now,
    play,
    play_out,
    read_race,
    start_race,
)

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def code_of(error: pytest.ExceptionInfo[ServiceRefusal]) -> tuple[str, Kind]:
    return error.value.code, error.value.kind


def statements(work: Callable[[], object]) -> int:
    """The number of statements that `work` sends, without savepoints."""
    with CaptureQueriesContext(connection) as captured:
        work()
    return sum("SAVEPOINT" not in query["sql"] for query in captured)


def test_move_is_two_statements_and_one_if_the_run_is_cached(
    ada: Account, bob: Account
) -> None:
    race_id = start_race([ada, bob])

    def moved() -> dict[str, Any]:
        run = read_race(race_id, ada)["run"]
        asked = {"account_id": ada.id, "race_id": race_id, "index": run["index"]}
        code = run["legal"][0]["move"]
        return {**asked, "code": code, "key": f"k{run['index']}"}

    first = moved()
    writes = 1 if connection.vendor == "postgresql" else 4
    assert statements(lambda: race_move_play(**first)) == 1 + writes
    second = moved()
    assert statements(lambda: race_move_play(**second)) == writes


def test_run_that_differs_from_the_cache_is_read(ada: Account, bob: Account) -> None:
    race_id = start_race([ada, bob])
    play(race_id, ada)
    known = known_runs.at((race_id, ada.id), 1)
    assert known is not None
    move = str(legal_moves(known.state)[-1])
    Run.objects.filter(account=ada).update(index=7)
    with expect_refusal("run.stale_index"):
        race_move_play(account_id=ada.id, race_id=race_id, index=1, code=move)
    assert known_runs.at((race_id, ada.id), 1) is None


@pytest.mark.parametrize("move", ["ACb", "avoid"])
def test_cached_run_that_was_forfeited_is_over(
    ada: Account, bob: Account, move: str
) -> None:
    race_id = start_race([ada, bob])
    play(race_id, ada)
    run_id = Run.objects.get(account=ada).id
    run_break_off(run_id=run_id, how=Run.Status.FORFEITED, at=now())
    with expect_refusal("run.over"):
        race_move_play(account_id=ada.id, race_id=race_id, index=1, code=move)


def test_changed_snapshot_is_not_overwritten(ada: Account, bob: Account) -> None:
    race_id = start_race([ada, bob])
    play(race_id, ada)
    known = known_runs.at((race_id, ada.id), 1)
    assert known is not None
    Run.objects.filter(account=ada).update(snapshot=known.row.snapshot + " ")
    write = MoveWrite(
        run_id=known.row.id,
        index=1,
        code="avoid",
        key=None,
        snapshot=known.row.snapshot,
        status="playing",
        health=20,
        faced=1,
        score=None,
        event=RaceWrite(known.seat, 4, "{}"),
        before=known.row.snapshot,
    )
    assert move_write(write) is None
    assert Run.objects.get(account=ada).index == 1


def test_used_key_is_found_although_the_run_is_cached(
    ada: Account, bob: Account
) -> None:
    race_id = start_race([ada, bob])
    for index in range(2):
        run = read_race(race_id, ada)["run"]
        asked = {"account_id": ada.id, "race_id": race_id, "index": index, "key": "k"}
        code = run["legal"][0]["move"]
        if index == 0:
            first = race_move_play(**asked, code=code)
            assert race_move_play(**asked, code=code) == {**first, "replayed": True}
            continue
        with pytest.raises(ServiceRefusal) as found:
            race_move_play(**asked, code=code)
        assert found.value.code == "move.key_reused"


def test_each_move_is_one_event_with_its_time(ada: Account, bob: Account) -> None:
    race_id = start_race([ada, bob])
    play_out(race_id, ada)
    moves = Move.objects.filter(run__account=ada).order_by("index")
    events = RaceEvent.objects.filter(race_id=race_id, kind="moved").order_by("seq")
    assert [one.at for one in moves] == [one.at for one in events]
    told = [json.loads(one.body) for one in events]
    assert [(one["index"], one["move"]) for one in told] == [
        (one.index, one.code) for one in moves
    ]
    run = Run.objects.get(account=ada)
    assert run.finished_at == run.moved_at == events.last().at  # type: ignore[union-attr]
    assert told[-1]["state"] == "died"
    assert told[-1]["score"] == run.score


def test_repeated_request_returns_the_same_event_number(
    ada: Account, bob: Account
) -> None:
    race_id = start_race([ada, bob])
    code = read_race(race_id, ada)["run"]["legal"][0]["move"]
    asked = {"account_id": ada.id, "race_id": race_id, "index": 0, "code": code}
    first = race_move_play(**asked, key="k")
    play(race_id, bob)
    again = race_move_play(**asked, key="k")
    assert (first["replayed"], again["replayed"]) == (False, True)
    assert first["seq"] == again["seq"]
    assert first["run"] | {"elapsed_ms": 0} == again["run"] | {"elapsed_ms": 0}
    by_run: Any = move_play(
        account_id=ada.id, run_id=first["run"]["id"], index=0, code=code, key="k"
    )
    assert by_run["seq"] == first["seq"]


def test_race_run_can_be_moved_by_its_own_id(ada: Account, bob: Account) -> None:
    race_id = start_race([ada, bob])
    run = read_race(race_id, ada)["run"]
    answer: Any = move_play(
        account_id=ada.id, run_id=run["id"], index=0, code=run["legal"][0]["move"]
    )
    assert answer["seq"] == read_race(race_id)["seq"]
    assert answer["run"]["race"] == race_id


def test_refusals_without_a_run_in_the_race(
    ada: Account, bob: Account, cleo: Account
) -> None:
    race_id = create_race([ada, bob])

    def asked(who: Account, race: str = race_id) -> None:
        race_move_play(account_id=who.id, race_id=race, index=0, code="avoid")

    for who, race, expected in (
        (ada, race_id, ("race.wrong_phase", Kind.CONFLICT)),
        (cleo, race_id, ("race.not_entrant", Kind.FORBIDDEN)),
        (ada, "nosuchrace", ("race.not_found", Kind.NOT_FOUND)),
    ):
        with pytest.raises(ServiceRefusal) as refused:
            asked(who, race)
        assert code_of(refused) == expected
    for one in (ada, bob):
        race_leave(account_id=one.id, race_id=race_id, at=now())


def test_stale_or_illegal_move_in_a_race_writes_nothing(
    ada: Account, bob: Account
) -> None:
    race_id = start_race([ada, bob])
    play(race_id, ada, "avoid")
    seq = read_race(race_id)["seq"]
    with pytest.raises(ServiceRefusal) as refused:
        race_move_play(account_id=ada.id, race_id=race_id, index=0, code="avoid")
    assert refused.value.code == "run.stale_index"
    assert refused.value.extra["run"]["index"] == 1
    with pytest.raises(IllegalMove):
        race_move_play(account_id=ada.id, race_id=race_id, index=1, code="avoid")
    assert read_race(race_id)["seq"] == seq


def test_first_move_starts_an_overdue_race(ada: Account, bob: Account) -> None:
    at = now() - timedelta(seconds=6)
    race_id = create_race([ada, bob], at)
    race_start(account_id=ada.id, race_id=race_id, at=at)
    answer = race_move_play(account_id=ada.id, race_id=race_id, index=0, code="avoid")
    assert answer["run"]["index"] == 1


def test_move_after_the_race_deadline_settles_the_race(
    ada: Account, bob: Account
) -> None:
    race_id = start_race([ada, bob], time_limit_s=180)
    play(race_id, ada)
    backdate(race_id, timedelta(seconds=180))
    with pytest.raises(ServiceRefusal) as refused:
        race_move_play(account_id=ada.id, race_id=race_id, index=1, code="avoid")
    assert refused.value.code == "run.over"
    assert refused.value.extra["run"]["status"] == "expired"
    assert Race.objects.get(id=race_id).settled_at is not None
    assert Move.objects.count() == 1


def test_statement_checks_the_deadline_again(
    ada: Account, bob: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that was read before the deadline is not written after it."""
    race_id = start_race([ada, bob], time_limit_s=180)
    read = move_read_in_race

    def read_early(*asked):
        found = read(*asked)
        assert found is not None
        early = found.row._replace(deadline_at=now() + timedelta(hours=1))
        return found._replace(row=early)

    backdate(race_id, timedelta(seconds=180))
    monkeypatch.setattr(move_path, "move_read_in_race", read_early)
    with pytest.raises(ServiceRefusal) as refused:
        race_move_play(account_id=ada.id, race_id=race_id, index=0, code="avoid")
    assert refused.value.code == "move.outcome_unknown"
    assert not Move.objects.exists()


def test_first_finish_in_a_speed_race_shortens_the_deadline(
    ada: Account, bob: Account, cleo: Account
) -> None:
    race_id = start_race([ada, bob, cleo], format="speed", time_limit_s=600)
    play_out(race_id, ada)
    race, run = Race.objects.get(id=race_id), Run.objects.get(account=ada)
    assert run.finished_at is not None
    assert race.deadline_at == run.finished_at + SPEED_GRACE
    assert race.due_at == race.deadline_at
    last = RaceEvent.objects.filter(race_id=race_id, kind="moved").last()
    assert last is not None
    assert last.deadline_at == race.deadline_at
    play_out(race_id, bob)
    assert Race.objects.get(id=race_id).deadline_at == race.deadline_at


def test_finish_in_a_score_race_keeps_the_deadline(ada: Account, bob: Account) -> None:
    race_id = start_race([ada, bob])
    before = Race.objects.get(id=race_id).deadline_at
    play_out(race_id, ada)
    assert Race.objects.get(id=race_id).deadline_at == before


def test_race_run_cannot_be_abandoned_or_expire(ada: Account, bob: Account) -> None:
    race_id = start_race([ada, bob])
    run = Run.objects.get(account=ada)
    with pytest.raises(ServiceRefusal) as refused:
        run_abandon(account_id=ada.id, run_id=run.id, at=now())
    assert refused.value.code == "run.in_race"
    assert runs_expire(at=now() + timedelta(days=30)) == 0
    assert Entrant.objects.filter(race_id=race_id, run=run).exists()


def test_move_calls_race_changed(
    ada: Account, bob: Account, notified: list[tuple[str, int]]
) -> None:
    race_id = start_race([ada, bob])
    notified.clear()
    answer = play(race_id, ada)
    assert notified == [(race_id, answer["seq"])]
