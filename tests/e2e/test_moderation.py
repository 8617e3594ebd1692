"""Moderation as players see it: reports, notices, restrictions and appeals."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, NewPage
from tests.e2e.desk_story import (
    act,
    confirm_with_code,
    expect_status,
    open_case,
    sign_up_staff,
)
from tests.e2e.duel import join_by_link, make_race
from tests.e2e.people import sign_in, sign_up
from tests.e2e.test_access import assert_axe_finds_nothing

pytestmark = pytest.mark.e2e

# Start a run with a chosen seed, abandon it, and return its id.
ABANDONED_RUN = """async () => {
  const token = document.cookie.match(/csrftoken=([^;]*)/)[1];
  const headers = {"Content-Type": "application/json", "X-CSRFToken": token};
  const ask = async (path, body) => (await fetch(`/api/v1/runs/${path}`,
    {method: "POST", headers, body: JSON.stringify(body)})).json();
  const {id} = await ask("", {seed: "a"});
  await ask(`${id}/abandon/`, {});
  return id;
}"""


def report(page: Page, *, kind: str = "", text: str = "") -> None:
    """Fill in the open report dialog, send it, and check the confirmation."""
    dialog = page.get_by_role("dialog")
    if kind:
        dialog.get_by_label("What is it about?").select_option(label=kind)
    dialog.get_by_label("What did you see?").fill(text)
    assert_axe_finds_nothing(page)
    dialog.get_by_role("button", name="Send").click()
    expect(dialog.get_by_text("A moderator will look at it.")).to_be_visible()
    dialog.get_by_role("button", name="Done").click()


def follow_message_banner(page: Page) -> None:
    """Follow the banner about a message from the moderators to the standing page."""
    bar = page.get_by_role("status", name="From the moderators")
    expect(bar).to_contain_text("from the moderators", timeout=10_000)
    bar.get_by_role("link", name="Read").click()
    page.wait_for_url("**/account/standing")


def test_muted_player_appeals_and_is_granted(
    new_page: NewPage, mail_folder: Path, site_environ: dict[str, str]
) -> None:
    rudi, wilma = new_page(viewport=PHONE), new_page(viewport=PHONE)
    who = sign_up(rudi, mail_folder, "Rudi Roth")
    sign_up(wilma, mail_folder, "Wilma Weiss")
    mona, milo = new_page(viewport=DESKTOP), new_page(viewport=DESKTOP)
    for page, name in ((mona, "Mona Kern"), (milo, "Milo Kern")):
        confirm_with_code(
            page, sign_up_staff(page, mail_folder, site_environ, name, "moderator")[1]
        )

    # A player reports a chat message of another player.
    race = make_race(rudi)
    join_by_link(wilma, race)
    rudi.get_by_label("Message").fill("out of my way")
    rudi.get_by_role("button", name="Send", exact=True).click()
    wilma.get_by_role("button", name="Report this line of Rudi Roth").click()
    report(wilma, text="He says so to everybody.")
    # They also report the name, from the profile.
    wilma.goto("/players/Rudi%20Roth")
    wilma.get_by_role("button", name="Report Rudi Roth").click()
    report(wilma, kind="The name")

    # A moderator acts; the player's open page shows a banner.
    open_case(mona, who.name)
    expect(mona.locator("main").get_by_text("out of my way").first).to_be_visible()
    act(mona, "mute", "language", length="1 day", text="A day without chat.")
    expect_status(mona, "Mute is in force.")
    follow_message_banner(rudi)
    expect(rudi.get_by_text("Some features are restricted for now.")).to_be_visible()
    expect(rudi.get_by_text("“A day without chat.”")).to_be_visible()
    assert_axe_finds_nothing(rudi)

    # A refused chat message shows the reason.
    rudi.goto(f"/race/{race}")
    rudi.get_by_label("Message").fill("why?")
    rudi.get_by_role("button", name="Send", exact=True).click()
    expect(
        rudi.get_by_role("alert").filter(has_text="A day without chat.")
    ).to_be_visible()

    # The player can appeal once.
    rudi.goto("/account/standing")
    rudi.get_by_role("button", name="Appeal").click()
    rudi.get_by_label("What is wrong with this decision?").fill(
        "It was a joke between friends."
    )
    rudi.get_by_role("button", name="Send the appeal").click()
    expect(rudi.get_by_text("Not decided yet.")).to_be_visible()
    expect(rudi.get_by_role("button", name="Appeal")).to_be_hidden()

    # Another moderator grants the appeal; the player is notified.
    milo.goto("/desk/appeals/")
    milo.get_by_role("link", name=who.name).click()
    milo.get_by_label("Grant the appeal: the act is undone").check()
    milo.get_by_label("Answer").fill("So it was.")
    milo.get_by_role("button", name="Decide").click()
    expect_status(milo, "The appeal is decided: lifted.")
    rudi.goto("/")
    follow_message_banner(rudi)
    expect(rudi.get_by_text("Granted.", exact=True)).to_be_visible()
    expect(rudi.get_by_text("Your account has no restrictions.")).to_be_visible()
    wilma.goto("/account/standing")
    expect(wilma.get_by_role("region", name="Your reports")).to_contain_text(
        "Rudi Roth"
    )


def test_banned_player_can_only_read_reason_and_appeal(
    new_page: NewPage, mail_folder: Path, site_environ: dict[str, str]
) -> None:
    bernd, wanda = new_page(viewport=PHONE), new_page(viewport=PHONE)
    who = sign_up(bernd, mail_folder, "Bernd Bach")
    sign_up(wanda, mail_folder, "Wanda Wolf")
    chief = new_page(viewport=DESKTOP)
    confirm_with_code(
        chief,
        sign_up_staff(chief, mail_folder, site_environ, "Chief Kern", "moderator")[1],
    )
    wanda.goto("/players/Bernd%20Bach")
    wanda.get_by_role("button", name="Report Bernd Bach").click()
    report(wanda, kind="More than one account")
    # They also report a public replay.
    run = bernd.evaluate(ABANDONED_RUN)
    wanda.goto(f"/replay/{run}")
    wanda.get_by_role("button", name="Report this run").click()
    report(wanda, text="He knew what was coming.")

    make_race(bernd)
    open_case(chief, who.name)
    act(chief, "ban", "second_account", length="1 day", text="One account each.")
    expect_status(chief, "Ban is in force.")
    bar = bernd.get_by_role("status", name="From the moderators")
    expect(bar).to_contain_text("You were signed out.", timeout=10_000)

    sign_in(bernd, who.name)
    follow_message_banner(bernd)
    banned = bernd.get_by_text("This account is banned from playing.")
    expect(banned.first).to_be_visible()
    expect(bernd.get_by_text("“One account each.”")).to_be_visible()
    assert_axe_finds_nothing(bernd)
    bernd.get_by_role("button", name="Appeal").click()
    bernd.get_by_label("What is wrong with this decision?").fill("That is my sister.")
    bernd.get_by_role("button", name="Send the appeal").click()
    expect(bernd.get_by_text("Not decided yet.")).to_be_visible()
    refused = bernd.evaluate("async () => (await fetch('/api/v1/runs/')).status")
    assert refused == 403
