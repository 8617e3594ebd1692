"""What people do at the doors of accounts, with keys alone: fields, buttons, codes.

Knows the pages by what a person knows them by; codes come out of the mail's folder.
"""

import base64
import hashlib
import hmac
import re
import struct
import time
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page, expect

PASSWORD = "seven torches in the hall"
CODE = re.compile(r"^([A-Z0-9]{4}-[A-Z0-9]{4})\s*$", re.MULTILINE)
ARRIVES_WITHIN_S = 20.0
MOST_STOPS = 90
HAS_FOCUS = "node => node === document.activeElement"
READ_ACCOUNT = "async () => await (await fetch('/api/v1/account/')).json()"
TOTP_STEP_S = 30


class Person(NamedTuple):
    """Who signed up, and how he gets in."""

    name: str
    email: str


def reach(page: Page, target: Locator) -> None:
    """Go to something with the Tab key, as far as a person would."""
    target.wait_for()
    for _ in range(MOST_STOPS):
        if target.evaluate(HAS_FOCUS):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{target} is not reached by {MOST_STOPS} tabs")


def write(page: Page, field: str, text: str) -> None:
    """Go to a field by its name, and write there instead of what there is."""
    reach(page, page.locator(f"[name='{field}']:visible"))
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


def press(page: Page, name: str, *, role: Any = "button") -> None:
    """Go to a button (or a link) and press Enter there."""
    reach(page, page.get_by_role(role, name=name, exact=True))
    page.keyboard.press("Enter")


def read_account(page: Page) -> dict[str, Any]:
    """The account that is signed in, as the server has it."""
    found: dict[str, Any] = page.evaluate(READ_ACCOUNT)
    return found


def sign_up(page: Page, folder: Path, name: str) -> Person:
    """From the page of signing up to one's own name."""
    who = Person(name, f"{name.replace(' ', '.').lower()}@example.org")
    page.goto("/sign-up")
    write(page, "username", who.name)
    write(page, "email", who.email)
    write(page, "password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/verify-email")
    write(page, "key", mailed_code(folder, who.email))
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(f"Welcome, {name}")
    return who


def sign_in(page: Page, who: str, password: str = PASSWORD) -> None:
    """As far as the password goes; what comes then is the caller's."""
    page.goto("/sign-in")
    write(page, "username", who)
    write(page, "password", password)
    page.keyboard.press("Enter")


def sign_out(page: Page) -> None:
    """Out, from the account's page to the door."""
    page.goto("/account")
    press(page, "Sign out")
    expect_nobody(page)


def expect_nobody(page: Page) -> None:
    """At the door, and the header knows nobody."""
    page.wait_for_url(lambda url: url.endswith("/"))
    site = page.get_by_role("navigation", name="Site")
    expect(site.get_by_role("link", name="Sign in", exact=True)).to_be_visible()


def show_who(page: Page) -> None:
    """Answer the dialog that asks once more who it is, with the password."""
    dialog = page.get_by_role("dialog", name="Confirm your identity")
    expect(dialog.locator("input[name='password']")).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()


def mailed_code(folder: Path, email: str, *, but: str = "") -> str:
    """The newest code that was mailed there, other than `but`."""
    deadline = time.monotonic() + ARRIVES_WITHIN_S
    while time.monotonic() < deadline:
        found = [code for code in _codes(folder, email) if code != but]
        if found:
            return found[-1]
        time.sleep(0.1)
    raise TimeoutError(f"no code came to {email}")


def _codes(folder: Path, email: str) -> list[str]:
    files = sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime_ns)
    mails = (mail for file in files for mail in file.read_text().split("-" * 79))
    return [
        code for mail in mails if f"To: {email}" in mail for code in CODE.findall(mail)
    ]


def authenticator_code(secret: str, *, at_s: float | None = None) -> str:
    """What an app shows for a secret (RFC 6238: SHA-1, 30 s, 6 digits)."""
    step = int((time.time() if at_s is None else at_s) // TOTP_STEP_S)
    key = base64.b32decode(secret)
    digest = hmac.new(key, struct.pack(">Q", step), hashlib.sha1).digest()
    start = digest[-1] & 15
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**6:06d}"


def add_authenticator(page: Page) -> None:
    """A device that makes passkeys and gives them without asking its owner."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
