"""Dailies, boards and ratings: read here, written by their own work alone."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from game.admin.core.access import role_in
from game.admin.core.forms import DeskForm
from game.admin.core.site import desk
from game.admin.core.tables import PER_PAGE, DeskAdmin, moment_of
from game.admin.moderation.act_forms import ActForm, Upon
from game.contest.moderation.acts import ActTarget
from game.contest.moderation.roles import StaffRole
from game.models import (
    Account,
    Act,
    Daily,
    DailyDigest,
    Leaderboard,
    Rating,
    RatingChange,
    name_key,
)
from game.selectors.boards.places import Place, page_after, ranked, total_of
from game.selectors.dailies.dailies import daily_line, players_of
from game.services.moderation.conflicts_of_interest import has_conflict


@admin.register(Daily, site=desk)
class DailyAdmin(DeskAdmin):
    """Days, the last first; those ahead are sealed."""

    address, list_title = "dailies", "Dailies"
    least = StaffRole.MODERATOR
    page_template = "admin/desk/daily.html"
    list_display = ("on", "ruleset", "planned", "chosen", moment_of("settled_at"))
    list_filter = ("ruleset",)
    lookups = frozenset({"ruleset__exact", "ruleset"})
    ordering = ("-on", "ruleset")

    @admin.display(description="dungeon")
    def chosen(self, daily: Daily) -> str:
        """Whether its dungeon is chosen yet."""
        return "chosen" if daily.dungeon_id else "sealed master only"

    def row_of(self, request: HttpRequest, object_id: str) -> Daily:
        """The daily with its dungeon, whose seal is public."""
        found: Daily = super().row_of(request, object_id)
        return found

    def show(self, request: HttpRequest, row: Daily) -> dict[str, Any]:
        """What everybody may see of it, its boards and its digests."""
        players = players_of([row]).get(row.id, 0)
        boards = Leaderboard.objects.filter(
            key="daily", ruleset=row.ruleset, span=row.on.isoformat()
        )
        return {
            "title": f"Daily of {row.on}, {row.ruleset}",
            "daily": row,
            "line": daily_line(row, at=timezone.now(), players=players),
            "digests": list(
                DailyDigest.objects.filter(daily=row)
                .defer("text")
                .order_by("-revision")
            ),
            "boards": list(boards),
            "acts": list(Act.objects.filter(target=row.id).select_related("by")),
        }

    def forms_of(self, request: HttpRequest, row: Daily) -> Sequence[DeskForm]:
        """To void it, once it is settled: two moderators do."""
        if row.settled_at is None or has_conflict(
            str(request.user.pk), ActTarget.DAILY, row.id
        ):
            return []
        return [
            ActForm(role_in(request), frozenset({ActTarget.DAILY}), Upon(target=row.id))
        ]


@admin.register(Leaderboard, site=desk)
class BoardAdmin(DeskAdmin):
    """Boards, the newest first."""

    address, list_title = "boards", "Boards"
    least = StaffRole.MODERATOR
    page_template = "admin/desk/board.html"
    list_display = (
        "key",
        "ruleset",
        "difficulty",
        "span",
        "pool",
        moment_of("closed_at"),
    )
    list_display_links = ("key", "span")
    list_filter = ("pool",)
    lookups = frozenset({"pool__exact", "pool"})
    ordering = ("-pk",)
    search_fields = ("span",)
    search_help_text = "A day, a week or a season"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Leaderboard], search_term: str
    ) -> tuple[QuerySet[Leaderboard], bool]:
        """By kind or span, whole."""
        term = search_term.strip()
        if not term:
            return queryset, False
        return queryset.filter(span=term) | queryset.filter(key=term), False

    def show(self, request: HttpRequest, row: Leaderboard) -> dict[str, Any]:
        """A page of it, by place; a live daily's shows who, not how well."""
        after = _place(request.GET.get("after", ""))
        lines = page_after(row.pk, after, PER_PAGE)
        more = len(lines) == PER_PAGE
        is_secret = row.key == "daily" and not _is_settled(row)
        return {
            "title": f"Board {row.key} {row.ruleset} {row.span} {row.pool}",
            "board": row,
            "total": total_of(row.pk),
            "is_secret": is_secret,
            "lines": [] if is_secret else ranked(row.pk, lines),
            "next": ",".join(map(str, lines[-1].place)) if more else None,
        }


def _place(text: str) -> Place | None:
    parts = text.split(",")
    if len(parts) != 3 or not all(p.lstrip("-").isdecimal() for p in parts):
        return None
    order, ms, key = (max(-(2**31), min(int(p), 2**31 - 1)) for p in parts)
    return Place(order, ms, key)


def _is_settled(board: Leaderboard) -> bool:
    of = Daily.objects.filter(ruleset=board.ruleset, on=board.span)
    return of.filter(settled_at__isnull=False).exists()


@admin.register(Rating, site=desk)
class RatingAdmin(DeskAdmin):
    """Ratings, and the ledger that each is made of."""

    address, list_title = "ratings", "Ratings"
    least = StaffRole.MODERATOR
    page_template = "admin/desk/rating.html"
    list_display = (
        "account",
        "ruleset",
        "pool",
        "shown",
        "spread",
        "races",
        moment_of("changed_at"),
    )
    list_filter = ("pool",)
    list_select_related = ("account",)
    lookups = frozenset({"pool__exact"})
    ordering = ("-pk",)
    search_fields = ("account__name_key",)
    search_help_text = "A player's name"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Rating], search_term: str
    ) -> tuple[QuerySet[Rating], bool]:
        """By a whole name."""
        term = search_term.strip()
        if not term:
            return queryset, False
        found = Account.objects.filter(name_key=name_key(term))
        return queryset.filter(account__in=found), False

    @admin.display(description="rating")
    def shown(self, rating: Rating) -> str:
        """To the point."""
        return f"{rating.rating:.0f}"

    @admin.display(description="deviation")
    def spread(self, rating: Rating) -> str:
        """To the point."""
        return f"{rating.deviation:.0f}"

    def show(self, request: HttpRequest, row: Rating) -> dict[str, Any]:
        """Its lines, the last first."""
        lines = RatingChange.objects.filter(
            account=row.account_id, ruleset=row.ruleset, pool=row.pool
        )
        return {
            "title": f"Rating of {row.account.name}, {row.ruleset}",
            "rating": row,
            "account": row.account,
            "lines": list(lines.order_by("-pk")[: 2 * PER_PAGE]),
        }
