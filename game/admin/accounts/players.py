"""Players: their account, games, reports, cases and acts."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from game.admin.core.access import request_role
from game.admin.core.filters import TwoStateFilter
from game.admin.core.forms import AdminForm
from game.admin.core.site import admin_site
from game.admin.core.tables import ReadOnlyAdmin, datetime_column
from game.admin.moderation.forms import ActForm, ActSubject
from game.admin.runs.runs import run_lines
from game.contest.moderation.acts import ActTarget
from game.contest.moderation.roles import STAFF_ROLE_BY_KEY, StaffRole
from game.models import Account, Case, Entrant, Run, Session, name_key
from game.selectors.boards.ratings import ratings_of
from game.selectors.moderation.cases import account_timeline, acts_of, linked_accounts
from game.selectors.moderation.standing import reports_of, standing_show
from game.services.moderation.roles import Actor, role_set

MAX_ROWS = 25


class GuestFilter(TwoStateFilter):
    """Members, or guests."""

    title, parameter_name = "kind", "kind"
    default_label, other_label = "Members", "Guests"

    def filter_rows(self, queryset: Any, *, is_other: bool) -> Any:
        """Filter by `is_guest`."""
        return queryset.filter(is_guest=is_other)


class RoleForm(AdminForm):
    """Give an account a staff role, or remove it."""

    name, title, button = "role", "Role", "Set the role"

    role = forms.ChoiceField(
        required=False,
        choices=[(key, key or "none: a player") for key in STAFF_ROLE_BY_KEY],
        help_text="Staff can open this site once they have a second factor.",
    )

    def __init__(self, account: Account) -> None:
        super().__init__()
        self.account = account
        self.initial = {"role": account.staff_role}

    def perform(self, actor: Actor, at: datetime) -> str:
        """Raises what `role_set` raises."""
        role = self.cleaned_data["role"]
        account = role_set(actor=actor, account_id=self.account.id, role=role, at=at)
        return f"{account.name}: {role or 'no role'}."


@admin.register(Account, site=admin_site)
class PlayerAdmin(ReadOnlyAdmin):
    """Accounts, the most recently seen first."""

    path_prefix, list_title = "players", "Players"
    page_template = "admin/pages/player.html"
    list_display = (
        "name",
        "account_kind",
        "staff_role",
        datetime_column("created_at"),
        datetime_column("seen_at"),
        "restriction",
    )
    list_filter = (GuestFilter,)
    allowed_lookups = frozenset({"kind"})
    ordering = ("-seen_at", "pk")
    search_fields = ("name_key",)
    search_help_text = "The beginning of a name, or an id"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Account], search_term: str
    ) -> tuple[QuerySet[Account], bool]:
        """The players whose name begins so, or the one with that id."""
        term = search_term.strip()
        if not term:
            return queryset, False
        if Account.objects.filter(id=term).exists():
            return queryset.filter(id=term), False
        return queryset.filter(name_key__startswith=name_key(term)), False

    @admin.display(description="kind")
    def account_kind(self, account: Account) -> str:
        """Departed, bot, guest or member."""
        if account.closed_at:
            return "departed"
        if account.is_bot:
            return "bot"
        return "guest" if account.is_guest else "member"

    @admin.display(description="restriction")
    def restriction(self, account: Account) -> str:
        """Banned, cheat mark, or empty."""
        if account.banned_until and account.banned_until > timezone.now():
            return "banned"
        return "cheat mark" if account.cheat_marked_at else ""

    def page_context(self, request: HttpRequest, row: Account) -> dict[str, Any]:
        """The account's history; for moderators also links and the timeline."""
        at = timezone.now()
        runs = Run.objects.filter(account=row).select_related(
            "dungeon", "daily", "race"
        )
        seats = Entrant.objects.filter(account=row).select_related("race", "run")
        mails = EmailAddress.objects.filter(user=row, verified=True)
        sessions = Session.objects.filter(account=row, expire_date__gt=at)
        cases = Case.objects.filter(subject=row)
        context = {
            "title": row.name,
            "account": row,
            "what": self.account_kind(row),
            "is_verified": mails.exists(),
            "sessions": sessions.count(),
            "standing": standing_show(row, at=at),
            "acts": list(acts_of(row.id)[:MAX_ROWS]),
            "cases": list(cases.order_by("-opened_at")[:MAX_ROWS]),
            "runs": run_lines(runs.order_by("-started_at")[:MAX_ROWS]),
            "seats": list(seats.order_by("-joined_at")[:MAX_ROWS]),
            "ratings": ratings_of(row),
            "reports": reports_of(row.id)[:MAX_ROWS],
        }
        if request_role(request) >= StaffRole.MODERATOR:
            context["linked"] = linked_accounts(row.id)
            context["timeline"] = account_timeline(
                row, limit=100, reader_id=str(request.user.pk)
            )
        return context

    def page_forms(self, request: HttpRequest, row: Account) -> Sequence[AdminForm]:
        """The form of an act; for administrators also the form of the role."""
        role = request_role(request)
        forms: list[AdminForm] = [
            ActForm(
                role, frozenset({ActTarget.ACCOUNT}), ActSubject(subject=row, target="")
            )
        ]
        if role >= StaffRole.ADMINISTRATOR:
            forms.append(RoleForm(row))
        return forms
