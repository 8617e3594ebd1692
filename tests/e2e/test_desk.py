"""The moderation desk: a case from report to appeal decision, sign-in, axe."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, NewPage
from tests.e2e.desk_story import (
    act,
    confirm_with_code,
    expect_status,
    make_unused_code,
    open_case,
    sign_up_staff,
)
from tests.e2e.people import PASSWORD, sign_out, sign_up, write
from tests.e2e.test_access import assert_axe_finds_nothing

pytestmark = pytest.mark.e2e

LISTS = (
    *("cases", "acts", "appeals", "players", "runs", "races", "dailies", "boards"),
    *("ratings", "shared", "side-by-side", "words", "log", "jobs", "prove"),
)


def expect_text(page: Page, words: str) -> None:
    """Check that the words are visible on the page."""
    expect(page.locator("main").get_by_text(words).first).to_be_visible()


def test_case_from_report_to_appeal_decision(
    new_page: NewPage, mail_folder: Path, site_environ: dict[str, str]
) -> None:
    player, other = new_page(viewport=PHONE), new_page(viewport=PHONE)
    rex = sign_up(player, mail_folder, "Rex Holt").name
    sign_up(other, mail_folder, "Wanda")
    first, second = new_page(viewport=DESKTOP), new_page(viewport=DESKTOP)
    for page, name in ((first, "Mona Ward"), (second, "Milo Ward")):
        confirm_with_code(
            page, sign_up_staff(page, mail_folder, site_environ, name, "moderator")[1]
        )

    # A player reports another.
    other.goto("/players/Rex%20Holt")
    other.get_by_role("button", name=f"Report {rex}").click()
    dialog = other.get_by_role("dialog")
    dialog.get_by_label("What did you see?").fill("He insults.")
    dialog.get_by_role("button", name="Send").click()
    dialog.get_by_role("button", name="Done").click()

    # A moderator finds the case, reads it and acts.
    open_case(first, rex)
    expect_text(first, "He insults.")
    assert_axe_finds_nothing(first)
    act(first, "suspend", "language", length="1 day", text="A day to cool down.")
    expect_status(first, "Suspend is in force.")
    assert_axe_finds_nothing(first)
    act(first, "close", "language")
    expect_status(first, "Close is in force.")

    # The suspended player reads the reason and appeals.
    player.goto("/account/standing")
    expect_text(player, "A day to cool down.")
    player.get_by_role("button", name="Appeal").click()
    player.get_by_label("What is wrong with this decision?").fill("It was my brother.")
    player.get_by_role("button", name="Send the appeal").click()
    expect_text(player, "Not decided yet.")

    # A moderator cannot decide an appeal against their own act; another one decides.
    first.goto("/desk/appeals/")
    first.get_by_role("link", name=rex).click()
    expect_text(first, "another moderator must decide the appeal")
    second.goto("/desk/appeals/")
    second.get_by_role("link", name=rex).click()
    expect_text(second, "It was my brother.")
    assert_axe_finds_nothing(second)
    second.get_by_label("Grant the appeal: the act is undone").check()
    second.get_by_label("Answer").fill("You were right.")
    second.get_by_role("button", name="Decide").click()
    expect_status(second, "The appeal is decided: lifted.")

    # The player sees the decision, and the log contains every step.
    player.reload()
    expect_text(player, "Granted.")
    expect_text(player, "You were right.")
    second.goto("/desk/log/")
    for verb in ("suspend", "close", "appeal_made", "appeal_decided"):
        expect_text(second, verb)
    second.get_by_role("button", name="Verify the log").click()
    expect_status(second, "The log is unchanged")


def test_desk_uses_the_sites_sign_in_page(
    new_page: NewPage, mail_folder: Path, site_environ: dict[str, str]
) -> None:
    page = new_page(viewport=DESKTOP)
    who, secret = sign_up_staff(
        page, mail_folder, site_environ, "Nora Ward", "administrator"
    )
    sign_out(page)
    page.goto("/desk/cases/")
    page.wait_for_url("**/sign-in?next=*")
    write(page, "username", who.name)
    write(page, "password", PASSWORD)
    page.keyboard.press("Enter")
    write(page, "code", make_unused_code(secret))
    page.keyboard.press("Enter")
    page.wait_for_url("**/desk/cases/")
    expect(page.locator("h1")).to_have_text("Cases")


def test_wrong_identity_code_can_be_corrected(
    new_page: NewPage, mail_folder: Path, site_environ: dict[str, str]
) -> None:
    page = new_page(viewport=PHONE)
    _, secret = sign_up_staff(page, mail_folder, site_environ, "Olga Ward", "helper")
    page.goto("/desk/prove/")
    page.get_by_label("Code of your authenticator").fill("000000")
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("alert")).not_to_be_empty()
    confirm_with_code(page, secret)


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE])
def test_axe_and_width_on_every_desk_list(
    new_page: NewPage,
    mail_folder: Path,
    site_environ: dict[str, str],
    viewport: dict[str, int],
) -> None:
    page = new_page(viewport=viewport)
    name = f"Anna {viewport['width']}"
    sign_up_staff(page, mail_folder, site_environ, name, "administrator")
    page.goto("/desk/")
    assert_axe_finds_nothing(page)
    for address in LISTS:
        page.goto(f"/desk/{address}/")
        page.locator("h1").wait_for()
        for summary in page.locator("summary").all():
            summary.click()
        assert_axe_finds_nothing(page)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= viewport["width"], address
    page.goto("/desk/players/")
    page.get_by_role("link", name=name).click()
    expect_text(page, "Standing: good")
    assert_axe_finds_nothing(page)


def test_player_without_role_cannot_open_desk(
    new_page: NewPage, mail_folder: Path
) -> None:
    page = new_page()
    sign_up(page, mail_folder, "Plain Pia")
    page.goto("/desk/")
    expect_text(page, "staff.role")
    assert_axe_finds_nothing(page)
