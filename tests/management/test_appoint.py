"""`manage.py appoint` sets a role and records it in the audit log."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from game.contest.moderation.roles import StaffRole
from game.models import Account, AuditEntry
from game.services.moderation.audit import audit_breaks
from game.services.moderation.roles import role_of

pytestmark = pytest.mark.django_db


def appoint(*arguments: str) -> str:
    """Return the command's output."""
    out = StringIO()
    call_command("appoint", *arguments, stdout=out)
    return out.getvalue()


def test_registered_account_becomes_administrator(eve: Account) -> None:
    output = appoint("eve")
    assert "Eve: administrator." in output
    assert "second factor" in output
    eve.refresh_from_db()
    assert role_of(eve) is StaffRole.ADMINISTRATOR
    entry = AuditEntry.objects.get()
    assert (entry.verb, entry.actor, entry.subject) == ("role_set", None, eve)
    assert list(audit_breaks()) == []


def test_other_roles_are_given_and_removed(eve: Account) -> None:
    appoint("Eve", "--role", "moderator")
    eve.refresh_from_db()
    assert role_of(eve) is StaffRole.MODERATOR
    assert "no role" in appoint("Eve", "--role", "none")
    eve.refresh_from_db()
    assert role_of(eve) is StaffRole.NOBODY
    assert not eve.is_staff


def test_unknown_names_and_guests_are_refused(ada: Account) -> None:
    with pytest.raises(CommandError, match=r"account\.not_found"):
        appoint("Nobody At All")
    with pytest.raises(CommandError, match=r"account\.guest"):
        appoint(ada.name)
