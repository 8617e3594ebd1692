"""Acts and appeals: the lists, and the pages to confirm, undo or decide one."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from game.admin.core.access import request_role, signed_in_account
from game.admin.core.filters import TwoStateFilter
from game.admin.core.forms import AdminForm, key_label
from game.admin.core.links import act_target_url
from game.admin.core.site import admin_site
from game.admin.core.tables import ReadOnlyAdmin, datetime_column
from game.admin.moderation.forms import (
    ConfirmForm,
    DecideForm,
    DeclineForm,
    UndoForm,
    duration_label,
)
from game.contest.moderation.acts import INVERSES, RULES, ActKind, ActState
from game.contest.moderation.reasons import REASONS
from game.contest.moderation.roles import StaffRole
from game.models import Act, Appeal
from game.selectors.moderation.cases import act_show, audit_entries
from game.services.core.errors import ServiceRefusal
from game.services.moderation.act_checks import require_may_decline
from game.services.moderation.conflicts_of_interest import has_conflict_with


@admin.register(Act, site=admin_site)
class ActAdmin(ReadOnlyAdmin):
    """Acts and proposals, the newest first."""

    path_prefix, list_title = "acts", "Acts"
    page_template = "admin/pages/act.html"
    list_display = (
        "kind",
        "subject",
        "state",
        "by",
        "reason",
        datetime_column("made_at"),
        datetime_column("until"),
    )
    list_filter = ("state", "kind")
    list_select_related = ("subject", "by")
    allowed_lookups = frozenset({"state__exact", "kind__exact"})
    ordering = ("-made_at", "pk")
    search_fields = ("subject__name_key__startswith",)
    search_help_text = "A player's name"

    def page_context(self, request: HttpRequest, row: Act) -> dict[str, Any]:
        """The act, the act that undid it, its appeal, and its entries in the log."""
        kind = ActKind(row.kind)
        log = audit_entries(target=f"act:{row.id}") if _may_read_log(request) else []
        return {
            "title": f"{key_label(row.kind)}: {row.subject or row.target}",
            "act": act_show(row),
            "subject": row.subject,
            "case": row.case,
            "words": RULES[kind].words if kind in RULES else "",
            "reason_words": REASONS[row.reason],
            "length": duration_label(row.length_s) if _is_timed(kind) else "",
            "link": act_target_url(row.kind, row.target),
            "undone_by": Act.objects.filter(undoes=row).select_related("by").first(),
            "appeal": Appeal.objects.filter(act=row).first(),
            "log": log,
        }

    def page_forms(self, request: HttpRequest, row: Act) -> Sequence[AdminForm]:
        """Confirm or decline a proposal; undo an act in force."""
        role = request_role(request)
        if row.state == ActState.PROPOSED and role >= StaffRole.MODERATOR:
            return _proposal_forms(request, row)
        if has_conflict_with(str(request.user.pk), row):
            return []
        if row.state == ActState.IN_FORCE and row.kind not in INVERSES:
            return [UndoForm(row)]
        return []


def _proposal_forms(request: HttpRequest, act: Act) -> list[AdminForm]:
    """Confirm and decline, unless `act_decline` would refuse this moderator."""
    staff = signed_in_account(request)
    assert staff is not None  # `admin_view` lets only staff through
    try:
        require_may_decline(staff, act)
    except ServiceRefusal:
        return []
    return [ConfirmForm(act), DeclineForm(act)]


def _is_timed(kind: ActKind) -> bool:
    return kind in RULES and RULES[kind].is_timed


def _may_read_log(request: HttpRequest) -> bool:
    return request_role(request) >= StaffRole.MODERATOR


class UndecidedFilter(TwoStateFilter):
    """Undecided appeals, or decided ones."""

    title, parameter_name = "state", "state"
    default_label, other_label = "Undecided", "Decided"

    def filter_rows(self, queryset: Any, *, is_other: bool) -> Any:
        """Filter by outcome."""
        return queryset.exclude(outcome="") if is_other else queryset.filter(outcome="")


@admin.register(Appeal, site=admin_site)
class AppealAdmin(ReadOnlyAdmin):
    """Appeals, the oldest first."""

    path_prefix, list_title = "appeals", "Appeals"
    min_role = StaffRole.MODERATOR
    page_template = "admin/pages/appeal.html"
    list_display = (
        "account",
        "act_kind",
        datetime_column("at"),
        "outcome",
        datetime_column("decided_at"),
    )
    list_filter = (UndecidedFilter,)
    list_select_related = ("account", "act")
    allowed_lookups = frozenset({"state"})
    ordering = ("at", "pk")

    @admin.display(description="against")
    def act_kind(self, appeal: Appeal) -> str:
        """The kind of the act."""
        return key_label(appeal.act.kind)

    def page_context(self, request: HttpRequest, row: Appeal) -> dict[str, Any]:
        """The appeal and its act."""
        act = row.act
        return {
            "title": f"Appeal: {key_label(act.kind)}, {row.account.name}",
            "appeal": row,
            "act": act_show(act),
            "account": row.account,
            "reason_words": REASONS[act.reason],
            "had_part": request.user.pk in (act.by_id, act.second_id),
        }

    def page_forms(self, request: HttpRequest, row: Appeal) -> Sequence[AdminForm]:
        """The form that decides an undecided appeal."""
        if row.outcome or has_conflict_with(str(request.user.pk), row.act):
            return []
        return [DecideForm(row)]
