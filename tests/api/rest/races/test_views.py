"""REST views of races, as owner, as another account and anonymously."""

import json
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client

from api.rest.runs import moves
from game.models import Account, Race
from game.selectors.races.lobby import lobby_list
from game.services.races.timeouts import race_advance
from tests.fixtures.races import (
    backdate,
    create_race,
    member,
    now,
    play,
    play_all,
    start_race,
)
from tests.fixtures.runs import post, signed_in
from tests.services.boards.test_ratings import rated_race

pytestmark = pytest.mark.django_db


def get(client: Client, path: str) -> Any:
    return client.get(f"/api/v1/{path}")


def code_of(answer: Any) -> tuple[int, str]:
    assert answer["Content-Type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


def test_race_from_creation_to_rematch(
    ada: Account, bob: Account, ada_client: Client, bob_client: Client
) -> None:
    made = post(ada_client, "races/", {"format": "speed", "visibility": "link"})
    assert made.status_code == 201
    race = made.json()
    where = f"races/{race['id']}/"
    assert (race["phase"], race["you"]["player"]) == ("open", ada.name)
    assert post(bob_client, f"{where}join/").json()["seq"] == 3
    assert post(bob_client, f"{where}ready/").json()["phase"] == "open"
    assert post(bob_client, f"{where}unready/").status_code == 200
    assert post(ada_client, f"{where}start/").json()["phase"] == "countdown"
    starts_at = Race.objects.get(id=race["id"]).starts_at
    assert starts_at is not None
    race_advance(race["id"], at=starts_at)
    run = get(bob_client, where).json()["run"]
    moved = post(
        bob_client,
        f"{where}moves/",
        {"index": 0, "move": run["legal"][0]["move"], "key": "k"},
    )
    assert moved.status_code == 200
    assert moved.json()["seq"] == 9  # six commands, the start, and Bob's presence
    events = get(ada_client, f"{where}events/?since=6").json()["results"]
    kinds = [one["kind"] for one in events]
    assert kinds == ["started", "appeared", "moved", "appeared"]  # Bob, then Ada
    for one in (ada_client, bob_client):
        assert post(one, f"{where}forfeit/").status_code == 200
    assert post(ada_client, f"{where}unforfeit/").status_code == 200
    assert post(ada_client, f"{where}forfeit/").status_code == 200
    race_advance(race["id"], at=now() + timedelta(seconds=11))
    over = get(ada_client, where).json()
    assert over["phase"] == "settled"
    assert {one["state"] for one in over["entrants"]} == {"forfeited"}
    again = post(ada_client, f"{where}rematch/").json()["race_id"]
    assert post(bob_client, f"{where}rematch/").json()["race_id"] == again


def test_anonymous_clients_may_watch_but_not_act(
    ada: Account, bob: Account, cleo: Account, client: Client
) -> None:
    race_id = start_race([ada, bob])
    play(race_id, ada)
    stranger = signed_in(cleo)
    for viewer in (client, stranger):
        seen = get(viewer, f"races/{race_id}/").json()
        assert seen["run"] is None
        assert seen["you"] == {"seat": None, "player": None}
        assert get(viewer, f"races/{race_id}/events/").status_code == 200
        assert get(viewer, f"races/{race_id}/chat/").status_code == 200
    for act in ("join", "leave", "ready", "start", "forfeit", "rematch"):
        assert code_of(post(client, f"races/{race_id}/{act}/"))[0] == 401
        assert post(stranger, f"races/{race_id}/{act}/").status_code in (403, 409)
    moved = post(stranger, f"races/{race_id}/moves/", {"index": 0, "move": "avoid"})
    assert code_of(moved) == (403, "race.not_entrant")
    assert code_of(post(client, "races/", {}))[0] == 401
    assert code_of(post(client, f"races/{race_id}/chat/", {"text": "hello"}))[0] == 401


def test_unknown_races_are_not_found(ada_client: Client) -> None:
    for path in ("races/nosuchrace/", "races/nosuchrace/events/"):
        assert code_of(get(ada_client, path)) == (404, "race.not_found")
    for act in ("join", "ready", "forfeit", "rematch"):
        answer = post(ada_client, f"races/nosuchrace/{act}/")
        assert code_of(answer) == (404, "race.not_found")
    answer = post(ada_client, "races/nosuchrace/moves/", {"index": 0, "move": "avoid"})
    assert code_of(answer) == (404, "race.not_found")


@pytest.mark.parametrize(
    "body",
    [
        {"seats": 1},
        {"seats": 9},
        {"seats": "two"},
        {"time_limit_s": 179},
        {"time_limit_s": 3601},
        {"format": "luck"},
        {"visibility": "secret"},
        {"ruleset": "nosuch-1"},
        {"speed": True},
        {"rated": "perhaps"},
    ],
)
def test_invalid_race_is_refused(ada_client: Client, body: Any) -> None:
    assert code_of(post(ada_client, "races/", body)) == (400, "body.invalid")


def test_refusals_have_status_and_code(ada: Account, ada_client: Client) -> None:
    assert code_of(post(ada_client, "races/", {"rated": True})) == (
        403,
        "race.rated_needs_account",
    )
    assert code_of(post(ada_client, "races/", {"rated": True, "seats": 3})) == (
        409,
        "race.rated_two_seats",
    )
    assert code_of(post(ada_client, "races/", {"difficulty": "hard"}))[0] == 400
    race_id = create_race([ada])
    assert code_of(post(ada_client, f"races/{race_id}/join/")) == (
        409,
        "race.already_joined",
    )
    answer = post(ada_client, f"races/{race_id}/join/", {"seat": 3})
    assert code_of(answer) == (400, "body.invalid")
    assert get(ada_client, f"races/{race_id}/events/?since=x").status_code == 400
    assert post(ada_client, "races/", {"ghost": "nosuchrun"}).status_code == 404


def test_lobby_lists_public_open_and_live_races(
    ada: Account, bob: Account, client: Client
) -> None:
    stale = create_race([bob], now() - timedelta(hours=2))
    hidden = create_race([ada], visibility="link")
    open_one = create_race([ada], format="speed")
    over = start_race([ada, bob])
    play_all(over, [ada, bob])
    live = start_race([ada, bob])
    listed = get(client, "races/").json()["results"]
    assert {one["id"] for one in listed} == {open_one, live}
    assert hidden not in str(listed)
    assert stale not in str(listed)
    speedy = get(client, "races/?format=speed").json()["results"]
    assert [one["id"] for one in speedy] == [open_one]
    first = get(client, "races/?limit=1").json()
    rest = client.get(first["next"]).json()
    assert {first["results"][0]["id"], rest["results"][0]["id"]} == {open_one, live}


def test_lobby_lists_the_newest_race_of_each_host_first(
    ada: Account, bob: Account, cleo: Account, client: Client
) -> None:
    at, count = now(), iter(range(9))
    hosts = (bob, ada, cleo, ada, ada)
    bobs, adas_1, cleos, adas_2, adas_3 = (
        create_race([host], at + timedelta(seconds=next(count))) for host in hosts
    )
    order = [adas_3, cleos, bobs, adas_2, adas_1]
    for limit in (1, 2, 20):
        found, page = [], get(client, f"races/?limit={limit}").json()
        while True:
            found += [one["id"] for one in page["results"]]
            if page["next"] is None:
                break
            page = client.get(page["next"]).json()
        assert found == order
    assert [one["id"] for one in lobby_list(at, lambda _: 0, most=3)] == order[:3]


def test_host_removes_an_entrant_over_rest(
    ada: Account, bob: Account, ada_client: Client, bob_client: Client
) -> None:
    where = f"races/{create_race([ada, bob])}/"
    assert code_of(post(ada_client, f"{where}remove/")) == (400, "body.invalid")
    assert code_of(post(bob_client, f"{where}remove/", {"seat": 1})) == (
        403,
        "race.not_host",
    )
    left = post(ada_client, f"{where}remove/", {"seat": 2}).json()
    assert [one["player"] for one in left["entrants"]] == [ada.name]
    assert code_of(post(bob_client, f"{where}join/")) == (409, "race.removed")
    assert code_of(post(ada_client, f"{where}close/")) == (409, "race.wrong_phase")


def test_race_against_a_bot_starts_in_five_seconds(ada_client: Client) -> None:
    made = post(ada_client, "races/", {"house": "House Rat", "ready": True}).json()
    assert made["phase"] == "countdown"
    assert made["entrants"][1]["kind"] == "house"


def test_chat_over_rest(ada: Account, bob: Account, ada_client: Client) -> None:
    race_id = start_race([ada, bob])
    where = f"races/{race_id}/chat/"
    assert post(ada_client, where, {"text": "hello"}).status_code == 201
    answer = post(ada_client, where, {"text": "the king comes next"})
    assert code_of(answer) == (409, "chat.phrases_only")
    assert code_of(post(ada_client, where, {"text": " "})) == (400, "chat.empty")
    found = get(ada_client, where).json()
    assert [one["text"] for one in found["results"]] == ["Hello!"]
    assert found["phrases"]["hello"] == "Hello!"
    assert get(ada_client, f"{where}?since=1").json()["results"] == []


def test_invalid_race_moves_are_refused(ada: Account, bob: Account) -> None:
    race_id, client = start_race([ada, bob]), signed_in(ada)
    where = f"races/{race_id}/moves/"
    assert code_of(post(client, where, {"index": 0}))[0] == 400
    assert code_of(post(client, where, {"index": 0, "move": "ZZ"})) == (
        400,
        "move.malformed",
    )
    assert code_of(post(client, where, {"index": 5, "move": "avoid"})) == (
        409,
        "run.stale_index",
    )
    backdate(race_id, timedelta(hours=1))
    assert code_of(post(client, where, {"index": 0, "move": "avoid"})) == (
        409,
        "run.over",
    )


def test_race_moves_are_served_without_middleware(ada: Account, bob: Account) -> None:
    race_id = start_race([ada, bob])
    path = f"/api/v1/races/{race_id}/moves/"
    found = moves.PATH.match(path)
    assert found is not None
    client = signed_in(ada)
    cookies = "; ".join(f"{m.key}={m.value}" for m in client.cookies.values())
    sent: list[Any] = []
    headers = {"host": "127.0.0.1", "cookie": cookies, "content-length": "0"}
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": b"",
        "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", 80),
        "headers": [(k.encode(), v.encode()) for k, v in headers.items()],
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    async_to_sync(moves.serve_move)(scope, receive, send, found[1])
    assert sent[0]["status"] == 400
    assert json.loads(sent[1]["body"])["code"] == "body.invalid"


def test_quick_match_over_rest(
    ada: Account, bob: Account, ada_client: Client, bob_client: Client, client: Client
) -> None:
    def put(who: Client, body: Any = None) -> Any:
        return who.put(
            "/api/v1/matchmaking/", body or {}, content_type="application/json"
        )

    assert get(client, "matchmaking/").status_code == 401
    assert get(ada_client, "matchmaking/").json()["state"] == "idle"
    assert put(ada_client, {"format": "speed"}).json()["state"] == "waiting"
    assert put(bob_client, {"format": "speed"}).json()["state"] == "offered"
    assert code_of(put(ada_client, {"house": "House Rat"})) == (
        409,
        "match.house_not_yet",
    )
    assert code_of(put(ada_client, {"colour": "red"})) == (400, "body.invalid")
    assert put(ada_client, {"accept": True}).json()["state"] == "accepted"
    matched = put(bob_client, {"accept": True}).json()
    assert matched["state"] == "matched"
    assert get(ada_client, "matchmaking/").json()["race"] == matched["race"]
    assert ada_client.delete("/api/v1/matchmaking/").status_code == 204
    assert get(ada_client, "matchmaking/").json()["state"] == "idle"
    assert code_of(put(ada_client, {"accept": True})) == (409, "match.no_offer")


def test_races_and_ratings_of_a_player(client: Client, db: None) -> None:
    dora, emil = member("Dora"), member("Emil")
    race_id = rated_race(dora, emil)
    play_all(race_id, [dora, emil])
    link = create_race([dora, emil], visibility="link")
    (rating,) = get(client, "players/Dora/ratings/").json()["results"]
    assert (rating["ruleset"], rating["pool"], rating["races"]) == (
        "tavern-1",
        "live",
        1,
    )
    assert rating["provisional"] is True
    (line,) = get(client, "players/Dora/races/").json()["results"]
    assert (line["id"], line["players"]) == (race_id, ["Dora", "Emil"])
    assert line["rating_change"] == rating["rating"] - 1500
    assert link not in str(line)
    assert code_of(get(client, "players/Nobody/races/")) == (404, "player.not_found")
    assert code_of(get(client, "players/Nobody/ratings/"))[0] == 404
