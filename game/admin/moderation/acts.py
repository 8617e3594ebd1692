"""Acts and appeals: what was done, what waits for a second, what is asked back."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from game.admin.core.access import account_in, role_in
from game.admin.core.filters import EitherFilter
from game.admin.core.forms import (
    ConfirmForm,
    DecideForm,
    DeclineForm,
    DeskForm,
    UndoForm,
    length_words,
    words_of,
)
from game.admin.core.links import act_target_link
from game.admin.core.site import desk
from game.admin.core.tables import DeskAdmin, moment_of
from game.contest.moderation.acts import INVERSES, RULES, ActKind, ActState
from game.contest.moderation.reasons import REASONS
from game.contest.moderation.roles import StaffRole
from game.models import Act, Appeal
from game.selectors.moderation.cases import act_show, audit_of
from game.services.core.errors import ServiceRefusal
from game.services.moderation.act_checks import require_may_decline
from game.services.moderation.conflicts_of_interest import has_conflict_with


@admin.register(Act, site=desk)
class ActAdmin(DeskAdmin):
    """Everything that was done, or is proposed."""

    address, list_title = "acts", "Acts"
    page_template = "admin/desk/act.html"
    list_display = (
        "kind",
        "subject",
        "state",
        "by",
        "reason",
        moment_of("made_at"),
        moment_of("until"),
    )
    list_filter = ("state", "kind")
    list_select_related = ("subject", "by")
    lookups = frozenset({"state__exact", "kind__exact"})
    ordering = ("-made_at", "pk")
    search_fields = ("subject__name_key__startswith",)
    search_help_text = "A player's name"

    def row_of(self, request: HttpRequest, object_id: str) -> Act:
        """The act with its people."""
        found: Act = super().row_of(request, object_id)
        return found

    def show(self, request: HttpRequest, row: Act) -> dict[str, Any]:
        """The act, what it undid or was undone by, its appeal, its lines in the log."""
        kind = ActKind(row.kind)
        log = audit_of(target=f"act:{row.id}") if _may_read_log(request) else []
        return {
            "title": f"{words_of(row.kind)}: {row.subject or row.target}",
            "act": act_show(row),
            "subject": row.subject,
            "case": row.case,
            "words": RULES[kind].words if kind in RULES else "",
            "reason_words": REASONS[row.reason],
            "length": length_words(row.length_s) if _is_timed(kind) else "",
            "link": act_target_link(row.kind, row.target),
            "undone_by": Act.objects.filter(undoes=row).select_related("by").first(),
            "appeal": Appeal.objects.filter(act=row).first(),
            "log": log,
        }

    def forms_of(self, request: HttpRequest, row: Act) -> Sequence[DeskForm]:
        """Agree or turn down what is proposed; take back what is in force."""
        role = role_in(request)
        if row.state == ActState.PROPOSED and role >= StaffRole.MODERATOR:
            return _answers_of(request, row)
        if has_conflict_with(str(request.user.pk), row):
            return []
        if row.state == ActState.IN_FORCE and row.kind not in INVERSES:
            return [UndoForm(row)]
        return []


def _answers_of(request: HttpRequest, act: Act) -> list[DeskForm]:
    """Nothing to whom the proposal is about, nor to a party of what it judges."""
    staff = account_in(request)
    assert staff is not None  # the site lets nobody else this far
    try:
        require_may_decline(staff, act)
    except ServiceRefusal:
        return []
    return [ConfirmForm(act), DeclineForm(act)]


def _is_timed(kind: ActKind) -> bool:
    return kind in RULES and RULES[kind].timed


def _may_read_log(request: HttpRequest) -> bool:
    return role_in(request) >= StaffRole.MODERATOR


class WaitingFilter(EitherFilter):
    """Those that wait, unless decided ones are asked for."""

    title, parameter_name = "state", "state"
    one, other = "Waiting", "Decided"

    def rows(self, queryset: Any, *, is_other: bool) -> Any:
        """By whether it has an outcome."""
        return queryset.exclude(outcome="") if is_other else queryset.filter(outcome="")


@admin.register(Appeal, site=desk)
class AppealAdmin(DeskAdmin):
    """What accounts ask to be looked at again, the oldest first."""

    address, list_title = "appeals", "Appeals"
    least = StaffRole.MODERATOR
    page_template = "admin/desk/appeal.html"
    list_display = (
        "account",
        "act_kind",
        moment_of("at"),
        "outcome",
        moment_of("decided_at"),
    )
    list_filter = (WaitingFilter,)
    list_select_related = ("account", "act")
    lookups = frozenset({"state"})
    ordering = ("at", "pk")

    @admin.display(description="against")
    def act_kind(self, appeal: Appeal) -> str:
        """The act's kind."""
        return words_of(appeal.act.kind)

    def show(self, request: HttpRequest, row: Appeal) -> dict[str, Any]:
        """The appeal beside the act."""
        act = row.act
        return {
            "title": f"Appeal: {words_of(act.kind)}, {row.account.name}",
            "appeal": row,
            "act": act_show(act),
            "account": row.account,
            "reason_words": REASONS[act.reason],
            "had_part": account_had_part(request, act),
        }

    def forms_of(self, request: HttpRequest, row: Appeal) -> Sequence[DeskForm]:
        """To decide it, until it is decided."""
        if row.outcome or has_conflict_with(str(request.user.pk), row.act):
            return []
        return [DecideForm(row)]


def account_had_part(request: HttpRequest, act: Act) -> bool:
    """Whether who looks did the act, or agreed to it: another decides then."""
    return request.user.pk in (act.by_id, act.second_id)
