"""Who keeps order: roles, and what staff must show before they act."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from allauth.mfa.models import Authenticator
from django.db import transaction

from game.contest.moderation.roles import STAFF_ROLE_BY_KEY, StaffRole
from game.models import Account
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.core.restrictions import require_not_banned
from game.services.moderation.audit import audit_add

FRESH_FOR: Final = timedelta(minutes=15)


class Actor(NamedTuple):
    """Who acts, and when he last showed who he is (a sign-in, a password, a code)."""

    account_id: str
    proved_at: datetime | None


def role_of(account: Account) -> StaffRole:
    """The account's role; whoever was made on the server's console administers."""
    if not account.is_active:
        return StaffRole.NOBODY
    if account.is_superuser:
        return StaffRole.ADMINISTRATOR
    return (
        STAFF_ROLE_BY_KEY[account.staff_role] if account.is_staff else StaffRole.NOBODY
    )


def has_totp(account_id: str) -> bool:
    """Whether a second factor (an authenticator's code) is set up."""
    totp = Authenticator.objects.filter(
        user_id=account_id, type=Authenticator.Type.TOTP
    )
    return bool(totp.exists())


def staff_require(actor: Actor, least: StaffRole, *, at: datetime) -> Account:
    """The staff's account, if it may act now.

    Raises staff.role, staff.totp_required, staff.reauthenticate (403 each), and what
    `require_not_banned` does.
    """
    account = staff_read(actor.account_id, least, at=at)
    if actor.proved_at is None or actor.proved_at <= at - FRESH_FOR:
        raise _no(
            "reauthenticate", "Show who you are again: acts need it within 15 minutes."
        )
    return account


def staff_read(account_id: str, least: StaffRole, *, at: datetime) -> Account:
    """The same for who only reads: no fresh proof. Raises staff.role,
    staff.totp_required.
    """
    account = Account.objects.filter(id=account_id).first()
    if account is None or role_of(account) < max(least, StaffRole.HELPER):
        raise _no("role", "Your role does not allow that.")
    require_not_banned(account, at=at)
    if not has_totp(account_id):
        raise _no("totp_required", "Staff need a second factor: set it up first.")
    return account


def _no(code: str, text: str) -> ServiceRefusal:
    return ServiceRefusal(Kind.FORBIDDEN, f"staff.{code}", text)


@transaction.atomic
def role_set(*, actor: Actor, account_id: str, role: str, at: datetime) -> Account:
    """Give an account a role, or take it ("" for none). Administrators only.

    Raises staff.*, account.not_found, role.unknown, role.own, account.guest.
    """
    staff = staff_require(actor, StaffRole.ADMINISTRATOR, at=at)
    if role not in STAFF_ROLE_BY_KEY:
        raise ServiceRefusal(Kind.MALFORMED, "role.unknown", "There is no such role.")
    rows = Account.objects.select_for_update().filter(id=account_id, is_active=True)
    account = rows.first()
    if account is None:
        raise not_found("account")
    if account.id == staff.id:
        raise ServiceRefusal(
            Kind.FORBIDDEN, "role.own", "Another administrator changes your role."
        )
    if account.is_guest:
        raise ServiceRefusal(Kind.FORBIDDEN, "account.guest", "Staff have signed up.")
    before = role_of(account).key
    account.staff_role = role
    account.is_staff = bool(role)
    account.is_superuser = False
    account.save(update_fields=["staff_role", "is_staff", "is_superuser"])
    audit_add(
        verb="role_set",
        at=at,
        actor_id=staff.id,
        subject_id=account.id,
        facts={"before": before, "role": role},
    )
    return account
