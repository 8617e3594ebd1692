"""Reviews and what-if boards, computed by a real worker."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, NewPage
from tests.e2e.table import load_known_game, play_by_keyboard, start_run
from tests.e2e.test_access import assert_axe_finds_nothing

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]

REVIEW_TIMEOUT_MS = 120_000
OVERFLOW_X = "() => document.documentElement.scrollWidth - innerWidth"


def play_to_death(page: Page) -> None:
    """Play a short run to its death and open its replay."""
    game = load_known_game(cleared=False, max_moves=5)
    start_run(page, seed=game.seed)
    *before, last = game.moves
    for index, move in enumerate(before):
        play_by_keyboard(page, move, index=index)
    page.locator(f"[data-card='{last[:2]}']").click()
    page.keyboard.press(last[2:])
    page.wait_for_timeout(400)
    page.keyboard.press(last[2:])
    page.get_by_role("link", name="Replay and review").click()
    expect(page.get_by_role("heading", name="You died")).to_be_visible()


def test_review_is_requested_and_better_line_played(
    new_page: NewPage, worker: None
) -> None:
    page = new_page(viewport=PHONE)
    play_to_death(page)
    ask = page.get_by_role("button", name="Review this run")
    expect(ask).to_be_visible()
    assert_axe_finds_nothing(page)
    ask.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Turning points")).to_be_visible(
        timeout=REVIEW_TIMEOUT_MS
    )
    page.get_by_text("Every move as a table").click()
    assert page.evaluate(OVERFLOW_X) <= 0
    assert_axe_finds_nothing(page)
    turn = page.get_by_role("button", name=re.compile("^Move [0-9]+: .*")).last
    number = re.match(r"Move ([0-9]+):", turn.inner_text())
    assert number is not None
    turn.click()
    slider = page.get_by_role("slider", name="Move")
    pattern = re.compile(rf"^Move {int(number[1]) - 1} of .*, which loses [0-9]+$")
    expect(slider).to_have_attribute("aria-valuetext", pattern)
    expect(page.get_by_text(re.compile("With all cards known:"))).to_be_visible()
    chance = page.get_by_text(re.compile("With the cards you could know:"))
    expect(chance).to_be_visible()
    assert_axe_finds_nothing(page)
    page.get_by_role("button", name="Play the better line").click()
    _follow_better_line(page)
    page.get_by_role("button", name="Back to the replay").click()
    expect(
        page.get_by_role("button", name="What if: play on from here")
    ).to_be_focused()
    page.reload()
    expect(page.get_by_role("heading", name="Turning points")).to_be_visible()


def _follow_better_line(page: Page) -> None:
    expect(page.get_by_role("heading", name="What if", exact=True)).to_be_focused()
    follow = page.get_by_role("button", name=re.compile("^Follow the better line"))
    expect(follow).to_be_visible()
    assert page.evaluate(OVERFLOW_X) <= 0
    assert_axe_finds_nothing(page)
    for _ in range(58):
        before = follow.inner_text()
        follow.click()
        expect(follow.filter(has_text=before)).to_have_count(0)
        if follow.count() == 0:
            break
    expect(page.get_by_text(re.compile(r"^(Cleared|Died): "))).to_be_visible()


def test_what_if_board_plays_and_shows_best_line(
    new_page: NewPage, worker: None
) -> None:
    page = new_page(viewport=DESKTOP)
    play_to_death(page)
    page.get_by_role("button", name="What if: play on from here").click()
    board = page.get_by_role("list", name="The room")
    refused = board.get_by_role("button", name=re.compile("Armed: You hold no weapon"))
    expect(refused.first).to_have_attribute("aria-disabled", "true")
    board.locator("button[aria-disabled='false']").first.click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    page.get_by_role("button", name="Show the best line").click()
    expect(page.get_by_text(re.compile("Best score from there"))).to_be_visible(
        timeout=REVIEW_TIMEOUT_MS
    )
    page.get_by_role("button", name=re.compile("^Follow the better line")).click()
    page.get_by_role("button", name="Undo").click()
    assert_axe_finds_nothing(page)
    page.get_by_role("button", name="Back to the replay").click()
    expect(page.get_by_role("slider", name="Move")).to_be_visible()
