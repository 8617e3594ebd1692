"""The forms of the desk: each is one service call, made with who acts and when."""

from datetime import datetime
from typing import ClassVar

from django import forms
from django.http import QueryDict

from game.contest.moderation.acts import ActState
from game.contest.moderation.reasons import REASONS
from game.contest.moderation.roles import STAFF_ROLE_BY_KEY
from game.models import Account, Act, Appeal
from game.models.moderation.acts import ACT_TEXT_LENGTH, NOTE_LENGTH
from game.services.moderation.acts import act_confirm, act_decline, act_undo
from game.services.moderation.appeals import appeal_decide
from game.services.moderation.roles import Actor, role_set

FOR_GOOD = "for good"
_UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"))


def words_of(key: str) -> str:
    """A key as it is read: "void_race" is "Void race"."""
    return key.replace("_", " ").capitalize()


def length_words(seconds: float | None) -> str:
    """A length of time in words; none is for good."""
    if seconds is None:
        return FOR_GOOD
    for unit, name in _UNITS:
        if seconds >= unit and seconds % unit == 0:
            count = int(seconds // unit)
            return f"{count} {name}{'' if count == 1 else 's'}"
    return f"{int(seconds)} seconds"


def reason_field() -> forms.ChoiceField:
    """Why, as one of the templates."""
    choices = [("", "Choose a reason"), *((key, REASONS[key]) for key in REASONS)]
    return forms.ChoiceField(choices=choices, help_text="The account is told this.")


def words_field(label: str, most: int, help_text: str) -> forms.CharField:
    """A few lines of words, or none."""
    area = forms.Textarea(attrs={"rows": 2})
    return forms.CharField(
        label=label, max_length=most, required=False, widget=area, help_text=help_text
    )


def said_of(act: Act) -> str:
    """What has become of an act, in a sentence."""
    words = words_of(act.kind)
    if act.state == ActState.PROPOSED:
        return f"{words} is proposed: another moderator must agree to it."
    return f"{words} is in force."


class DeskForm(forms.Form):
    """A form with a name, a heading and a button, which does one thing."""

    name: ClassVar[str]
    title: ClassVar[str]
    button: ClassVar[str]

    def __init__(self) -> None:
        super().__init__(prefix=self.name)

    def fill(self, sent: QueryDict) -> None:
        """Take what was sent."""
        self.data, self.is_bound = sent, True

    def perform(self, actor: Actor, at: datetime) -> str:
        """Do it, and say in a sentence what was done. Raises refusals."""
        raise NotImplementedError


class ConfirmForm(DeskForm):
    """Agree to what another moderator proposed."""

    name, title, button = "confirm", "Agree", "Agree: do it now"

    def __init__(self, act: Act) -> None:
        super().__init__()
        self.act = act

    def perform(self, actor: Actor, at: datetime) -> str:
        """Raises what `act_confirm` does."""
        return said_of(act_confirm(actor=actor, act_id=self.act.id, at=at))


class DeclineForm(DeskForm):
    """Turn a proposal down."""

    name, title, button = "decline", "Turn down", "Turn it down"

    note = words_field("Why", NOTE_LENGTH, "Staff alone read this.")

    def __init__(self, act: Act) -> None:
        super().__init__()
        self.act = act

    def perform(self, actor: Actor, at: datetime) -> str:
        """Raises what `act_decline` does."""
        note = self.cleaned_data["note"]
        act_decline(actor=actor, act_id=self.act.id, at=at, note=note)
        return "The proposal is turned down."


class UndoForm(DeskForm):
    """Take an act in force back."""

    name, title, button = "undo", "Take it back", "Take it back"

    reason = reason_field()
    text = words_field("Words for the account", ACT_TEXT_LENGTH, "Neutral words.")
    note = words_field("Note", NOTE_LENGTH, "Staff alone read this.")

    def __init__(self, act: Act) -> None:
        super().__init__()
        self.act = act

    def perform(self, actor: Actor, at: datetime) -> str:
        """Raises what `act_undo` does."""
        back = act_undo(actor=actor, act_id=self.act.id, at=at, **self.cleaned_data)
        return f"Taken back: {words_of(back.kind)}."


class DecideForm(DeskForm):
    """Decide an appeal."""

    name, title, button = "decide", "Decide", "Decide"

    outcome = forms.ChoiceField(
        label="Outcome",
        widget=forms.RadioSelect,
        choices=[
            (Appeal.Outcome.LIFTED, "Grant it: the act is taken back"),
            (Appeal.Outcome.UPHELD, "The act stands"),
        ],
    )
    answer = words_field("Answer", ACT_TEXT_LENGTH, "The account reads this.")

    def __init__(self, appeal: Appeal) -> None:
        super().__init__()
        self.appeal = appeal

    def perform(self, actor: Actor, at: datetime) -> str:
        """Raises what `appeal_decide` does."""
        decided = appeal_decide(
            actor=actor, appeal_id=self.appeal.id, at=at, **self.cleaned_data
        )
        return f"The appeal is decided: {decided.outcome}."


class RoleForm(DeskForm):
    """Give an account a role, or take it."""

    name, title, button = "role", "Role", "Set the role"

    role = forms.ChoiceField(
        required=False,
        choices=[(key, key or "none: a player") for key in STAFF_ROLE_BY_KEY],
        help_text="Staff need a second factor before the desk opens to them.",
    )

    def __init__(self, account: Account) -> None:
        super().__init__()
        self.account = account
        self.initial = {"role": account.staff_role}

    def perform(self, actor: Actor, at: datetime) -> str:
        """Raises what `role_set` does."""
        role = self.cleaned_data["role"]
        account = role_set(actor=actor, account_id=self.account.id, role=role, at=at)
        return f"{account.name}: {role or 'no role'}."
