"""Helpers for the play page: start a run, play moves, read the board.

The page is used by visible names: buttons, cards and keys.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Page, expect

CASES = Path(__file__).resolve().parents[1] / "cases" / "playthroughs.json"
READ_RUN = "async id => await (await fetch(`/api/v1/runs/${id}/`)).json()"
SHOWN = """index => document.querySelector("#end-title")
    || Number(document.querySelector("[data-index]")?.dataset.index) >= index"""
OVERFLOW = """() => {
    const page = document.documentElement;
    return [page.scrollHeight - innerHeight, page.scrollWidth - innerWidth];
}"""


class Game(NamedTuple):
    """A known game: its seed, its moves and its result."""

    ruleset: str
    seed: str
    moves: list[str]
    cleared: bool
    score: int


def load_known_game(*, cleared: bool, max_moves: int = 99) -> Game:
    """Return the first recorded Tavern game with this result and length."""
    for case in json.loads(CASES.read_text()):
        game = Game(**{name: case[name] for name in Game._fields})
        fits = game.cleared is cleared and len(game.moves) <= max_moves
        if game.ruleset == "tavern-1" and fits:
            return game
    raise LookupError("no such game in the cases")


def start_run(page: Page, *, seed: str | None = None) -> str:
    """Start a practice run, with a seed if one is given; return its id."""
    page.goto("/practice")
    if seed is None:
        page.get_by_role("button", name="Play now").click()
    else:
        page.get_by_label("Seed").fill(seed)
        page.get_by_role("button", name="Start run").click()
    page.locator("[data-card]").first.wait_for()
    return page.url.rsplit("/", 1)[1]


def read_run(page: Page, run: str) -> dict[str, Any]:
    """Return the run from the REST API."""
    found: dict[str, Any] = page.evaluate(READ_RUN, run)
    return found


def find_card(page: Page, card: str) -> Any:
    """Return the button of a card in the current room."""
    return page.locator(f"[data-card='{card}']")


def play_by_keyboard(page: Page, move: str, *, index: int) -> None:
    """Play a move by keyboard; return once the page shows the result."""
    if move == "avoid":
        page.keyboard.press("a")
    else:
        slot = find_card(page, move[:2]).get_attribute("data-slot")
        assert slot is not None
        page.keyboard.press(str(int(slot) + 1))
        expect(find_card(page, move[:2])).to_have_attribute("aria-pressed", "true")
        page.keyboard.press({"w": "w", "b": "b"}.get(move[2:], "Enter"))
    await_index(page, index + 1)


def await_index(page: Page, index: int) -> None:
    """Wait until the page shows at least that many moves, or the end of the run."""
    page.wait_for_function(SHOWN, arg=index)


def assert_nothing_scrolls(page: Page) -> None:
    """Check that the page fits the viewport in both directions."""
    tall, wide = page.evaluate(OVERFLOW)
    assert (tall, wide) <= (0, 0), f"{tall} px too tall, {wide} px too wide"
