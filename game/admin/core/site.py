"""The desk itself: one admin site, its ways in, and what every page of it is given.

Nobody signs in here: the admin's login, logout and password pages do not exist, and
whoever is not staff with a second factor is told so in a sentence.
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
    account_in,
    is_fresh,
    role_in,
    role_required,
    status_of,
    to_sign_in,
)
from game.contest.moderation.roles import StaffRole
from game.rules import Refusal
from game.services.core.errors import Kind, ServiceRefusal
from game.services.moderation.roles import staff_require_reader

View = Callable[..., HttpResponseBase]


class Page(NamedTuple):
    """A page that is no table's: its address, name, view and least role."""

    address: str
    name: str
    view: View
    least: StaffRole


class Place(NamedTuple):
    """A line of the desk's menu: its words, its page's name, its least role."""

    words: str
    name: str
    least: StaffRole


class DeskSite(UnfoldAdminSite):
    """Where staff work. Models are registered by the modules beside this one."""

    site_title = "Scoundrel Live desk"
    site_header = "The desk"
    index_title = "The desk"

    def __init__(self) -> None:
        super().__init__("admin")  # the name that the admin's own templates reverse
        self.pages: list[Page] = []
        self.places: list[Place] = []

    def page(self, address: str, name: str, least: StaffRole) -> Callable[[View], View]:
        """Add a page that is no table's."""

        def added(view: View) -> View:
            self.pages.append(Page(address, name, view, least))
            return view

        return added

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether it is staff; the second factor is asked for at the door."""
        return role_in(request) >= StaffRole.HELPER

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """The view, for staff alone; whatever is refused in it gets a page."""

        def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            account = account_in(request)
            if account is None:
                return to_sign_in(request)
            try:
                staff_require_reader(account.id, StaffRole.HELPER, at=timezone.now())
                _address_is_sound(request)
                answer: HttpResponseBase = view(request, *args, **kwargs)
            except Refusal as refusal:
                return self.away(request, refusal)
            return answer

        kept = inner if cacheable else never_cache(inner)
        return update_wrapper(csrf_protect(kept), view)

    def away(self, request: HttpRequest, refusal: Refusal) -> HttpResponse:
        """The page that says why not."""
        context = {
            **self.each_context(request),
            "title": "That is not possible",
            "refusal": refusal,
            "is_totp": refusal.code == "staff.totp_required",
        }
        return TemplateResponse(
            request, "admin/desk/away.html", context, status=status_of(refusal)
        )

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """What every page has: who is here, the menu, whether acts would pass."""
        role = role_in(request)
        is_staff = role >= StaffRole.HELPER
        return {
            "site_title": self.site_title,
            "site_header": self.site_header,
            "title": self.site_header,
            "has_permission": is_staff,
            "is_popup": False,
            "role": role.key,
            "is_fresh": is_staff and is_fresh(request, timezone.now()),
            "menu": self._menu(request, role),
        }

    def _menu(self, request: HttpRequest, role: StaffRole) -> list[dict[str, Any]]:
        lines = []
        for place in self.places:
            address = reverse(f"admin:{place.name}")
            here = request.path_info
            at_it = here == address or (
                place.name != "index" and here.startswith(address)
            )
            if role >= place.least:
                lines.append({"words": place.words, "href": address, "is_here": at_it})
        return lines

    def get_urls(self) -> list[Any]:
        """Its own pages and each table's two; none of the admin's for accounts."""
        found: list[URLPattern | URLResolver] = [
            path(one.address, self.admin_view(_for(one)), name=one.name)
            for one in self.pages
        ]
        found.extend(
            path(f"{tables.address}/", include(tables.get_urls()))
            for tables in self._registry.values()
        )
        return found


def _address_is_sound(request: HttpRequest) -> None:
    """No database text holds a NUL, so nothing is found by one. Raises
    address.malformed.
    """
    asked = [request.path_info, *(one for two in request.GET.lists() for one in two[1])]
    if any("\0" in one for one in asked):
        raise ServiceRefusal(
            Kind.MALFORMED, "address.malformed", "That is no address of the desk's."
        )


def _for(page: Page) -> View:
    def view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        role_required(request, page.least)
        return page.view(request, *args, **kwargs)

    return update_wrapper(view, page.view)


desk = DeskSite()
