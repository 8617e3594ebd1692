"""Runs: start, abandon, expire, replay."""

from datetime import timedelta
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag

from game.models import Account, Dungeon, Run
from game.rules import InvalidSeed, UnknownRuleset, deal, parse_record, seal_of
from game.services.core.errors import ServiceRefusal
from game.services.maintenance.tick import tick
from game.services.runs.dungeons import seed_decrypt
from game.services.runs.moves.play import move_play
from game.services.runs.runs import (
    practice_start,
    replay_json,
    replay_text,
    run_abandon,
    run_break_off,
    run_for_replay,
    run_of_account,
    runs_expire,
)
from tests.fixtures.runs import NOON

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
WEEK = timedelta(days=7)


def test_given_seed_is_dealt(run: Run) -> None:
    assert list(deal("a")[:4]) == ["4C", "KS", "2D", "TH"]
    assert run.dungeon.seal == seal_of("a")
    assert run.dungeon.seed_given
    assert (run.status, run.index, run.health) == ("playing", 0, 20)


def test_secret_seed_is_random_and_stored_encrypted(ada: Account) -> None:
    first, second = (practice_start(account=ada, at=NOON) for _ in range(2))
    assert first.dungeon.seal != second.dungeon.seal
    seed = seed_decrypt(first.dungeon.id, first.dungeon.seed_sealed)
    assert len(seed) == 64
    assert set(seed) <= set("0123456789abcdef")
    assert seal_of(seed) == first.dungeon.seal
    row = " ".join(
        str(v) for v in Dungeon.objects.filter(id=first.dungeon.id).values()[0].values()
    )
    assert seed not in row
    assert seed not in str(first.dungeon)
    assert seed not in repr(first.dungeon)


def test_seed_decrypts_only_for_its_own_dungeon(ada: Account) -> None:
    one, two = (practice_start(account=ada, at=NOON).dungeon for _ in range(2))
    with pytest.raises(InvalidTag):
        seed_decrypt(two.id, one.seed_sealed)


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"ruleset": "tavern-2"}, UnknownRuleset),
        ({"difficulty": "hard"}, UnknownRuleset),
        ({"seed": ""}, InvalidSeed),
        ({"seed": " a"}, InvalidSeed),
        ({"seed": "ä"}, InvalidSeed),
        ({"seed": "x" * 65}, InvalidSeed),
    ],
)
def test_invalid_start_is_refused(
    ada: Account, asked: dict[str, Any], error: type
) -> None:
    with pytest.raises(error):
        practice_start(account=ada, at=NOON, **asked)
    assert not Run.objects.exists()
    assert not Dungeon.objects.exists()


def test_difficulty_sets_health(ada: Account) -> None:
    run = practice_start(account=ada, at=NOON, ruleset="bound-1", difficulty="hard")
    assert run.health == 14


def test_abandoned_run_scores_as_a_death_with_health_0(run: Run) -> None:
    ended = run_abandon(account_id=run.account_id, run_id=run.id, at=NOON + WEEK)
    assert (ended.status, ended.score) == ("abandoned", -208)
    assert ended.finished_at == NOON + WEEK
    assert Dungeon.objects.get().revealed_at == NOON + WEEK
    with pytest.raises(ServiceRefusal) as refused:
        run_abandon(account_id=run.account_id, run_id=run.id, at=NOON)
    assert refused.value.code == "run.over"


def test_end_is_never_before_the_last_move(run: Run) -> None:
    ended = run_break_off(run_id=run.id, how=Run.Status.EXPIRED, at=NOON - WEEK)
    assert ended is not None
    assert ended.finished_at == NOON


def test_run_of_another_account_is_not_found(run: Run, bob: Account) -> None:
    for act in (run_of_account, run_abandon):
        with pytest.raises(ServiceRefusal) as refused:
            act(
                account_id=bob.id,
                run_id=run.id,
                **({"at": NOON} if act is run_abandon else {}),
            )
        assert refused.value.code == "run.not_found"


def test_idle_run_expires_once_after_seven_days(run: Run) -> None:
    assert runs_expire(at=NOON + WEEK - timedelta(seconds=1)) == 0
    assert tick(at=NOON + WEEK)["runs_expire"] == 1
    assert tick(at=NOON + WEEK)["runs_expire"] == 0
    run.refresh_from_db()
    assert (run.status, run.finished_at, run.score) == ("expired", NOON + WEEK, -208)


def test_run_past_its_deadline_expires_at_the_deadline(run: Run) -> None:
    deadline = NOON + timedelta(minutes=3)
    Run.objects.update(deadline_at=deadline)
    assert runs_expire(at=NOON + timedelta(hours=1)) == 1
    run.refresh_from_db()
    assert run.finished_at == deadline


def test_replay_of_an_unfinished_run_is_refused(run: Run) -> None:
    for act in (replay_json, replay_text):
        with pytest.raises(ServiceRefusal) as refused:
            act(run=run)
        assert refused.value.code == "replay.not_yet"


def test_replay_has_every_move_and_the_seed(run: Run) -> None:
    played = ["2D", "4Cw", "THb"[:2]]
    for index, code in enumerate(played):
        move_play(account_id=run.account_id, run_id=run.id, index=index, code=code)
    run_abandon(account_id=run.account_id, run_id=run.id, at=run.started_at)
    run = run_of_account(account_id=run.account_id, run_id=run.id)
    shown = replay_json(run=run)
    assert shown["seed"] == "a"
    assert shown["deck"] == list(deal("a"))
    assert [m["move"] for m in shown["moves"]] == played
    assert shown["start"]["room"] == ["4C", "KS", "2D", "TH"]
    assert shown["moves"][2]["after"]["room"] == ["KS", "8D", "2C", "8S"]
    assert shown["moves"][2]["effects"][1] == {
        "kind": "dealt",
        "cards": ["8D", "2C", "8S"],
    }
    assert sum(p["value"] for p in shown["breakdown"]) == shown["score"] == run.score
    record = parse_record(replay_text(run=run))
    assert [str(move) for move in record.moves] == played
    assert record.result == f"abandoned {run.score}"
    assert record.headers["Player"] == run.account.name


def test_stranger_does_not_find_an_unfinished_run_of_a_revealed_dungeon(
    ada: Account, bob: Account
) -> None:
    """As in practice on an old daily: its seed is public, the run is not."""
    run = practice_start(account=ada, at=NOON, seed="a")
    Dungeon.objects.filter(id=run.dungeon_id).update(revealed_at=NOON)
    for viewer_id in (bob.id, None):
        with pytest.raises(ServiceRefusal) as refused:
            run_for_replay(viewer_id=viewer_id, run_id=run.id)
        assert refused.value.code == "run.not_found"
    own = run_for_replay(viewer_id=ada.id, run_id=run.id)
    for act in (replay_json, replay_text):
        with pytest.raises(ServiceRefusal) as refused:
            act(run=own)
        assert refused.value.code == "replay.not_yet"


def test_stranger_replays_only_a_finished_run_of_a_revealed_dungeon(
    ada: Account, bob: Account
) -> None:
    run = practice_start(account=ada, at=NOON, seed="a")
    run_abandon(account_id=ada.id, run_id=run.id, at=NOON)
    assert (
        replay_json(run=run_for_replay(viewer_id=bob.id, run_id=run.id))["seed"] == "a"
    )
    Dungeon.objects.filter(id=run.dungeon_id).update(revealed_at=None)
    with pytest.raises(ServiceRefusal) as refused:
        run_for_replay(viewer_id=bob.id, run_id=run.id)
    assert refused.value.code == "run.not_found"
