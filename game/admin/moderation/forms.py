"""Forms of acts: do, confirm, decline or undo an act, and decide an appeal."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django import forms

from game.admin.core.forms import AdminForm, key_label, text_field
from game.contest.moderation.acts import (
    OFFERED_LENGTHS,
    RULES,
    ActRule,
    ActState,
    ActTarget,
)
from game.contest.moderation.reasons import REASONS
from game.contest.moderation.roles import StaffRole
from game.models import Account, Act, Appeal
from game.models.moderation.acts import ACT_TEXT_LENGTH, NOTE_LENGTH
from game.services.moderation.act_checks import ActRequest
from game.services.moderation.acts import act_confirm, act_decline, act_do, act_undo
from game.services.moderation.appeals import appeal_decide
from game.services.moderation.roles import Actor

PERMANENT: Final = "permanent"
_UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"))


def duration_label(seconds: float | None) -> str:
    """Return a length of time as a label, in the largest unit that divides it."""
    if seconds is None:
        return PERMANENT
    for unit, name in _UNITS:
        if seconds >= unit and seconds % unit == 0:
            count = int(seconds // unit)
            return f"{count} {name}{'' if count == 1 else 's'}"
    return f"{int(seconds)} seconds"


_LENGTHS = [
    ("", "The act has no length"),
    *(
        (str(int(length.total_seconds())), duration_label(length.total_seconds()))
        for length in OFFERED_LENGTHS
    ),
    (PERMANENT, "Permanent"),
]


def reason_field() -> forms.ChoiceField:
    """Return the field of the reason."""
    choices = [("", "Choose a reason"), *((key, REASONS[key]) for key in REASONS)]
    return forms.ChoiceField(choices=choices, help_text="Shown to the account.")


def account_text_field() -> forms.CharField:
    """Return the field of the text that is shown to the account."""
    return text_field(
        "Text for the account",
        ACT_TEXT_LENGTH,
        "Shown to the account after the reason. Write neutrally.",
    )


def note_field(label: str = "Note") -> forms.CharField:
    """Return the field of the note for staff."""
    return text_field(label, NOTE_LENGTH, "Only staff see this.")


def act_result(act: Act) -> str:
    """Return a sentence that says whether the act is proposed or in force."""
    label = key_label(act.kind)
    if act.state == ActState.PROPOSED:
        return f"{label} is proposed. Another moderator must confirm it."
    return f"{label} is in force."


@dataclass(frozen=True, slots=True)
class ActSubject:
    """What the acts of a page are about: a case, an account, or the id of a target.

    `target`: None if the form asks for it; it then suggests `suggested_targets`.
    `people`: (id, name) of the accounts to choose from.
    """

    case_id: str | None = None
    subject: Account | None = None
    target: str | None = None
    people: Sequence[tuple[str, str]] | None = None
    suggested_targets: Iterable[str] = ()


class ActForm(AdminForm):
    """Do or propose an act."""

    name, title, button = "act", "Act", "Do it"

    kind = forms.ChoiceField(label="Act")
    target = forms.CharField(
        label="Target",
        max_length=40,
        required=False,
        help_text="The id of a race or run, or race:number of a chat line. Leave it"
        " empty for acts on the account or the case.",
    )
    subject = forms.ChoiceField(label="Player", required=False)
    length = forms.ChoiceField(
        label="How long",
        required=False,
        choices=_LENGTHS,
        help_text="More than 30 days, also in a row with earlier restrictions by one"
        " moderator, needs a second moderator.",
    )
    reason = reason_field()
    text = account_text_field()
    note = note_field()

    def __init__(
        self, role: StaffRole, targets: frozenset[ActTarget], subject: ActSubject
    ) -> None:
        super().__init__()
        self.act_subject = subject
        self.suggestions = sorted(set(subject.suggested_targets))
        rules = [
            rule
            for rule in RULES.values()
            if rule.target in targets and rule.role <= role
        ]
        self.fields["kind"].choices = [  # type: ignore[attr-defined]
            ("", "Choose an act"),
            *((rule.kind.value, _act_label(rule)) for rule in rules),
        ]
        if not any(rule.is_timed for rule in rules):
            del self.fields["length"]
        if subject.target is not None:
            del self.fields["target"]
        elif self.suggestions:
            self.fields["target"].widget.attrs["list"] = f"{self.name}-suggestions"
        if subject.people is None:
            del self.fields["subject"]
        else:
            people = [("", "The race as a whole"), *subject.people]
            self.fields["subject"].choices = people  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Require a length of timed acts, and drop it for others."""
        fields = super().clean() or {}
        rule = next((r for r in RULES.values() if r.kind == fields.get("kind")), None)
        if rule is not None and "length" in self.fields:
            if rule.is_timed and not fields.get("length"):
                self.add_error("length", "Choose how long.")
            if not rule.is_timed:
                fields["length"] = ""
        return fields

    def perform(self, actor: Actor, at: datetime) -> str:
        """Raises what `act_do` raises."""
        fields = self.cleaned_data
        chosen = fields.get("length") or ""
        length = timedelta(seconds=int(chosen)) if chosen.isdecimal() else None
        about = self.act_subject
        page_subject_id = about.subject.id if about.subject else None
        subject_id = fields.get("subject") or page_subject_id
        target = about.target
        request = ActRequest(
            kind=fields["kind"],
            reason=fields["reason"],
            subject_id=subject_id,
            case_id=about.case_id,
            target=fields["target"].strip() if target is None else target,
            text=fields["text"],
            note=fields["note"],
            length=length,
        )
        return act_result(act_do(actor=actor, request=request, at=at))


def _act_label(rule: ActRule) -> str:
    label = key_label(rule.kind)
    return (
        f"{label} (a second moderator must confirm)"
        if rule.always_needs_second
        else label
    )


class ConfirmForm(AdminForm):
    """Confirm another moderator's proposal."""

    name, title, button = "confirm", "Confirm the proposal", "Confirm and do it now"

    def __init__(self, act: Act) -> None:
        super().__init__()
        self.act = act

    def perform(self, actor: Actor, at: datetime) -> str:
        """Raises what `act_confirm` raises."""
        return act_result(act_confirm(actor=actor, act_id=self.act.id, at=at))


class DeclineForm(AdminForm):
    """Decline a proposal."""

    name, title, button = "decline", "Decline the proposal", "Decline it"

    note = note_field("Why")

    def __init__(self, act: Act) -> None:
        super().__init__()
        self.act = act

    def perform(self, actor: Actor, at: datetime) -> str:
        """Raises what `act_decline` raises."""
        note = self.cleaned_data["note"]
        act_decline(actor=actor, act_id=self.act.id, at=at, note=note)
        return "The proposal is declined."


class UndoForm(AdminForm):
    """Undo an act in force."""

    name, title, button = "undo", "Undo the act", "Undo it"

    reason = reason_field()
    text = account_text_field()
    note = note_field()

    def __init__(self, act: Act) -> None:
        super().__init__()
        self.act = act

    def perform(self, actor: Actor, at: datetime) -> str:
        """Raises what `act_undo` raises."""
        inverse = act_undo(actor=actor, act_id=self.act.id, at=at, **self.cleaned_data)
        return f"Undone: {key_label(inverse.kind)}."


class DecideForm(AdminForm):
    """Decide an appeal."""

    name, title, button = "decide", "Decide the appeal", "Decide"

    outcome = forms.ChoiceField(
        label="Outcome",
        widget=forms.RadioSelect,
        choices=[
            (Appeal.Outcome.LIFTED, "Grant the appeal: the act is undone"),
            (Appeal.Outcome.UPHELD, "Keep the act in force"),
        ],
    )
    answer = text_field("Answer", ACT_TEXT_LENGTH, "Shown to the account.")

    def __init__(self, appeal: Appeal) -> None:
        super().__init__()
        self.appeal = appeal

    def perform(self, actor: Actor, at: datetime) -> str:
        """Raises what `appeal_decide` raises."""
        decided = appeal_decide(
            actor=actor, appeal_id=self.appeal.id, at=at, **self.cleaned_data
        )
        return f"The appeal is decided: {decided.outcome}."
