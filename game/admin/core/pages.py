"""Pages that belong to no table: the overview, the identity check and the jobs."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone

from game.admin.core.access import request_role
from game.admin.core.forms import AdminForm, form_page
from game.admin.core.site import admin_site
from game.contest.moderation.roles import StaffRole
from game.selectors.core.jobs import jobs_show
from game.selectors.moderation.cases import (
    acts_proposed,
    appeals_undecided,
    cases_open,
)
from game.services.core.errors import Kind, ServiceRefusal
from game.services.maintenance.tick import tick
from game.services.moderation.roles import Actor, staff_require

MAX_SHOWN = 10


@admin_site.page("", "index", StaffRole.HELPER)
def index(request: HttpRequest) -> TemplateResponse:
    """Open cases; for moderators also proposals, appeals and the state of the jobs."""
    sections: dict[str, Any] = {"cases": list(cases_open()[:MAX_SHOWN])}
    if request_role(request) >= StaffRole.MODERATOR:
        sections |= {
            "proposals": list(acts_proposed()[:MAX_SHOWN]),
            "appeals": list(appeals_undecided()[:MAX_SHOWN]),
            "jobs": jobs_show(at=timezone.now()),
        }
    context = {**admin_site.each_context(request), **sections}
    return TemplateResponse(request, "admin/pages/index.html", context)


@admin_site.page("prove/", "prove", StaffRole.HELPER)
def prove(request: HttpRequest) -> TemplateResponse:
    """The form that confirms the identity; acts need it within the last 15 minutes."""
    context = {
        **admin_site.each_context(request),
        "title": "Confirm your identity",
        "has_recent_proof": False,
    }
    return TemplateResponse(request, "admin/pages/prove.html", context)


class TickForm(AdminForm):
    """Run the due jobs now, as the scheduler does. It is safe to run twice."""

    name, title, button = "tick", "Run due jobs", "Run due jobs now"

    def perform(self, actor: Actor, at: datetime) -> str:
        """Raises staff.*, tick.failed if a job failed."""
        staff_require(actor, StaffRole.ADMINISTRATOR, at=at)
        try:
            counts = tick(at=at)
        except ExceptionGroup as group:
            failed = ", ".join(type(error).__name__ for error in group.exceptions)
            raise ServiceRefusal(
                Kind.UNAVAILABLE,
                "tick.failed",
                f"Some jobs failed ({failed}); the others are done. See the table.",
            ) from group
        did = ", ".join(f"{name} {count}" for name, count in counts.items() if count)
        return f"Done: {did or 'nothing was due'}."


@admin_site.page("jobs/", "jobs", StaffRole.MODERATOR)
def jobs(request: HttpRequest) -> HttpResponse:
    """What is due, what ran, what failed, and how far the jobs lag."""
    can_tick = request_role(request) >= StaffRole.ADMINISTRATOR
    return form_page(
        request,
        "admin/pages/jobs.html",
        [TickForm()] if can_tick else [],
        lambda: {
            **admin_site.each_context(request),
            "title": "Jobs",
            "jobs": jobs_show(at=timezone.now()),
        },
    )
