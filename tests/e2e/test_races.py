"""Races in two browsers: reloads, connection errors, spectators, lobby, bots."""

import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.e2e.conftest import DESKTOP, PHONE, NewPage
from tests.e2e.duel import (
    await_cards,
    choose_most_health,
    join_by_link,
    make_race,
    play_race,
    read_race,
    record_frames,
    start_race,
)
from tests.e2e.table import assert_nothing_scrolls, start_run
from tests.e2e.test_access import assert_axe_finds_nothing, open_page_with_theme

pytestmark = pytest.mark.e2e

THEMES = ("dark", "light", "contrast")
SOCKETS = re.compile(r"/ws/v1/")


def open_two_pages(new_page: NewPage) -> tuple[Page, Page]:
    """Open a page for a host on a desktop and one for a guest on a phone."""
    return new_page(viewport=DESKTOP), new_page(viewport=PHONE, has_touch=True)


def test_race_to_the_end_and_rematch(new_page: NewPage) -> None:
    host, guest = open_two_pages(new_page)
    race = make_race(host)
    join_by_link(guest, race)
    expect(host.get_by_role("list", name="Seats")).to_contain_text("Not ready")
    start_race(host, guest)
    assert_nothing_scrolls(guest)
    assert_nothing_scrolls(host)
    assert read_race(host, race)["run"]["room"] == read_race(guest, race)["run"]["room"]

    play_race(guest, race)
    expect(guest.get_by_text("One player is still racing")).to_be_visible()
    expect(host.get_by_role("img", name=re.compile(r": died in room"))).to_be_visible()
    play_race(host, race)
    for page in (host, guest):
        places = page.get_by_role("list", name="Places")
        expect(places).to_contain_text("1st")
        expect(page.get_by_text("| sha256sum")).to_be_visible()
        expect(page.get_by_role("heading", name="Side by side")).to_be_visible()
    guest.get_by_role("slider").press("End")
    expect(guest.get_by_text(re.compile(r"After \d+ of 44 cards"))).to_be_visible()

    host.get_by_role("button", name="Rematch").click()
    guest.get_by_role("button", name=re.compile(r"^Join \(")).click()
    expect(guest.get_by_role("button", name="I am ready")).to_be_visible()
    again = host.url.rsplit("/", 1)[1]
    assert again != race
    assert guest.url.endswith(again)
    start_race(host, guest)
    assert read_race(host, again)["seal"] != read_race(host, race)["seal"]


def test_reload_keeps_the_race_state(new_page: NewPage) -> None:
    host, guest = open_two_pages(new_page)
    race = make_race(host)
    join_by_link(guest, race)
    host.get_by_role("button", name="I am ready").click()
    host.reload()
    expect(host.get_by_role("button", name="Not ready")).to_be_visible()

    guest.get_by_role("button", name="I am ready").click()
    host.locator(".number").wait_for()
    host.reload()
    await_cards(guest)
    await_cards(host)

    run = play_race(host, race, moves=3, choose=choose_most_health)
    host.reload()
    await_cards(host)
    shown = [
        card.get_attribute("data-card") for card in host.locator("[data-card]").all()
    ]
    assert sorted(filter(None, shown)) == sorted(run["room"])
    expect(host.locator(f"[data-index='{run['index']}']")).to_be_visible()

    play_race(host, race)
    host.reload()
    expect(host.get_by_role("heading", name="You died")).to_be_visible()
    play_race(guest, race)
    host.reload()
    expect(host.get_by_role("list", name="Places")).to_be_visible()


def test_two_tabs_show_the_same_entrant(new_page: NewPage) -> None:
    host, guest = open_two_pages(new_page)
    race = make_race(host)
    join_by_link(guest, race)
    start_race(host, guest)
    tab = host.context.new_page()
    tab.goto(f"/race/{race}")
    await_cards(tab)
    for here, there in ((tab, host), (host, tab)):
        run = play_race(here, race, moves=2, choose=choose_most_health)
        expect(there.locator(f"[data-index='{run['index']}']")).to_be_visible()


def test_spectator_and_opponent_receive_no_hidden_cards(new_page: NewPage) -> None:
    host, guest = open_two_pages(new_page)
    spectator = new_page(viewport=PHONE)
    start_run(spectator)  # creates a guest account, which a websocket needs
    race = make_race(host)
    join_by_link(guest, race)
    spectator_frames, guest_frames = record_frames(spectator), record_frames(guest)
    spectator.goto(f"/race/{race}")
    spectator.get_by_role("button", name="Join the race").wait_for(state="hidden")
    guest.reload()
    guest.get_by_role("button", name="I am ready").wait_for()
    start_race(host, guest)
    first = set(read_race(guest, race)["run"]["room"])

    play_race(host, race)
    expect(spectator.get_by_text("died")).to_be_visible()
    expect(guest.get_by_role("img", name=re.compile(r": died in room"))).to_be_visible()
    spectator.wait_for_timeout(1_500)
    assert spectator_frames.texts
    assert guest_frames.texts
    assert spectator_frames.cards <= first
    assert guest_frames.cards <= first

    play_race(guest, race)
    expect(spectator.get_by_role("list", name="Places")).to_be_visible()
    assert read_race(host, race)["seed"] in "".join(spectator_frames.texts)


def block_websockets(page: Page) -> None:
    """Close every websocket that the page opens."""

    def refuse(socket: WebSocketRoute) -> None:
        socket.close(code=1011, reason="no sockets here")

    page.route_web_socket(SOCKETS, refuse)


def test_race_without_websocket_uses_rest(new_page: NewPage) -> None:
    host, guest = open_two_pages(new_page)
    block_websockets(guest)
    race = make_race(host)
    join_by_link(guest, race)
    expect(guest.get_by_text("Slow connection")).to_be_visible()
    start_race(host, guest)
    play_race(guest, race)
    play_race(host, race)
    expect(guest.get_by_role("list", name="Places")).to_be_visible()


def test_lost_websocket_reconnects(new_page: NewPage) -> None:
    host, guest = open_two_pages(new_page)
    sockets: list[WebSocketRoute] = []

    def forward(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    guest.route_web_socket(SOCKETS, forward)
    race = make_race(host)
    join_by_link(guest, race)
    start_race(host, guest)
    play_race(host, race, moves=1, choose=choose_most_health)
    sockets[-1].close(code=1012, reason="cut")
    run = play_race(host, race, moves=3, choose=choose_most_health)
    play_race(guest, race, moves=2, choose=choose_most_health)
    label = re.compile(rf"\d: in room {run['faced'] // 3 + 1} of")
    expect(guest.get_by_role("img", name=label)).to_be_visible()
    assert len(sockets) > 1


def test_giving_up_can_be_undone(new_page: NewPage) -> None:
    host, guest = open_two_pages(new_page)
    race = make_race(host)
    join_by_link(guest, race)
    start_race(host, guest)
    for undone in (True, False):
        guest.get_by_role("button", name="Menu").click()
        button = guest.get_by_role("button", name="Hold to give up")
        button.hover()
        guest.mouse.down()
        guest.wait_for_timeout(1_300)
        guest.mouse.up()
        expect(guest.get_by_text("You give up in")).to_be_visible()
        if undone:
            guest.get_by_role("button", name="Undo").click()
            expect(guest.get_by_text("You give up in")).to_be_hidden()
    expect(guest.get_by_role("heading", name="You gave it up")).to_be_visible(
        timeout=10_000
    )
    expect(host.get_by_role("img", name=re.compile(r": gave up"))).to_be_visible()


def test_lobby_lists_filters_and_joins_by_link(new_page: NewPage) -> None:
    host, guest = open_two_pages(new_page)
    race = make_race(host, public=True)
    guest.goto("/races")
    row = guest.locator(f"a[href='/race/{race}']")
    expect(row).to_contain_text("1 of 2 seats")
    guest.get_by_label("Which races").select_option("live")
    expect(row).to_be_hidden()
    guest.get_by_label("Join with code").fill(f"http://elsewhere.example/r/{race}")
    guest.get_by_role("button", name="Join").click()
    guest.get_by_role("button", name="Join the race").click()
    expect(host.get_by_role("list", name="Seats")).not_to_contain_text("Free seat")


def test_quick_match_is_offered_and_accepted(new_page: NewPage) -> None:
    one, other = open_two_pages(new_page)
    for page in (one, other):
        page.goto("/")
        page.get_by_role("link", name="Race now").click()
        found = re.compile("Searching|Opponent found")
        page.get_by_role("heading", name=found).wait_for()
    for page in (one, other):
        page.get_by_role("button", name=re.compile("^Accept")).click()
    for page in (one, other):
        await_cards(page)
    assert one.url == other.url


def test_race_against_bot_starts_immediately(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/races")
    page.get_by_text("Or play against a bot now").click()
    page.get_by_role("button", name=re.compile("House Fox")).click()
    await_cards(page)
    assert_nothing_scrolls(page)


def test_unknown_race_is_not_found(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/r/nosuchrace000000")
    expect(page.get_by_role("heading", name="Race not found")).to_be_visible()


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_in_a_race(new_page: NewPage, theme: str) -> None:
    host, guest = (
        open_page_with_theme(new_page, theme),
        new_page(reduced_motion="reduce"),
    )
    host.goto("/races")
    for summary in host.locator("summary").all():
        summary.click()
    assert_axe_finds_nothing(host)
    race = make_race(host)
    host.get_by_text("Code and QR code").click()
    assert_axe_finds_nothing(host)
    join_by_link(guest, race)
    start_race(host, guest)
    assert_axe_finds_nothing(host)
    assert_axe_finds_nothing(guest)
    host.get_by_role("button", name="Send a phrase").click()
    assert_axe_finds_nothing(host)
    host.keyboard.press("Escape")
    host.get_by_role("button", name="Menu").click()
    assert_axe_finds_nothing(host)
    host.keyboard.press("Escape")
    play_race(host, race)
    assert_axe_finds_nothing(host)
    play_race(guest, race)
    host.get_by_role("list", name="Places").wait_for()
    host.get_by_role("slider").wait_for()
    assert_axe_finds_nothing(host)
    assert_axe_finds_nothing(guest)


def test_host_removes_an_entrant_who_is_told_and_stays_out(new_page: NewPage) -> None:
    host, guest = open_two_pages(new_page)
    race = make_race(host)
    join_by_link(guest, race)
    host.get_by_role("button", name=re.compile("^Remove ")).click()
    question = host.get_by_role("dialog")
    expect(question).to_contain_text("cannot join this race again")
    question.get_by_role("button", name="Remove", exact=True).click()
    expect(host.get_by_role("list", name="Seats")).to_contain_text("Free seat")
    expect(guest.get_by_text("The host removed you from this race")).to_be_visible()
    guest.reload()
    guest.get_by_role("button", name="Join the race").click()
    expect(guest.get_by_role("alert")).to_contain_text("The host removed you")
