"""The form of an act: which, on what, why, for how long, and in whose words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django import forms

from game.admin.core.forms import (
    FOR_GOOD,
    DeskForm,
    length_words,
    reason_field,
    said_of,
    words_field,
    words_of,
)
from game.contest.moderation.acts import OFFERED_LENGTHS, RULES, ActRule, ActTarget
from game.contest.moderation.roles import StaffRole
from game.models import Account
from game.models.moderation.acts import ACT_TEXT_LENGTH, NOTE_LENGTH
from game.services.moderation.act_checks import ActRequest
from game.services.moderation.acts import act_do
from game.services.moderation.roles import Actor

_LENGTHS = [
    ("", "The act has no length"),
    *(
        (str(int(one.total_seconds())), length_words(one.total_seconds()))
        for one in OFFERED_LENGTHS
    ),
    (FOR_GOOD, "For good"),
]


@dataclass(frozen=True, slots=True)
class Upon:
    """What a page's acts are about: a case, an account, or a thing's id.

    `target`: None where the form asks for it, offering what is `known`. `people`: who
    may be chosen to act on, id and name.
    """

    case_id: str | None = None
    subject: Account | None = None
    target: str | None = None
    people: Sequence[tuple[str, str]] | None = None
    known: Iterable[str] = ()


class ActForm(DeskForm):
    """An act: which, why, for how long, and in whose words."""

    name, title, button = "act", "Act", "Do it"

    kind = forms.ChoiceField(label="Act")
    target = forms.CharField(
        label="On what",
        max_length=40,
        required=False,
        help_text="A race's or run's id, or race:number of a chat line; acts on the"
        " account or the case need none.",
    )
    subject = forms.ChoiceField(label="Whom", required=False)
    length = forms.ChoiceField(
        label="How long",
        required=False,
        choices=_LENGTHS,
        help_text="Bans of more than 30 days need a second moderator.",
    )
    reason = reason_field()
    text = words_field("Words for the account", ACT_TEXT_LENGTH, "Neutral words.")
    note = words_field("Note", NOTE_LENGTH, "Staff alone read this.")

    def __init__(
        self, role: StaffRole, targets: frozenset[ActTarget], upon: Upon
    ) -> None:
        super().__init__()
        self.upon, self.known = upon, sorted(set(upon.known))
        rules = [
            rule
            for rule in RULES.values()
            if rule.target in targets and rule.role <= role
        ]
        self.fields["kind"].choices = [  # type: ignore[attr-defined]
            ("", "Choose an act"),
            *((rule.kind.value, _act_words(rule)) for rule in rules),
        ]
        if not any(rule.timed for rule in rules):
            del self.fields["length"]
        if upon.target is not None:
            del self.fields["target"]
        elif self.known:
            self.fields["target"].widget.attrs["list"] = f"{self.name}-known"
        if upon.people is None:
            del self.fields["subject"]
        else:
            everybody = [("", "The race as a whole"), *upon.people]
            self.fields["subject"].choices = everybody  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """A timed act has a length; another has none."""
        found = super().clean() or {}
        rule = next((r for r in RULES.values() if r.kind == found.get("kind")), None)
        if rule is not None and "length" in self.fields:
            if rule.timed and not found.get("length"):
                self.add_error("length", "Choose how long.")
            if not rule.timed:
                found["length"] = ""
        return found

    def perform(self, actor: Actor, at: datetime) -> str:
        """Raises what `act_do` does."""
        found = self.cleaned_data
        chosen = found.get("length") or ""
        length = timedelta(seconds=int(chosen)) if chosen.isdecimal() else None
        about = self.upon.subject
        subject_id = found.get("subject") or (about.id if about else None)
        request = ActRequest(
            kind=found["kind"],
            reason=found["reason"],
            subject_id=subject_id,
            case_id=self.upon.case_id,
            target=self._target(found),
            text=found["text"],
            note=found["note"],
            length=length,
        )
        act = act_do(actor=actor, request=request, at=at)
        return said_of(act)

    def _target(self, found: dict[str, Any]) -> str:
        given = self.upon.target
        return str(found["target"]).strip() if given is None else given


def _act_words(rule: ActRule) -> str:
    words = words_of(rule.kind)
    return f"{words} (a second moderator agrees)" if rule.second else words
