"""REST: ranked or not, told before the start; no way to an open daily's deck."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from game.models import Account, BrowserMark, Daily, Run
from game.selectors.moderation.cases import linked_accounts
from game.services.dailies.settle import daily_settle
from game.services.runs.dungeons import seed_decrypt
from game.services.runs.runs import practice_start
from tests.api.rest.dailies.test_views import AT, get
from tests.fixtures.accounts import auth, code_mailed, sign_in, sign_up, token_of
from tests.fixtures.dailies import DAY, MORNING, SETTLES, attempt, member, play_out
from tests.fixtures.runs import post, signed_in

pytestmark = pytest.mark.django_db
RANKED = {"is_ranked": True, "reason": None, "words": None, "to_do": None}


def window(address: str = "10.0.0.1", agent: str = "Firefox") -> Client:
    """A browser without cookies."""
    return Client(REMOTE_ADDR=address, headers={"User-Agent": agent})


def as_guest(browser: Client) -> Account:
    post(browser, "session/guest/")
    return Account.objects.get(id=browser.get("/api/v1/account/").json()["id"])


def start(browser: Client) -> Run:
    answer = post(browser, f"dailies/{DAY}/run/")
    assert answer.status_code == 201, answer.content
    return Run.objects.get(id=answer.json()["id"])


def reason(browser: Client) -> str | None:
    ranking = get(browser)["ranking"]
    assert ranking["is_ranked"] == (ranking["reason"] is None)
    assert (ranking["words"] is None) == ranking["is_ranked"]
    found: str | None = ranking["reason"]
    return found


# Each way to be dealt, shown or told the deck: method, path, body, status, code.
DOORS: list[tuple[str, str, Any, int, str]] = [
    ("POST", "dailies/{day}/practice/", {}, 409, "daily.practice_later"),
    ("POST", "runs/", {"seed": "{seed}"}, 409, "run.seed_secret"),
    ("POST", "runs/", {"seed": "{seed}", "ruleset": "flee-1"}, 409, "run.seed_secret"),
    ("POST", "races/", {"ghost": "{run}"}, 404, "run.not_found"),
    ("GET", "runs/{run}/replay/", None, 409, "replay.not_yet"),
    ("GET", "runs/{run}/review/", None, 409, "review.not_yet"),
    ("POST", "runs/{run}/review/", {}, 409, "review.not_yet"),
    ("POST", "runs/{run}/what-if/", {"index": 0}, 409, "review.not_yet"),
    ("POST", "runs/{run}/solve/", {"index": 0}, 409, "review.not_yet"),
]


@pytest.mark.parametrize("when", [timedelta(hours=1), timedelta(hours=15, minutes=20)])
def test_deck_of_an_open_daily_is_dealt_once(
    daily: Daily,
    clock: Any,
    when: timedelta,
) -> None:
    """Until the board is settled, also after the close: attempts still go on."""
    eve = member("Eve")
    run = attempt(eve, chance=4)
    given_up = member("Gil")
    post(signed_in(given_up), f"dailies/{DAY}/run/")
    other = Run.objects.get(account=given_up)
    post(signed_in(given_up), f"runs/{other.id}/abandon/")
    assert daily.dungeon is not None
    names = {
        "day": str(DAY),
        "seed": seed_decrypt(daily.dungeon.id, daily.dungeon.seed_sealed),
    }
    clock.move_to(MORNING + when)
    for account, own in ((eve, run), (given_up, other)):
        client = signed_in(account)
        for method, path, body, status, code in DOORS:
            filled = {**names, "run": own.id}
            sent = body and {
                key: value.format(**filled) if isinstance(value, str) else value
                for key, value in body.items()
            }
            where = "/api/v1/" + path.format(**filled)
            answer = (
                client.get(where)
                if method == "GET"
                else client.post(where, sent, content_type="application/json")
            )
            assert (answer.status_code, answer.json()["code"]) == (status, code), where
        again = post(client, f"dailies/{DAY}/run/").json()
        assert (again["id"], again["seed"]) == (own.id, None)
    # Nobody else's attempt can be used either.
    for path in ("replay/", "review/"):
        answer = signed_in(eve).get(f"/api/v1/runs/{other.id}/{path}")
        assert answer.status_code == 404
    assert Run.objects.filter(dungeon=daily.dungeon).count() == 2


def test_guest_sees_the_deck_and_an_account_plays_in_a_private_window(
    daily: Daily,
    clock: Any,
) -> None:
    first_window, private, far = window(), window(), window("10.9.9.9")
    guest, eve, fay = as_guest(first_window), member("Eve"), member("Fay")
    first = start(first_window)
    post(first_window, f"runs/{first.id}/abandon/")
    assert post(first_window, f"dailies/{DAY}/practice/").status_code == 409
    for browser, who in ((private, eve), (far, fay)):
        assert sign_in(browser, username=who.name).status_code == 200
    assert {row["id"] for row in linked_accounts(eve.id)} == {guest.id}
    # Told before it starts, and again when it has started.
    assert (reason(private), reason(far)) == ("address_seen", None)
    assert get(private)["you"]["may_rank"] is False
    assert get(far)["ranking"] == RANKED
    runs = [start(browser) for browser in (private, far)]
    assert (reason(private), reason(far)) == ("address_seen", None)
    for run in runs:
        play_out(run, chance=3, ends_at=MORNING + timedelta(minutes=9))
    assert [one["player"] for one in get(far, "leaderboard/")["results"]] == ["Fay"]
    clock.move_to(SETTLES)
    daily_settle(daily.id, at=SETTLES)
    assert [one["player"] for one in get(far, "leaderboard/")["results"]] == ["Fay"]
    told = get(private)["ranking"]
    assert (told["reason"], told["to_do"]) == ("address_seen", None)
    assert get(window())["ranking"] is None


def test_browser_is_told_before_it_has_an_account(
    daily: Daily,
    clock: Any,
) -> None:
    browser = window()
    assert reason(browser) == "guest"
    assert "browser" not in browser.cookies
    as_guest(browser)
    start(browser)
    assert reason(browser) == "guest"
    # Signing out keeps the cookie; a forged one is ignored.
    browser.cookies.pop("sessionid")
    assert reason(browser) == "browser_seen"
    browser.cookies["browser"] = "x"
    assert reason(browser) == "address_seen"
    as_guest(browser)
    assert len(browser.cookies["browser"].value) == 43


def test_guest_signs_up_after_the_attempt(
    daily: Daily,
    clock: Any,
) -> None:
    browser = window()
    as_guest(browser)
    run = play_out(start(browser), chance=2, ends_at=MORNING + timedelta(minutes=5))
    shown = get(browser)
    assert (shown["ranking"]["reason"], shown["you"]["ranked"]) == ("guest", False)
    sign_up(browser, "Nell", "nell@example.org")
    auth(browser, "POST", "auth/email/verify", {"key": code_mailed()})
    shown = get(browser)
    assert shown["ranking"] == RANKED
    assert (shown["you"]["run"], shown["you"]["ranked"]) == (run.id, True)
    assert (shown["you"]["rank"], shown["you"]["of"]) == (1, 1)
    # A second attempt from there takes it back.
    second = window()
    as_guest(second)
    start(second)
    assert reason(browser) == "address_seen"
    assert get(browser, "leaderboard/")["results"] == []


def test_program_has_no_browser(daily: Daily, clock: Any) -> None:
    _, headers = token_of(member("Ann"), "read", "play", at=MORNING)
    client = window()
    answer = client.post(
        f"{AT}run/", {}, content_type="application/json", headers=headers
    )
    assert answer.status_code == 201
    assert "browser" not in client.cookies
    # Two accounts' programs at one address cannot be told apart.
    _, others = token_of(member("Bea"), "read", "play", at=MORNING)
    shown = client.get(AT, headers=others).json()
    assert shown["ranking"]["reason"] == "address_seen"
    assert BrowserMark.objects.count() == 1


def test_reading_the_daily_decides_what_changes_with_time(
    daily: Daily, clock: Any
) -> None:
    eve = member("Eve")
    EmailAddress.objects.update(verified=False)
    client = signed_in(eve)
    run = attempt(eve, chance=4)
    told = get(client)["ranking"]
    assert told["reason"] == "unqualified"
    assert "passkey" in told["to_do"]
    Account.objects.filter(id=eve.id).update(created_at=MORNING - timedelta(days=7))
    assert reason(client) == "unqualified"
    for chance in range(4):
        practice = practice_start(account=eve, at=MORNING)
        play_out(practice, chance=chance, ends_at=MORNING)
    assert reason(client) is None
    lines = get(client, "leaderboard/")["results"]
    assert [one["run"] for one in lines] == [run.id]
