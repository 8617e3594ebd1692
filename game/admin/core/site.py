"""The admin site: its access checks, its menu, and the context of every page.

It has no login, logout or password pages; staff sign in on the site. Accounts that are
not staff, or have no second factor, get a page that says so.
"""

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, include, path, reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from unfold.sites import UnfoldAdminSite

from game.admin.core.access import (
    has_recent_proof,
    redirect_to_sign_in,
    refusal_status,
    request_role,
    require_role,
    signed_in_account,
)
from game.contest.moderation.roles import StaffRole
from game.rules import Refusal
from game.services.core.errors import Kind, ServiceRefusal
from game.services.moderation.roles import staff_require_reader

View = Callable[..., HttpResponseBase]


class Page(NamedTuple):
    """A page that belongs to no table."""

    path: str
    name: str
    view: View
    min_role: StaffRole


class MenuItem(NamedTuple):
    """An item of the menu: its label, the name of its URL, its minimum role."""

    label: str
    url_name: str
    min_role: StaffRole


class GameAdminSite(UnfoldAdminSite):
    """The moderation desk. The subject packages register their tables here."""

    site_title = "Scoundrel Live moderation"
    site_header = "Moderation desk"
    index_title = "Moderation desk"

    def __init__(self) -> None:
        super().__init__("admin")  # Django's templates reverse this name
        self.pages: list[Page] = []
        self.menu_items: list[MenuItem] = []

    def page(self, path: str, name: str, min_role: StaffRole) -> Callable[[View], View]:
        """Register a page that belongs to no table."""

        def register(view: View) -> View:
            self.pages.append(Page(path, name, view, min_role))
            return view

        return register

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether the account is staff; `admin_view` also requires a second factor."""
        return request_role(request) >= StaffRole.HELPER

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Wrap a view: only staff may use it, and a refusal becomes a page."""

        def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            account = signed_in_account(request)
            if account is None:
                return redirect_to_sign_in(request)
            try:
                staff_require_reader(account.id, StaffRole.HELPER, at=timezone.now())
                _require_valid_address(request)
                response: HttpResponseBase = view(request, *args, **kwargs)
            except Refusal as refusal:
                return self.refusal_page(request, refusal)
            return response

        wrapped = inner if cacheable else never_cache(inner)
        return update_wrapper(csrf_protect(wrapped), view)

    def refusal_page(self, request: HttpRequest, refusal: Refusal) -> HttpResponse:
        """Return the page that shows a refusal."""
        context = {
            **self.each_context(request),
            "title": "Not possible",
            "refusal": refusal,
            "is_refusal_page": True,
            "is_totp": refusal.code == "staff.totp_required",
        }
        return TemplateResponse(
            request, "admin/pages/refusal.html", context, status=refusal_status(refusal)
        )

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Return what every page needs: role, menu, and whether the proof is recent."""
        role = request_role(request)
        is_staff = role >= StaffRole.HELPER
        return {
            "site_title": self.site_title,
            "site_header": self.site_header,
            "title": self.site_header,
            "has_permission": is_staff,
            "is_popup": False,
            "role": role.key,
            "has_recent_proof": is_staff and has_recent_proof(request, timezone.now()),
            "menu": self._menu(request, role),
        }

    def _menu(self, request: HttpRequest, role: StaffRole) -> list[dict[str, Any]]:
        items = []
        for item in self.menu_items:
            if role < item.min_role:
                continue
            href = reverse(f"admin:{item.url_name}")
            current = request.path_info
            is_current = current == href or (
                item.url_name != "index" and current.startswith(href)
            )
            items.append({"label": item.label, "href": href, "is_current": is_current})
        return items

    def get_urls(self) -> list[Any]:
        """Return the URLs of the registered pages and tables, and no others."""
        urls: list[URLPattern | URLResolver] = [
            path(page.path, self.admin_view(_with_role_check(page)), name=page.name)
            for page in self.pages
        ]
        urls.extend(
            path(f"{tables.path_prefix}/", include(tables.get_urls()))
            for tables in self._registry.values()
        )
        return urls


def _require_valid_address(request: HttpRequest) -> None:
    """Refuse NUL characters, which PostgreSQL cannot store.

    Raises address.malformed.
    """
    texts = [request.path_info]
    for _, values in request.GET.lists():
        texts += values
    if any("\0" in text for text in texts):
        raise ServiceRefusal(
            Kind.MALFORMED,
            "address.malformed",
            "The address contains a NUL character.",
        )


def _with_role_check(page: Page) -> View:
    def view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        require_role(request, page.min_role)
        return page.view(request, *args, **kwargs)

    return update_wrapper(view, page.view)


admin_site = GameAdminSite()
