"""The page of filtered words: which words chat and names refuse or flag."""

from datetime import datetime

from django import forms
from django.http import HttpRequest, HttpResponse

from game.admin.core.forms import AdminForm, form_page
from game.admin.core.site import admin_site
from game.contest.moderation.roles import StaffRole
from game.models import FilterWord
from game.models.moderation.filter_word import WORD_LENGTH
from game.services.moderation.filter_words import filter_word_add, filter_word_remove
from game.services.moderation.roles import Actor, staff_require


class AddWordForm(AdminForm):
    """Add a word to the list."""

    name, title, button = "add", "Add a word", "Add it"

    word = forms.CharField(
        max_length=WORD_LENGTH,
        help_text="Case, accents and lookalike letters do not matter. A star at the end"
        " matches any ending.",
    )
    effect = forms.ChoiceField(
        choices=[
            (FilterWord.Effect.REFUSE, "Refuse the message and flag its author"),
            (FilterWord.Effect.FLAG, "Send the message and flag its author"),
        ]
    )

    def perform(self, actor: Actor, at: datetime) -> str:
        """Raises staff.*, filter_word.*."""
        staff = staff_require(actor, StaffRole.MODERATOR, at=at)
        row = filter_word_add(by=staff, at=at, **self.cleaned_data)
        return f"Added: {row.word}."


class RemoveWordForm(AdminForm):
    """Remove a word from the list."""

    name, title, button = "remove", "Remove a word", "Remove it"

    word = forms.CharField(max_length=WORD_LENGTH)

    def perform(self, actor: Actor, at: datetime) -> str:
        """Raises staff.*."""
        staff = staff_require(actor, StaffRole.MODERATOR, at=at)
        word = self.cleaned_data["word"]
        was_listed = filter_word_remove(word=word, by=staff, at=at)
        return f"Removed: {word}." if was_listed else f"Not on the list: {word}."


@admin_site.page("words/", "words", StaffRole.MODERATOR)
def filter_words(request: HttpRequest) -> HttpResponse:
    """The list of filtered words, with forms to add and remove."""
    rows = FilterWord.objects.select_related("made_by").order_by("key")
    return form_page(
        request,
        "admin/pages/words.html",
        [AddWordForm(), RemoveWordForm()],
        lambda: {
            **admin_site.each_context(request),
            "title": "Filtered words",
            "words": list(rows),
        },
    )
