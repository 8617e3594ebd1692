"""REST: hints in levels, cards left, undo, and the best line of a run being played."""

from typing import Any

import pytest
from django.test import Client

from game.models import Account, Daily, Run, Study
from game.rules import RULESETS, deal, legal_moves, score, start
from game.rules.replay import fold
from game.services.analysis.job_queue import study_take
from game.services.runs.runs import practice_start
from game.tasks.reviews import compute_short_studies, compute_studies
from tests.fixtures.accounts import api
from tests.fixtures.dailies import attempt, member
from tests.fixtures.runs import NOON, post, signed_in

pytestmark = pytest.mark.django_db


def hint(client: Client, run: Run, level: int) -> Any:
    return post(client, f"runs/{run.id}/hint/", {"level": level})


@pytest.fixture
def secret(ada: Account) -> Run:
    """A practice run of Ada's on a secret seed."""
    return practice_start(account=ada, at=NOON)


def test_hint_has_three_levels(secret: Run, ada_client: Client) -> None:
    assert hint(ada_client, secret, 1).status_code == 202
    assert compute_short_studies() == 1
    by_level = [hint(ada_client, secret, level).json() for level in range(4)]
    told = ("theme", "card", "plan")
    for level, found in enumerate(by_level):
        assert found["status"] == "done"
        assert 0 <= found["chance"] <= 1
        assert [name for name in told if name in found] == list(told[:level])
    plan, card = by_level[3]["plan"], by_level[3]["card"]
    assert card == (None if plan[0] == "avoid" else plan[0][:2])
    shown = api(ada_client, "GET", f"runs/{secret.id}/").json()
    assert plan[0] in [one["move"] for one in shown["legal"]]
    assert shown["coached"] is True


def test_hint_of_a_new_position_is_a_new_one(run: Run, ada_client: Client) -> None:
    hint(ada_client, run, 1)
    post(ada_client, f"runs/{run.id}/moves/", {"index": 0, "move": "2D"})
    found = hint(ada_client, run, 1).json()
    assert (found["index"], found["status"]) == (1, "queued")
    assert Study.objects.count() == 2


def test_hints_do_not_wait_for_reviews(run: Run, ada_client: Client) -> None:
    Study.objects.create(run=run, kind="review", version="1", asked_at=NOON, turn=1)
    assert hint(ada_client, run, 0).json()["queue_position"] == 1
    assert compute_short_studies() == 1
    assert hint(ada_client, run, 0).json()["status"] == "done"
    left = study_take(at=NOON)
    assert left is not None
    assert left.kind == "review"


def test_asking_marks_the_run_and_counting_does_not(
    run: Run, ada_client: Client
) -> None:
    found = api(ada_client, "GET", f"runs/{run.id}/coach/").json()
    assert found["coached"] is False
    hint(ada_client, run, 0)
    found = api(ada_client, "GET", f"runs/{run.id}/coach/").json()
    assert found["coached"] is True


def test_cards_left_are_those_not_seen(secret: Run, ada_client: Client) -> None:
    shown = api(ada_client, "GET", f"runs/{secret.id}/").json()
    found = api(ada_client, "GET", f"runs/{secret.id}/coach/").json()
    seen = [card[1] for card in shown["room"]]
    for suit, count in (("C", 13), ("S", 13), ("D", 9), ("H", 9)):
        name = {"C": "clubs", "S": "spades", "D": "diamonds", "H": "hearts"}[suit]
        assert found[name] == count - seen.count(suit)
    assert found["unseen"] == 40
    assert found["may_solve"] is False


def test_avoided_cards_are_seen(run: Run, ada_client: Client) -> None:
    post(ada_client, f"runs/{run.id}/moves/", {"index": 0, "move": "avoid"})
    assert api(ada_client, "GET", f"runs/{run.id}/coach/").json()["unseen"] == 36


def test_daily_has_no_coach(daily: Daily) -> None:
    olga = member("Olga")
    run, client = attempt(olga, chance=1, most=0), signed_in(olga)
    answers = [
        hint(client, run, 1),
        post(client, f"runs/{run.id}/undo/", {"index": 0}),
        api(client, "GET", f"runs/{run.id}/coach/"),
    ]
    for refused in answers:
        assert (refused.status_code, refused.json()["code"]) == (
            409,
            "coach.not_practice",
        )
    solve = post(client, f"runs/{run.id}/solve/", {"index": 0})
    assert solve.json()["code"] == "review.not_yet"
    assert not Study.objects.exists()
    run.refresh_from_db()
    assert not run.coached


def test_ended_run_has_no_coach(run: Run, ada_client: Client) -> None:
    post(ada_client, f"runs/{run.id}/abandon/", {})
    assert hint(ada_client, run, 1).json()["code"] == "run.over"


@pytest.mark.parametrize("level", [-1, 4, None, "1x"])
def test_level_is_checked(run: Run, ada_client: Client, level: Any) -> None:
    refused = post(ada_client, f"runs/{run.id}/hint/", {"level": level})
    assert (refused.status_code, refused.json()["code"]) == (400, "body.invalid")


def test_best_line_of_an_open_seed_while_playing(run: Run, ada_client: Client) -> None:
    post(ada_client, f"runs/{run.id}/moves/", {"index": 0, "move": "2D"})
    path, body = f"runs/{run.id}/solve/", {"index": 1}
    assert post(ada_client, path, body).status_code == 202
    assert compute_studies() == 1
    found = post(ada_client, path, body).json()
    state = fold(RULESETS["tavern-1"], deal("a"), ["2D", *found["line"]])
    assert score(state) == found["best"]
    run.refresh_from_db()
    assert run.coached


def test_no_best_line_of_a_secret_seed_while_playing(
    secret: Run, ada_client: Client
) -> None:
    refused = post(ada_client, f"runs/{secret.id}/solve/", {"index": 0})
    assert (refused.status_code, refused.json()["code"]) == (409, "review.not_yet")
    assert not Study.objects.exists()
    secret.refresh_from_db()
    assert not secret.coached


def test_undo_answers_with_the_run_before(run: Run, ada_client: Client) -> None:
    first = legal_moves(start(RULESETS["tavern-1"], deal("a")))
    post(ada_client, f"runs/{run.id}/moves/", {"index": 0, "move": "2D"})
    found = post(ada_client, f"runs/{run.id}/undo/", {"index": 1}).json()
    assert (found["index"], found["coached"]) == (0, True)
    assert [one["move"] for one in found["legal"]] == list(first)
    again = post(ada_client, f"runs/{run.id}/undo/", {"index": 1})
    assert again.json()["code"] == "run.stale_index"
    assert again.json()["run"]["index"] == 0
