"""Reports, appeals and standing over REST; access of banned accounts."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from game.models import Account, Case, Report
from game.services.moderation.appeals import appeal_decide
from game.services.races.chat import chat_send
from game.services.runs.runs import practice_start
from tests.fixtures.accounts import api, person, sign_in, token_of
from tests.fixtures.moderation import DAY, actor, do
from tests.fixtures.races import create_race, now
from tests.fixtures.runs import signed_in

pytestmark = pytest.mark.django_db


def say(client: Client, **body: Any) -> Any:
    """Send a report; from the profile unless a place is given."""
    return api(client, "POST", "reports/", {"place": "profile", **body})


def refused(answer: Any, status: int, code: str) -> dict[str, Any]:
    body: dict[str, Any] = answer.json()
    assert (answer.status_code, body["code"]) == (status, code)
    return body


def test_reports_from_every_place_join_one_case(
    ada: Account, bob: Account, eve: Account, eve_client: Client, ada_client: Client
) -> None:
    race_id = create_race([eve, bob])
    said = chat_send(account_id=bob.id, race_id=race_id, text="phew", at=now())
    run = practice_start(account=bob, at=now(), seed="a")
    line = f"{race_id}:{said['number']}"
    answer = say(eve_client, player=bob.name, kind="chat", place="chat", target=line)
    assert answer.status_code == 201
    assert answer.json()["state"] == "open"
    say(ada_client, player=bob.name, kind="chat", place="race", target=race_id)
    say(ada_client, player=bob.name, kind="cheating", place="run", target=run.id)
    say(eve_client, player=bob.name, kind="name", place="name", text="Not kind.")
    cases = Case.objects.filter(subject=bob)
    assert {one.kind for one in cases} == {"chat", "cheating", "name"}
    chat = Case.objects.get(kind="chat")
    assert chat.reports.count() == 2
    assert chat.weight == pytest.approx(1.1)  # a new guest's weighs a tenth
    assert Report.objects.get(place="chat").seen == "phew"
    own = api(eve_client, "GET", "reports/").json()["results"]
    assert [(one["kind"], one["player"]) for one in own] == [
        ("name", bob.name),
        ("chat", bob.name),
    ]


def test_invalid_reports_are_refused(
    bob: Account, eve: Account, eve_client: Client
) -> None:
    race_id = create_race([eve, bob])
    ours = chat_send(account_id=eve.id, race_id=race_id, text="phew", at=now())
    line = f"{race_id}:{ours['number']}"
    asked = {"player": bob.name, "kind": "chat"}
    refused(say(eve_client, **asked | {"player": "Nobody"}), 404, "player.not_found")
    refused(say(eve_client, **asked | {"player": eve.name}), 409, "report.own")
    for place, target in (("chat", line), ("chat", "x"), ("race", "x"), ("run", "x")):
        answer = say(eve_client, **asked, place=place, target=target)
        refused(answer, 404, "report.target_not_found")
    assert say(eve_client, **asked).status_code == 201
    refused(say(eve_client, **asked), 409, "report.already")
    refused(say(eve_client, **asked | {"kind": "ugly"}), 400, "body.invalid")
    refused(say(eve_client, **asked, text="x" * 501), 400, "body.invalid")


def test_bots_cannot_be_reported(eve: Account, eve_client: Client) -> None:
    create_race([eve], house="House Rat", seats=3)
    answer = say(eve_client, player="House Rat", kind="other")
    refused(answer, 409, "report.house")


def test_reports_are_rate_limited(eve_client: Client, settings: Any, db: None) -> None:
    settings.THROTTLE_SCALE, settings.REDIS_URL = 1.0, ""
    for n in range(10):
        person(f"Other {n}")
        assert say(eve_client, player=f"Other {n}", kind="other").status_code == 201
    person("Other 11")
    body = refused(say(eve_client, player="Other 11", kind="other"), 429, "throttled")
    assert body["retry_after_s"] > 0


def test_standing_shows_sanctions_without_staff(
    mona: Account, eve: Account, eve_client: Client
) -> None:
    assert api(eve_client, "GET", "standing/").json() == {
        "standing": "good",
        "sanctions": [],
        "notices": [],
        "reports": [],
    }
    act = do(mona, "mute", eve, length=DAY, text="A day's rest.", note="Third time.")
    shown = api(eve_client, "GET", "standing/")
    assert b"Mona" not in shown.content
    assert b"Third time" not in shown.content
    body = shown.json()
    assert body["standing"] == "limited"
    [sanction] = body["sanctions"]
    assert (sanction["id"], sanction["text"]) == (act.id, "A day's rest.")
    assert sanction["in_force"]
    assert sanction["may_appeal"]
    assert api(eve_client, "GET", "account/").json()["notices"] == 1
    assert api(eve_client, "POST", "standing/seen/").json() == {"seen": 1}
    assert api(eve_client, "GET", "account/").json()["notices"] == 0


def test_second_appeal_is_refused(
    mona: Account, milo: Account, eve: Account, eve_client: Client, bob_client: Client
) -> None:
    act = do(mona, "mute", eve, length=DAY)
    asked = {"sanction": act.id, "text": "That was not me."}
    refused(api(bob_client, "POST", "appeals/", asked), 404, "act.not_found")
    made = api(eve_client, "POST", "appeals/", asked)
    assert (made.status_code, made.json()["outcome"]) == (201, None)
    refused(api(eve_client, "POST", "appeals/", asked), 409, "appeal.once")
    refused(
        api(eve_client, "POST", "appeals/", {"sanction": act.id, "text": " "}),
        400,
        "body.invalid",
    )
    at = now()
    appeal_decide(
        actor=actor(milo, at),
        appeal_id=made.json()["id"],
        outcome="lifted",
        answer="So it was.",
        at=at,
    )
    body = api(eve_client, "GET", "standing/").json()
    assert body["standing"] == "good"
    assert body["sanctions"][0]["appeal"]["answer"] == "So it was."
    [shown] = api(eve_client, "GET", "appeals/").json()["results"]
    assert shown["outcome"] == "lifted"


def test_banned_account_can_only_see_standing_and_appeal(
    mona: Account, eve: Account, eve_client: Client
) -> None:
    run = practice_start(account=eve, at=now(), seed="a")
    _, header = token_of(eve, "read", "play")
    act = do(mona, "ban", eve, length=DAY, reason="fair_play", text="Two accounts.")
    # The session has ended.
    refused(api(eve_client, "GET", "account/"), 401, "session.required")
    again = Client()
    assert sign_in(again, username="Eve").status_code == 200
    for method, path in (
        ("GET", "runs/"),
        ("POST", "runs/"),
        ("GET", "races/"),
        ("GET", "players/Eve/"),
        ("POST", f"runs/{run.id}/moves/"),
        ("POST", "reports/"),
        ("PATCH", "account/"),
        ("GET", "tokens/"),
    ):
        body = {"index": 0, "move": "2D"} if "moves" in path else {}
        answer = api(again, method, path, body)
        found = refused(answer, 403, "account.banned")
        assert (found["reason"], found["words"]) == ("fair_play", "Two accounts.")
        assert (found["act"], found["appeal"]) == (act.id, "/account/standing")
        assert found["until"] is not None
    program = Client()
    refused(api(program, "GET", "runs/", **header), 403, "account.banned")
    played = api(
        program, "POST", f"runs/{run.id}/moves/", {"index": 0, "move": "2D"}, **header
    )
    refused(played, 403, "account.banned")
    assert api(again, "GET", "account/").status_code == 200
    assert api(again, "GET", "standing/").json()["standing"] == "banned"
    asked = {"sanction": act.id, "text": "Look again, please."}
    assert api(again, "POST", "appeals/", asked).status_code == 201


def test_expired_ban_allows_access(
    mona: Account, eve: Account, eve_client: Client
) -> None:
    do(mona, "ban", eve, at=now() - 2 * DAY, length=DAY)
    again = signed_in(eve)
    assert api(again, "GET", "runs/").status_code == 200


def test_banned_guest_sees_their_standing(
    mona: Account, ada: Account, ada_client: Client
) -> None:
    do(mona, "ban", ada, length=timedelta(hours=1))
    refused(api(ada_client, "GET", "runs/"), 403, "account.banned")
    assert api(ada_client, "GET", "standing/").json()["standing"] == "banned"


def test_sanction_can_be_appealed_once_while_in_force(
    mona: Account, eve: Account, eve_client: Client
) -> None:
    act = do(mona, "mute", eve, length=DAY)
    api(eve_client, "POST", "appeals/", {"sanction": act.id, "text": "Not me."})
    body = api(eve_client, "GET", "standing/").json()
    assert body["sanctions"][0]["may_appeal"] is False
    assert body["sanctions"][0]["appeal"]["text"] == "Not me."


def test_expired_sanction_leaves_good_standing(
    mona: Account, eve: Account, eve_client: Client
) -> None:
    do(mona, "suspend", eve, at=now() - 2 * DAY, length=DAY)
    body = api(eve_client, "GET", "standing/").json()
    assert (body["standing"], body["sanctions"][0]["in_force"]) == ("good", False)


def test_most_severe_sanction_is_the_standing(
    mona: Account, ada: Account, ada_client: Client
) -> None:
    for kind, standing in (
        ("mute", "limited"),
        ("suspend", "suspended"),
        ("ban", "banned"),
    ):
        do(mona, kind, ada, length=DAY)
        body = api(ada_client, "GET", "standing/").json()
        assert body["standing"] == standing
