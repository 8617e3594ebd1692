"""What staff and those whom they deal with do in a case, by the pages they have."""

import subprocess
import sys
import time
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.people import (
    Person,
    authenticator_code,
    press,
    show_who,
    sign_up,
)
from tests.parts import ROOT


def staff(
    page: Page, folder: Path, environ: dict[str, str], name: str, role: str
) -> tuple[Person, str]:
    """Somebody who signed up, set up his second factor, and was given a role by the
    console; with the factor's secret.
    """
    who = sign_up(page, folder, name)
    page.goto("/account/security")
    press(page, "Set up an app")
    secret = page.locator(".secret code").inner_text().replace(" ", "")
    page.locator("[name='code']:visible").press_sequentially(authenticator_code(secret))
    page.keyboard.press("Enter")
    show_who(page)
    page.get_by_role("region", name="Recovery codes").wait_for()
    command = [sys.executable, "manage.py", "appoint", name, "--role", role]
    subprocess.run(command, cwd=ROOT, env=environ, check=True, capture_output=True)
    return who, secret


def next_code(secret: str) -> str:
    """A code that has not been used: of the step to come, which is let pass early."""
    return authenticator_code(secret, at_s=time.time() + 30)


def prove(page: Page, secret: str) -> None:
    """Show by a code that it is oneself: setting the app up is not enough to act."""
    page.goto("/desk/prove/")
    page.get_by_label("Code of your authenticator").fill(next_code(secret))
    page.get_by_role("button", name="Confirm").click()
    said(page, "Identity confirmed.")


def open_case(page: Page, player: str) -> None:
    """From the desk's first page to the case about a player."""
    page.goto("/desk/")
    page.get_by_role("link", name=player).first.click()
    expect(page.locator("h1")).to_contain_text(player)


def act(
    page: Page, kind: str, reason: str, *, length: str = "", text: str = ""
) -> None:
    """Fill in the form of an act, and send it."""
    page.get_by_label("Act", exact=True).select_option(kind)
    if length:
        page.get_by_label("How long").select_option(label=length)
    page.get_by_label("Reason").select_option(reason)
    page.get_by_label("Text for the account").fill(text)
    page.get_by_role("button", name="Do it").click()


def said(page: Page, words: str) -> None:
    """The desk says what was done."""
    expect(page.get_by_role("status")).to_contain_text(words)
