"""The base of every table of the admin site: read-only, paged, never counted.

Models are not added, changed or deleted here. The forms of a page call services.
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

from game.admin.core.access import request_role, require_role
from game.admin.core.forms import AdminForm, form_page
from game.contest.moderation.roles import StaffRole
from game.services.core.errors import not_found

PER_PAGE = 50
# The pages of a list end here; a filter or a search finds rows beyond.
MOST_ROWS = 10_000


def datetime_column(field: str) -> Callable[[Any], str]:
    """Return a list column of a datetime, to the minute; empty for null."""

    @admin.display(description=field.removesuffix("_at").replace("_", " "))
    def column(row: Any) -> str:
        at = getattr(row, field)
        return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M") if at else ""

    return column


class UncountedPaginator(InfinitePaginator):
    """Paginates without counting rows: lists have only previous and next."""

    count = MOST_ROWS


class FixedOrderChangeList(ChangeList):
    """Ignores the order in the query string: each table has an order with an index."""

    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Any]) -> list[str]:
        """The order of the table."""
        return list(self.model_admin.ordering or ["pk"])


class ReadOnlyAdmin(ModelAdmin):
    """A read-only table: a list, and a page for each row."""

    path_prefix: ClassVar[str]
    min_role: ClassVar[StaffRole] = StaffRole.HELPER
    page_template: ClassVar[str]
    # The query parameters by which the list may be filtered.
    allowed_lookups: ClassVar[frozenset[str]] = frozenset()
    list_title: ClassVar[str]
    # A hint above the list.
    list_hint: ClassVar[str] = ""

    actions = None
    paginator = UncountedPaginator
    list_per_page = PER_PAGE
    list_max_show_all = 0
    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    sortable_by = ()
    change_list_template = "admin/pages/list.html"

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
        """By role; Django's permissions are not used."""
        return request_role(request) >= self.min_role

    def has_module_permission(self, request: HttpRequest) -> bool:
        """By role."""
        return self.has_view_permission(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: services write."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: services write."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: services write."""
        return False

    def lookup_allowed(self, lookup: str, value: str, request: Any = None) -> bool:
        """Only the parameters of the list's filters."""
        return lookup in self.allowed_lookups

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """The list with a fixed order."""
        return FixedOrderChangeList

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list, for the minimum role."""
        require_role(request, self.min_role)
        own_context = {"title": self.list_title, "list_hint": self.list_hint}
        response: HttpResponse = super().changelist_view(
            request, {**own_context, **(extra_context or {})}
        )
        return response

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The page of one row, and the handling of its forms."""
        require_role(request, self.min_role)
        row = self.get_row(request, object_id)
        forms = self.page_forms(request, row)

        def context() -> dict[str, Any]:
            site = self.admin_site.each_context(request)
            return {**site, "title": str(row), **self.page_context(request, row)}

        return form_page(request, self.page_template, forms, context)

    def get_row(self, request: HttpRequest, object_id: str) -> Any:
        """Return the row of a page. Raises *.not_found."""
        row = self.get_object(request, object_id)
        if row is None:
            raise not_found(str(self.opts.model_name))
        return row

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """Return the context of a row's page."""
        raise NotImplementedError

    def page_forms(self, request: HttpRequest, row: Any) -> Sequence[AdminForm]:
        """Return the forms of a row's page."""
        return ()
