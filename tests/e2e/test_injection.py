"""Sixty hostile texts through every field somebody can write in: text they stay.

Each is either shown letter by letter or refused in words. The browser's own reports of
the content policy count, and there are none.
"""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, NewPage
from tests.e2e.desk_story import act, open_case, prove, said, staff
from tests.e2e.duel import join_by_link, make_race
from tests.e2e.injections import TEXTS, Watched, watch
from tests.e2e.people import sign_up

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

TOKEN_NAME = 60  # what its field takes
IN_A_ROW = 6  # so many messages of one account in one race at once
MARK_SEEN = "all => all.forEach((one) => { one.dataset.seen = 'yes' })"
# As a link of the page does, without loading the page again.
OPEN = """path => {
    history.pushState(null, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
}"""
ONE_LINE = {text: " ".join(text.split()) for text in TEXTS}


def opened(new_page: NewPage) -> Watched:
    return watch(new_page(viewport=DESKTOP))


def refusals(page: Page) -> list[str]:
    """The sentences of refusal on the page, as they are shown."""
    found = page.locator("[role=alert], .fault, .odd").all_inner_texts()
    return [text for text in found if text.strip()]


def become_guest(page: Page) -> None:
    """Somebody new, as playing would make one."""
    page.goto("/")
    page.evaluate(
        """async () => {
          await fetch("/api/v1/session/guest/", {method: "POST",
            headers: {"Content-Type": "application/json"}, body: "{}"});
          localStorage.setItem("scoundrel.known", "1");
        }"""
    )


def test_there_are_sixty() -> None:
    assert len(TEXTS) == len(set(TEXTS)) == 60


def test_chat(new_page: NewPage) -> None:
    """Said by one, read by another; links are refused and said so."""
    host, guest = opened(new_page), opened(new_page)
    said = 0
    for start in range(0, len(TEXTS), IN_A_ROW):
        race = make_race(host.page)
        join_by_link(guest.page, race)
        for text in TEXTS[start : start + IN_A_ROW]:
            field = host.page.get_by_placeholder("Write a message")
            field.fill(text)
            field.press("Enter")
            shown = host.page.locator(".chat li").filter(has_text=ONE_LINE[text])
            # The answer to an earlier one goes only as this one is sent.
            refused = host.page.locator(".chat .refused:not([data-seen])")
            expect(shown.or_(refused).first).to_be_visible()
            if words := refused.all_inner_texts():
                refused.evaluate_all(MARK_SEEN)
                assert "You can post links once" in words[0]
                continue
            said += 1
            # Also over the other's socket.
            heard = guest.page.locator(".chat li").filter(has_text=ONE_LINE[text])
            expect(heard.first).to_be_visible()
        for one in (host, guest):
            one.assert_nothing_ran()
    assert said >= 50


def test_names_and_tokens(new_page: NewPage, mail_folder: Path) -> None:
    """No such text is a name; as the name of a token each stays as it is."""
    somebody = opened(new_page)
    page = somebody.page
    who = sign_up(page, mail_folder, "Injected")
    page.goto("/account")
    for text in TEXTS:
        page.locator("[name=name]").fill(text)
        page.get_by_role("button", name="Change name").click()
        expect(page.locator(".fault, [role=alert]:not(:empty)").first).to_be_visible()
        expect(page.locator("h1")).to_have_text(who.name)
    somebody.assert_nothing_ran()
    page.goto("/account/programs")
    for number, text in enumerate(TEXTS[:28], 1):
        page.locator("[name=name]").fill(text)
        page.get_by_role("button", name="Create token").click()
        expect(page.locator(".rows > li")).to_have_count(number)
        page.get_by_role("button", name="Done").click()
    names = page.locator(".rows > li b").all_inner_texts()
    written = [" ".join(text[:TOKEN_NAME].split()) for text in TEXTS[:28]]
    assert sorted(names) == sorted(written)
    somebody.assert_nothing_ran()


def chunks(most: int, between: str = "\n") -> list[str]:
    """All texts, joined to as few as a field of `most` characters takes."""
    found = [""]
    for text in TEXTS:
        longer = f"{found[-1]}{between}{text}".strip()
        if len(longer) > most:
            found.append(text)
        else:
            found[-1] = longer
    return found


def test_reports_acts_and_appeals(
    new_page: NewPage, mail_folder: Path, site_environ: dict[str, str]
) -> None:
    """What a reporter writes a moderator reads, and the other way round."""
    subject, desk = opened(new_page), opened(new_page)
    who = sign_up(subject.page, mail_folder, "Reported")
    warden = staff(desk.page, mail_folder, site_environ, "Warden", "moderator")
    prove(desk.page, warden[1])
    for text in chunks(500):
        reporter = opened(new_page).page
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

    for text in chunks(400):
        act(desk.page, "warn", "language", text=text)
        said(desk.page, "Warn is in force.")
    desk.assert_nothing_ran()
    subject.page.goto("/account/standing")
    expect(subject.page.get_by_text(TEXTS[0]).first).to_be_visible()
    shown = " ".join(subject.page.locator("main").inner_text().split())
    for text in TEXTS:
        assert ONE_LINE[text] in shown
    subject.page.get_by_role("button", name="Appeal").first.click()
    subject.page.get_by_label("What is wrong with it?").fill("\n".join(TEXTS[:15]))
    subject.page.get_by_role("button", name="Send the appeal").click()
    expect(subject.page.get_by_text("Not decided yet.")).to_be_visible()
    subject.assert_nothing_ran()
    for place in ("appeals", "acts", "players", "log"):
        desk.page.goto(f"/desk/{place}/")
        expect(desk.page.locator("h1")).to_be_visible()
        desk.assert_nothing_ran()


def test_seeds(new_page: NewPage) -> None:
    """A seed of such letters deals a dungeon, and is shown when it is over."""
    somebody = opened(new_page)
    page = somebody.page
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
        if run is None:  # refused: a seed is one line of plain letters
            assert not text.isprintable()
            continue
        page.evaluate(OPEN, f"/replay/{run}")
        expect(page.get_by_text(text[:64], exact=True).first).to_be_attached()
        somebody.assert_nothing_ran()


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
def test_other_fields_and_addresses(
    new_page: NewPage, write: Callable[[Page, str], object]
) -> None:
    """Codes, names in addresses, queries, who signs in: at most they are shown."""
    somebody = opened(new_page)
    for text in chunks(250, between=" "):
        write(somebody.page, text)
        expect(somebody.page.locator("h1").first).to_be_visible()
        somebody.assert_nothing_ran()
