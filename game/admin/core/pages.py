"""The desk's own pages: where one begins, the periodic work, the list of words."""

from datetime import datetime
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone

from game.admin.core.access import role_in
from game.admin.core.form_responses import answer
from game.admin.core.forms import DeskForm
from game.admin.core.site import desk
from game.contest.moderation.roles import StaffRole
from game.models import FilterWord
from game.models.moderation.filter_word import WORD_LENGTH
from game.selectors.core.jobs import jobs_show
from game.selectors.moderation.cases import appeals_waiting, cases_open, proposals
from game.services.core.errors import Kind, ServiceRefusal
from game.services.maintenance.tick import tick
from game.services.moderation.filter_words import filter_word_add, filter_word_remove
from game.services.moderation.roles import Actor, staff_require

FEW = 10


@desk.page("", "index", StaffRole.HELPER)
def index(request: HttpRequest) -> TemplateResponse:
    """What waits for somebody."""
    shown: dict[str, Any] = {"cases": list(cases_open()[:FEW])}
    if role_in(request) >= StaffRole.MODERATOR:
        shown |= {
            "proposals": list(proposals()[:FEW]),
            "appeals": list(appeals_waiting()[:FEW]),
            "jobs": jobs_show(at=timezone.now()),
        }
    context = {**desk.each_context(request), **shown}
    return TemplateResponse(request, "admin/desk/index.html", context)


@desk.page("prove/", "prove", StaffRole.HELPER)
def prove(request: HttpRequest) -> TemplateResponse:
    """Where one shows again who one is: acts ask for it within 15 minutes."""
    context = {**desk.each_context(request), "title": "Is it you?", "is_fresh": False}
    return TemplateResponse(request, "admin/desk/prove.html", context)


class TickForm(DeskForm):
    """Do what is due, by hand: the same as beat does, and as harmless twice."""

    name, title, button = "tick", "Do what is due now", "Do what is due now"

    def perform(self, actor: Actor, at: datetime) -> str:
        """Raises staff.*, tick.failed where a part of it did."""
        staff_require(actor, StaffRole.ADMINISTRATOR, at=at)
        try:
            done = tick(at=at)
        except ExceptionGroup as group:
            failed = ", ".join(type(one).__name__ for one in group.exceptions)
            raise ServiceRefusal(
                Kind.UNAVAILABLE,
                "tick.failed",
                f"Some of it failed ({failed}); the rest is done. See the table.",
            ) from group
        did = ", ".join(f"{name} {count}" for name, count in done.items() if count)
        return f"Done: {did or 'nothing was due'}."


@desk.page("jobs/", "jobs", StaffRole.MODERATOR)
def jobs(request: HttpRequest) -> HttpResponse:
    """What is due, what ran, what failed, and how far it lags."""
    can_tick = role_in(request) >= StaffRole.ADMINISTRATOR
    return answer(
        request,
        "admin/desk/jobs.html",
        [TickForm()] if can_tick else [],
        lambda: {
            **desk.each_context(request),
            "title": "Jobs",
            "jobs": jobs_show(at=timezone.now()),
        },
    )


class WordForm(DeskForm):
    """Put a word on the list."""

    name, title, button = "add", "Add a word", "Add it"

    word = forms.CharField(
        max_length=WORD_LENGTH,
        help_text="Case, accents and lookalike letters do not matter. A star at its"
        " end stands for any ending.",
    )
    effect = forms.ChoiceField(
        choices=[
            (FilterWord.Effect.REFUSE, "Refuse the message, and flag who tried"),
            (FilterWord.Effect.FLAG, "Let it be said, and flag it"),
        ]
    )

    def perform(self, actor: Actor, at: datetime) -> str:
        """Raises staff.*, filter_word.*."""
        staff = staff_require(actor, StaffRole.MODERATOR, at=at)
        row = filter_word_add(by=staff, at=at, **self.cleaned_data)
        return f"On the list: {row.word}."


class WordOffForm(DeskForm):
    """Take a word off the list."""

    name, title, button = "remove", "Take a word off", "Take it off"

    word = forms.CharField(max_length=WORD_LENGTH)

    def perform(self, actor: Actor, at: datetime) -> str:
        """Raises staff.*."""
        staff = staff_require(actor, StaffRole.MODERATOR, at=at)
        word = self.cleaned_data["word"]
        was_on = filter_word_remove(word=word, by=staff, at=at)
        return (
            f"Off the list: {word}." if was_on else f"It was not on the list: {word}."
        )


@desk.page("words/", "words", StaffRole.MODERATOR)
def words(request: HttpRequest) -> HttpResponse:
    """The words that chats refuse or flag."""
    rows = FilterWord.objects.select_related("made_by").order_by("key")
    return answer(
        request,
        "admin/desk/words.html",
        [WordForm(), WordOffForm()],
        lambda: {
            **desk.each_context(request),
            "title": "Words that are not said",
            "words": list(rows),
        },
    )
