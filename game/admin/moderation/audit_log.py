"""The audit log: its entries, and the check of its hash chain."""

import json
from itertools import islice
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from game.admin.core.site import admin_site
from game.admin.core.tables import ReadOnlyAdmin, datetime_column
from game.contest.moderation.roles import StaffRole
from game.models import Account, AuditEntry, AuditHead, name_key
from game.services.moderation.audit import audit_breaks

MAX_BREAKS = 20


@admin.register(AuditEntry, site=admin_site)
class AuditLogAdmin(ReadOnlyAdmin):
    """Entries, the newest first. A POST to the list verifies the whole chain."""

    path_prefix, list_title = "log", "Log"
    min_role = StaffRole.MODERATOR
    page_template = "admin/pages/entry.html"
    change_list_template = "admin/pages/log.html"
    list_display = (
        "number",
        datetime_column("at"),
        "actor",
        "verb",
        "subject",
        "target",
    )
    list_select_related = ("actor", "subject")
    ordering = ("-number",)
    search_fields = ("target",)
    search_help_text = "A player's name, or a target such as act:ID"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[AuditEntry], search_term: str
    ) -> tuple[QuerySet[AuditEntry], bool]:
        """The entries about exactly that player or target."""
        term = search_term.strip()
        if not term:
            return queryset, False
        if ":" in term:
            return queryset.filter(target=term), False
        player = Account.objects.filter(name_key=name_key(term)).first()
        return queryset.filter(subject=player) if player else queryset.none(), False

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list; after a POST with the result of the check."""
        check = _check_chain() if request.method == "POST" else None
        if request.method == "POST":
            # Django's list would treat a POST as an action on its rows.
            request.method = "GET"
        return super().changelist_view(
            request, {**(extra_context or {}), "check": check}
        )

    def page_context(self, request: HttpRequest, row: AuditEntry) -> dict[str, Any]:
        """The entry with its facts and hashes."""
        return {
            "title": f"Entry {row.number}: {row.verb}",
            "entry": row,
            "facts": json.loads(row.body),
        }


def _check_chain() -> dict[str, Any]:
    """Return {count, head, breaks}, with at most 20 breaks (number, text)."""
    head = AuditHead.objects.filter(id=1).first()
    return {
        "count": head.count if head else 0,
        "head": head.hash if head else "",
        "breaks": list(islice(audit_breaks(), MAX_BREAKS)),
    }
