"""Leaderboards, and the entries of each by rank."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from game.admin.core.site import admin_site
from game.admin.core.tables import PER_PAGE, ReadOnlyAdmin, datetime_column
from game.contest.moderation.roles import StaffRole
from game.models import Daily, Leaderboard
from game.selectors.boards.entries import Keyset, page_after, rank_lines, total_of
from game.selectors.core.numbers import parse_whole


@admin.register(Leaderboard, site=admin_site)
class LeaderboardAdmin(ReadOnlyAdmin):
    """Leaderboards, the newest first."""

    path_prefix, list_title = "boards", "Boards"
    min_role = StaffRole.MODERATOR
    page_template = "admin/pages/board.html"
    list_display = (
        "key",
        "ruleset",
        "difficulty",
        "span",
        "pool",
        datetime_column("closed_at"),
    )
    list_display_links = ("key", "span")
    list_filter = ("pool",)
    allowed_lookups = frozenset({"pool__exact", "pool"})
    ordering = ("-pk",)
    search_fields = ("span",)
    search_help_text = "A day, a week or a season"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Leaderboard], search_term: str
    ) -> tuple[QuerySet[Leaderboard], bool]:
        """The boards of exactly that span or key."""
        term = search_term.strip()
        if not term:
            return queryset, False
        return queryset.filter(span=term) | queryset.filter(key=term), False

    def page_context(self, request: HttpRequest, row: Leaderboard) -> dict[str, Any]:
        """One page of entries after `?after=`; none while the board's daily is open."""
        after = _parse_keyset(request.GET.get("after", ""))
        lines = page_after(row.pk, after, PER_PAGE)
        more = len(lines) == PER_PAGE
        is_secret = row.key == "daily" and not _is_settled(row)
        return {
            "title": f"Board {row.key} {row.ruleset} {row.span} {row.pool}",
            "board": row,
            "total": total_of(row.pk),
            "is_secret": is_secret,
            "lines": [] if is_secret else rank_lines(row.pk, lines),
            "next": ",".join(map(str, lines[-1].keyset)) if more else None,
        }


def _parse_keyset(text: str) -> Keyset | None:
    """Return the keyset of "order,ms,id", or None if it has another form."""
    parts = text.split(",")
    sizes = [parse_whole(part.removeprefix("-"), at_most=2**31 - 1) for part in parts]
    if len(sizes) != 3 or None in sizes:
        return None
    return Keyset(*map(int, parts))


def _is_settled(board: Leaderboard) -> bool:
    daily = Daily.objects.filter(ruleset=board.ruleset, on=board.span)
    return daily.filter(settled_at__isnull=False).exists()
