"""Helpers for accounts: sign up, sign in, confirm, read codes. Forms by keyboard only.

Pages are used by visible names; codes are read from the mail folder.
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
MAIL_TIMEOUT_S = 20.0
MAX_TABS = 90
HAS_FOCUS = "node => node === document.activeElement"
READ_ACCOUNT = "async () => await (await fetch('/api/v1/account/')).json()"
TOTP_STEP_S = 30
ASK_SIGN_IN_API = """async ([method, path, body]) => {
  const token = /csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";
  const headers = {"Content-Type": "application/json", "X-CSRFToken": token};
  const sent = body ? {body: JSON.stringify(body)} : {};
  const url = `/_allauth/browser/v1/${path}`;
  return (await fetch(url, {method, headers, ...sent})).json();
}"""


class Person(NamedTuple):
    """A registered player: their name and mail address. The password is PASSWORD."""

    name: str
    email: str


def tab_to(page: Page, target: Locator) -> None:
    """Move the focus to the target with the Tab key, or fail after MAX_TABS."""
    target.wait_for()
    for _ in range(MAX_TABS):
        if target.evaluate(HAS_FOCUS):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{target} is not reached by {MAX_TABS} tabs")


def write(page: Page, field: str, text: str) -> None:
    """Replace the text of the field with that name, by keyboard."""
    tab_to(page, page.locator(f"[name='{field}']:visible"))
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


def press(page: Page, name: str, *, role: Any = "button") -> None:
    """Focus a button (or another role) by keyboard and press Enter."""
    tab_to(page, page.get_by_role(role, name=name, exact=True))
    page.keyboard.press("Enter")


def read_account(page: Page) -> dict[str, Any]:
    """Return the signed-in account from the REST API."""
    found: dict[str, Any] = page.evaluate(READ_ACCOUNT)
    return found


def sign_up(page: Page, folder: Path, name: str) -> Person:
    """Sign up and verify the mail address by the requests that the page sends."""
    who = _person(name)
    page.goto("/credits")
    form = {"username": name, "email": who.email, "password": PASSWORD}
    ask_sign_in_api(page, "POST", "auth/signup", form)
    key = read_mailed_code(folder, who.email)
    answer = ask_sign_in_api(page, "POST", "auth/email/verify", {"key": key})
    assert answer["status"] == 200, answer
    # The page looks for a session only if it has seen one.
    page.evaluate("localStorage.setItem('scoundrel.known', '1')")
    page.goto("/")
    return who


def sign_up_by_keyboard(page: Page, folder: Path, name: str) -> Person:
    """Sign up with the form, and verify the mail address."""
    who = _person(name)
    page.goto("/sign-up")
    write(page, "username", who.name)
    write(page, "email", who.email)
    write(page, "password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/verify-email")
    write(page, "key", read_mailed_code(folder, who.email))
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(f"Welcome, {name}")
    return who


def _person(name: str) -> Person:
    return Person(name, f"{name.replace(' ', '.').lower()}@example.org")


def ask_sign_in_api(
    page: Page, method: str, path: str, body: dict[str, str] | None = None
) -> dict[str, Any]:
    """Send a request to the sign-in API as the page does; return the body."""
    found: dict[str, Any] = page.evaluate(ASK_SIGN_IN_API, [method, path, body])
    return found


def set_up_authenticator(page: Page) -> str:
    """Set up an authenticator app for the signed-in account; return its secret."""
    ask_sign_in_api(page, "POST", "auth/reauthenticate", {"password": PASSWORD})
    path = "account/authenticators/totp"
    secret: str = ask_sign_in_api(page, "GET", path)["meta"]["secret"]
    code = {"code": make_authenticator_code(secret)}
    answer = ask_sign_in_api(page, "POST", path, code)
    assert answer["status"] == 200, answer
    return secret


def sign_in(page: Page, who: str, password: str = PASSWORD) -> None:
    """Submit the sign-in form with a name or mail address; do not wait for it."""
    page.goto("/sign-in")
    write(page, "username", who)
    write(page, "password", password)
    page.keyboard.press("Enter")


def sign_out(page: Page) -> None:
    """Sign out on the account page."""
    page.goto("/account")
    press(page, "Sign out")
    expect_signed_out(page)


def expect_signed_out(page: Page) -> None:
    """Check that the home page is open and its header offers to sign in."""
    page.wait_for_url(lambda url: url.endswith("/"))
    site = page.get_by_role("navigation", name="Site")
    expect(site.get_by_role("link", name="Sign in", exact=True)).to_be_visible()


def confirm_with_password(page: Page) -> None:
    """Confirm the identity dialog with the password."""
    dialog = page.get_by_role("dialog", name="Confirm your identity")
    expect(dialog.locator("input[name='password']")).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()


def read_mailed_code(folder: Path, email: str, *, but: str = "") -> str:
    """Wait for a code mailed to the address; return the newest other than `but`."""
    deadline = time.monotonic() + MAIL_TIMEOUT_S
    while time.monotonic() < deadline:
        found = [code for code in _read_codes(folder, email) if code != but]
        if found:
            return found[-1]
        time.sleep(0.1)
    raise TimeoutError(f"no code came to {email}")


def _read_codes(folder: Path, email: str) -> list[str]:
    files = sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime_ns)
    mails = (mail for file in files for mail in file.read_text().split("-" * 79))
    return [
        code for mail in mails if f"To: {email}" in mail for code in CODE.findall(mail)
    ]


def make_authenticator_code(secret: str, *, at_s: float | None = None) -> str:
    """Return the TOTP code of a secret (RFC 6238: SHA-1, 30 s, 6 digits)."""
    step = int((time.time() if at_s is None else at_s) // TOTP_STEP_S)
    key = base64.b32decode(secret)
    digest = hmac.new(key, struct.pack(">Q", step), hashlib.sha1).digest()
    start = digest[-1] & 15
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**6:06d}"


def add_authenticator(page: Page) -> None:
    """Add a virtual authenticator that creates and uses passkeys without asking."""
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
