"""Helpers for the moderation desk: create staff, open cases, act on them."""

import subprocess
import sys
import time
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.people import (
    Person,
    make_authenticator_code,
    set_up_authenticator,
    sign_up,
)
from tests.parts import ROOT


def sign_up_staff(
    page: Page, folder: Path, environ: dict[str, str], name: str, role: str
) -> tuple[Person, str]:
    """Sign up, set up a second factor, and appoint the account to a staff role.

    Return the person and the secret of their second factor.
    """
    who = sign_up(page, folder, name)
    secret = set_up_authenticator(page)
    command = [sys.executable, "manage.py", "appoint", name, "--role", role]
    subprocess.run(command, cwd=ROOT, env=environ, check=True, capture_output=True)
    return who, secret


def make_unused_code(secret: str) -> str:
    """Return the code of the next time step: it is unused, and accepted early."""
    return make_authenticator_code(secret, at_s=time.time() + 30)


def confirm_with_code(page: Page, secret: str) -> None:
    """Confirm the identity with a code; setting up the app does not confirm it."""
    page.goto("/desk/prove/")
    page.get_by_label("Code of your authenticator").fill(make_unused_code(secret))
    page.get_by_role("button", name="Confirm").click()
    expect_status(page, "Identity confirmed.")


def open_case(page: Page, player: str) -> None:
    """Open the case about a player from the first page of the desk."""
    page.goto("/desk/")
    page.get_by_role("link", name=player).first.click()
    expect(page.locator("h1")).to_contain_text(player)


def act(
    page: Page, kind: str, reason: str, *, length: str = "", text: str = ""
) -> None:
    """Fill in the form for an act and submit it."""
    page.get_by_label("Act", exact=True).select_option(kind)
    if length:
        page.get_by_label("How long").select_option(label=length)
    page.get_by_label("Reason").select_option(reason)
    page.get_by_label("Text for the account").fill(text)
    page.get_by_role("button", name="Do it").click()


def expect_status(page: Page, words: str) -> None:
    """Check that the status message of the desk contains the words."""
    expect(page.get_by_role("status")).to_contain_text(words)
