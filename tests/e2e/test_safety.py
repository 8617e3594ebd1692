"""Blocking, the leaver penalty, password fields, and data left after sign-out."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, NewPage
from tests.e2e.duel import join_by_link, make_race, read_race
from tests.e2e.people import PASSWORD, press, sign_in, sign_out, sign_up
from tests.e2e.test_access import assert_axe_finds_nothing

pytestmark = pytest.mark.e2e

POST = """async ([path, body, method]) => {
  const token = document.cookie.match(/csrftoken=(\\w+)/)[1];
  const answer = await fetch(`/api/v1/${path}`, {method, body: JSON.stringify(body),
    headers: {"Content-Type": "application/json", "X-CSRFToken": token}});
  return answer.status === 204 ? null : await answer.json();
}"""


def call_api(page: Page, path: str, body: Any = None, method: str = "POST") -> Any:
    return page.evaluate(POST, [path, body or {}, method])


def send_message(page: Page, words: str) -> None:
    field = page.get_by_placeholder("Write a message")
    field.fill(words)
    field.press("Enter")
    expect(page.locator(".chat li").filter(has_text=words)).to_be_visible()


def test_messages_of_blocked_players_are_hidden(new_page: NewPage) -> None:
    """Blocking hides old and new messages; unblocking shows them again."""
    host, guest = new_page(viewport=DESKTOP), new_page()
    race = make_race(host)
    join_by_link(guest, race)
    send_message(guest, "one of mine")
    expect(host.locator(".chat li").filter(has_text="one of mine")).to_be_visible()
    name = guest.evaluate(
        "async () => (await (await fetch('/api/v1/account/')).json()).name"
    )
    host.locator(".chat li a").filter(has_text=name).click()
    host.get_by_role("button", name=f"Block {name}").click()
    expect(host.get_by_role("button", name=f"Unblock {name}")).to_be_visible()
    assert_axe_finds_nothing(host)

    host.goto(f"/race/{race}")
    expect(host.get_by_placeholder("Write a message")).to_be_visible()
    send_message(guest, "two of mine")
    send_message(host, "what I say")
    expect(guest.locator(".chat li").filter(has_text="what I say")).to_be_visible()
    expect(host.locator(".chat li").filter(has_text="of mine")).to_have_count(0)

    host.goto("/account")
    section = host.get_by_role("region", name="Blocked players")
    section.get_by_role("button", name=f"Unblock {name}").click()
    expect(section.get_by_role("button", name=f"Block {name}")).to_be_visible()
    host.goto(f"/race/{race}")
    expect(host.locator(".chat li").filter(has_text="two of mine")).to_be_visible()


def test_leaver_penalty_is_shown_after_forfeit(
    new_page: NewPage, mail_folder: Path
) -> None:
    host, guest = new_page(viewport=DESKTOP), new_page()
    sign_up(host, mail_folder, "Waiter")
    sign_up(guest, mail_folder, "Stayer")
    race = call_api(host, "races/", {"rated": True, "visibility": "link"})["id"]
    call_api(guest, f"races/{race}/join/")
    for page in (host, guest):
        call_api(page, f"races/{race}/ready/")
    host.wait_for_timeout(5_500)
    call_api(host, f"races/{race}/forfeit/")
    host.wait_for_timeout(5_500)
    # No periodic task runs here: reading the race applies the forfeit.
    assert read_race(guest, race)["phase"] == "running"
    host.goto("/races")
    notice = host.get_by_role("note")
    expect(notice).to_contain_text("You gave up a rated race")
    expect(notice).to_contain_text(re.compile(r"in (9|10) min"))
    assert_axe_finds_nothing(host)
    host.get_by_role("button", name="Race now").click()
    refused = host.get_by_role("alert").filter(has_text="races again in 10 minutes")
    expect(refused).to_be_visible()
    guest.goto("/races")
    expect(guest.get_by_role("button", name="Race now")).to_be_visible()
    expect(guest.get_by_role("note")).to_have_count(0)


def test_password_fields_allow_managers_paste_and_showing(new_page: NewPage) -> None:
    """Passwords are masked and can be shown, pasted and filled by a manager."""
    page = new_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for path, completes in (
        ("/sign-in", "current-password"),
        ("/sign-up", "new-password"),
    ):
        page.goto(path)
        field = page.locator("[name=password]")
        expect(field).to_have_attribute("type", "password")
        expect(field).to_have_attribute("autocomplete", completes)
        page.evaluate("text => navigator.clipboard.writeText(text)", PASSWORD)
        field.focus()
        page.keyboard.press("Control+v")
        expect(field).to_have_value(PASSWORD)
        page.get_by_role("button", name="Show the password").click()
        expect(field).to_have_attribute("type", "text")


def test_sign_out_removes_personal_data(new_page: NewPage, mail_folder: Path) -> None:
    """The page, its storage and the Back button show no personal data."""
    page = new_page(viewport=DESKTOP)
    who = sign_up(page, mail_folder, "Leaver")
    page.goto("/account")
    expect(page.locator("h1")).to_have_text(who.name)
    page.goto("/settings")
    kept = "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"
    for secret in (who.email, PASSWORD):
        assert secret not in page.evaluate(kept)
    sign_out(page)
    for secret in (who.name, who.email):
        assert secret not in page.evaluate(kept)
        assert secret not in page.content()
    page.go_back()
    expect(page.locator("#app")).not_to_be_empty()
    page.wait_for_load_state("networkidle")
    assert who.email not in page.content()
    assert page.evaluate("async () => (await fetch('/api/v1/account/')).status") == 401
    sign_in(page, who.name)
    page.wait_for_url(lambda url: "sign-in" not in url)
    press(page, f"Your account: {who.name}", role="link")
    expect(page.locator("h1")).to_have_text(who.name)


def test_quick_match_within_a_household_is_unrated_and_says_why(
    new_page: NewPage, mail_folder: Path
) -> None:
    home = {"extra_http_headers": {"X-Forwarded-For": "198.51.100.77"}}
    one = new_page(viewport=DESKTOP, user_agent="One", **home)
    other = new_page(user_agent="Other", **home)
    sign_up(one, mail_folder, "Homely")
    sign_up(other, mail_folder, "Sibling")
    race = call_api(one, "races/", {"rated": True, "visibility": "link"})["id"]
    other.goto(f"/r/{race}")
    other.get_by_role("button", name="Join the race").click()
    expect(other.get_by_role("alert")).to_contain_text(
        "Accounts that share a browser, a mailbox or a network address"
    )
    for page in (one, other):
        page.goto("/races")
        page.get_by_role("button", name="Race now").click()
    for page in (one, other):
        offer = page.locator(".offer")
        expect(offer).to_contain_text("as in a household or a school", timeout=40_000)
    assert_axe_finds_nothing(other)
    other.get_by_role("button", name="Decline").click()
    # The first one costs nothing; the second pauses the search.
    expect(one.get_by_role("heading", name="Searching for an opponent")).to_be_visible()
    one.get_by_role("button", name="Stop searching").click()
    other.get_by_role("button", name="Race now").click()
    third = new_page(viewport=DESKTOP)
    sign_up(third, mail_folder, "Stranger")
    third.goto("/races")
    third.get_by_role("button", name="Race now").click()
    expect(other.locator(".offer")).to_contain_text("Rated")
    other.get_by_role("button", name="Decline").click()
    other.get_by_role("button", name="Race now").click()
    looking = other.locator(".looking")
    expect(looking).to_contain_text(re.compile(r"You get no offer for (1:00|0:5\d)"))
    assert_axe_finds_nothing(other)
