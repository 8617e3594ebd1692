"""What every table of the desk is: read by page, never counted, written by services.

Nothing is added, changed or deleted through a model here. A page's forms each do one
service call; a refusal comes back with what was typed, its sentence and its code.
"""

from collections.abc import Callable, Sequence
from datetime import UTC
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin import ShowFacets
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import path
from unfold.admin import ModelAdmin
from unfold.paginator import InfinitePaginator
from unfold.views import ChangeList

from game.admin.core.access import role_in, role_required
from game.admin.core.form_responses import answer
from game.admin.core.forms import DeskForm
from game.contest.moderation.roles import StaffRole
from game.services.core.errors import not_found

PER_PAGE = 50
# Nobody leafs further; a filter or a name finds what lies deeper.
MOST_ROWS = 10_000


def moment_of(field: str) -> Callable[[Any], str]:
    """A column of moments, to the minute; empty where there is none."""

    @admin.display(description=field.removesuffix("_at").replace("_", " "))
    def column(row: Any) -> str:
        at = getattr(row, field)
        return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M") if at else ""

    return column


class DeskPaginator(InfinitePaginator):
    """Counts nothing: previous and next are enough, and no page lies too deep."""

    count = MOST_ROWS


class DeskChangeList(ChangeList):
    """Sorted as its table says, by an index, whatever the address asks for."""

    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Any]) -> list[str]:
        """The table's own order."""
        return list(self.model_admin.ordering or ["pk"])


class DeskAdmin(ModelAdmin):
    """A table to read: a list, and a page for each row."""

    address: ClassVar[str]
    least: ClassVar[StaffRole] = StaffRole.HELPER
    # The page of one row, and the query parameters that lists may be filtered by.
    page_template: ClassVar[str]
    lookups: ClassVar[frozenset[str]] = frozenset()
    list_title: ClassVar[str]
    # What the list says where nothing was asked for.
    list_words: ClassVar[str] = ""

    actions = None
    paginator = DeskPaginator
    list_per_page = PER_PAGE
    list_max_show_all = 0
    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    sortable_by = ()
    change_list_template = "admin/desk/list.html"

    def get_urls(self) -> list[Any]:
        """The list and the page of one row."""
        name = self.opts.model_name
        view = self.admin_site.admin_view
        return [
            path("", view(self.changelist_view), name=f"game_{name}_changelist"),
            path(
                "<str:object_id>/", view(self.change_view), name=f"game_{name}_change"
            ),
        ]

    def has_view_permission(
        self, request: HttpRequest, obj: Model | None = None
    ) -> bool:
        """By role alone; Django's permissions are nobody's here."""
        return role_in(request) >= self.least

    def has_module_permission(self, request: HttpRequest) -> bool:
        """The same."""
        return self.has_view_permission(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody: services write."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody: services write."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody: services write."""
        return False

    def lookup_allowed(self, lookup: str, value: str, request: Any = None) -> bool:
        """Only what the filters beside the list ask for."""
        return lookup in self.lookups

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Ours."""
        return DeskChangeList

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list."""
        role_required(request, self.least)
        words = {"title": self.list_title, "list_words": self.list_words}
        shown: HttpResponse = super().changelist_view(
            request, {**words, **(extra_context or {})}
        )
        return shown

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The page of one row, and what its forms do."""
        role_required(request, self.least)
        row = self.row_of(request, object_id)
        forms = self.forms_of(request, row)

        def shown() -> dict[str, Any]:
            site = self.admin_site.each_context(request)
            return {**site, "title": str(row), **self.show(request, row)}

        return answer(request, self.page_template, forms, shown)

    def row_of(self, request: HttpRequest, object_id: str) -> Any:
        """The row of a page. Raises *.not_found."""
        row = self.get_object(request, object_id)
        if row is None:
            raise not_found(str(self.opts.model_name))
        return row

    def show(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """What the page of a row shows."""
        raise NotImplementedError

    def forms_of(self, request: HttpRequest, row: Any) -> Sequence[DeskForm]:
        """What may be done from the page of a row."""
        return ()
