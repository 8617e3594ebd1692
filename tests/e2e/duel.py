"""What two people do who race in two browsers: make, join, get ready, play, end.

Knows the pages by what a person knows them by; which moves are legal is read from the
race itself, as a program would.
"""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from playwright.sync_api import Page, WebSocket, expect

from tests.e2e.table import card_in_room, play_by_keyboard

READ_RACE = "async id => await (await fetch(`/api/v1/races/${id}/`)).json()"
COUNTDOWN_MS = 15_000
# The table wants so long a thought before a second press is believed.
THOUGHT_MS = 450


class Frames(NamedTuple):
    """Everything that came in to a page over its sockets and from the API, as text."""

    heard: list[str]

    @property
    def cards(self) -> set[str]:
        """Every card that is named in them."""
        found: set[str] = set()
        for text in self.heard:
            _cards_in(json.loads(text), found)
        return found


def _cards_in(value: Any, found: set[str]) -> None:
    if isinstance(value, dict):
        for inner in value.values():
            _cards_in(inner, found)
    elif isinstance(value, list):
        for inner in value:
            _cards_in(inner, found)
    elif isinstance(value, str) and len(value) in (2, 3):
        rank, suit = value[:1], value[1:2]
        if rank in "23456789TJQKA" and suit in "CSDH":
            found.add(value[:2])


def overhear(page: Page) -> Frames:
    """Keep what the page is told of races from now on."""
    frames = Frames([])

    def opened(socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: frames.heard.append(str(text)))

    page.on("websocket", opened)
    page.on(
        "response",
        lambda answer: (
            frames.heard.append(answer.text())
            if "/api/v1/races/" in answer.url and answer.request.method == "GET"
            else None
        ),
    )
    return frames


def make_race(page: Page, *, public: bool = False) -> str:
    """From the lobby to a room of one's own; the race's id."""
    page.goto("/races")
    page.get_by_text("Create a race").click()
    if public:
        page.get_by_role("radio", name="In the lobby").check()
    page.get_by_role("button", name="Create race").click()
    page.get_by_role("button", name="I am ready").wait_for()
    return page.url.rsplit("/", 1)[1]


def join_by_link(page: Page, race: str) -> None:
    """In by the link that was sent, with one tap."""
    page.goto(f"/r/{race}")
    page.get_by_role("button", name="Join the race").click()
    page.get_by_role("button", name="I am ready").wait_for()


def start_race(*pages: Page) -> None:
    """All are ready; returns once each has his cards."""
    for page in pages:
        page.get_by_role("button", name="I am ready").click()
    for page in pages:
        await_cards(page)


def await_cards(page: Page) -> None:
    """Until the first room lies on the table."""
    page.locator("[data-card]").first.wait_for(timeout=COUNTDOWN_MS)


def read_race(page: Page, race: str) -> dict[str, Any]:
    """The race as the server shows it to whoever has that page."""
    found: dict[str, Any] = page.evaluate(READ_RACE, race)
    return found


Choose = Callable[[list[dict[str, Any]]], dict[str, Any] | None]


def reckless(legal: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The move that costs most: the shortest way to the end."""
    return max(legal, key=lambda one: (one["damage"], one["action"] == "fight"))


def careful(legal: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The move that leaves most health, avoiding apart; none where all of them kill."""
    faced = [one for one in legal if one["action"] != "avoid" and not one["lethal"]]
    return max(
        faced, key=lambda one: (one["health_after"], not one["wasted"]), default=None
    )


def play_on(
    page: Page, race: str, *, moves: int = 99, choose: Choose = reckless
) -> dict[str, Any]:
    """Play so many moves, or to the end, or while there is a choice; the run then."""
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
    """A move that kills: asked for twice, with a thought between."""
    slot = card_in_room(page, move[:2]).get_attribute("data-slot")
    assert slot is not None
    page.keyboard.press(str(int(slot) + 1))
    expect(card_in_room(page, move[:2])).to_have_attribute("aria-pressed", "true")
    page.keyboard.press(move[2:])
    page.wait_for_timeout(THOUGHT_MS)
    page.keyboard.press(move[2:])
    page.locator("#end-title").wait_for()
