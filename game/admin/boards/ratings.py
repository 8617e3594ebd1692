"""Ratings, and the ledger of changes of each."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from game.admin.core.site import admin_site
from game.admin.core.tables import PER_PAGE, ReadOnlyAdmin, datetime_column
from game.contest.moderation.roles import StaffRole
from game.models import Account, Rating, RatingChange, name_key


@admin.register(Rating, site=admin_site)
class RatingAdmin(ReadOnlyAdmin):
    """Ratings, the newest first."""

    path_prefix, list_title = "ratings", "Ratings"
    min_role = StaffRole.MODERATOR
    page_template = "admin/pages/rating.html"
    list_display = (
        "account",
        "ruleset",
        "pool",
        "rounded_rating",
        "rounded_deviation",
        "races",
        datetime_column("changed_at"),
    )
    list_filter = ("pool",)
    list_select_related = ("account",)
    allowed_lookups = frozenset({"pool__exact"})
    ordering = ("-pk",)
    search_fields = ("account__name_key",)
    search_help_text = "A player's name"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Rating], search_term: str
    ) -> tuple[QuerySet[Rating], bool]:
        """The ratings of the player of exactly that name."""
        term = search_term.strip()
        if not term:
            return queryset, False
        players = Account.objects.filter(name_key=name_key(term))
        return queryset.filter(account__in=players), False

    @admin.display(description="rating")
    def rounded_rating(self, rating: Rating) -> str:
        """The rating without decimals."""
        return f"{rating.rating:.0f}"

    @admin.display(description="deviation")
    def rounded_deviation(self, rating: Rating) -> str:
        """The deviation without decimals."""
        return f"{rating.deviation:.0f}"

    def page_context(self, request: HttpRequest, row: Rating) -> dict[str, Any]:
        """The rating and its latest changes, the newest first."""
        changes = RatingChange.objects.filter(
            account=row.account_id, ruleset=row.ruleset, pool=row.pool
        )
        return {
            "title": f"Rating of {row.account.name}, {row.ruleset}",
            "rating": row,
            "account": row.account,
            "lines": list(changes.order_by("-pk")[: 2 * PER_PAGE]),
        }
