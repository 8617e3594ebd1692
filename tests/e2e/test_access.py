"""Accessibility: axe on the pages in every theme, and use by keyboard."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, NewPage
from tests.e2e.table import find_card, load_known_game, play_by_keyboard, start_run
from tests.parts import FRONTEND

pytestmark = pytest.mark.e2e

AXE = FRONTEND / "node_modules" / "axe-core" / "axe.min.js"
RUN_AXE = """async () => {
  const theme = document.documentElement.dataset.theme ?? "dark";
  const options = theme === "dark" ? {} :
    { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } };
  return (await axe.run(document, options)).violations;
}"""
THEMES = ("dark", "light", "contrast")
PLAIN_PAGES = (
    *("/", "/practice", "/boards", "/dailies", "/daily/today", "/daily/1999-01-01"),
    *("/rules", "/learn", "/settings", "/credits", "/fairness", "/no-such-door"),
)


def assert_axe_finds_nothing(page: Page, axe: Path = AXE) -> None:
    """Check that axe reports no WCAG A, AA or best-practice violation on the page.

    In a theme other than the dark one only the rules about colours are run: the tests
    of the dark theme run all rules on the same pages.
    """
    page.evaluate(axe.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = page.evaluate(RUN_AXE)
    problems = [
        f"{breach['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:300]}"
        for breach in found
        for node in breach["nodes"]
    ]
    assert not problems, "\n".join(problems)


def open_page_with_theme(new_page: NewPage, theme: str) -> Page:
    """Open a page with that theme. Motion is reduced, so axe never sees a fade."""
    page = new_page(viewport=DESKTOP)
    page.goto("/settings")
    names = {"dark": "Dark", "light": "Light", "contrast": "High contrast"}
    page.get_by_label(names[theme]).check()
    expect(page.locator("html")).to_have_attribute("data-theme", theme)
    return page


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_on_plain_pages(new_page: NewPage, theme: str) -> None:
    page = open_page_with_theme(new_page, theme)
    for address in PLAIN_PAGES:
        page.goto(address)
        page.locator("h1").wait_for()
        for summary in page.locator("summary").all():
            summary.click()
        page.wait_for_load_state("networkidle")
        assert_axe_finds_nothing(page)


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_during_a_run(new_page: NewPage, theme: str) -> None:
    page = open_page_with_theme(new_page, theme)
    game = load_known_game(cleared=True)
    start_run(page, seed=game.seed)
    for index, move in enumerate(game.moves):
        if index in {0, 9}:
            if move != "avoid":
                find_card(page, move[:2]).click()
            assert_axe_finds_nothing(page)
        play_by_keyboard(page, move, index=index)
    page.get_by_text("Seed and seal").click()
    assert_axe_finds_nothing(page)
    page.get_by_role("link", name="Replay and review").click()
    page.locator("pre").wait_for()
    page.keyboard.press("End")
    assert_axe_finds_nothing(page)
    page.goto("/practice")
    page.get_by_text("Your last runs").wait_for()
    assert_axe_finds_nothing(page)


def test_axe_finds_nothing_on_dialogs(new_page: NewPage) -> None:
    page = open_page_with_theme(new_page, "dark")
    start_run(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="How to play")).to_be_visible()
    assert_axe_finds_nothing(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("dialog", name="Menu")).to_be_visible()
    assert_axe_finds_nothing(page)


def test_every_card_names_its_actions(new_page: NewPage) -> None:
    page = new_page()
    start_run(page)
    for card in page.locator("[data-card]").all():
        text = card.inner_text()
        assert any(word in text for word in ("Bare-handed:", "Drink:", "Take up"))


def test_arrow_keys_move_focus_within_the_room(new_page: NewPage) -> None:
    page = new_page(viewport=DESKTOP)
    game = load_known_game(cleared=True)
    start_run(page, seed=game.seed)
    page.keyboard.press("1")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-slot='1']")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-slot='3']")).to_be_focused()
    play_by_keyboard(page, game.moves[0], index=0)
    expect(page.locator("[data-card]:focus")).to_have_count(1)


def test_settings_survive_a_reload(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/settings")
    page.get_by_label("Light").check()
    page.get_by_label("Bigger text").check()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    expect(page.get_by_label("Bigger text")).to_be_checked()
