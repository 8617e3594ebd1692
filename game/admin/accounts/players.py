"""Players: who they are, what they played, what was done about them."""

from collections.abc import Sequence
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from game.admin.core.access import role_in
from game.admin.core.filters import EitherFilter
from game.admin.core.forms import DeskForm, RoleForm
from game.admin.core.site import desk
from game.admin.core.tables import DeskAdmin, moment_of
from game.admin.moderation.act_forms import ActForm, Upon
from game.admin.runs.runs import lines_of
from game.contest.moderation.acts import ActTarget
from game.contest.moderation.roles import StaffRole
from game.models import Account, Case, Entrant, Run, Session, name_key
from game.selectors.boards.ratings import ratings_of
from game.selectors.moderation.cases import acts_of, linked_accounts, timeline
from game.selectors.moderation.standing import reports_of, standing_show

MOST = 25


class GuestFilter(EitherFilter):
    """Members, unless guests are asked for."""

    title, parameter_name = "kind", "kind"
    one, other = "Members", "Guests"

    def rows(self, queryset: Any, *, is_other: bool) -> Any:
        """By whether it is a guest's."""
        return queryset.filter(is_guest=is_other)


@admin.register(Account, site=desk)
class PlayerAdmin(DeskAdmin):
    """Accounts, who was here last first."""

    address, list_title = "players", "Players"
    page_template = "admin/desk/player.html"
    list_display = (
        "name",
        "what",
        "staff_role",
        moment_of("created_at"),
        moment_of("seen_at"),
        "barred",
    )
    list_filter = (GuestFilter,)
    lookups = frozenset({"kind"})
    ordering = ("-seen_at", "pk")
    search_fields = ("name_key",)
    search_help_text = "The beginning of a name, or an id"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Account], search_term: str
    ) -> tuple[QuerySet[Account], bool]:
        """By the name's beginning (an index has it), or by id."""
        term = search_term.strip()
        if not term:
            return queryset, False
        if Account.objects.filter(id=term).exists():
            return queryset.filter(id=term), False
        return queryset.filter(name_key__startswith=name_key(term)), False

    @admin.display(description="kind")
    def what(self, account: Account) -> str:
        """What sort of account."""
        if account.closed_at:
            return "departed"
        if account.is_bot:
            return "bot"
        return "guest" if account.is_guest else "member"

    @admin.display(description="barred")
    def barred(self, account: Account) -> str:
        """Whether it is banned or marked now."""
        if account.banned_until and account.banned_until > timezone.now():
            return "banned"
        return "cheat mark" if account.cheat_marked_at else ""

    def show(self, request: HttpRequest, row: Account) -> dict[str, Any]:
        """Its history; who else it may be, for moderators."""
        at = timezone.now()
        runs = Run.objects.filter(account=row).select_related(
            "dungeon", "daily", "race"
        )
        seats = Entrant.objects.filter(account=row).select_related("race", "run")
        mails = EmailAddress.objects.filter(user=row, verified=True)
        sessions = Session.objects.filter(account=row, expire_date__gt=at)
        cases = Case.objects.filter(subject=row)
        shown = {
            "title": row.name,
            "account": row,
            "what": self.what(row),
            "is_verified": mails.exists(),
            "sessions": sessions.count(),
            "standing": standing_show(row, at=at),
            "acts": list(acts_of(row.id)[:MOST]),
            "cases": list(cases.order_by("-opened_at")[:MOST]),
            "runs": lines_of(runs.order_by("-started_at")[:MOST]),
            "seats": list(seats.order_by("-joined_at")[:MOST]),
            "ratings": ratings_of(row),
            "reports": reports_of(row.id)[:MOST],
        }
        if role_in(request) >= StaffRole.MODERATOR:
            shown["linked"] = linked_accounts(row.id)
            shown["timeline"] = timeline(row, most=100, reader_id=str(request.user.pk))
        return shown

    def forms_of(self, request: HttpRequest, row: Account) -> Sequence[DeskForm]:
        """Acts on the account; its role, for administrators."""
        role = role_in(request)
        forms: list[DeskForm] = [
            ActForm(role, frozenset({ActTarget.ACCOUNT}), Upon(subject=row, target=""))
        ]
        if role >= StaffRole.ADMINISTRATOR:
            forms.append(RoleForm(row))
        return forms
