"""Dailies: today's as a guest, ranked and on two devices; past days and boards.

The past days are demo data. Today's daily is created by the first request for it.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, NewPage
from tests.e2e.days import (
    CARDS,
    DEMO,
    ENDS,
    OVERFLOW_X,
    play_moves,
    play_to_end,
    seed_demo_days,
    sign_in_as_demo,
    start_daily,
)
from tests.e2e.duel import make_race
from tests.e2e.people import sign_in, sign_up
from tests.e2e.test_access import assert_axe_finds_nothing, open_page_with_theme

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]

DAYS = 4
PLACES = {
    "Today": "Scoundrel",
    "Race": "Races",
    "Practice": "Practice",
    "Boards": "Boards",
    "Archive": "Archive",
}
THEMES = ("dark", "light", "contrast")
CLIPBOARD = ["clipboard-read", "clipboard-write"]
RECORD_SHARE = (
    "navigator.share = (what) => { window.shared = what; return Promise.resolve(); }"
)
NARROW = {"width": 320, "height": 640}


@pytest.fixture(scope="module", autouse=True)
def create_days(site: str, site_environ: dict[str, str]) -> None:
    """Create the past days before the first test."""
    seed_demo_days(site_environ, DAYS)


def open_settled_day(page: Page) -> None:
    """Open a settled day from the archive; yesterday may not be settled yet."""
    page.goto("/dailies")
    page.locator("ol a").nth(2).click()
    expect(page.get_by_role("heading", name="Leaderboard", exact=True)).to_be_visible()


def test_guest_starts_todays_daily_with_one_button(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, permissions=CLIPBOARD)
    page.goto("/")
    button = page.get_by_role("button", name="Play today's dungeon")
    expect(button).to_be_in_viewport()
    expect(page.locator(".btn.main")).to_have_count(1)
    expect(page.get_by_text("One attempt, unranked.")).to_be_visible()
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"\d+ (h|min|s)"))
    assert_axe_finds_nothing(page)
    run = start_daily(page, "Play today's dungeon")
    play_to_end(page, run)
    expect(page.get_by_text("You play as a guest.")).to_be_visible()
    expect(page.get_by_text(re.compile("settled at 00:35 UTC"))).to_be_visible()
    assert page.evaluate(OVERFLOW_X) <= 0
    assert_axe_finds_nothing(page)
    page.get_by_role("button", name="Copy to share").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("Scoundrel daily ")
    assert f"?ruleset=tavern-1&run={run}" in copied
    assert not CARDS.search(copied.split("http", maxsplit=1)[0])
    page.get_by_role("link", name="Daily and leaderboard").click()
    expect(
        page.get_by_text(re.compile(r"(Died|Cleared), .*\. Unranked\."))
    ).to_be_visible()
    expect(page.get_by_role("heading", name="Leaderboard so far")).to_be_visible()
    # Others still play that deck.
    practise = page.get_by_role("button", name="Practise on this deck")
    expect(practise).to_have_count(0)


def test_ranked_attempt_continues_in_another_browser(
    new_page: NewPage, mail_folder: Path
) -> None:
    desktop = new_page(viewport=DESKTOP)
    who = sign_up(desktop, mail_folder, "Vigdis")
    desktop.goto("/")
    expect(desktop.get_by_text("Ranked. One attempt")).to_be_visible()
    run = start_daily(desktop)
    assert play_moves(desktop, run, 1)["index"] == 1

    phone = new_page(viewport=PHONE, has_touch=True)
    phone.add_init_script(RECORD_SHARE)
    sign_in(phone, who.name)
    expect(phone.get_by_text("Your attempt is in progress.")).to_be_visible()
    phone.get_by_role("button", name="Continue").click()
    phone.wait_for_url(f"**/play/{run}")
    over = play_to_end(phone, run)
    expect(phone.locator(".rank")).to_have_text(re.compile(r"^\d+\w\w of \d+ so far$"))
    phone.get_by_role("button", name="Share", exact=True).click()
    shared = phone.evaluate("window.shared")
    assert "Scoundrel daily" in shared["text"]
    assert not CARDS.search(shared["text"])
    shell = phone.request.get(shared["url"]).text()
    picture = re.search(r'og:image" content="([^"]+)"', shell)
    assert picture is not None
    answer = phone.request.get(picture[1].replace("&amp;", "&"))
    assert answer.headers["content-type"] == "image/png"
    phone.get_by_text("Share image").click()
    phone.wait_for_function("document.querySelector('img')?.naturalWidth === 1200")

    desktop.goto("/")
    expect(desktop.get_by_text(re.compile(r"\d+\w\w of \d+ so far"))).to_be_visible()
    expect(desktop.get_by_role("heading", name="day in a row")).to_be_visible()
    desktop.get_by_role("link", name="Leaderboard and sharing").click()
    desktop.get_by_role("button", name=re.compile("^Around me: ")).click()
    own = desktop.get_by_role("row").filter(has_text=who.name)
    expect(own).to_contain_text("you")
    expect(own).to_contain_text(str(abs(over["score"])))
    # Before the daily is settled, the board links to no replays.
    expect(
        desktop.get_by_role("link", name=re.compile("^Replay of Wren"))
    ).to_have_count(0)


def test_settled_day_shows_scores_seals_and_replays(
    new_page: NewPage, mail_folder: Path
) -> None:
    page = new_page(viewport=PHONE)
    sign_in_as_demo(page, mail_folder)
    open_settled_day(page)
    expect(
        page.get_by_role("list", name="The first three").locator("li")
    ).to_have_count(3)
    page.get_by_role("button", name="Show more").click()
    rows = page.get_by_role("row").filter(has=page.get_by_role("link", name="Replay"))
    expect(rows.nth(10)).to_be_visible()
    expect(
        page.get_by_role("img", name=re.compile("^Scores from .* to "))
    ).to_be_visible()
    page.get_by_text("The curve as a table").click()
    curve = page.get_by_role("table").filter(has_text="At or below")
    expect(curve.get_by_role("row").nth(1)).to_contain_text("100 %")
    page.get_by_role("button", name="Check the seals here").click()
    checked = page.get_by_role("list", name="What was checked").locator("li")
    expect(checked).to_have_count(3)
    expect(checked.filter(has_text="Correct.")).to_have_count(3)
    page.get_by_text("Seed, seals and master").click()
    page.get_by_text("Digest of this board").click()
    assert page.evaluate(OVERFLOW_X) <= 0
    assert_axe_finds_nothing(page)
    page.get_by_role("link", name=re.compile("^Replay of ")).first.click()
    expect(page.get_by_role("slider", name="Move")).to_be_visible()
    open_settled_day(page)
    page.get_by_role("button", name="Practise on this deck").click()
    page.locator("[data-card]").first.wait_for()
    play_to_end(page, page.url.rsplit("/", 1)[1])
    expect(page.get_by_text(": unranked.")).to_be_visible()


def test_archive_lists_past_days_and_future_seals(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    page.goto("/dailies")
    days = page.get_by_role("heading", name="Days").locator("xpath=..").locator("li")
    expect(days).to_have_count(DAYS + 1)
    expect(days.first).to_contain_text("Open now")
    ahead = page.get_by_role("table", name="The list of seals")
    expect(ahead.get_by_role("row")).to_have_count(31)
    assert page.evaluate(OVERFLOW_X) <= 0
    page.goto("/daily/1999-01-01")
    expect(page.get_by_text("There is no daily for this date")).to_be_visible()
    page.get_by_role("link", name="Today's dungeon").click()
    expect(page.get_by_role("heading", name="Today's dungeon")).to_be_focused()


def test_boards_are_filtered_by_kind_players_and_rules(
    new_page: NewPage, mail_folder: Path
) -> None:
    page = new_page(viewport=DESKTOP)
    sign_in_as_demo(page, mail_folder)
    page.goto("/boards")
    kinds = page.get_by_role("group", name="Which board")
    expect(kinds.get_by_role("radio")).to_have_count(7)
    expect(page.get_by_text("once you have finished")).to_be_visible()
    kinds.get_by_role("radio", name="Season").check()
    expect(
        page.get_by_text(re.compile(r"You are\s+\d+\w\w\s+of \d+, with\s+\d+"))
    ).to_be_visible()
    assert page.url.endswith("/boards?board=season")
    page.get_by_role("button", name="Around me").click()
    expect(page.get_by_role("row").filter(has_text="you")).to_contain_text(DEMO)
    page.get_by_role("button", name="Show the top").click()
    expect(page.get_by_role("row").nth(1)).to_contain_text("1")
    page.get_by_role("combobox", name="Who").select_option("Bots")
    expect(page.get_by_role("row").nth(1)).to_contain_text(
        re.compile("greedy-hands|dice-roller|ten-futures|cellar-bot|cardmill")
    )
    page.get_by_role("combobox", name="Who").select_option("People")
    kinds.get_by_role("radio", name="Best").check()
    page.get_by_role("combobox", name="Rules").select_option("Bound")
    page.get_by_role("combobox", name="Difficulty").select_option("Hard")
    expect(page.get_by_text("No player is on this board yet.")).to_be_visible()
    assert_axe_finds_nothing(page)
    page.reload()
    expect(page.get_by_role("combobox", name="Difficulty")).to_have_value("hard")
    kinds.get_by_role("radio", name="Streak").check()
    expect(page.get_by_role("columnheader", name="Days")).to_be_visible()
    expect(page.get_by_role("combobox", name="Rules")).to_have_count(0)
    kinds.get_by_role("radio", name="Rating").check()
    expect(page.get_by_role("link", name="rated races")).to_be_visible()


def test_home_page_lists_public_races(new_page: NewPage) -> None:
    host, visitor = new_page(viewport=DESKTOP), new_page(viewport=PHONE)
    race = make_race(host, public=True)
    visitor.goto("/")
    racing = visitor.get_by_role("region", name="Live races")
    row = racing.locator(f"a[href='/race/{race}']")
    expect(row).to_be_visible(timeout=15_000)
    expect(row).to_contain_text("1 of 2 seats")
    row.click()
    expect(visitor.get_by_role("button", name="Join the race")).to_be_visible()


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_navigation_opens_five_pages(
    new_page: NewPage, viewport: dict[str, int]
) -> None:
    page = new_page(viewport=viewport)
    page.goto("/rules")
    for name, heading in PLACES.items():
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", level=1, name=heading)).to_be_visible()
        current = page.locator("nav [aria-current]:visible")
        expect(current).to_have_text(re.compile(rf"^\s*{name}\s*$"))


@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        ("UTC", r"at 00:00 UTC\.$"),
        ("Asia/Kathmandu", r"at 00:00 UTC, 05:45 where you are\.$"),
        ("America/New_York", r"at 00:00 UTC, (19|20):00 where you are\.$"),
    ],
)
def test_daily_start_is_shown_in_utc_and_local_time(
    new_page: NewPage, zone: str, expected: str
) -> None:
    page = new_page(timezone_id=zone)
    page.goto("/")
    expect(
        page.get_by_text(re.compile(f"A new dungeon every day {expected}"))
    ).to_be_visible()


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_on_dailies_and_boards(
    new_page: NewPage, mail_folder: Path, theme: str
) -> None:
    page = open_page_with_theme(new_page, theme)
    sign_in_as_demo(page, mail_folder)
    page.goto("/")
    expect(
        page.get_by_role("heading", name=re.compile("days? in a row"))
    ).to_be_visible()
    page.get_by_text("The days as a table").click()
    assert_axe_finds_nothing(page)
    open_settled_day(page)
    page.get_by_text("The curve as a table").click()
    assert_axe_finds_nothing(page)
    page.goto("/boards?board=season")
    expect(page.get_by_role("button", name="Around me")).to_be_visible()
    assert_axe_finds_nothing(page)


def test_nothing_is_wider_than_320_px(new_page: NewPage, mail_folder: Path) -> None:
    page = new_page(viewport=NARROW)
    sign_in_as_demo(page, mail_folder)
    for address in (
        "/",
        "/practice",
        "/dailies",
        "/boards?board=season",
        "/daily/today",
    ):
        page.goto(address)
        page.wait_for_load_state("networkidle")
        assert page.evaluate(OVERFLOW_X) <= 0, address
    open_settled_day(page)
    page.wait_for_load_state("networkidle")
    assert page.evaluate(OVERFLOW_X) <= 0
    expect(page.get_by_role("heading", name=ENDS)).to_have_count(0)
