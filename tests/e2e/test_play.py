"""Playing runs: keyboard, touch, two tabs, connection errors, screen sizes."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import DESKTOP, PHONE, NewPage
from tests.e2e.table import (
    assert_nothing_scrolls,
    await_index,
    find_card,
    load_known_game,
    play_by_keyboard,
    read_run,
    start_run,
)

pytestmark = pytest.mark.e2e

SMALL = {"width": 360, "height": 640}
NARROW = {"width": 320, "height": 568}
MOVES = re.compile(r"/moves/$")


def test_whole_run_by_keyboard_on_phone(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, reduced_motion="no-preference")
    game = load_known_game(cleared=True)
    start_run(page, seed=game.seed)
    for index, move in enumerate(game.moves):
        play_by_keyboard(page, move, index=index)
        assert_nothing_scrolls(page)
    expect(page.get_by_role("heading", name="You got out")).to_be_focused()
    expect(page.locator(".score")).to_contain_text(str(game.score))
    expect(page.get_by_text("Health left")).to_be_visible()
    page.get_by_text("Seed and seal").click()
    expect(page.get_by_text(f"printf %s {game.seed} | sha256sum")).to_be_visible()


def test_death_needs_two_confirmations(new_page: NewPage) -> None:
    page = new_page(viewport=DESKTOP, reduced_motion="no-preference")
    game = load_known_game(cleared=False, max_moves=5)
    run = start_run(page, seed=game.seed)
    *before, last = game.moves
    for index, move in enumerate(before):
        play_by_keyboard(page, move, index=index)
    find_card(page, last[:2]).click()
    key = last[2:]
    page.keyboard.press(key)
    expect(page.locator("#story")).to_contain_text("This kills you")
    assert read_run(page, run)["status"] == "playing"
    page.wait_for_timeout(400)  # the page ignores a second press that comes sooner
    page.keyboard.press(key)
    expect(page.get_by_role("heading", name="You died")).to_be_visible()
    expect(page.locator(".score")).to_contain_text(str(-game.score))
    page.reload()
    expect(page.get_by_text(re.compile(r"got you in room \d+ of 15"))).to_be_visible()


def test_touch_offers_armed_and_bare_handed_buttons(new_page: NewPage) -> None:
    page = new_page(
        viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="no-preference"
    )
    run = start_run(page, seed=load_known_game(cleared=True).seed)
    start = read_run(page, run)
    monster = next(m["card"] for m in start["legal"] if m["action"] == "fight")
    cost = next(m for m in start["legal"] if m["move"] == f"{monster}b")
    find_card(page, monster).tap()
    assert read_run(page, run)["index"] == 0
    expect(
        page.get_by_role("button", name="Armed: You hold no weapon.", exact=True)
    ).to_be_visible()
    page.get_by_role("button", name=re.compile("^Bare-handed: costs")).tap()
    await_index(page, 1)
    assert read_run(page, run)["health"] == cost["health_after"]


def test_refused_fight_shows_reason_and_plays_no_move(new_page: NewPage) -> None:
    page = new_page()
    run = start_run(page, seed=load_known_game(cleared=True).seed)
    fights = [m for m in read_run(page, run)["legal"] if m["action"] == "fight"]
    find_card(page, fights[0]["card"]).click()
    page.keyboard.press("w")
    expect(page.locator("#story")).to_contain_text("You hold no weapon.")
    assert read_run(page, run)["index"] == 0


def test_reload_shows_the_same_board(new_page: NewPage) -> None:
    page = new_page()
    game = load_known_game(cleared=True)
    start_run(page, seed=game.seed)
    for index, move in enumerate(game.moves[:7]):
        play_by_keyboard(page, move, index=index)
    before = _read_board(page)
    page.reload()
    await_index(page, 7)
    assert _read_board(page) == before
    page.goto("/")
    page.get_by_role("link", name=re.compile("^Continue: room")).click()
    await_index(page, 7)
    assert _read_board(page) == before


def _read_board(page: Page) -> dict[str, Any]:
    cards = page.locator("[data-card]")
    return {
        "room": [node.get_attribute("data-card") for node in cards.all()],
        "health": page.get_by_role("meter").get_attribute("aria-valuetext"),
        "hand": page.locator(".weapon-panel").get_attribute("aria-label"),
        "pile": page.locator(".pile .unseen").text_content(),
    }


def test_two_tabs_show_the_same_run(new_page: NewPage) -> None:
    first = new_page()
    game = load_known_game(cleared=True)
    start_run(first, seed=game.seed)
    second = first.context.new_page()
    second.goto(first.url)
    await_index(second, 0)
    play_by_keyboard(first, game.moves[0], index=0)
    await_index(second, 1)
    play_by_keyboard(second, game.moves[1], index=1)
    await_index(first, 2)
    assert _read_board(first) == _read_board(second)


def test_move_from_stale_board_shows_current_board(new_page: NewPage) -> None:
    page = new_page()
    game = load_known_game(cleared=True)
    run = start_run(page, seed=game.seed)
    # Play a move as another device would; this page is not notified.
    page.evaluate(
        """async ([run, move]) => {
            const token = document.cookie.match(/csrftoken=([^;]+)/)[1];
            await fetch(`/api/v1/runs/${run}/moves/`, {
                method: "POST",
                headers: {"Content-Type": "application/json", "X-CSRFToken": token},
                body: JSON.stringify({index: 0, move, key: "elsewhere"}),
            });
        }""",
        [run, game.moves[0]],
    )
    page.keyboard.press("a" if game.moves[0] != "avoid" else "1")
    if game.moves[0] == "avoid":
        page.keyboard.press("b")
    await_index(page, 1)
    expect(page.locator("#story")).to_contain_text("continued elsewhere")


def test_move_is_retried_after_connection_errors(new_page: NewPage) -> None:
    page = new_page()
    game = load_known_game(cleared=True)
    run = start_run(page, seed=game.seed)
    sent: list[dict[str, Any]] = []

    def fail_twice(route: Route) -> None:
        sent.append(route.request.post_data_json or {})
        if len(sent) == 1:
            route.abort()  # the request does not reach the server
        elif len(sent) == 2:
            route.fetch()  # the request reaches it, and the response is lost
            route.abort()
        else:
            route.continue_()

    page.route(MOVES, fail_twice)
    play_by_keyboard(page, game.moves[0], index=0)
    assert len({body["key"] for body in sent}) == 1
    assert read_run(page, run)["index"] == 1


@pytest.mark.parametrize(
    "viewport", [SMALL, NARROW, DESKTOP], ids=["small", "narrow", "desktop"]
)
def test_nothing_scrolls_at_other_sizes(
    new_page: NewPage, viewport: dict[str, int]
) -> None:
    page = new_page(viewport=viewport)
    game = load_known_game(cleared=True)
    start_run(page, seed=game.seed)
    for index, move in enumerate(game.moves[:12]):
        play_by_keyboard(page, move, index=index)
        assert_nothing_scrolls(page)
    for card in page.locator("[data-card]").all():
        box = card.bounding_box()
        assert box is not None
        assert box["width"] >= 60


def test_reduced_motion_disables_animations(new_page: NewPage) -> None:
    page = new_page(reduced_motion="reduce")
    game = load_known_game(cleared=True)
    start_run(page, seed=game.seed)
    page.evaluate(
        """() => {
            window.flown = 0;
            const count = (changes) => {
                for (const change of changes) window.flown += change.addedNodes.length;
            };
            const layer = document.querySelector(".animation-layer");
            new MutationObserver(count).observe(layer, {childList: true});
        }"""
    )
    for index, move in enumerate(game.moves[:4]):
        play_by_keyboard(page, move, index=index)
    assert page.evaluate("window.flown") == 0
    assert page.evaluate("document.getAnimations().length") == 0


def test_abandoned_run_has_a_replay(new_page: NewPage) -> None:
    page = new_page(viewport=DESKTOP)
    game = load_known_game(cleared=False, max_moves=5)
    start_run(page, seed=game.seed)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Abandon…").click()
    page.get_by_role("button", name="Abandon this run").click()
    page.get_by_role("link", name="Replay and review").click()
    expect(page.get_by_role("heading", name="You walked away")).to_be_visible()
    expect(page.locator("pre")).to_contain_text(f'[Seed "{game.seed}"]')
    slider = page.get_by_role("slider", name="Move")
    expect(slider).to_have_attribute("aria-valuetext", "Move 0 of 0")


def test_run_of_another_player_is_not_found(new_page: NewPage) -> None:
    page = new_page()
    run = start_run(page)
    other = new_page()
    start_run(other)
    other.goto(f"/play/{run}")
    expect(other.get_by_role("heading", name="Run not found")).to_be_visible()
