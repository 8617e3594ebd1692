"""Sign-up, sign-in and account settings, by keyboard only."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Response, expect

from tests.e2e.conftest import PHONE, NewPage
from tests.e2e.people import (
    PASSWORD,
    add_authenticator,
    confirm_with_password,
    expect_signed_out,
    make_authenticator_code,
    press,
    read_account,
    read_mailed_code,
    sign_in,
    sign_out,
    sign_up,
    sign_up_by_keyboard,
    tab_to,
    write,
)
from tests.e2e.test_access import assert_axe_finds_nothing

pytestmark = pytest.mark.e2e

LARGE_DESKTOP = {"width": 1440, "height": 900}
OPEN_TO_ALL = ("/sign-in", "/sign-up", "/reset-password", "/verify-email", "/account")
OWN = ("", "/security", "/sessions", "/programs", "/privacy", "/standing")


def expect_signed_in(page: Page, name: str) -> None:
    """Check that the header shows the name of the account."""
    account = page.get_by_role("link", name=f"Your account: {name}")
    expect(account).to_be_visible()


def expect_announced(page: Page, words: str) -> None:
    """Check that the words are visible and in the live region for screen readers."""
    expect(page.locator("main").get_by_text(words)).to_be_visible()
    expect(page.locator("#story")).to_contain_text(words)


def use_localhost(site: str) -> str:
    """Return the site's URL with a host name: passkeys do not work on IP addresses."""
    return site.replace("127.0.0.1", "localhost")


def test_guest_keeps_their_account_when_signing_up(
    new_page: NewPage, mail_folder: Path
) -> None:
    page = new_page(viewport=LARGE_DESKTOP)
    page.goto("/practice")
    press(page, "Play now")
    page.wait_for_url("**/play/*")
    guest = read_account(page)
    page.goto("/")
    press(page, "Sign up to save progress", role="link")
    expect(page.get_by_text(f"You play as {guest['name']}")).to_be_visible()
    expect(page.locator("h1")).to_be_focused()
    write(page, "username", "Ada")
    write(page, "email", "ada@example.org")
    write(page, "password", PASSWORD)
    press(page, "Sign up")
    page.wait_for_url("**/verify-email")
    page.reload()  # the page still asks for the code
    write(page, "key", "AAAA-AAAA")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The code is wrong.")).to_be_visible()
    code = read_mailed_code(mail_folder, "ada@example.org")
    write(page, "key", code.replace("-", "").lower())
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Welcome, Ada")
    kept = read_account(page)
    assert (kept["id"], kept["name"]) == (guest["id"], "Ada")
    assert not kept["is_guest"]
    press(page, "Play", role="link")
    expect(page.get_by_role("link", name="Continue")).to_be_visible()


def test_sign_up_errors_are_shown_at_their_fields(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/sign-up")
    press(page, "Sign up")
    name = page.locator("[name='username']")
    expect(name).to_be_focused()
    expect(name).to_have_accessible_description(re.compile("This field is required."))
    write(page, "username", "guest")
    write(page, "email", "nowhere")
    write(page, "password", "password")
    page.keyboard.press("Enter")
    expect(page.get_by_text("That name is reserved.")).to_be_visible()
    expect(page.get_by_text("That is not an e-mail address.")).to_be_visible()
    expect(page.get_by_text("Too easy to guess.")).to_be_visible()
    expect(name).to_be_focused()
    expect(name).to_have_attribute("aria-invalid", "true")


def test_sign_in_by_name_and_by_email(new_page: NewPage, mail_folder: Path) -> None:
    page = new_page()
    who = sign_up_by_keyboard(page, mail_folder, "Brun Hilde")
    sign_out(page)
    sign_in(page, who.name, "quite another thing")
    expect(page.get_by_text("No account has that name and password.")).to_be_visible()
    expect(page.locator("[name='password']")).to_be_focused()
    for login in (who.name.upper(), who.email):
        sign_in(page, login)
        expect_signed_in(page, who.name)
        sign_out(page)


def test_forgotten_password_is_reset_by_mail(
    new_page: NewPage, mail_folder: Path
) -> None:
    page = new_page()
    who = sign_up(page, mail_folder, "Caspar")
    code = read_mailed_code(mail_folder, who.email)
    sign_out(page)
    page.goto("/sign-in")
    press(page, "Forgot your password?", role="link")
    write(page, "email", who.email)
    page.keyboard.press("Enter")
    expect(page.get_by_text("a code is on its way")).to_be_focused()
    write(page, "key", read_mailed_code(mail_folder, who.email, but=code))
    write(page, "password", "eight lanterns under the stair")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Your password is changed.")).to_be_visible()
    sign_in(page, who.name, "eight lanterns under the stair")
    expect_signed_in(page, who.name)


def test_second_factor_is_set_up_used_and_turned_off(
    new_page: NewPage, mail_folder: Path
) -> None:
    page = new_page()
    who = sign_up(page, mail_folder, "Dagny")
    page.goto("/account/security")
    press(page, "Set up an app")
    code_field = page.locator("[name='code']:visible")
    expect(code_field).to_be_focused()
    secret = page.locator(".secret code").inner_text().replace(" ", "")
    code_field.press_sequentially(make_authenticator_code(secret))
    page.keyboard.press("Enter")
    confirm_with_password(page)
    spares = page.get_by_role("region", name="Recovery codes").locator("li code")
    expect(spares).to_have_count(10)
    with page.expect_download() as download:
        press(page, "Download codes")
    kept = Path(download.value.path()).read_text()
    spare = spares.first.inner_text()
    assert spare in kept
    sign_out(page)
    sign_in(page, who.name)
    expect(page.locator("h1")).to_have_text("Second factor")
    expect(code_field).to_be_focused()
    page.keyboard.type("000000")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The code is wrong.")).to_be_visible()
    write(page, "code", spare)
    page.keyboard.press("Enter")
    expect_signed_in(page, who.name)
    page.goto("/account/security")
    expect(page.get_by_text("9 of 10 are unused.")).to_be_visible()
    press(page, "Turn off")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    tab_to(page, dialog.get_by_role("button", name="Turn off"))
    page.keyboard.press("Enter")
    confirm_with_password(page)
    expect_announced(page, "The second factor is off.")


def test_passkey_is_added_used_and_removed(
    new_page: NewPage, site: str, mail_folder: Path
) -> None:
    page = new_page(base_url=use_localhost(site))
    add_authenticator(page)
    who = sign_up(page, mail_folder, "Egil")
    page.goto("/account/security")
    write(page, "name", "My phone")
    page.keyboard.press("Enter")
    confirm_with_password(page)
    remove = page.get_by_role("button", name="Remove the passkey My phone")
    expect(remove).to_be_visible()
    sign_out(page)
    page.goto("/sign-in")
    press(page, "Sign in with a passkey")
    expect_signed_in(page, who.name)
    page.goto("/account/security")
    press(page, "Remove the passkey My phone")
    tab_to(page, page.get_by_role("dialog").get_by_role("button", name="Remove"))
    page.keyboard.press("Enter")
    confirm_with_password(page)
    expect_announced(page, "“My phone” is removed.")
    expect(remove).to_have_count(0)


def test_passkeys_need_a_host_name(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/sign-in")
    press(page, "Sign in with a passkey")
    expect(page.locator("main").get_by_text("Open it as localhost")).to_be_visible()


def test_name_email_and_password_are_changed(
    new_page: NewPage, mail_folder: Path
) -> None:
    page = new_page()
    who = sign_up(page, mail_folder, "Frida")
    page.goto("/account")
    write(page, "name", "admin")
    page.keyboard.press("Enter")
    expect(page.get_by_text("That name is reserved.")).to_be_visible()
    write(page, "name", "Frida the Bold")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Frida the Bold")
    page.goto("/players/Frida")  # the old link redirects
    page.wait_for_url("**/players/Frida%20the%20Bold")
    page.goto("/account")
    write(page, "email", "frida@elsewhere.example")
    page.keyboard.press("Enter")
    confirm_with_password(page)
    write(page, "key", read_mailed_code(mail_folder, "frida@elsewhere.example"))
    page.keyboard.press("Enter")
    expect_announced(page, "Your e-mail is frida@elsewhere.example")
    assert read_account(page)["email"] == "frida@elsewhere.example"
    page.goto("/account/security")
    write(page, "current_password", "not this one")
    write(page, "new_password", "nine bats at the window")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The password is wrong.")).to_be_visible()
    write(page, "current_password", PASSWORD)
    page.keyboard.press("Enter")
    expect_announced(page, "You are signed out everywhere else.")
    assert who.email != read_account(page)["email"]


def test_sessions_are_listed_and_ended(new_page: NewPage, mail_folder: Path) -> None:
    here, there = new_page(), new_page()
    who = sign_up(here, mail_folder, "Gunnar")
    sign_in(there, who.email)
    expect_signed_in(there, who.name)
    here.goto("/account/sessions")
    expect(here.locator("main li")).to_have_count(2)
    press(here, "Sign out other devices")
    expect(here.locator("main li")).to_have_count(1)
    expect(here.get_by_role("heading", name="Sessions")).to_be_focused()
    there.goto("/account")
    expect(there.get_by_text("Sign in or sign up to see your account.")).to_be_visible()


def test_token_is_revoked_and_bot_is_declared(
    new_page: NewPage, mail_folder: Path
) -> None:
    page = new_page()
    who = sign_up(page, mail_folder, "Hild")
    page.goto("/account/programs")
    write(page, "name", "my first bot")
    tab_to(page, page.locator("[name='scopes'][value='play']"))
    page.keyboard.press("Space")
    press(page, "Create token")
    made = page.get_by_role("group", name="Your new token")
    expect(made).to_be_focused()
    token = made.locator("code").first.inner_text()
    headers = {"Authorization": f"Bearer {token}"}
    stranger = new_page()
    answer = stranger.request.get("/api/v1/account/", headers=headers)
    assert answer.json()["name"] == who.name
    page.reload()
    expect(page.get_by_text("may read and play")).to_be_visible()
    expect(page.get_by_text(token)).to_have_count(0)
    press(page, "Revoke the token my first bot")
    tab_to(page, page.get_by_role("dialog").get_by_role("button", name="Revoke"))
    page.keyboard.press("Enter")
    expect_announced(page, "is revoked")
    answer = stranger.request.get("/api/v1/account/", headers=headers)
    assert answer.status == 401
    press(page, "Turn into a bot account")
    dialog = page.get_by_role("dialog")
    for label in ("Turn into a bot account", "Turn permanently"):
        assert not read_account(page)["is_bot"]
        tab_to(page, dialog.get_by_role("button", name=label))
        page.keyboard.press("Enter")
    expect(page.get_by_text("Hild is a bot. This is permanent.")).to_be_visible()


def test_data_is_downloaded_and_account_deleted(
    new_page: NewPage, mail_folder: Path
) -> None:
    page = new_page()
    who = sign_up(page, mail_folder, "Ivar")
    page.goto("/account/privacy")
    with page.expect_download() as download:
        press(page, "Download my data")
    assert who.email in Path(download.value.path()).read_text()
    press(page, "Delete my account")
    expect(page.locator("[name='typed']")).to_be_focused()
    page.keyboard.type("ivan")
    write(page, "password", "not this one")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Type Ivar exactly.")).to_be_visible()
    write(page, "typed", who.name)
    page.keyboard.press("Enter")
    expect(page.get_by_text("The password is wrong.")).to_be_visible()
    write(page, "password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url.endswith("/"))
    sign_in(page, who.name)
    expect(page.get_by_text("No account has that name and password.")).to_be_visible()


def test_guest_confirms_sign_out_and_deletes_account(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/practice")
    press(page, "Play now")
    page.wait_for_url("**/play/*")
    page.goto("/account")
    press(page, "Sign out")
    dialog = page.get_by_role("dialog", name="Sign out and lose your runs?")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Sign out")).to_be_focused()
    press(page, "Delete my account")
    page.keyboard.type(read_account(page)["name"])
    page.keyboard.press("Enter")
    expect_signed_out(page)


def _saves_both_settings(answer: Response) -> bool:
    """Whether a response to a change has both the big text and the new key."""
    request = answer.request
    if not request.url.endswith("/api/v1/account/") or request.method != "PATCH":
        return False
    kept = answer.json()["preferences"]
    return bool(kept.get("big_text") and "f" in kept.get("keys", {}).values())


def test_settings_follow_the_account(new_page: NewPage, mail_folder: Path) -> None:
    here, there = new_page(), new_page()
    who = sign_up(here, mail_folder, "Jorunn")
    here.goto("/settings")
    with here.expect_response(_saves_both_settings) as saved:
        tab_to(here, here.get_by_label("Bigger text"))
        here.keyboard.press("Space")
        press(here, "w")
        here.keyboard.press("f")
    assert saved.value.ok
    sign_in(there, who.name)
    expect_signed_in(there, who.name)
    expect(there.locator("html")).to_have_attribute("data-text", "big")
    there.goto("/settings")
    expect(there.get_by_role("button", name="f", exact=True)).to_be_visible()


def test_public_profile_lists_abandoned_run(
    new_page: NewPage, mail_folder: Path
) -> None:
    page = new_page()
    who = sign_up(page, mail_folder, "Kari")
    page.goto("/practice")
    press(page, "Play now")
    page.wait_for_url("**/play/*")
    run = page.url.rsplit("/", 1)[1]
    abandon = """async id => (await fetch(`/api/v1/runs/${id}/abandon/`, {
        method: "POST",
        headers: {"X-CSRFToken": document.cookie.split("csrftoken=")[1].split(";")[0]},
    })).status"""
    assert page.evaluate(abandon, run) == 200
    other = new_page()
    other.goto(f"/players/{who.name.lower()}")
    expect(other.locator("h1")).to_have_text(who.name)
    tab_to(other, other.get_by_role("link", name="Abandoned"))
    other.keyboard.press("Enter")
    other.wait_for_url(f"**/replay/{run}")
    expect(other.locator("h1")).to_contain_text(f"{who.name} abandoned the run")
    other.goto("/players/nobody-at-all")
    expect(other.locator("h1")).to_have_text("Player not found")


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("viewport", [PHONE, LARGE_DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_nothing_on_account_pages(
    new_page: NewPage, mail_folder: Path, theme: str, viewport: dict[str, int]
) -> None:
    page = new_page(viewport=viewport, color_scheme=theme)
    for address in OPEN_TO_ALL:
        check_page(page, address)
    page.goto("/sign-up")
    press(page, "Sign up")
    assert_axe_finds_nothing(page)
    who = sign_up(page, mail_folder, f"Lot {theme} {viewport['width']}")
    for address in (*(f"/account{part}" for part in OWN), f"/players/{who.name}"):
        check_page(page, address)
    for address, button in (
        ("/account/privacy", "Delete my account"),
        ("/account/programs", "Turn into a bot account"),
        ("/account/security", "Set up an app"),
    ):
        page.goto(address)
        press(page, button)
        page.locator("main input:visible, dialog[open]").first.wait_for()
        assert_axe_finds_nothing(page)


def check_page(page: Page, address: str) -> None:
    """Open a page and check it with axe and for horizontal overflow."""
    page.goto(address)
    page.locator("h1").wait_for()
    page.wait_for_load_state("networkidle")
    assert_axe_finds_nothing(page)
    wide = "document.documentElement.scrollWidth - innerWidth"
    assert page.evaluate(wide) <= 0, address
