"""Learning: the guided dungeon, the rules page and the coach, by touch and by mouse."""

import itertools
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, NewPage
from tests.e2e.table import (
    assert_nothing_scrolls,
    await_index,
    find_card,
    load_known_game,
    read_run,
    start_run,
)

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]

Press = Callable[..., None]
ADVISED = "[data-card].advised"
MINUS = "\N{MINUS SIGN}"
SMALL = {"width": 360, "height": 640}


def open_page(
    new_page: NewPage, way: str, viewport: dict[str, int]
) -> tuple[Page, Press]:
    """A page used by touch or by mouse, and the function that presses a control."""
    if way == "touch":
        page = new_page(viewport=viewport, has_touch=True, is_mobile=True)
        return page, lambda target, **how: target.tap(**how)
    page = new_page(viewport=viewport)
    return page, lambda target, **how: target.click(**how)


WAYS = pytest.mark.parametrize(
    ("way", "viewport"),
    [("touch", PHONE), ("touch", SMALL), ("mouse", DESKTOP)],
    ids=["phone", "small phone", "desktop"],
)


def take_step(page: Page, press: Press) -> None:
    """Do what the guide says, with the controls it marks."""
    before = step_of(page)
    go_on = page.get_by_role("button", name="Go on to room 14")
    if go_on.is_visible():
        press(go_on)
    else:
        if page.locator(ADVISED).count():
            press(page.locator(ADVISED).first)
        press(page.locator(".choice.advised"))
    page.wait_for_function(
        """before => document.querySelector("#end-title")
            || document.querySelector(".guide progress")?.value > before""",
        arg=before,
    )


def step_of(page: Page) -> int:
    """The number of steps that are done."""
    return int(page.locator(".guide progress").evaluate("bar => bar.value"))


@WAYS
def test_first_visit_leads_through_the_guided_dungeon(
    new_page: NewPage, way: str, viewport: dict[str, int]
) -> None:
    page, press = open_page(new_page, way, viewport)
    page.goto("/")
    expect(page.get_by_role("button", name="I know the rules")).to_be_visible()
    main = page.locator(".btn.main:visible")
    expect(main).to_have_count(1)
    expect(main).to_have_text("Learn by playing")
    press(main)
    expect(page.get_by_role("heading", name="Take up the weapon")).to_be_visible()
    steps = 0
    while not page.locator("#end-title").is_visible():
        assert_nothing_scrolls(page)
        take_step(page, press)
        steps += 1
    assert steps <= 20
    expect(page.get_by_role("heading", name="You got out")).to_be_visible()
    expect(
        page.get_by_text("Your score is the health you have left: 16.")
    ).to_be_visible()
    press(page.get_by_role("link", name="Home", exact=True))
    expect(page.get_by_role("link", name="Learn by playing")).to_have_count(0)
    expect(page.get_by_role("button", name="Play today's dungeon")).to_have_class(
        re.compile("main")
    )


@WAYS
def test_mistake_is_explained_and_undone(
    new_page: NewPage, way: str, viewport: dict[str, int]
) -> None:
    page, press = open_page(new_page, way, viewport)
    page.goto("/learn")
    press(find_card(page, "9C"))
    press(page.get_by_role("button", name=re.compile("^Bare-handed")))
    expect(page.get_by_text("takes 9 of your 20 health")).to_be_visible()
    expect(page.get_by_role("meter")).to_have_attribute(
        "aria-valuetext", re.compile("11")
    )
    # Nothing can be played on the position that is about to be undone.
    press(find_card(page, "4D"))
    expect(find_card(page, "4D")).to_have_attribute("aria-pressed", "false")
    assert_nothing_scrolls(page)
    press(page.get_by_role("button", name="Undo and try again"))
    expect(find_card(page, "9C")).to_be_visible()
    expect(page.get_by_role("meter")).to_have_attribute(
        "aria-valuetext", re.compile("20")
    )
    take_step(page, press)
    expect(
        page.get_by_role("heading", name="Fight the stronger monster first")
    ).to_be_visible()


def test_lesson_is_left_and_resumed(new_page: NewPage) -> None:
    page, press = open_page(new_page, "touch", PHONE)
    page.goto("/learn")
    page.locator(ADVISED).wait_for()
    for _ in range(4):
        take_step(page, press)
    heading = page.locator(".guide h2").text_content()
    press(page.get_by_role("button", name="Menu"))
    press(page.get_by_role("link", name=re.compile("^Leave")))
    press(page.get_by_role("link", name="Continue the lesson"))
    expect(page.locator(".guide h2")).to_have_text(heading or "")
    assert step_of(page) == 4
    press(page.get_by_role("button", name="Menu"))
    press(page.get_by_role("button", name="Start the lesson again"))
    expect(page.locator(".guide h2")).to_have_text("Take up the weapon")


def test_last_card_may_be_faced_at_a_loss_and_undone(new_page: NewPage) -> None:
    page, press = open_page(new_page, "touch", PHONE)
    page.goto("/learn")
    page.locator(ADVISED).wait_for()
    while not page.get_by_role("heading", name="The last room").is_visible():
        take_step(page, press)
    press(find_card(page, "4H"))
    press(page.locator(".choice.advised"))
    expect(page.get_by_role("heading", name="The last card")).to_be_visible()
    press(find_card(page, "6C"))
    press(page.get_by_role("button", name=re.compile("^Bare-handed")))
    expect(page.get_by_text("costs 0")).to_be_visible()
    press(page.get_by_role("button", name="Undo and try again"))
    take_step(page, press)
    expect(page.get_by_role("heading", name="You got out")).to_be_visible()


def test_who_knows_the_rules_is_offered_the_daily(new_page: NewPage) -> None:
    page, press = open_page(new_page, "touch", PHONE)
    page.goto("/")
    press(page.get_by_role("button", name="I know the rules"))
    for _ in range(2):
        expect(page.get_by_role("link", name="Learn by playing")).to_have_count(0)
        main = page.locator(".btn.main:visible")
        expect(main).to_have_text("Play today's dungeon")
        page.reload()


def test_finished_run_replaces_the_lesson_on_another_device(new_page: NewPage) -> None:
    page, press = open_page(new_page, "mouse", DESKTOP)
    page.goto("/practice")
    press(page.get_by_role("button", name="Play now"))
    page.locator("[data-card]").first.wait_for()
    # A device that has not learned of a finished run asks the server.
    page.goto("/")
    expect(page.get_by_role("link", name="Learn by playing")).to_be_visible()
    press(page.get_by_role("link", name=re.compile("^Continue: room")))
    press(page.get_by_role("button", name="Menu"))
    press(page.get_by_role("button", name="Abandon…"))
    press(page.get_by_role("button", name="Abandon this run"))
    page.get_by_role("heading", name="You walked away").wait_for()
    page.evaluate("localStorage.removeItem('scoundrel.settings')")
    page.goto("/")
    expect(page.get_by_role("link", name=re.compile("^Continue"))).to_have_count(0)
    expect(page.get_by_role("link", name="Learn by playing")).to_have_count(0)


def choose(page: Page, press: Press, example: str, card: str, choice: str) -> None:
    """Press the choice of a card on the board of an example."""
    board = page.locator(f"[data-example='{example}']")
    press(board.get_by_role("button", name=re.compile(f"^{card}. {choice}")))


@WAYS
def test_examples_are_played_on_the_rules_page(
    new_page: NewPage, way: str, viewport: dict[str, int]
) -> None:
    page, press = open_page(new_page, way, viewport)
    page.goto("/rules")
    order = page.locator("[data-example='order']")
    expect(order.get_by_role("heading")).to_have_text("The order decides: 9 or 1")
    choose(page, press, "order", "Orc 9", "Armed")
    expect(order.get_by_text("takes 1. You have 19.")).to_be_visible()
    choose(page, press, "order", "Skeleton 6", "Armed")
    expect(order.get_by_text("Score: 19.")).to_be_visible()
    press(order.get_by_role("button", name="Weakest first"))
    expect(order.get_by_text("Score: 11.")).to_be_visible()
    press(order.get_by_role("button", name="Start again"))
    expect(order.get_by_role("meter")).to_have_attribute(
        "aria-valuetext", re.compile("20")
    )
    potion = page.locator("[data-example='potion']")
    press(potion.get_by_role("button", name="Drink first"))
    expect(potion.get_by_text("is wasted.")).to_be_visible()
    last = page.locator("[data-example='last-room']")
    # A refused choice can be pressed, and says why.
    press(last.get_by_role("button", name=re.compile("^Avoid the room")), force=True)
    expect(last.locator(".told")).to_have_text("Only a full room can be avoided.")
    for example, score in (
        ("death", f"{MINUS}24"),
        ("clearance", "27"),
        ("bare", None),
    ):
        panel = page.locator(f"[data-example='{example}']")
        press(panel.locator(".lines button").first)
        if score:
            expect(panel.get_by_text(f"Score: {score}.")).to_be_visible()
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


@WAYS
def test_rulesets_stand_side_by_side_and_can_be_tried(
    new_page: NewPage, way: str, viewport: dict[str, int]
) -> None:
    page, press = open_page(new_page, way, viewport)
    page.goto("/rules")
    table = page.get_by_role("table")
    for name, death in (
        (
            "Example: the death above",
            [f"{MINUS}24", f"{MINUS}24", f"{MINUS}5", f"{MINUS}11"],
        ),
    ):
        row = table.get_by_role("row").filter(has_text=name)
        expect(row.locator("td")).to_have_count(len(death))
        for cell, value in zip(row.locator("td").all(), death, strict=True):
            expect(cell).to_contain_text(value)
    equal = page.locator("[data-example='equal']")
    press(equal.get_by_role("button", name=re.compile("^Ghoul 8. Armed")), force=True)
    expect(equal.locator(".told")).to_contain_text("only reaches below 8")
    equal.get_by_label("Ruleset").select_option(label="Bound")
    expect(
        equal.get_by_role("button", name=re.compile("^Ghoul 8. Armed: costs 3"))
    ).to_be_visible()
    choose(page, press, "equal", "Ghoul 8", "Armed")
    expect(equal.get_by_text("You have 17.")).to_be_visible()


HINT_TIMEOUT_MS = 60_000


def open_coach(page: Page, press: Press) -> Locator:
    """Open the coach's dialog at the table."""
    press(page.get_by_role("button", name="Coach"))
    dialog = page.get_by_role("dialog", name="Coach")
    expect(dialog.get_by_text("not seen yet")).to_be_visible()
    return dialog


def close(dialog: Locator, press: Press) -> None:
    """Close a dialog with its button."""
    press(dialog.get_by_role("button", name="Close"))
    expect(dialog).to_be_hidden()


@WAYS
def test_coach_hints_in_three_levels_and_undoes(
    new_page: NewPage, worker: None, way: str, viewport: dict[str, int]
) -> None:
    page, press = open_page(new_page, way, viewport)
    run = start_run(page)
    assert_nothing_scrolls(page)
    dialog = open_coach(page, press)
    expect(dialog.get_by_role("heading", name="40 cards not seen yet")).to_be_visible()
    assert read_run(page, run)["coached"] is False
    # The order of a secret deck is not known to the coach either.
    expect(dialog.get_by_role("button", name=re.compile("^Best line"))).to_have_count(0)
    for label in ("what to think about", "which card", "which moves"):
        button = dialog.get_by_role("button", name=f"Hint: {label}")
        press(button)
        expect(button).to_be_hidden(timeout=HINT_TIMEOUT_MS)
    expect(dialog.locator(".told p")).to_have_count(3)
    press(dialog.get_by_role("button", name="Chance of clearing"))
    expect(dialog.get_by_text(re.compile(r"^About \d+ %"))).to_be_visible(
        timeout=HINT_TIMEOUT_MS
    )
    assert read_run(page, run)["coached"] is True
    close(dialog, press)
    marked = page.locator(ADVISED)
    if marked.count():
        press(marked)
    press(page.locator(".choice.advised"))
    await_index(page, 1)
    expect(page.locator(".advised")).to_have_count(0)
    before = read_run(page, run)["room"]
    dialog = open_coach(page, press)
    expect(dialog.get_by_text("it is not counted")).to_be_visible()
    press(dialog.get_by_role("button", name="Undo the last move"))
    expect(dialog).to_be_hidden()
    after = read_run(page, run)
    assert after["index"] == 0
    assert after["room"] != before
    for card in after["room"]:
        expect(find_card(page, card)).to_be_visible()
    press(page.get_by_role("button", name="Menu"))
    press(page.get_by_role("button", name="Abandon…"))
    press(page.get_by_role("button", name="Abandon this run"))
    expect(page.get_by_text("with help, not counted")).to_be_visible()


@WAYS
def test_coach_shows_the_best_line_of_an_open_seed(
    new_page: NewPage, worker: None, way: str, viewport: dict[str, int]
) -> None:
    page, press = open_page(new_page, way, viewport)
    start_run(page, seed=load_known_game(cleared=True).seed)
    dialog = open_coach(page, press)
    press(dialog.get_by_role("button", name=re.compile("^Best line")))
    expect(
        dialog.get_by_text(re.compile("^Best score from here: [0-9]+"))
    ).to_be_visible(timeout=HINT_TIMEOUT_MS)
    close(dialog, press)
    expect(page.locator(".advised").first).to_be_visible()


def test_daily_has_no_coach(new_page: NewPage) -> None:
    page, press = open_page(new_page, "touch", PHONE)
    page.goto("/daily/today")
    press(page.get_by_role("button", name="Play", exact=True))
    page.locator("[data-card]").first.wait_for()
    expect(page.get_by_role("button", name="Menu")).to_be_visible()
    expect(page.get_by_role("button", name="Coach")).to_have_count(0)


def test_top_row_fits_beside_the_coach_on_a_narrow_phone(new_page: NewPage) -> None:
    page, _ = open_page(new_page, "touch", {"width": 320, "height": 568})
    start_run(page)
    boxes = [
        page.locator(name).bounding_box()
        for name in (".top .menu", ".top .coach", ".top .numbers", ".top .pile")
    ]
    edges = [(box["x"], box["x"] + box["width"]) for box in boxes if box]
    assert len(edges) == 4
    for (_, right), (left, _) in itertools.pairwise(edges):
        assert right <= left
    spilled = page.locator(".numbers").evaluate("n => n.scrollWidth - n.clientWidth")
    assert spilled <= 0
