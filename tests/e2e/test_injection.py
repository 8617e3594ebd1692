"""Enter sixty hostile texts into every field that users can write to.

Each text is shown unchanged or refused with an error. The browser must report no
violation of the content security policy.
"""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, NewPage
from tests.e2e.desk_story import (
    act,
    confirm_with_code,
    expect_status,
    open_case,
    sign_up_staff,
)
from tests.e2e.duel import join_by_link, make_race
from tests.e2e.injections import TEXTS, WatchedPage, watch
from tests.e2e.people import sign_up

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]

TOKEN_NAME = 60  # maximum length of the field
MESSAGES_PER_RACE = 6  # messages an account may send at once in a race
MARK_AS_SEEN = "all => all.forEach((one) => { one.dataset.seen = 'yes' })"
# Navigate as a link on the page does, without a reload.
NAVIGATE = """path => {
    history.pushState(null, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
}"""
ONE_LINE = {text: " ".join(text.split()) for text in TEXTS}


def open_watched_page(new_page: NewPage) -> WatchedPage:
    return watch(new_page(viewport=DESKTOP))


def become_guest(page: Page) -> None:
    """Create a guest account, as starting a run does."""
    page.goto("/")
    page.evaluate(
        """async () => {
          await fetch("/api/v1/session/guest/", {method: "POST",
            headers: {"Content-Type": "application/json"}, body: "{}"});
          localStorage.setItem("scoundrel.known", "1");
        }"""
    )


def test_there_are_sixty_distinct_texts() -> None:
    assert len(TEXTS) == len(set(TEXTS)) == 60


def test_hostile_text_in_chat_does_not_run(new_page: NewPage) -> None:
    """Texts reach the other player unchanged; links are refused with an error."""
    players = open_watched_page(new_page), open_watched_page(new_page)
    sent = 0
    host, guest = players
    for start in range(0, len(TEXTS), 2 * MESSAGES_PER_RACE):
        race = make_race(host.page)
        join_by_link(guest.page, race)
        # In turns: an account may host three open races.
        host, guest = guest, host
        for number, text in enumerate(TEXTS[start : start + 2 * MESSAGES_PER_RACE]):
            by, to = players if number < MESSAGES_PER_RACE else players[::-1]
            sent += send_in_chat(by.page, to.page, text)
        for player in players:
            player.assert_nothing_ran()
    assert sent >= 50


def send_in_chat(by: Page, to: Page, text: str) -> bool:
    """Send the text; return whether the other player received it, or it was refused."""
    field = by.get_by_placeholder("Write a message")
    field.fill(text)
    field.press("Enter")
    shown = by.locator(".chat li").filter(has_text=ONE_LINE[text])
    # An earlier refusal stays on the page until the next message is sent.
    refused = by.locator(".chat .refused:not([data-seen])")
    expect(shown.or_(refused).first).to_be_visible()
    if words := refused.all_inner_texts():
        refused.evaluate_all(MARK_AS_SEEN)
        assert "You can post links once" in words[0]
        return False
    # The other player receives it over their websocket.
    received = to.locator(".chat li").filter(has_text=ONE_LINE[text])
    expect(received.first).to_be_visible()
    return True


def test_hostile_text_in_names_and_tokens_does_not_run(
    new_page: NewPage, mail_folder: Path
) -> None:
    """Each text is refused as a player name and stored unchanged as a token name."""
    watched = open_watched_page(new_page)
    page = watched.page
    who = sign_up(page, mail_folder, "Injected")
    page.goto("/account")
    for text in TEXTS:
        page.locator("[name=name]").fill(text)
        page.get_by_role("button", name="Change name").click()
        expect(page.locator(".fault, [role=alert]:not(:empty)").first).to_be_visible()
        expect(page.locator("h1")).to_have_text(who.name)
    watched.assert_nothing_ran()
    page.goto("/account/programs")
    for number, text in enumerate(TEXTS[:28], 1):
        page.locator("[name=name]").fill(text)
        page.get_by_role("button", name="Create token").click()
        expect(page.locator(".rows > li")).to_have_count(number)
        page.get_by_role("button", name="Done").click()
    names = page.locator(".rows > li b").all_inner_texts()
    written = [" ".join(text[:TOKEN_NAME].split()) for text in TEXTS[:28]]
    assert sorted(names) == sorted(written)
    watched.assert_nothing_ran()


def split_into_chunks(max_length: int, separator: str = "\n") -> list[str]:
    """Join the texts into chunks of at most `max_length` characters."""
    found = [""]
    for text in TEXTS:
        longer = f"{found[-1]}{separator}{text}".strip()
        if len(longer) > max_length:
            found.append(text)
        else:
            found[-1] = longer
    return found


def test_hostile_text_in_moderation_does_not_run(
    new_page: NewPage, mail_folder: Path, site_environ: dict[str, str]
) -> None:
    """Moderators see reports unchanged, and players see the texts of acts."""
    subject, desk = open_watched_page(new_page), open_watched_page(new_page)
    who = sign_up(subject.page, mail_folder, "Reported")
    warden = sign_up_staff(desk.page, mail_folder, site_environ, "Warden", "moderator")
    confirm_with_code(desk.page, warden[1])
    for text in split_into_chunks(500):
        reporter = open_watched_page(new_page).page
        become_guest(reporter)
        reporter.goto(f"/players/{who.name}")
        reporter.get_by_role("button", name=f"Report {who.name}").click()
        dialog = reporter.get_by_role("dialog")
        dialog.get_by_label("What did you see?").fill(text)
        dialog.get_by_role("button", name="Send").click()
        dialog.get_by_role("button", name="Done").click()
        reporter.context.close()
    open_case(desk.page, who.name)
    shown = " ".join(desk.page.locator("main").inner_text().split())
    for text in TEXTS:
        assert ONE_LINE[text] in shown
    desk.assert_nothing_ran()

    for text in split_into_chunks(400):
        act(desk.page, "warn", "language", text=text)
        expect_status(desk.page, "Warn is in force.")
    desk.assert_nothing_ran()
    subject.page.goto("/account/standing")
    expect(subject.page.get_by_text(TEXTS[0]).first).to_be_visible()
    shown = " ".join(subject.page.locator("main").inner_text().split())
    for text in TEXTS:
        assert ONE_LINE[text] in shown
    subject.page.get_by_role("button", name="Appeal").first.click()
    subject.page.get_by_label("What is wrong with this decision?").fill(
        "\n".join(TEXTS[:15])
    )
    subject.page.get_by_role("button", name="Send the appeal").click()
    expect(subject.page.get_by_text("Not decided yet.")).to_be_visible()
    subject.assert_nothing_ran()
    for place in ("appeals", "acts", "players", "log"):
        desk.page.goto(f"/desk/{place}/")
        expect(desk.page.locator("h1")).to_be_visible()
        desk.assert_nothing_ran()


def test_hostile_text_in_seeds_does_not_run(new_page: NewPage) -> None:
    """Each text is a valid seed, shown on the replay, unless it is not printable."""
    watched = open_watched_page(new_page)
    page = watched.page
    become_guest(page)
    for text in TEXTS:
        run = page.evaluate(
            """async seed => {
              const token = document.cookie.match(/csrftoken=(\\w+)/)[1];
              const headers = {
                "Content-Type": "application/json", "X-CSRFToken": token};
              const post = async (path, body) => (await fetch(`/api/v1/${path}`,
                {method: "POST", body: JSON.stringify(body), headers})).json();
              const run = await post("runs/", {seed: seed.slice(0, 64)});
              if (run.id) await post(`runs/${run.id}/abandon/`, {});
              return run.id ?? null;
            }""",
            text,
        )
        if run is None:  # a seed must be one line of printable text
            assert not text.isprintable()
            continue
        page.evaluate(NAVIGATE, f"/replay/{run}")
        expect(page.get_by_text(text[:64], exact=True).first).to_be_attached()
        watched.assert_nothing_ran()


@pytest.mark.parametrize(
    "write",
    [
        pytest.param(
            lambda page, text: (
                page.goto("/races"),
                page.locator("#code").fill(text),
                page.locator("#code").press("Enter"),
            ),
            id="code",
        ),
        pytest.param(
            lambda page, text: page.goto(f"/players/{quote(text, safe='')}"),
            id="player",
        ),
        pytest.param(
            lambda page, text: page.goto(f"/race/{quote(text, safe='')}"), id="race"
        ),
        pytest.param(
            lambda page, text: page.goto(
                f"/sign-in?error={quote(text)}#{quote(text, safe='')}"
            ),
            id="query",
        ),
        pytest.param(
            lambda page, text: (
                page.goto("/sign-in"),
                page.locator("[name=username]").fill(text),
                page.locator("[name=password]").fill(text),
                page.locator("[name=password]").press("Enter"),
            ),
            id="sign-in",
        ),
    ],
)
def test_hostile_text_in_other_fields_does_not_run(
    new_page: NewPage, write: Callable[[Page, str], object]
) -> None:
    """Race codes, URL paths, query strings and the sign-in form."""
    watched = open_watched_page(new_page)
    for text in split_into_chunks(250, separator=" "):
        write(watched.page, text)
        expect(watched.page.locator("h1").first).to_be_visible()
        watched.assert_nothing_ran()
