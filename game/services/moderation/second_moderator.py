"""Which acts need a second moderator, and who that may be."""

from datetime import timedelta

from django.db.models import Q

from game.contest.moderation.acts import (
    TIMED,
    ActKind,
    ActState,
    needs_second_moderator,
    time_alone,
)
from game.models import Account, Act, Appeal
from game.selectors.moderation.cases import linked_accounts
from game.services.core.errors import Kind, ServiceRefusal


def act_needs_second(act: Act) -> bool:
    """Whether the act, made now, is a proposal until another moderator confirms it."""
    kind = ActKind(act.kind)
    length = timedelta(seconds=act.length_s) if act.length_s else None
    alone = _time_alone(act) if kind in TIMED else timedelta()
    return needs_second_moderator(kind, length, alone=alone) or was_lifted_by_appeal(
        act
    )


def _time_alone(act: Act) -> timedelta:
    """How long the subject has been restricted in a row without a second moderator."""
    alone = Act.objects.filter(
        subject_id=act.subject_id,
        kind__in=TIMED,
        state__in=(ActState.IN_FORCE, ActState.UNDONE),
        second=None,
    )
    return time_alone(
        [
            (at, undone_at or until)
            for at, until, undone_at in alone.values_list("at", "until", "undone_at")
            if at is not None
        ],
        act.made_at,
    )


def was_lifted_by_appeal(act: Act) -> bool:
    """Return whether an appeal has lifted the same act of the same moderator before.

    Such an act needs a second moderator when it is repeated.
    """
    lifted = Act.objects.filter(
        kind=act.kind,
        subject_id=act.subject_id,
        target=act.target,
        appeal__outcome=Appeal.Outcome.LIFTED,
    )
    return lifted.filter(Q(by_id=act.by_id) | Q(second_id=act.by_id)).exists()


def require_other_second(staff: Account, act: Act) -> None:
    """Require a second moderator who shares no browser with the first.

    Raises act.second_same, act.second_linked.
    """
    if act.by_id == staff.id:
        raise ServiceRefusal(
            Kind.FORBIDDEN, "act.second_same", "Another moderator must confirm it."
        )
    if any(linked["id"] == staff.id for linked in linked_accounts(act.by_id)):
        raise ServiceRefusal(
            Kind.FORBIDDEN,
            "act.second_linked",
            "You share a browser with the moderator who proposed it. Another moderator"
            " must confirm it.",
        )
