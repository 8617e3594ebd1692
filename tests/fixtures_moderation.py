"""Staff to act, and acts as short calls."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator

from game.models import Account, Act
from game.services.audit import audit_add
from game.services.moderation.acts import act_confirm, act_do, act_undo
from game.services.moderation.asked import ActAsked
from game.services.moderation.reports import ReportAsked, report_make
from game.services.moderation.roles import Actor
from tests.fixtures_accounts import person
from tests.fixtures_races import now


def staff(name: str, role: str = "moderator", **fields: Any) -> Account:
    """Somebody who keeps order, with his second factor set up."""
    account = person(name, is_staff=True, staff_role=role, **fields)
    Authenticator.objects.create(
        user=account, type=Authenticator.Type.TOTP, data={"secret": "x"}
    )
    audit_add(
        verb="role_set",
        at=now(),
        subject_id=account.id,
        facts={"before": "", "role": role, "console": True},
    )
    return account


def actor(account: Account, at: datetime | None = None) -> Actor:
    """Him, having shown just now who he is."""
    return Actor(account.id, at or now())


@pytest.fixture
def mona(db: None) -> Account:
    """A moderator."""
    return staff("Mona")


@pytest.fixture
def milo(db: None) -> Account:
    """Another moderator."""
    return staff("Milo")


def do(
    by: Account,
    kind: str,
    subject: Account | None = None,
    *,
    at: datetime | None = None,
    **asked: Any,
) -> Act:
    """An act, for fair play unless another reason is given."""
    at = at or now()
    asked.setdefault("reason", "fair_play")
    whole = ActAsked(kind=kind, subject_id=subject.id if subject else None, **asked)
    return act_do(actor=actor(by, at), asked=whole, at=at)


def agreed(by: Account, second: Account, kind: str, *args: Any, **asked: Any) -> Act:
    """An act that two agree on."""
    act = do(by, kind, *args, **asked)
    at = asked.get("at") or now()
    return act_confirm(actor=actor(second, at), act_id=act.id, at=at)


def undo(by: Account, act: Act, at: datetime | None = None, **more: Any) -> Act:
    """The act taken back."""
    at = at or now()
    more.setdefault("reason", "other")
    return act_undo(actor=actor(by, at), act_id=act.id, at=at, **more)


def report(
    reporter: Account, player: Account, kind: str = "cheating", **asked: Any
) -> Any:
    """A report from a profile, unless another place is given."""
    at = asked.pop("at", None) or now()
    asked.setdefault("place", "profile")
    whole = ReportAsked(player=player.name, kind=kind, **asked)
    return report_make(reporter=reporter, asked=whole, at=at)


DAY = timedelta(days=1)
