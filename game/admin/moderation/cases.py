"""Cases of reports and flags, with the form of an act."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone

from game.admin.core.access import request_role
from game.admin.core.filters import TwoStateFilter
from game.admin.core.forms import AdminForm
from game.admin.core.links import report_target_url
from game.admin.core.site import admin_site
from game.admin.core.tables import ReadOnlyAdmin, datetime_column
from game.admin.moderation.forms import ActForm, ActSubject
from game.contest.moderation.acts import ActTarget
from game.contest.moderation.roles import StaffRole
from game.models import Account, Act, Case
from game.selectors.moderation.cases import account_timeline, case_show, linked_accounts
from game.selectors.moderation.standing import standing_show

# At most this many reported targets are suggested in the form of an act.
MAX_SUGGESTED = 50


class OpenFilter(TwoStateFilter):
    """Open cases, or closed ones."""

    title, parameter_name = "state", "state"
    default_label, other_label = "Open", "Closed"

    def filter_rows(self, queryset: Any, *, is_other: bool) -> Any:
        """Filter by `closed_at`."""
        return queryset.filter(closed_at__isnull=not is_other)


@admin.register(Case, site=admin_site)
class CaseAdmin(ReadOnlyAdmin):
    """Cases, those with the highest weight first."""

    path_prefix, list_title = "cases", "Cases"
    page_template = "admin/pages/case.html"
    list_display = (
        "subject",
        "kind",
        "rounded_weight",
        datetime_column("opened_at"),
        datetime_column("touched_at"),
        "outcome_or_open",
    )
    list_display_links = ("subject",)
    list_filter = (OpenFilter, "kind")
    list_select_related = ("subject",)
    allowed_lookups = frozenset({"kind__exact", "state"})
    ordering = ("-weight", "touched_at", "pk")
    search_fields = ("subject__name_key__startswith",)
    search_help_text = "A player's name"

    @admin.display(description="weight")
    def rounded_weight(self, case: Case) -> str:
        """The weight with one decimal."""
        return f"{case.weight:.1f}"

    @admin.display(description="outcome")
    def outcome_or_open(self, case: Case) -> str:
        """The outcome, or "open"."""
        return case.outcome or "open"

    def page_context(self, request: HttpRequest, row: Case) -> dict[str, Any]:
        """The case with its reports, flags and acts, and the history of its subject."""
        context = case_show(row)
        for report in context["reports"]:
            report["link"] = report_target_url(report["place"], report["target"])
        more = {}
        if request_role(request) >= StaffRole.MODERATOR:
            more = {
                "linked": linked_accounts(row.subject_id),
                "timeline": account_timeline(
                    row.subject, limit=60, reader_id=str(request.user.pk)
                ),
            }
        return {
            "title": f"Case: {row.kind.replace('_', ' ')}, {row.subject.name}",
            "case": context,
            "history": _history(row.subject, row),
            "standing": standing_show(row.subject, at=timezone.now()),
            **more,
        }

    def page_forms(self, request: HttpRequest, row: Case) -> Sequence[AdminForm]:
        """Any act in the case. The page of the act that closed a case reopens it."""
        if row.closed_at is not None:
            return ()
        targets = frozenset(ActTarget) - {ActTarget.DAILY}
        reported = row.reports.exclude(target="").values_list("target", flat=True)
        subject = ActSubject(
            row.id, row.subject, suggested_targets=reported[:MAX_SUGGESTED]
        )
        return [ActForm(request_role(request), targets, subject)]


def _history(account: Account, case: Case) -> dict[str, Any]:
    others = Case.objects.filter(subject=account).exclude(id=case.id)
    acts = Act.objects.filter(subject=account).select_related("by")
    return {
        "cases": list(others.order_by("-opened_at")[:20]),
        "acts": list(acts.order_by("-made_at")[:20]),
    }
