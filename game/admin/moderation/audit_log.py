"""The log of who did what: read, and proved unbroken. Nobody writes in it here."""

import json
from itertools import islice
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from game.admin.core.site import desk
from game.admin.core.tables import DeskAdmin, moment_of
from game.contest.moderation.roles import StaffRole
from game.models import Account, AuditEntry, AuditHead, name_key
from game.services.moderation.audit import audit_breaks

MOST_BREAKS = 20


@admin.register(AuditEntry, site=desk)
class LogAdmin(DeskAdmin):
    """Entries, the last first; `?verify=1` reads the whole chain through."""

    address, list_title = "log", "Log"
    least = StaffRole.MODERATOR
    page_template = "admin/desk/entry.html"
    change_list_template = "admin/desk/log.html"
    list_display = ("number", moment_of("at"), "actor", "verb", "subject", "target")
    list_select_related = ("actor", "subject")
    ordering = ("-number",)
    search_fields = ("target",)
    search_help_text = "A player's name, or such as act:ID"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[AuditEntry], search_term: str
    ) -> tuple[QuerySet[AuditEntry], bool]:
        """By account or target, whole."""
        term = search_term.strip()
        if not term:
            return queryset, False
        if ":" in term:
            return queryset.filter(target=term), False
        found = Account.objects.filter(name_key=name_key(term)).first()
        return queryset.filter(subject=found) if found else queryset.none(), False

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list, with what proving the chain said where that was asked for."""
        proof = _proof() if request.method == "POST" else None
        if request.method == "POST":
            # The list itself is only read: what was posted asked for the proof.
            request.method = "GET"
        return super().changelist_view(
            request, {**(extra_context or {}), "proof": proof}
        )

    def show(self, request: HttpRequest, row: AuditEntry) -> dict[str, Any]:
        """The entry with its facts and its hashes."""
        return {
            "title": f"Entry {row.number}: {row.verb}",
            "entry": row,
            "facts": json.loads(row.body),
        }


def _proof() -> dict[str, Any]:
    """{count, head, breaks: [(number, text)]}: at most the first twenty."""
    head = AuditHead.objects.filter(id=1).first()
    return {
        "count": head.count if head else 0,
        "head": head.hash if head else "",
        "breaks": list(islice(audit_breaks(), MOST_BREAKS)),
    }
