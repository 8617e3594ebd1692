"""Acts: roles, proofs, malformed requests, proposals, notices, log and undo."""

import json
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator

from game.contest.moderation.roles import StaffRole
from game.models import Account, Act, AuditEntry, Notice
from game.services.core.errors import Kind
from game.services.moderation.act_checks import ActRequest
from game.services.moderation.acts import act_confirm, act_decline, act_do
from game.services.moderation.audit import audit_breaks
from game.services.moderation.roles import Actor, role_of, role_set
from tests.fixtures.moderation import DAY, actor, do, do_confirmed, staff, undo
from tests.fixtures.races import expect_refusal, member, now

pytestmark = pytest.mark.django_db
MALFORMED, FORBIDDEN = Kind.MALFORMED, Kind.FORBIDDEN


@pytest.fixture
def dora(db: None) -> Account:
    return member("Dora")


def warning(subject: Account) -> ActRequest:
    return ActRequest(kind="warn", reason="other", subject_id=subject.id)


def test_act_writes_notice_and_log_entry(mona: Account, dora: Account) -> None:
    act = do(mona, "warn", dora, text="Let others write, too.")
    assert (act.state, act.subject, act.by) == ("in_force", dora, mona)
    notice = Notice.objects.get(account=dora)
    assert "Let others write, too." in notice.words
    entry = AuditEntry.objects.get(subject=dora)
    assert (entry.verb, entry.actor, entry.subject) == ("warn", mona, dora)
    assert entry.target == f"act:{act.id}"
    assert "Let others" not in entry.body
    assert not list(audit_breaks())


def test_act_is_undone_once(mona: Account, dora: Account) -> None:
    act = do(mona, "warn", dora)
    back = undo(mona, act, text="A mistake.")
    act.refresh_from_db()
    assert (act.state, back.kind, back.undoes) == ("undone", "withdraw_warning", act)
    assert [one.kind for one in Notice.objects.order_by("at")] == ["act", "lifted"]
    with expect_refusal("act.not_in_force"):
        undo(mona, act)
    with expect_refusal("act.not_found", Kind.NOT_FOUND):
        undo(mona, back)
    with expect_refusal("act.not_found", Kind.NOT_FOUND):
        undo(mona, Act(id="nothing"))


def test_acts_need_role_and_second_factor(ada: Account, dora: Account) -> None:
    helper = staff("Hal", "helper")
    for player in (ada, dora):
        with expect_refusal("staff.role", FORBIDDEN):
            do(player, "warn", ada)
    do(helper, "mute", dora, length=DAY)
    with expect_refusal("staff.role", FORBIDDEN):
        do(helper, "mute", dora, length=30 * DAY)
    with expect_refusal("staff.role", FORBIDDEN):
        do(helper, "ban", dora, length=DAY)
    Authenticator.objects.filter(user=helper).delete()
    with expect_refusal("staff.totp_required", FORBIDDEN):
        do(helper, "warn", dora)


def test_acts_need_a_recent_proof_of_identity(mona: Account, dora: Account) -> None:
    at = now()
    for proved in (None, at - timedelta(minutes=15)):
        with expect_refusal("staff.reauthenticate", FORBIDDEN):
            act_do(actor=Actor(mona.id, proved), request=warning(dora), at=at)
    fresh = Actor(mona.id, at - timedelta(minutes=14, seconds=59))
    act_do(actor=fresh, request=warning(dora), at=at)


def test_banned_staff_cannot_act(mona: Account, dora: Account) -> None:
    chief = staff("Chief", "administrator")
    do(chief, "ban", mona, length=DAY)
    with expect_refusal("account.banned", FORBIDDEN):
        do(mona, "warn", dora)


def test_acts_on_self_or_equal_role_are_refused(mona: Account, milo: Account) -> None:
    with expect_refusal("act.own", FORBIDDEN):
        do(mona, "warn", mona)
    with expect_refusal("act.rank", FORBIDDEN):
        do(mona, "warn", milo)
    do(mona, "warn", staff("Hal", "helper"))


def test_malformed_act_requests_are_refused(mona: Account, dora: Account) -> None:
    with expect_refusal("act.unknown", MALFORMED):
        do(mona, "unban", dora)
    with expect_refusal("act.reason_unknown", MALFORMED):
        do(mona, "warn", dora, reason="spite")
    with expect_refusal("act.text_too_long", MALFORMED):
        do(mona, "warn", dora, text="x" * 501)
    for length in (timedelta(0), timedelta(days=4000)):
        with expect_refusal("act.length", MALFORMED):
            do(mona, "mute", dora, length=length)
    with expect_refusal("act.length", MALFORMED):
        do(mona, "warn", dora, length=DAY)
    with expect_refusal("act.no_subject", MALFORMED):
        do(mona, "warn")
    missing = Account(id="nobody")
    with expect_refusal("account.not_found", Kind.NOT_FOUND):
        do(mona, "warn", missing)
    for kind, what in (("void_run", "run"), ("void_race", "race")):
        with expect_refusal(f"{what}.not_found", Kind.NOT_FOUND):
            do(mona, kind, target="nothing")
    with expect_refusal("daily.not_found", Kind.NOT_FOUND):
        do(mona, "void_daily", target="nothing")
    for target in ("nothing", "nothing:1", "x:y"):
        with expect_refusal("message.not_found", Kind.NOT_FOUND):
            do(mona, "delete_text", target=target)
    with expect_refusal("case.not_found", Kind.NOT_FOUND):
        do(mona, "dismiss")


def test_long_ban_needs_a_second_moderator(
    mona: Account, milo: Account, dora: Account
) -> None:
    act = do(mona, "ban", dora)
    dora.refresh_from_db()
    assert (act.state, dora.banned_until) == ("proposed", None)
    assert not Notice.objects.exists()
    with expect_refusal("act.second_same", FORBIDDEN):
        act_confirm(actor=actor(mona), act_id=act.id, at=now())
    with expect_refusal("staff.role", FORBIDDEN):
        act_confirm(actor=actor(staff("Hal", "helper")), act_id=act.id, at=now())
    done = act_confirm(actor=actor(milo), act_id=act.id, at=now())
    dora.refresh_from_db()
    assert (done.state, done.second) == ("in_force", milo)
    assert dora.banned_until is not None
    with expect_refusal("act.not_proposed"):
        act_confirm(actor=actor(milo), act_id=act.id, at=now())
    with expect_refusal("act.not_found", Kind.NOT_FOUND):
        act_confirm(actor=actor(milo), act_id="nothing", at=now())
    entries = AuditEntry.objects.filter(subject=dora).order_by("number")
    assert [entry.verb for entry in entries] == ["proposed", "ban"]


def test_proposal_is_declined(mona: Account, milo: Account, dora: Account) -> None:
    act = do(mona, "mark_cheat", dora)
    act_decline(actor=actor(milo), act_id=act.id, note="Not enough.", at=now())
    act.refresh_from_db()
    assert (act.state, act.note) == ("declined", "Not enough.")
    with expect_refusal("act.not_proposed"):
        act_decline(actor=actor(milo), act_id=act.id, at=now())
    with expect_refusal("act.not_in_force"):
        undo(mona, act)


def test_subject_or_equal_cannot_confirm_proposal(mona: Account, milo: Account) -> None:
    chief = staff("Chief", "administrator")
    act = do(chief, "ban", milo)
    with expect_refusal("act.own", FORBIDDEN):
        act_confirm(actor=actor(milo), act_id=act.id, at=now())
    with expect_refusal("act.rank", FORBIDDEN):
        act_confirm(actor=actor(mona), act_id=act.id, at=now())


def test_second_cheat_mark_is_refused(
    mona: Account, milo: Account, dora: Account
) -> None:
    do_confirmed(mona, milo, "mark_cheat", dora)
    with expect_refusal("act.already"):
        do(mona, "mark_cheat", dora)


def test_only_administrators_set_roles(mona: Account, dora: Account) -> None:
    chief = staff("Chief", "administrator")
    with expect_refusal("staff.role", FORBIDDEN):
        role_set(actor=actor(mona), account_id=dora.id, role="helper", at=now())
    made = role_set(actor=actor(chief), account_id=dora.id, role="helper", at=now())
    assert (made.is_staff, made.staff_role) == (True, "helper")
    entry = AuditEntry.objects.get(subject=dora)
    assert (entry.verb, entry.actor) == ("role_set", chief)
    role_set(actor=actor(chief), account_id=dora.id, role="", at=now())
    dora.refresh_from_db()
    assert not dora.is_staff


def test_invalid_roles_are_refused(ada: Account, dora: Account) -> None:
    chief = staff("Chief", "administrator")

    def give(account_id: str, role: str = "helper") -> None:
        role_set(actor=actor(chief), account_id=account_id, role=role, at=now())

    with expect_refusal("role.unknown", MALFORMED):
        give(dora.id, "king")
    with expect_refusal("role.own", FORBIDDEN):
        give(chief.id)
    with expect_refusal("account.guest", FORBIDDEN):
        give(ada.id)
    with expect_refusal("account.not_found", Kind.NOT_FOUND):
        give("nobody")


def test_only_moderators_confirm_and_decline(
    mona: Account, milo: Account, dora: Account
) -> None:
    helper = staff("Hal", "helper")
    act = do(mona, "mark_cheat", dora)
    for answer in (act_confirm, act_decline):
        with expect_refusal("staff.role", FORBIDDEN):
            answer(actor=actor(helper), act_id=act.id, at=now())


def test_declined_proposal_is_logged(
    mona: Account, milo: Account, dora: Account
) -> None:
    act = do(mona, "mark_cheat", dora)
    act_decline(actor=actor(milo), act_id=act.id, at=now())
    entries = AuditEntry.objects.filter(target=f"act:{act.id}").order_by("number")
    assert [(one.verb, one.actor) for one in entries] == [
        ("proposed", mona),
        ("declined", milo),
    ]


def test_length_of_a_proposal_counts_from_its_confirmation(
    mona: Account, milo: Account, dora: Account
) -> None:
    at = now()
    act = do(mona, "ban", dora, at=at, length=90 * DAY)
    later = at + 2 * DAY
    done = act_confirm(actor=actor(milo, later), act_id=act.id, at=later)
    assert (done.at, done.until) == (later, later + 90 * DAY)


def test_undoing_a_long_mute_needs_a_moderator(mona: Account, dora: Account) -> None:
    helper = staff("Hal", "helper")
    short = do(mona, "mute", dora, length=DAY)
    long = do(mona, "mute", dora, length=30 * DAY)
    # The moderator's later role no longer protects their acts from a helper.
    Account.objects.filter(id=mona.id).update(staff_role="helper")
    undo(helper, short)
    with expect_refusal("staff.role", FORBIDDEN):
        undo(helper, long)


def test_staff_cannot_undo_acts_on_themselves(mona: Account, dora: Account) -> None:
    act = do(mona, "warn", dora)
    Account.objects.filter(id=dora.id).update(is_staff=True, staff_role="moderator")
    Authenticator.objects.create(
        user=dora, type=Authenticator.Type.TOTP, data={"secret": "x"}
    )
    with expect_refusal("act.own", FORBIDDEN):
        undo(dora, act)


def test_new_role_replaces_that_of_a_superuser(dora: Account) -> None:
    chief = staff("Chief", "administrator")
    Account.objects.filter(id=dora.id).update(is_staff=True, is_superuser=True)
    made = role_set(actor=actor(chief), account_id=dora.id, role="helper", at=now())
    assert role_of(made) is StaffRole.HELPER
    entry = AuditEntry.objects.get(subject=dora)
    assert json.loads(entry.body) == {"before": "administrator", "role": "helper"}
