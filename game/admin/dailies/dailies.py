"""Dailies: read here; a day can be bridged; voiding one takes two moderators."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone

from game.admin.core.access import request_role
from game.admin.core.forms import AdminForm
from game.admin.core.site import admin_site
from game.admin.core.tables import ReadOnlyAdmin, datetime_column
from game.admin.moderation.forms import ActForm, ActSubject
from game.contest.moderation.acts import ActTarget
from game.contest.moderation.roles import StaffRole
from game.models import Act, Daily, DailyDigest, Leaderboard
from game.selectors.dailies.dailies import daily_line, player_counts
from game.services.moderation.conflicts_of_interest import has_conflict


@admin.register(Daily, site=admin_site)
class DailyAdmin(ReadOnlyAdmin):
    """Dailies, the newest first; future ones are sealed."""

    path_prefix, list_title = "dailies", "Dailies"
    min_role = StaffRole.MODERATOR
    page_template = "admin/pages/daily.html"
    list_display = (
        "on",
        "ruleset",
        "planned",
        "dungeon_state",
        datetime_column("settled_at"),
    )
    list_filter = ("ruleset",)
    allowed_lookups = frozenset({"ruleset__exact", "ruleset"})
    ordering = ("-on", "ruleset")

    @admin.display(description="dungeon")
    def dungeon_state(self, daily: Daily) -> str:
        """Whether the dungeon is drawn from the sealed master seed yet."""
        return "drawn" if daily.dungeon_id else "not drawn yet"

    def page_context(self, request: HttpRequest, row: Daily) -> dict[str, Any]:
        """What is public of the daily, its boards, digests and acts."""
        players = player_counts([row]).get(row.id, 0)
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

    def page_forms(self, request: HttpRequest, row: Daily) -> Sequence[AdminForm]:
        """The form of acts on a daily and its day, unless the moderator played it."""
        if has_conflict(str(request.user.pk), ActTarget.DAILY, row.id):
            return []
        targets = frozenset({ActTarget.DAILY})
        return [ActForm(request_role(request), targets, ActSubject(target=row.id))]
