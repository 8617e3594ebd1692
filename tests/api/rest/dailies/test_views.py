"""REST: dailies before, during and after the day, and boards."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from game.contest.digest import text_digest
from game.contest.drawing import candidate_seed
from game.models import Daily, Run
from game.rules import seal_of
from game.services.accounts.accounts import guest_create
from game.services.dailies.publish import daily_choose_step
from game.services.dailies.settle import daily_settle
from tests.fixtures.dailies import DAY, MORNING, SETTLES, attempt, member, play_out
from tests.fixtures.runs import post, signed_in

pytestmark = pytest.mark.django_db
AT = f"/api/v1/dailies/{DAY}/"


def get(client: Client, rest: str = "", **query: str) -> dict[str, Any]:
    answer = client.get(AT + rest, query)
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def test_daily_as_everybody_sees_it(daily: Daily, clock: Any, client: Client) -> None:
    shown = client.get("/api/v1/dailies/today/").json()
    assert shown == get(client)
    assert (shown["date"], shown["phase"], shown["ruleset"]) == (
        "2027-03-17",
        "open",
        "tavern-1",
    )
    assert shown["opens_at"] == "2027-03-17T00:00:00.000Z"
    assert shown["closes_at"] == "2027-03-18T00:00:00.000Z"
    assert shown["ends_at"] == "2027-03-18T00:30:00.000Z"
    assert len(shown["seal"]) == len(shown["master_seal"]) == 64
    for secret in ("seed", "master", "candidate", "assessment", "digest", "you"):
        assert shown[secret] is None, secret


def test_first_reader_draws_a_missing_day(
    db: None, quick: None, one_ruleset: None, clock: Any, client: Client
) -> None:
    assert not Daily.objects.exists()
    assert get(client)["seal"]
    assert Daily.objects.count() == 31


def test_archive_and_coming_dailies(daily: Daily, clock: Any, client: Client) -> None:
    clock.move_to(MORNING + timedelta(days=3))
    first = client.get("/api/v1/dailies/?limit=2").json()
    assert [d["date"] for d in first["results"]] == ["2027-03-20", "2027-03-19"]
    assert len(first["ahead"]) == 27
    assert all(len(d["master_seal"]) == 64 for d in first["ahead"])
    second = client.get(first["next"]).json()
    assert [d["date"] for d in second["results"]] == ["2027-03-18", "2027-03-17"]
    assert (second["next"], second["ahead"]) == (None, [])


def test_difficulty_band_is_shown_after_the_reveal(
    daily: Daily, clock: Any, client: Client
) -> None:
    while not daily_choose_step(daily.id, at=MORNING):
        pass
    assert get(client)["band"] is None
    clock.move_to(SETTLES)
    daily_settle(daily.id, at=SETTLES)
    shown = client.get("/api/v1/dailies/").json()["results"][-1]
    assert shown["date"] == "2027-03-17"
    assert shown["band"] == get(client)["assessment"]["band"]


def test_one_attempt_per_account_on_all_devices(daily: Daily, clock: Any) -> None:
    eve = member("Eve")
    phone, desk = signed_in(eve), signed_in(eve)
    begun = post(phone, f"dailies/{DAY}/run/")
    assert begun.status_code == 201
    run = begun.json()
    assert (run["kind"], run["daily"], run["seed"]) == ("daily", "2027-03-17", None)
    again = post(desk, "dailies/today/run/")
    assert (again.status_code, again.json()["id"]) == (200, run["id"])
    assert get(desk)["you"] == {
        "may_rank": True,
        "pool": "people",
        "deadline_at": "2027-03-18T00:30:00.000Z",
        "run": run["id"],
        "status": "playing",
        "ranked": True,
        "score": None,
        "rank": None,
        "of": None,
        "percentile": None,
    }
    clock.move_to(SETTLES - timedelta(minutes=10))
    late = post(desk, f"dailies/{DAY}/run/")
    assert (late.status_code, late.json()["id"]) == (200, run["id"])


def test_guest_attempt_is_unranked(daily: Daily, clock: Any) -> None:
    guest = guest_create(at=MORNING)
    client = signed_in(guest)
    run = post(client, f"dailies/{DAY}/run/").json()
    assert get(client)["you"]["may_rank"] is False
    assert Run.objects.get(id=run["id"]).ranked is False
    play_out(Run.objects.get(id=run["id"]), chance=1, ends_at=MORNING)
    daily_settle(daily.id, at=SETTLES)
    assert get(client, "leaderboard/")["results"] == []


@pytest.mark.parametrize(
    ("when", "code", "status"),
    [
        (timedelta(days=-1), "daily.not_open", 409),
        (timedelta(hours=15), "daily.closed", 409),
        (timedelta(days=9), "daily.closed", 409),
    ],
)
def test_attempt_outside_the_day_is_refused(
    daily: Daily, clock: Any, when: timedelta, code: str, status: int
) -> None:
    clock.move_to(MORNING + when)
    answer = post(signed_in(member()), f"dailies/{DAY}/run/")
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_board_before_settling(
    daily: Daily, played_daily: list[Run], clock: Any
) -> None:
    fresh, nobody = signed_in(member("Fresh")), Client()
    playing = member("Playing")
    post(signed_in(playing), f"dailies/{DAY}/run/")
    for client in (fresh, nobody, signed_in(playing)):
        seen = get(client, "leaderboard/")
        assert (seen["hidden"], seen["players"]) == (True, 10)
        assert (seen["results"], seen["total"], seen["curve"]) == ([], None, [])
    finisher = signed_in(played_daily[0].account)
    seen = get(finisher, "leaderboard/")
    assert (seen["hidden"], seen["provisional"], seen["digest"]) == (False, True, None)
    assert len(seen["results"]) == 7
    assert [e["run"] for e in seen["results"] if e["run"]] == [played_daily[0].id]
    assert sum(point["players"] for point in seen["curve"]) == 7
    mine = next(e for e in seen["results"] if e["is_you"])
    you = get(finisher)["you"]
    assert (you["rank"], you["of"]) == (mine["rank"], 7) == (seen["me"]["rank"], 7)
    for run in played_daily[1:3]:
        for path in (f"runs/{run.id}/", f"runs/{run.id}/replay/"):
            assert finisher.get(f"/api/v1/{path}").status_code == 404
    assert finisher.get(f"/api/v1/runs/{played_daily[0].id}/replay/").status_code == 409


@pytest.mark.parametrize(
    ("faced", "changes", "is_hidden"),
    [
        (0, {}, True),
        (1, {}, False),
        (1, {"ranked": False, "unranked": "guest"}, False),
        (1, {"ranked": False, "unranked": "unqualified"}, False),
        (1, {"ranked": False, "unranked": "bot_unverified"}, False),
        (1, {"ranked": False, "unranked": "browser_seen"}, True),
        (1, {"ranked": False, "unranked": "address_seen"}, True),
        (1, {"ranked": False, "unranked": "mailbox_seen"}, True),
        (1, {"ranked": False, "unranked": "restricted"}, True),
        (1, {"ranked": False, "unranked": "outage"}, True),
        (1, {"voided_at": MORNING}, True),
    ],
)
def test_ranks_so_far_are_for_those_who_compete(
    daily: Daily,
    played_daily: list[Run],
    clock: Any,
    faced: int,
    changes: dict[str, Any],
    is_hidden: bool,
) -> None:
    """An abandoned attempt of a guest or second account shows no scores to beat."""
    run = played_daily[0]
    client = signed_in(run.account)  # which decides the attempt
    Run.objects.filter(id=run.id).update(faced=faced, **changes)
    seen = get(client, "leaderboard/")
    assert seen["hidden"] is is_hidden
    assert bool(seen["results"]) is not is_hidden


def test_board_and_secrets_after_settling(
    daily: Daily, played_daily: list[Run], clock: Any, client: Client
) -> None:
    clock.move_to(SETTLES)
    digest = daily_settle(daily.id, at=SETTLES)
    shown = get(client)
    assert (shown["phase"], shown["digest"], shown["revision"]) == (
        "settled",
        digest,
        1,
    )
    assert seal_of(shown["seed"]) == shown["seal"]
    assert seal_of(shown["master"]) == shown["master_seal"]
    assert candidate_seed(shown["master"], shown["candidate"]) == shown["seed"]
    board = get(client, "leaderboard/", limit="3")
    assert (board["provisional"], board["digest"]) == (False, digest)
    assert [e["rank"] for e in board["results"]] == [1, 2, 3]
    for entry in board["results"]:
        replay = client.get(f"/api/v1/runs/{entry['run']}/replay/").json()
        assert (replay["seed"], replay["score"]) == (shown["seed"], entry["score"])
    text = client.get(AT + "digest/")
    assert text["Content-Type"].startswith("text/plain")
    assert text_digest(text.content.decode()) == digest
    bots = get(client, "leaderboard/", pool="bots")
    assert [e["player"][:5] for e in bots["results"]] == ["Robot", "Robot"]


def test_pages_and_around_me(daily: Daily, played_daily: list[Run], clock: Any) -> None:
    daily_settle(daily.id, at=SETTLES)
    whole = get(Client(), "leaderboard/")["results"]
    middle = signed_in(Run.objects.get(id=whole[3]["run"]).account)
    paged: list[dict[str, Any]] = []
    address: str | None = AT + "leaderboard/?limit=2"
    while address:
        page = middle.get(address).json()
        paged += page["results"]
        address = page["next"]
    assert [(e["rank"], e["run"]) for e in paged] == [
        (e["rank"], e["run"]) for e in whole
    ]
    around = get(middle, "leaderboard/", around="me")
    assert [e["rank"] for e in around["results"]] == [e["rank"] for e in whole]
    assert around["me"]["rank"] == whole[3]["rank"]
    assert get(Client(), "leaderboard/", around="me")["results"] == []


def test_practice_after_settling(daily: Daily, clock: Any) -> None:
    eve = member("Eve")
    client = signed_in(eve)
    attempt(eve, chance=4, takes=timedelta(minutes=4))
    clock.move_to(SETTLES)
    daily_settle(daily.id, at=SETTLES)
    made = post(client, f"dailies/{DAY}/practice/")
    assert made.status_code == 201
    run = made.json()
    assert (run["kind"], run["daily"]) == ("practice", "2027-03-17")
    ended = post(client, f"runs/{run['id']}/abandon/").json()
    assert (ended["status"], ended["seed"]) == ("abandoned", run["seed"])
    assert signed_in(member()).get(f"/api/v1/runs/{run['id']}/").status_code == 404


def test_share_text_and_image(
    daily: Daily, clock: Any, settings: Any, tmp_path: Any
) -> None:
    settings.VAR = tmp_path
    eve = member("Eve")
    client = signed_in(eve)
    early = client.get(AT + "share/")
    assert (early.status_code, early.json()["code"]) == (409, "daily.attempt_first")
    run = attempt(eve, chance=4)
    shown = client.get(AT + "share/").json()
    assert shown["text"].startswith(
        "Scoundrel daily 437 (2027-03-17, Tavern)\nDied \N{MINUS SIGN}"
    )
    picture = Client().get(shown["picture"])
    assert picture["Content-Type"] == "image/png"
    assert picture.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(picture.content[16:20]) == 1200
    assert int.from_bytes(picture.content[20:24]) == 630
    assert Client().get(shown["picture"]).content == picture.content
    assert len(list((tmp_path / "pictures").iterdir())) == 1
    plain = Client().get(AT + "share.png")
    assert plain.status_code == 200
    assert Client().get(AT + "share.png?run=nobody").status_code == 404
    assert run.id in shown["path"]


def test_year(daily: Daily, clock: Any) -> None:
    eve = member("Eve")
    client = signed_in(eve)
    attempt(eve, chance=4)
    clock.move_to(MORNING + timedelta(hours=1))
    year = client.get("/api/v1/dailies/year/").json()
    assert [day["date"] for day in year["days"]] == ["2027-03-17"]
    assert year["streak"] == {
        "current": 1,
        "longest": 1,
        "played_today": True,
        "last_on": "2027-03-17",
        "frozen_on": None,
        "freeze_ready_on": None,
        "bridged": [],
    }
    daily_settle(daily.id, at=SETTLES)
    badges = client.get("/api/v1/dailies/year/?year=2027").json()["badges"]
    assert badges[0]["key"] == "first_daily"
    assert client.get("/api/v1/dailies/year/?year=2026").json()["days"] == []
    assert client.get("/api/v1/dailies/year/?year=x").status_code == 400
    assert Client().get("/api/v1/dailies/year/").status_code == 401


@pytest.mark.parametrize(
    ("path", "code", "status"),
    [
        ("dailies/2027-13-01/", "daily.not_found", 404),
        ("dailies/20270317/", "daily.not_found", 404),
        ("dailies/yesterday/", "daily.not_found", 404),
        ("dailies/1999-01-01/", "daily.not_found", 404),
        ("dailies/today/?ruleset=x", "ruleset.unknown", 400),
        ("dailies/?cursor=x", "cursor.invalid", 400),
        ("dailies/?limit=0", "request.malformed", 400),
        ("dailies/today/leaderboard/?pool=x", "board.no_such_pool", 400),
        ("dailies/today/leaderboard/?cursor=1.2", "request.malformed", 400),
        ("dailies/today/leaderboard/?around=you", "request.malformed", 400),
        ("dailies/today/digest/", "daily.not_settled", 409),
        ("dailies/today/digest/?revision=x", "digest.no_such_revision", 400),
        ("leaderboards/nope/", "board.not_found", 404),
        ("leaderboards/daily/?of=never", "board.no_such_span", 400),
        ("leaderboards/week/?of=2026-W99", "board.no_such_span", 400),
        ("leaderboards/week/?of=9999-W52", "board.no_such_span", 400),
        ("leaderboards/week/?of=2026-W+1", "board.no_such_span", 400),
        ("leaderboards/week/?of=3", "board.no_such_span", 400),
        ("leaderboards/season/?of=2026-W48", "board.no_such_span", 400),
        ("leaderboards/season/?of=03", "board.no_such_span", 400),
        ("leaderboards/season/?of=999999999", "board.no_such_span", 400),
        ("leaderboards/best/?difficulty=hard", "ruleset.unknown_difficulty", 400),
    ],
)
def test_refusals(
    daily: Daily, clock: Any, client: Client, path: str, code: str, status: int
) -> None:
    answer = client.get(f"/api/v1/{path}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer["Content-Type"] == "application/problem+json"


def test_every_board_can_be_read(
    daily: Daily, played_daily: list[Run], clock: Any, client: Client
) -> None:
    daily_settle(daily.id, at=SETTLES)
    kinds = client.get("/api/v1/leaderboards/").json()["results"]
    assert [kind["board"] for kind in kinds] == [
        *("daily", "week", "season", "best", "fastest", "streak", "rating"),
    ]
    totals = {
        key: client.get(f"/api/v1/leaderboards/{key}/").json()["total"]
        for key in ("daily", "week", "season", "best", "streak", "rating")
    }
    assert totals == {
        "daily": 7,
        "week": 7,
        "season": 7,
        "best": 7,
        "streak": 7,
        "rating": 0,
    }
    week = client.get("/api/v1/leaderboards/week/?of=2027-W11&limit=1").json()
    assert (week["of"], week["provisional"], week["value"]) == (
        "2027-W11",
        True,
        "points",
    )
    assert week["results"][0]["run"] is None
    assert week["next"]


def test_daily_played_over_rest(db: None, quick: None, one_ruleset: None) -> None:
    """Uses the real clock, because moves take the database's time."""
    client = signed_in(member())
    run = post(client, "dailies/today/run/").json()
    while run["status"] == "playing":
        moved = post(
            client,
            f"runs/{run['id']}/moves/",
            {"index": run["index"], "move": run["legal"][-1]["move"]},
        )
        assert moved.status_code == 200
        run = moved.json()["run"]
        assert run["daily"] == str(timezone.now().date())
    assert run["seed"] is None
    board = client.get("/api/v1/dailies/today/leaderboard/").json()
    assert [e["run"] for e in board["results"]] == [run["id"]]
