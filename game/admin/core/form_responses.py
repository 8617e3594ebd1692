"""How a page with forms answers: do what was sent, then go on or say why not."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils import timezone

from game.admin.core.access import actor_in, status_of
from game.admin.core.forms import DeskForm
from game.rules import Refusal
from game.services.core.errors import Kind, ServiceRefusal


def answer(
    request: HttpRequest,
    template: str,
    forms: Sequence[DeskForm],
    show: Callable[[], dict[str, Any]],
) -> HttpResponse:
    """The page; after an act, the page afresh; after a refusal, with what was typed."""
    refusal: Refusal | None = None
    if request.method == "POST":
        try:
            said = form_done(request, forms)
        except Refusal as found:
            refusal, said = found, None
        if said:
            messages.success(request, said)
            return HttpResponseRedirect(request.get_full_path())
    return TemplateResponse(
        request,
        template,
        {**show(), "forms": forms, "refusal": refusal},
        status=status_of(refusal) if refusal else 200,
    )


def form_done(request: HttpRequest, forms: Sequence[DeskForm]) -> str | None:
    """Do what the form that was sent asks for: a sentence if it is done.

    None where a field is wrong: the form says which. Raises form.unknown, and whatever
    its service refuses; the form keeps what was typed.
    """
    name = request.POST.get("do")
    form = next((one for one in forms if one.name == name), None)
    if form is None:
        raise ServiceRefusal(
            Kind.CONFLICT, "form.unknown", "That is not on this page any more."
        )
    form.fill(request.POST)
    if not form.is_valid():
        return None
    return form.perform(actor_in(request), timezone.now())
