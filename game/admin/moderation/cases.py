"""Cases: by weight, with all that is known of them, and what may be done."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone

from game.admin.core.access import role_in
from game.admin.core.filters import EitherFilter
from game.admin.core.forms import DeskForm
from game.admin.core.links import target_link
from game.admin.core.site import desk
from game.admin.core.tables import DeskAdmin, moment_of
from game.admin.moderation.act_forms import ActForm, Upon
from game.contest.moderation.acts import ActTarget
from game.contest.moderation.roles import StaffRole
from game.models import Account, Act, Case
from game.selectors.moderation.cases import case_show, linked_accounts, timeline
from game.selectors.moderation.standing import standing_show

# Of what reports name, as many are offered when an act asks on what it is done.
MOST_NAMED = 50


class OpenFilter(EitherFilter):
    """Open cases, unless closed ones are asked for."""

    title, parameter_name = "state", "state"
    one, other = "Open", "Closed"

    def rows(self, queryset: Any, *, is_other: bool) -> Any:
        """By whether it is closed."""
        return queryset.filter(closed_at__isnull=not is_other)


@admin.register(Case, site=desk)
class CaseAdmin(DeskAdmin):
    """What is open, the weightiest first."""

    address, list_title = "cases", "Cases"
    page_template = "admin/desk/case.html"
    list_display = (
        "subject",
        "kind",
        "weight_shown",
        moment_of("opened_at"),
        moment_of("touched_at"),
        "ended",
    )
    list_display_links = ("subject",)
    list_filter = (OpenFilter, "kind")
    list_select_related = ("subject",)
    lookups = frozenset({"kind__exact", "state"})
    ordering = ("-weight", "touched_at", "pk")
    search_fields = ("subject__name_key__startswith",)
    search_help_text = "A player's name"

    @admin.display(description="weight")
    def weight_shown(self, case: Case) -> str:
        """To one place."""
        return f"{case.weight:.1f}"

    @admin.display(description="outcome")
    def ended(self, case: Case) -> str:
        """How it ended, or that it has not."""
        return case.outcome or "open"

    def show(self, request: HttpRequest, row: Case) -> dict[str, Any]:
        """The case whole, and its subject."""
        shown = case_show(row)
        for report in shown["reports"]:
            report["link"] = target_link(report["place"], report["target"])
        more = {}
        if role_in(request) >= StaffRole.MODERATOR:
            more = {
                "linked": linked_accounts(row.subject_id),
                "timeline": timeline(
                    row.subject, most=60, reader_id=str(request.user.pk)
                ),
            }
        return {
            "title": f"Case: {row.kind.replace('_', ' ')}, {row.subject.name}",
            "case": shown,
            "history": _history(row.subject, row),
            "standing": standing_show(row.subject, at=timezone.now()),
            **more,
        }

    def forms_of(self, request: HttpRequest, row: Case) -> Sequence[DeskForm]:
        """Any act, in the case's name; a closed one is reopened by its act's page."""
        if row.closed_at is not None:
            return ()
        everything = frozenset(ActTarget) - {ActTarget.DAILY}
        named = row.reports.exclude(target="").values_list("target", flat=True)
        upon = Upon(row.id, row.subject, known=named[:MOST_NAMED])
        return [ActForm(role_in(request), everything, upon)]


def _history(account: Account, case: Case) -> dict[str, Any]:
    others = Case.objects.filter(subject=account).exclude(id=case.id)
    acts = Act.objects.filter(subject=account).select_related("by")
    return {
        "cases": list(others.order_by("-opened_at")[:20]),
        "acts": list(acts.order_by("-made_at")[:20]),
    }
