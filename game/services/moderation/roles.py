"""Staff roles: who has which, how they are given, and what staff must prove to act."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from allauth.mfa.models import Authenticator
from django.db import transaction

from game.contest.moderation.roles import STAFF_ROLE_BY_KEY, StaffRole
from game.models import Account, name_key
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.core.restrictions import require_not_banned
from game.services.moderation.audit import audit_add

PROOF_VALID_FOR: Final = timedelta(minutes=15)


class Actor(NamedTuple):
    """The account that acts, and when its session last proved who uses it (a sign-in
    or a second factor); None if never.
    """

    account_id: str
    proved_at: datetime | None


def role_of(account: Account) -> StaffRole:
    """Return the account's role; superusers are administrators."""
    if not account.is_active:
        return StaffRole.NOBODY
    if account.is_superuser:
        return StaffRole.ADMINISTRATOR
    return (
        STAFF_ROLE_BY_KEY[account.staff_role] if account.is_staff else StaffRole.NOBODY
    )


def has_totp(account_id: str) -> bool:
    """Return whether a second factor (an authenticator app) is set up."""
    totp = Authenticator.objects.filter(
        user_id=account_id, type=Authenticator.Type.TOTP
    )
    return bool(totp.exists())


def staff_require(actor: Actor, min_role: StaffRole, *, at: datetime) -> Account:
    """Return the account of staff who may act now.

    Raises staff.role, staff.totp_required, staff.reauthenticate, account.banned.
    """
    account = staff_require_reader(actor.account_id, min_role, at=at)
    if actor.proved_at is None or actor.proved_at <= at - PROOF_VALID_FOR:
        raise _refusal(
            "reauthenticate",
            "Confirm your identity again: acts need a confirmation within the last 15"
            " minutes.",
        )
    return account


def staff_require_reader(
    account_id: str, min_role: StaffRole, *, at: datetime
) -> Account:
    """Return the account of staff who may read; no recent proof is needed.

    Raises staff.role, staff.totp_required, account.banned.
    """
    account = Account.objects.filter(id=account_id).first()
    if account is None or role_of(account) < max(min_role, StaffRole.HELPER):
        raise _refusal("role", "Your role does not allow that.")
    require_not_banned(account, at=at)
    if not has_totp(account_id):
        raise _refusal("totp_required", "Staff need a second factor. Set one up first.")
    return account


def _refusal(code: str, text: str) -> ServiceRefusal:
    return ServiceRefusal(Kind.FORBIDDEN, f"staff.{code}", text)


@transaction.atomic
def role_set(*, actor: Actor, account_id: str, role: str, at: datetime) -> Account:
    """Give an account a role, or remove it (""). Only administrators may.

    Raises staff.*, account.not_found, role.unknown, role.own, account.guest.
    """
    staff = staff_require(actor, StaffRole.ADMINISTRATOR, at=at)
    _check_role(role)
    rows = Account.objects.select_for_update().filter(id=account_id, is_active=True)
    account = rows.first()
    if account is None:
        raise not_found("account")
    if account.id == staff.id:
        raise ServiceRefusal(
            Kind.FORBIDDEN,
            "role.own",
            "You cannot change your own role. Another administrator can.",
        )
    return _write_role(account, role, actor_id=staff.id, at=at)


@transaction.atomic
def role_set_by_name(*, name: str, role: str, at: datetime) -> Account:
    """Give the account of that name a role from the server's console.

    The first administrator of a site is made this way. Raises role.unknown,
    account.not_found, account.guest.
    """
    _check_role(role)
    rows = Account.objects.select_for_update().filter(is_active=True)
    account = rows.filter(name_key=name_key(name)).first()
    if account is None:
        raise not_found("account")
    return _write_role(account, role, actor_id=None, at=at)


def _check_role(role: str) -> None:
    if role not in STAFF_ROLE_BY_KEY:
        raise ServiceRefusal(Kind.MALFORMED, "role.unknown", "There is no such role.")


def _write_role(
    account: Account, role: str, *, actor_id: str | None, at: datetime
) -> Account:
    if account.is_guest:
        raise ServiceRefusal(
            Kind.FORBIDDEN, "account.guest", "A guest cannot be staff; sign up first."
        )
    facts: dict[str, object] = {"before": role_of(account).key, "role": role}
    if actor_id is None:
        facts["console"] = True
    account.staff_role = role
    account.is_staff = bool(role)
    account.is_superuser = False
    account.save(update_fields=["staff_role", "is_staff", "is_superuser"])
    audit_add(
        verb="role_set", at=at, actor_id=actor_id, subject_id=account.id, facts=facts
    )
    return account
