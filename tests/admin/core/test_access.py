"""Access to the moderation desk, and the pages of each role."""

import time
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.mfa.utils import encrypt
from django.test import Client
from django.utils import timezone

from game.models import Account, Act, Case
from tests.admin.conftest import page, recent_client, refused_with, text_of
from tests.fixtures.accounts import auth, person
from tests.fixtures.moderation import do, report, staff
from tests.fixtures.runs import signed_in

LISTS = ("case", "act", "account", "run", "race")
MODERATORS_LISTS = ("appeal", "daily", "leaderboard", "rating", "auditentry")
MODERATORS_PAGES = ("jobs", "words", "shared", "side-by-side")


def test_anonymous_request_is_redirected_to_sign_in(client: Client, db: None) -> None:
    answer = client.get("/desk/cases/?state=other")
    assert answer.status_code == 302
    assert answer["Location"] == "/sign-in?next=%2Fdesk%2Fcases%2F%3Fstate%3Dother"


def test_guest_is_redirected_to_sign_in(ada_client: Client) -> None:
    assert ada_client.get("/desk/")["Location"].startswith("/sign-in?next=")


def test_player_is_refused(eve_client: Client) -> None:
    answer = eve_client.get("/desk/")
    assert (answer.status_code, refused_with(answer)) == (403, "staff.role")
    assert "Cases" not in text_of(answer)


def test_staff_without_second_factor_are_asked_to_set_it_up(db: None) -> None:
    account = staff("Tom")
    Authenticator.objects.all().delete()
    answer = recent_client(account).get("/desk/")
    assert (answer.status_code, refused_with(answer)) == (403, "staff.totp_required")
    assert 'href="/account"' in text_of(answer)


def test_banned_staff_are_refused(mona: Account, anna: Account) -> None:
    do(anna, "ban", mona, length=timedelta(days=1))
    answer = signed_in(Account.objects.get(id=mona.id)).get("/desk/")
    assert answer.status_code in (302, 403)


@pytest.mark.parametrize(
    "address", ["login/", "logout/", "password_change/", "jsi18n/"]
)
def test_login_and_password_pages_of_django_do_not_exist(
    mona_client: Client, address: str
) -> None:
    assert mona_client.get(f"/desk/{address}").status_code == 404


def test_helper_sees_fewer_pages_than_moderator(
    helen_client: Client, mona_client: Client
) -> None:
    for name in LISTS:
        assert helen_client.get(page(name)).status_code == 200
    for address in (
        *(page(name) for name in MODERATORS_LISTS),
        *(f"/desk/{name}/" for name in MODERATORS_PAGES),
    ):
        answer = helen_client.get(address)
        assert (answer.status_code, refused_with(answer)) == (403, "staff.role")
        assert mona_client.get(address).status_code == 200
    menu = text_of(helen_client.get("/desk/"))
    assert ">Cases<" in menu
    assert ">Log<" not in menu


def test_helper_does_not_see_linked_accounts(
    helen_client: Client, mona_client: Client, eve: Account
) -> None:
    address = page("account", eve.id)
    assert "Linked accounts" not in text_of(helen_client.get(address))
    assert "Linked accounts" in text_of(mona_client.get(address))


def test_act_without_recent_proof_is_refused_and_keeps_the_text(
    mona: Account, eve: Account
) -> None:
    client = signed_in(mona)  # without a recent proof
    address = page("account", eve.id)
    shown = text_of(client.get(address))
    assert "data-prove" in shown
    sent = {
        "do": "act",
        "act-kind": "warn",
        "act-reason": "language",
        "act-text": "Mind your words.",
    }
    answer = client.post(address, sent)
    assert (answer.status_code, refused_with(answer)) == (403, "staff.reauthenticate")
    assert "Mind your words." in text_of(answer)
    assert not Act.objects.exists()
    session = client.session
    session["signed_in_at"] = (timezone.now() - timedelta(minutes=16)).timestamp()
    session.save()
    assert client.post(address, sent).status_code == 403
    session["signed_in_at"] = timezone.now().timestamp()
    session.save()
    assert client.post(address, sent).status_code == 302
    assert Act.objects.get().kind == "warn"


def test_totp_code_counts_as_proof(mona: Account, eve: Account) -> None:
    secret = "JBSWY3DPEHPK3PXP"
    Authenticator.objects.filter(user=mona).update(data={"secret": encrypt(secret)})
    client = signed_in(mona)
    sent = {"do": "act", "act-kind": "warn", "act-reason": "other"}
    assert client.post(page("account", eve.id), sent).status_code == 403
    code = format_hotp_value(hotp_value(secret, int(time.time()) // 30))
    proof = auth(client, "POST", "auth/2fa/reauthenticate", {"code": code})
    assert proof.status_code == 200
    assert client.post(page("account", eve.id), sent).status_code == 302
    assert "data-prove" not in text_of(client.get(page("account", eve.id)))


def test_post_without_csrf_token_is_refused(mona: Account, eve: Account) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(mona)
    answer = client.post(page("account", eve.id), {"do": "act", "act-kind": "warn"})
    assert answer.status_code == 403
    assert not Act.objects.exists()


def test_content_security_policy_is_that_of_the_site(mona_client: Client) -> None:
    policy = mona_client.get("/desk/")["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "script-src 'self';" in policy


def test_pages_have_no_inline_script_style_or_handler(
    mona_client: Client, eve: Account
) -> None:
    report(person("Rex"), eve)
    for address in ("/desk/", page("case"), page("case", Case.objects.get().id)):
        shown = text_of(mona_client.get(address))
        assert "<style" not in shown
        assert " style=" not in shown
        assert "onclick" not in shown
        assert shown.count("<script") == 1


def test_admin_cannot_write_models(mona_client: Client, eve: Account) -> None:
    for address in ("add/", f"{eve.id}/delete/", f"{eve.id}/history/"):
        assert mona_client.get(f"{page('account')}{address}").status_code == 404
    answer = mona_client.post(page("account"), {"action": "delete_selected"})
    assert answer.status_code in (200, 302)
    assert Account.objects.filter(id=eve.id).exists()


def test_password_alone_is_no_proof(mona: Account, eve: Account) -> None:
    client = signed_in(mona)
    totp = Authenticator.objects.get(user=mona)
    session, at = client.session, timezone.now()
    # Signed in before the second factor was set up, then entered the password.
    session["signed_in_at"] = (totp.created_at - timedelta(seconds=1)).timestamp()
    session["account_authentication_methods_user"] = mona.id
    session["account_authentication_methods"] = [
        {"method": "password", "at": at.timestamp(), "reauthenticated": True}
    ]
    session.save()
    sent = {"do": "act", "act-kind": "warn", "act-reason": "other"}
    answer = client.post(page("account", eve.id), sent)
    assert (answer.status_code, refused_with(answer)) == (403, "staff.reauthenticate")
    session["account_authentication_methods"] += [
        {"method": "mfa", "type": "totp", "at": at.timestamp()}
    ]
    session.save()
    assert client.post(page("account", eve.id), sent).status_code == 302
