"""A run reviewed on the page by a real worker, and its better line played there."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from game.management.children import Child
from tests.e2e.conftest import DESKTOP, PHONE, NewPage
from tests.e2e.table import known_game, play_by_keyboard, start_run
from tests.e2e.test_access import assert_axe_finds_nothing

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

DONE_WITHIN_MS = 120_000
WIDE = "() => document.documentElement.scrollWidth - innerWidth"


@pytest.fixture(scope="module")
def worker(
    site: str, site_environ: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """The site's worker with its beat, for these tests alone."""
    if not site_environ.get("REDIS_URL"):
        pytest.skip("a worker and its beat need Valkey between them")
    folder: Path = tmp_path_factory.mktemp("worker")
    app = ["-m", "celery", "-q", "-A", "scoundrel_site.celery", "worker", "-B"]
    how = ["-P", "threads", "-c", "3", "--without-gossip", "--without-mingle"]
    schedule = ["-s", str(folder / "beat"), "--loglevel", "WARNING"]
    child = Child(
        "The worker",
        [sys.executable, *app, *how, *schedule],
        site_environ | {"DAILY_CHOOSE_AHEAD_DAYS": "-1"},
    )
    child.start()
    yield
    child.stop()


def ended_run(page: Page) -> None:
    """A short game to its death, then its replay."""
    game = known_game(cleared=False, most_moves=5)
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


def test_a_review_is_asked_for_awaited_and_played(
    new_page: NewPage, worker: None
) -> None:
    page = new_page(viewport=PHONE)
    ended_run(page)
    ask = page.get_by_role("button", name="Review this run")
    expect(ask).to_be_visible()
    assert_axe_finds_nothing(page)
    ask.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Turning points")).to_be_visible(
        timeout=DONE_WITHIN_MS
    )
    page.get_by_text("Every move as a table").click()
    assert page.evaluate(WIDE) <= 0
    assert_axe_finds_nothing(page)
    turn = page.get_by_role("button", name=re.compile("^Move [0-9]+: .*")).last
    number = re.match(r"Move ([0-9]+):", turn.inner_text())
    assert number is not None
    turn.click()
    slider = page.get_by_role("slider", name="Move")
    said = re.compile(rf"^Move {int(number[1]) - 1} of .*, which loses [0-9]+$")
    expect(slider).to_have_attribute("aria-valuetext", said)
    expect(
        page.get_by_text(re.compile("^In hindsight it|In hindsight it"))
    ).to_be_visible()
    expect(page.get_by_text(re.compile("With what you could know:"))).to_be_visible()
    assert_axe_finds_nothing(page)
    page.get_by_role("button", name="Play the better line").click()
    _play_to_the_end(page)
    page.get_by_role("button", name="Back to the replay").click()
    expect(
        page.get_by_role("button", name="What if: play on from here")
    ).to_be_focused()
    page.reload()
    expect(page.get_by_role("heading", name="Turning points")).to_be_visible()


def _play_to_the_end(page: Page) -> None:
    expect(page.get_by_role("heading", name="What if", exact=True)).to_be_focused()
    along = page.get_by_role("button", name=re.compile("^Follow the better line"))
    expect(along).to_be_visible()
    assert page.evaluate(WIDE) <= 0
    assert_axe_finds_nothing(page)
    for _ in range(58):
        before = along.inner_text()
        along.click()
        expect(along.filter(has_text=before)).to_have_count(0)
        if along.count() == 0:
            break
    expect(page.get_by_text(re.compile(r"^(Got out|Died): "))).to_be_visible()


def test_one_plays_on_from_anywhere_and_has_it_solved(
    new_page: NewPage, worker: None
) -> None:
    page = new_page(viewport=DESKTOP)
    ended_run(page)
    page.get_by_role("button", name="What if: play on from here").click()
    board = page.get_by_role("list", name="The room")
    refused = board.get_by_role("button", name=re.compile("Armed: You hold no weapon"))
    expect(refused.first).to_have_attribute("aria-disabled", "true")
    board.locator("button[aria-disabled='false']").first.click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    page.get_by_role("button", name="Show the best line").click()
    expect(page.get_by_text(re.compile("Best score from there"))).to_be_visible(
        timeout=DONE_WITHIN_MS
    )
    page.get_by_role("button", name=re.compile("^Follow the better line")).click()
    page.get_by_role("button", name="Undo").click()
    assert_axe_finds_nothing(page)
    page.get_by_role("button", name="Back to the replay").click()
    expect(page.get_by_role("slider", name="Move")).to_be_visible()
