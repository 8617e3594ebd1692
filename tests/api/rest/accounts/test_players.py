"""Public profiles and replays: what everybody can see of a player."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from game.analysis import ANALYSIS_VERSION
from game.models import Account, Run, Study
from game.services.accounts.accounts import account_change
from game.services.runs.runs import practice_start, run_abandon
from tests.fixtures.accounts import api
from tests.fixtures.runs import NOON

pytestmark = pytest.mark.django_db


def over(account: Account, seed: str | None = None, ruleset: str = "tavern-1") -> Run:
    run = practice_start(account=account, at=NOON, seed=seed, ruleset=ruleset)
    return run_abandon(account_id=account.id, run_id=run.id, at=NOON)


def test_profile(eve: Account, client: Client) -> None:
    own = over(eve)
    over(eve, ruleset="bound-1")
    practice_start(account=eve, at=NOON)
    shown = api(client, "GET", "players/EVE/").json()
    assert (shown["name"], shown["is_bot"], shown["is_guest"]) == ("Eve", False, False)
    assert (shown["runs"], shown["cleared"]) == (2, 0)
    assert shown["since"] == "2026-11-29T12:00:00.000Z"
    assert [row["ruleset"] for row in shown["best"]] == ["bound-1", "tavern-1"]
    assert shown["best"][1] == {
        "ruleset": "tavern-1",
        "difficulty": "normal",
        "score": own.score,
        "runs": 1,
        "cleared": 0,
    }
    text = str(shown)
    assert eve.id not in text
    assert "example.org" not in text


def test_numbers_of_a_profile_count_secret_dungeons_only(
    eve: Account, client: Client
) -> None:
    def shown() -> list[Any]:
        found = api(client, "GET", "players/Eve/").json()
        best = [row["score"] for row in found["best"]]
        names = ("runs", "cleared", "reviewed", "accuracy")
        return [*(found[name] for name in names), best]

    own = over(eve)
    review(own, 0.5)
    before = shown()
    assert before == [1, 0, 1, 0.5, [own.score]]
    typed, void, known, seen = over(eve, seed="a"), over(eve), over(eve), over(eve)
    for run in (typed, void, known, seen):
        review(run, 1.0)
    Run.objects.exclude(id=own.id).update(status="cleared", score=30)
    Run.objects.filter(id=seen.id).update(deck_seen="browser_seen")
    Run.objects.filter(id=void.id).update(voided_at=NOON)
    # A race against a ghost is run on a dungeon that was revealed before.
    Run.objects.filter(id=known.id).update(
        started_at=NOON + timedelta(minutes=1), finished_at=NOON + timedelta(minutes=9)
    )
    assert shown() == before
    assert len(api(client, "GET", "players/Eve/runs/").json()["results"]) == 5


def review(run: Run, accuracy: float) -> None:
    """Store a finished review of the run."""
    Study.objects.create(
        run=run,
        kind=Study.Kind.REVIEW,
        status=Study.Status.DONE,
        version=ANALYSIS_VERSION,
        accuracy=accuracy,
        asked_at=NOON,
        done_at=NOON,
    )


def test_finished_runs_are_listed(eve: Account, client: Client) -> None:
    ended = over(eve)
    practice_start(account=eve, at=NOON)
    page = api(client, "GET", "players/Eve/runs/").json()
    assert page["next"] is None
    assert [row["id"] for row in page["results"]] == [ended.id]
    assert set(page["results"][0]) == {
        *("id", "kind", "ruleset", "difficulty", "status", "score", "moves", "faced"),
        *("seal", "started_at", "finished_at", "elapsed_ms", "coached"),
    }


def test_runs_of_hidden_dungeons_are_not_listed(eve: Account, client: Client) -> None:
    """The run is finished, but others may still play its deck."""
    run = over(eve)
    run.dungeon.revealed_at = None
    run.dungeon.save()
    assert api(client, "GET", "players/Eve/").json()["runs"] == 0
    assert api(client, "GET", "players/Eve/runs/").json()["results"] == []
    assert api(client, "GET", f"runs/{run.id}/replay/").status_code == 404


def test_runs_are_paginated(eve: Account, client: Client) -> None:
    ids = {over(eve).id for _ in range(5)}
    got, address = [], "/api/v1/players/Eve/runs/?limit=2"
    while address:
        page = client.get(address).json()
        got += [row["id"] for row in page["results"]]
        address = page["next"]
    assert (len(got), set(got)) == (5, ids)


def test_old_name_returns_the_present_one(eve: Account, client: Client) -> None:
    account_change(account_id=eve.id, at=timezone.now(), name="Evelyn")
    assert api(client, "GET", "players/Eve/").json()["name"] == "Evelyn"
    assert api(client, "GET", "players/eve/runs/").status_code == 200
    eve.old_names.update(until=timezone.now() - timedelta(seconds=1))
    assert api(client, "GET", "players/Eve/").status_code == 404


@pytest.mark.parametrize(
    "name", ["Nobody", "%20", "..", "a%2Fb", "%00", "%ED%A0%80", "x" * 900]
)
def test_unknown_name_is_not_found(db: None, client: Client, name: str) -> None:
    assert client.get(f"/api/v1/players/{name}/").status_code == 404


def test_closed_and_unverified_accounts_are_not_found(
    eve: Account, client: Client
) -> None:
    run = over(eve)
    account_change(account_id=eve.id, at=timezone.now(), name="Evelyn")
    Account.objects.filter(id=eve.id).update(is_active=False)
    assert api(client, "GET", "players/Evelyn/").status_code == 404
    assert api(client, "GET", "players/Eve/").status_code == 404
    assert api(client, "GET", f"runs/{run.id}/replay/").status_code == 200
    Account.objects.filter(id=eve.id).update(is_active=True, is_guest=True)
    assert api(client, "GET", "players/Evelyn/").status_code == 404


def test_guest_has_a_profile(ada: Account, client: Client) -> None:
    assert api(client, "GET", f"players/{ada.name}/").json()["is_guest"] is True


def test_replay_of_a_finished_run_is_public(
    eve: Account, bob_client: Client, client: Client
) -> None:
    ended, going = over(eve), practice_start(account=eve, at=NOON)
    for browser in (client, bob_client):
        assert api(browser, "GET", f"runs/{ended.id}/replay/").status_code == 200
        assert api(browser, "GET", f"runs/{going.id}/replay/").status_code == 404
    assert api(bob_client, "GET", f"runs/{ended.id}/").status_code == 404
    assert api(client, "GET", f"runs/{ended.id}/").status_code == 401
