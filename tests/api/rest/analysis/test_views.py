"""REST: review, "what if" and solution of a run whose dungeon is revealed."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from game.analysis import chances
from game.models import Account, Daily, Run, Study
from game.rules import RULESETS, apply, deal, fold, legal_moves, score, start
from game.services.analysis import job_worker
from game.services.analysis.job_queue import study_take
from game.services.core.rate_limits import REVIEW_BY_REQUESTER
from game.services.runs.runs import practice_start, run_abandon
from game.tasks.reviews import compute_studies
from tests.fixtures.accounts import api, person
from tests.fixtures.dailies import attempt, member
from tests.fixtures.runs import NOON, post, signed_in

pytestmark = pytest.mark.django_db
ACTIONS = ("review", "what-if", "solve")
MOVES = ["4Cb", "2D"]


def ask(client: Client, run: Run, what: str = "review", **body: Any) -> Any:
    return post(client, f"runs/{run.id}/{what}/", body)


@pytest.fixture
def ended(run: Run, ada: Account, ada_client: Client) -> Run:
    """A practice run on the seed "a", abandoned after two moves."""
    for index, move in enumerate(MOVES):
        made = post(ada_client, f"runs/{run.id}/moves/", {"index": index, "move": move})
        assert made.status_code == 200
    return run_abandon(account_id=ada.id, run_id=run.id, at=NOON + timedelta(minutes=1))


def test_review_is_queued_then_running_then_done(
    ended: Run, ada_client: Client
) -> None:
    path = f"runs/{ended.id}/review/"
    none = api(ada_client, "GET", path)
    assert (none.status_code, none.json()["status"]) == (200, "none")
    assert Study.objects.count() == 0
    for asked in (ask(ada_client, ended), ask(ada_client, ended)):
        assert (asked.status_code, asked.json()["status"]) == (202, "queued")
    taken = study_take(at=NOON)
    assert taken is not None
    assert api(ada_client, "GET", path).json()["status"] == "running"
    Study.objects.update(status="queued")
    assert compute_studies() == 1
    done = api(ada_client, "GET", path)
    assert done.status_code == 200
    _check_review(done.json(), ended)
    assert ask(ada_client, ended).json() == done.json()


def _check_review(found: dict[str, Any], run: Run) -> None:
    assert (found["status"], found["version"], found["proven"]) == ("done", "1", True)
    assert [move["move"] for move in found["moves"]] == MOVES
    assert len(found["values"]) == len(MOVES) + 1
    assert found["final_score"] == found["values"][-1] == run.score
    assert found["best"] == found["values"][0]
    rules, deck = RULESETS["tavern-1"], deal("a")
    for index, move in enumerate(found["moves"]):
        assert move["loss"] == move["value_before"] - move["value_after"]
        assert 0 <= move["chance_before"] <= 1
        assert move["chance_error"] >= 0
        if move["loss"]:
            line = [*MOVES[:index], *move["line"]]
            assert move["better"] == move["line"][0]
            assert score(fold(rules, deck, line)) == move["value_before"]


def test_what_if_shows_other_moves_and_stores_nothing(
    ended: Run, ada_client: Client
) -> None:
    rules, deck = RULESETS["tavern-1"], deal("a")
    for index, moves in ((0, []), (0, ["2D", "4Cw"]), (1, ["KSb"]), (2, [])):
        found = ask(ada_client, ended, "what-if", index=index, moves=moves)
        assert found.status_code == 200, found.content
        state = fold(rules, deck, [*MOVES[:index], *moves])
        seen = found.json()["observation"]
        assert seen["room"] == list(state.room)
        assert [one["move"] for one in seen["legal"]] == list(legal_moves(state))
        assert bool(found.json()["effects"]) == bool(moves)
    ended.refresh_from_db()
    assert (ended.index, ended.moves.count()) == (2, 2)
    assert not Study.objects.exists()


@pytest.mark.parametrize("what", ["what-if", "solve"])
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "body.invalid"),
        ({"index": 3}, 400, "what_if.no_such_index"),
        ({"index": -1}, 400, "body.invalid"),
        ({"index": 0, "moves": ["4Cw"]}, 422, "move.illegal.no_weapon"),
        ({"index": 0, "moves": ["jump"]}, 400, "move.malformed"),
        ({"index": 0, "moves": ["4Cb"] * 61}, 400, "body.invalid"),
        ({"index": 0, "more": 1}, 400, "body.invalid"),
    ],
)
def test_refusals(
    ended: Run, ada_client: Client, what: str, body: Any, status: int, code: str
) -> None:
    answer = ask(ada_client, ended, what, **body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_solution_of_a_practice_run(ended: Run, ada_client: Client) -> None:
    body = {"index": 1, "moves": ["2D"]}
    assert ask(ada_client, ended, "solve", **body).status_code == 202
    assert compute_studies() == 1
    found = ask(ada_client, ended, "solve", **body)
    assert found.status_code == 200
    solved = found.json()
    assert solved["proven"] is True
    end = fold(RULESETS["tavern-1"], deal("a"), [*MOVES, *solved["line"]])
    assert score(end) == solved["best"]
    same = ask(ada_client, ended, "solve", index=2)
    assert same.json()["best"] == solved["best"]


def test_solution_of_a_finished_position_needs_no_study(ada: Account) -> None:
    state = start(RULESETS["tavern-1"], deal("a"))
    run = practice_start(account=ada, at=NOON, seed="a")
    client = signed_in(ada)
    played = 0
    while score(state) is None:
        legal = [str(move) for move in legal_moves(state)]
        move = next((m for m in legal if m.endswith("b")), legal[0])
        made = post(client, f"runs/{run.id}/moves/", {"index": played, "move": move})
        assert made.status_code == 200
        state, _ = apply(state, move)
        played += 1
    run.refresh_from_db()
    run.dungeon.refresh_from_db()
    found = ask(client, run, "solve", index=played)
    assert (found.status_code, found.json()["best"]) == (200, run.score)
    assert not Study.objects.exists()


@pytest.mark.parametrize("what", ACTIONS)
def test_refused_before_the_reveal(ada: Account, ada_client: Client, what: str) -> None:
    run = practice_start(account=ada, at=NOON)
    body = {} if what == "review" else {"index": 0}
    found = ask(ada_client, run, what, **body)
    assert (found.status_code, found.json()["code"]) == (409, "review.not_yet")
    assert not Study.objects.exists()


@pytest.mark.parametrize("what", ACTIONS)
def test_refused_for_an_open_daily(daily: Daily, what: str) -> None:
    account = member()
    run = attempt(account, chance=1)
    assert run.status != "playing"
    body = {} if what == "review" else {"index": 0}
    found = ask(signed_in(account), run, what, **body)
    assert (found.status_code, found.json()["code"]) == (409, "review.not_yet")
    assert ask(Client(), run, what, **body).status_code == 404


def test_daily_cannot_be_solved(daily: Daily) -> None:
    account = member()
    run = attempt(account, chance=1, most=0)
    run_abandon(account_id=account.id, run_id=run.id, at=NOON + timedelta(days=200))
    run.dungeon.revealed_at = NOON + timedelta(days=201)
    run.dungeon.save()
    found = ask(signed_in(account), run, "solve", index=0)
    assert (found.status_code, found.json()["code"]) == (409, "solve.not_practice")
    assert ask(signed_in(account), run).status_code == 202


def test_viewer_of_the_replay_may_request_a_review(
    ended: Run, bob_client: Client
) -> None:
    assert ask(Client(), ended).status_code == 202
    assert ask(bob_client, ended).status_code == 202
    assert Study.objects.count() == 1
    assert ask(Client(), ended, "what-if", index=0).status_code == 200


def test_requests_are_rate_limited(
    ended: Run, ada_client: Client, settings: Any
) -> None:
    settings.THROTTLE_SCALE = 1.0
    for _ in range(REVIEW_BY_REQUESTER.most):
        assert ask(ada_client, ended).status_code == 202
    assert ask(ada_client, ended).status_code == 429
    assert api(ada_client, "GET", f"runs/{ended.id}/review/").status_code == 202


def test_profile_shows_mean_accuracy(db: None) -> None:
    olga = person("Olga")
    path = "players/Olga/"
    shown = api(Client(), "GET", path).json()
    assert (shown["reviewed"], shown["accuracy"]) == (0, None)
    for accuracy in (0.5, 1.0):
        run = practice_start(account=olga, at=NOON)
        ended = run_abandon(account_id=olga.id, run_id=run.id, at=NOON)
        Study.objects.create(
            run=ended,
            kind="review",
            version="1",
            status="done",
            asked_at=NOON,
            done_at=NOON,
            accuracy=accuracy,
        )
    shown = api(Client(), "GET", path).json()
    assert (shown["reviewed"], shown["accuracy"]) == (2, 0.75)


def test_costliest_move_is_measured_first(
    ended: Run, ada_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_worker, "CHANCES_S", -1.0)
    ask(ada_client, ended)
    assert compute_studies() == 1
    found = api(ada_client, "GET", f"runs/{ended.id}/review/").json()
    known = [m for m in found["moves"] if m["chance_before"] is not None]
    assert [m["index"] for m in known] == [
        max(found["moves"], key=lambda m: m["loss"])["index"]
    ]
    all_of_it = chances(RULESETS["tavern-1"], deal("a"), MOVES)
    alone = all_of_it[known[0]["index"]]
    assert known[0]["chance_after"] == round(alone.after, 4)
