"""Helpers for races in two browsers: create, join, start and play a race.

Pages are used by visible names. Legal moves are read from the REST API.
"""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from playwright.sync_api import Page, WebSocket, expect

from tests.e2e.table import find_card, play_by_keyboard

READ_RACE = "async id => await (await fetch(`/api/v1/races/${id}/`)).json()"
COUNTDOWN_MS = 15_000
# The page ignores a second press of a lethal move that comes sooner than this.
CONFIRM_DELAY_MS = 450


class Frames(NamedTuple):
    """The websocket frames and race responses that a page received, as text."""

    texts: list[str]

    @property
    def cards(self) -> set[str]:
        """Every card that appears in the received texts."""
        found: set[str] = set()
        for text in self.texts:
            _collect_cards(json.loads(text), found)
        return found


def _collect_cards(value: Any, found: set[str]) -> None:
    if isinstance(value, dict):
        for inner in value.values():
            _collect_cards(inner, found)
    elif isinstance(value, list):
        for inner in value:
            _collect_cards(inner, found)
    elif isinstance(value, str) and len(value) in (2, 3):
        rank, suit = value[:1], value[1:2]
        if rank in "23456789TJQKA" and suit in "CSDH":
            found.add(value[:2])


def record_frames(page: Page) -> Frames:
    """Record what the page receives about races from now on."""
    frames = Frames([])

    def record(socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: frames.texts.append(str(text)))

    page.on("websocket", record)
    page.on(
        "response",
        lambda answer: (
            frames.texts.append(answer.text())
            if "/api/v1/races/" in answer.url and answer.request.method == "GET"
            else None
        ),
    )
    return frames


def make_race(page: Page, *, public: bool = False) -> str:
    """Create a race from the lobby; return its id."""
    page.goto("/races")
    page.get_by_text("Create a race").click()
    if public:
        page.get_by_role("radio", name="In the lobby").check()
    page.get_by_role("button", name="Create race").click()
    page.get_by_role("button", name="I am ready").wait_for()
    return page.url.rsplit("/", 1)[1]


def join_by_link(page: Page, race: str) -> None:
    """Open the link of a race and join it."""
    page.goto(f"/r/{race}")
    page.get_by_role("button", name="Join the race").click()
    page.get_by_role("button", name="I am ready").wait_for()


def start_race(*pages: Page) -> None:
    """Set everyone ready; return once every page shows cards."""
    for page in pages:
        page.get_by_role("button", name="I am ready").click()
    for page in pages:
        await_cards(page)


def await_cards(page: Page) -> None:
    """Wait until the page shows the first room."""
    page.locator("[data-card]").first.wait_for(timeout=COUNTDOWN_MS)


def read_race(page: Page, race: str) -> dict[str, Any]:
    """Return the race as the server shows it to the user of that page."""
    found: dict[str, Any] = page.evaluate(READ_RACE, race)
    return found


Choose = Callable[[list[dict[str, Any]]], dict[str, Any] | None]


def choose_most_damage(legal: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the move that costs the most health, to end the run soon."""
    return max(legal, key=lambda one: (one["damage"], one["action"] == "fight"))


def choose_most_health(legal: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the survivable move, other than avoid, that leaves the most health.

    Return None if there is no such move.
    """
    faced = [one for one in legal if one["action"] != "avoid" and not one["lethal"]]
    return max(
        faced, key=lambda one: (one["health_after"], not one["wasted"]), default=None
    )


def play_race(
    page: Page, race: str, *, moves: int = 99, choose: Choose = choose_most_damage
) -> dict[str, Any]:
    """Play until the run ends, `choose` returns None, or `moves` moves are played.

    Return the run after that.
    """
    for _ in range(moves):
        run = read_race(page, race)["run"]
        move = choose(run["legal"]) if run["status"] == "playing" else None
        if move is None:
            break
        if move["lethal"]:
            play_lethal(page, move["move"])
        else:
            play_by_keyboard(page, move["move"], index=run["index"])
    found: dict[str, Any] = read_race(page, race)["run"]
    return found


def play_lethal(page: Page, move: str) -> None:
    """Play a lethal move: press its key twice, with a delay between."""
    slot = find_card(page, move[:2]).get_attribute("data-slot")
    assert slot is not None
    page.keyboard.press(str(int(slot) + 1))
    expect(find_card(page, move[:2])).to_have_attribute("aria-pressed", "true")
    page.keyboard.press(move[2:])
    page.wait_for_timeout(CONFIRM_DELAY_MS)
    page.keyboard.press(move[2:])
    page.locator("#end-title").wait_for()
