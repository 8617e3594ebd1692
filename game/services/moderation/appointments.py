"""Roles given on the server's console: how a site comes by its first administrator."""

from datetime import datetime

from django.db import transaction

from game.contest.moderation.roles import STAFF_ROLE_BY_KEY
from game.models import Account, name_key
from game.services.core.errors import Kind, ServiceRefusal, not_found
from game.services.moderation.audit import audit_add
from game.services.moderation.roles import role_of


@transaction.atomic
def role_appoint(*, name: str, role: str, at: datetime) -> Account:
    """Give the account of that name a role ("" takes it), whoever sits at the console.

    Raises role.unknown, account.not_found, account.guest.
    """
    if role not in STAFF_ROLE_BY_KEY:
        raise ServiceRefusal(Kind.MALFORMED, "role.unknown", "There is no such role.")
    rows = Account.objects.select_for_update().filter(is_active=True)
    account = rows.filter(name_key=name_key(name)).first()
    if account is None:
        raise not_found("account")
    if account.is_guest:
        raise ServiceRefusal(Kind.FORBIDDEN, "account.guest", "Staff have signed up.")
    before = role_of(account).key
    account.staff_role, account.is_staff = role, bool(role)
    account.is_superuser = False
    account.save(update_fields=["staff_role", "is_staff", "is_superuser"])
    audit_add(
        verb="role_set",
        at=at,
        subject_id=account.id,
        facts={"before": before, "role": role, "console": True},
    )
    return account
