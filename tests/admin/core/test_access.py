"""Who comes in at the desk, and what each role finds there."""

import time
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.mfa.utils import encrypt
from django.test import Client
from django.utils import timezone

from game.models import Account, Act, Case
from tests.admin.conftest import fresh, page, refused_with, text_of
from tests.fixtures.accounts import auth, person
from tests.fixtures.moderation import do, report, staff
from tests.fixtures.runs import signed_in

LISTS = ("case", "act", "account", "run", "race")
MODERATORS_LISTS = ("appeal", "daily", "leaderboard", "rating", "auditentry")
MODERATORS_PAGES = ("jobs", "words", "shared", "side-by-side")


def test_nobody_is_sent_to_the_sites_own_sign_in(client: Client, db: None) -> None:
    answer = client.get("/desk/cases/?state=other")
    assert answer.status_code == 302
    assert answer["Location"] == "/sign-in?next=%2Fdesk%2Fcases%2F%3Fstate%3Dother"


def test_a_guest_is_nobody_here(ada_client: Client) -> None:
    assert ada_client.get("/desk/")["Location"].startswith("/sign-in?next=")


def test_a_player_is_told_that_it_is_not_for_him(eve_client: Client) -> None:
    answer = eve_client.get("/desk/")
    assert (answer.status_code, refused_with(answer)) == (403, "staff.role")
    assert "Cases" not in text_of(answer)


def test_staff_without_a_second_factor_are_sent_to_set_it_up(db: None) -> None:
    account = staff("Tom")
    Authenticator.objects.all().delete()
    answer = fresh(account).get("/desk/")
    assert (answer.status_code, refused_with(answer)) == (403, "staff.totp_required")
    assert 'href="/account"' in text_of(answer)


def test_banned_staff_do_not_come_in(mona: Account, anna: Account) -> None:
    do(anna, "ban", mona, length=timedelta(days=1))
    answer = signed_in(Account.objects.get(id=mona.id)).get("/desk/")
    assert answer.status_code in (302, 403)


@pytest.mark.parametrize(
    "address", ["login/", "logout/", "password_change/", "jsi18n/"]
)
def test_the_admins_own_doors_do_not_exist(mona_desk: Client, address: str) -> None:
    assert mona_desk.get(f"/desk/{address}").status_code == 404


def test_a_helper_finds_less_than_a_moderator(
    helen_desk: Client, mona_desk: Client
) -> None:
    for name in LISTS:
        assert helen_desk.get(page(name)).status_code == 200
    for address in (
        *(page(name) for name in MODERATORS_LISTS),
        *(f"/desk/{name}/" for name in MODERATORS_PAGES),
    ):
        answer = helen_desk.get(address)
        assert (answer.status_code, refused_with(answer)) == (403, "staff.role")
        assert mona_desk.get(address).status_code == 200
    menu = text_of(helen_desk.get("/desk/"))
    assert ">Cases<" in menu
    assert ">Log<" not in menu


def test_a_helper_sees_no_links_between_accounts(
    helen_desk: Client, mona_desk: Client, eve: Account
) -> None:
    address = page("account", eve.id)
    assert "Linked accounts" not in text_of(helen_desk.get(address))
    assert "Linked accounts" in text_of(mona_desk.get(address))


def test_an_act_needs_a_fresh_proof_and_keeps_what_was_typed(
    mona: Account, eve: Account
) -> None:
    client = signed_in(mona)  # a while ago
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


def test_a_code_at_the_sites_own_address_is_such_a_proof(
    mona: Account, eve: Account
) -> None:
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


def test_a_post_without_the_token_of_the_page_is_refused(
    mona: Account, eve: Account
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(mona)
    answer = client.post(page("account", eve.id), {"do": "act", "act-kind": "warn"})
    assert answer.status_code == 403
    assert not Act.objects.exists()


def test_the_policy_of_the_desk_is_the_sites(mona_desk: Client) -> None:
    policy = mona_desk.get("/desk/")["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "script-src 'self';" in policy


def test_no_page_has_an_inline_script_style_or_handler(
    mona_desk: Client, eve: Account
) -> None:
    report(person("Rex"), eve)
    for address in ("/desk/", page("case"), page("case", Case.objects.get().id)):
        shown = text_of(mona_desk.get(address))
        assert "<style" not in shown
        assert " style=" not in shown
        assert "onclick" not in shown
        assert shown.count("<script") == 1


def test_models_cannot_be_written_through_the_admin(
    mona_desk: Client, eve: Account
) -> None:
    for address in ("add/", f"{eve.id}/delete/", f"{eve.id}/history/"):
        assert mona_desk.get(f"{page('account')}{address}").status_code == 404
    answer = mona_desk.post(page("account"), {"action": "delete_selected"})
    assert answer.status_code in (200, 302)
    assert Account.objects.filter(id=eve.id).exists()


def test_a_password_alone_is_no_such_proof(mona: Account, eve: Account) -> None:
    client = signed_in(mona)
    totp = Authenticator.objects.get(user=mona)
    session, at = client.session, timezone.now()
    # Signed in before the second factor was there, and a password since.
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
