"""Forms of the admin site: the base class, and the response of a page with forms."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.utils import timezone

from game.admin.core.access import refusal_status, request_actor
from game.rules import Refusal
from game.services.core.errors import Kind, ServiceRefusal
from game.services.moderation.roles import Actor


def key_label(key: str) -> str:
    """Return a key as a label: "void_race" is "Void race"."""
    return key.replace("_", " ").capitalize()


def text_field(label: str, max_length: int, help_text: str) -> forms.CharField:
    """Return an optional text field of several lines."""
    area = forms.Textarea(attrs={"rows": 2})
    return forms.CharField(
        label=label,
        max_length=max_length,
        required=False,
        widget=area,
        help_text=help_text,
    )


class AdminForm(forms.Form):
    """A form with a name, a heading and a button, which makes one service call."""

    name: ClassVar[str]
    title: ClassVar[str]
    button: ClassVar[str]

    def __init__(self) -> None:
        super().__init__(prefix=self.name)

    def bind(self, post: QueryDict) -> None:
        """Bind the form to what was sent."""
        self.data, self.is_bound = post, True

    def perform(self, actor: Actor, at: datetime) -> str:
        """Call the service; return a sentence that says what was done.

        Raises what the service refuses.
        """
        raise NotImplementedError


def form_page(
    request: HttpRequest,
    template: str,
    forms: Sequence[AdminForm],
    page_context: Callable[[], dict[str, Any]],
) -> HttpResponse:
    """Return the response of a page with forms.

    After a performed form it redirects to the page; after a refusal or an invalid field
    it shows the page again with everything that was typed.
    """
    refusal: Refusal | None = None
    if request.method == "POST":
        try:
            message = submit_form(request, forms)
        except Refusal as error:
            refusal, message = error, None
        if message:
            messages.success(request, message)
            return HttpResponseRedirect(request.get_full_path())
    return TemplateResponse(
        request,
        template,
        {**page_context(), "forms": forms, "refusal": refusal},
        status=refusal_status(refusal) if refusal else 200,
    )


def submit_form(request: HttpRequest, forms: Sequence[AdminForm]) -> str | None:
    """Perform the form that was sent; return its sentence, or None if it is invalid.

    Raises form.unknown, and what the form's service refuses.
    """
    name = request.POST.get("do")
    form = next((candidate for candidate in forms if candidate.name == name), None)
    if form is None:
        raise ServiceRefusal(
            Kind.CONFLICT,
            "form.unknown",
            "That form is not available on this page any more.",
        )
    form.bind(request.POST)
    if not form.is_valid():
        return None
    return form.perform(request_actor(request), timezone.now())
