"""Acts of moderators, appeals against them, and notices to accounts.

`game.contest.moderation.acts` says what each kind of act is, `reasons` why it is done.
"""

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from game.contest.moderation.acts import ActKind, ActState
from game.models.accounts.account import Account
from game.models.core.ids import IdField
from game.models.moderation.cases import Case, choices_of

APPEAL_LENGTH = 1000
ACT_TEXT_LENGTH = 500
NOTE_LENGTH = 2000


class Act(models.Model):
    """What a moderator did or proposes to do; `RULES` has the rule of each kind.

    An act that is undone keeps its row with state `undone`; `undone_by` is the inverse
    act that undid it.
    """

    id = IdField()
    kind = models.CharField(max_length=20, choices=choices_of(ActKind))
    state = models.CharField(max_length=10, choices=choices_of(ActState))
    case = models.ForeignKey(
        Case, null=True, blank=True, on_delete=models.PROTECT, related_name="acts"
    )
    # The account it concerns; null for a whole race or a whole daily.
    subject = models.ForeignKey(
        Account,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="acts",
        db_index=False,
    )
    # The id of a race, run or daily, or "race:number" of a chat line; else empty.
    target = models.CharField(max_length=40, blank=True, default="", db_index=True)
    by = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="acts_done")
    second = models.ForeignKey(
        Account,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="acts_seconded",
    )
    reason = models.CharField(max_length=16)
    # `text` is shown to the account; `note` only to staff.
    text = models.CharField(max_length=ACT_TEXT_LENGTH, blank=True, default="")
    note = models.CharField(max_length=NOTE_LENGTH, blank=True, default="")
    # Null: permanent, or an act of a kind that has no length.
    length_s = models.PositiveIntegerField(null=True, blank=True)
    # What undoing it needs, such as the account's former name.
    facts = models.JSONField(default=dict, blank=True)
    made_at = models.DateTimeField()
    # In force from `at` until `until` (null: until it is undone).
    at = models.DateTimeField(null=True, blank=True)
    until = models.DateTimeField(null=True, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)
    undoes = models.OneToOneField(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="undone_by",
    )

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(second__isnull=True) | ~Q(second=F("by")),
                name="act_second_is_another",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["in_force", "undone"], at__isnull=False)
                | Q(state__in=["proposed", "declined"], at__isnull=True),
                name="act_in_force_since",
            ),
            models.CheckConstraint(
                condition=Q(state="undone", undone_at__isnull=False)
                | (~Q(state="undone") & Q(undone_at__isnull=True)),
                name="act_undone_at",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["subject", "-made_at"], name="act_of_subject"),
            models.Index(
                fields=["subject", "kind"],
                condition=Q(state="in_force"),
                name="act_in_force",
            ),
            models.Index(
                fields=["made_at"], condition=Q(state="proposed"), name="act_proposed"
            ),
        ]

    def __str__(self) -> str:
        return f"act {self.id} ({self.kind})"

    @property
    def latest(self) -> "Act":
        """The act that changed the target last: the inverse once undone, else this."""
        return self.undone_by if self.state == ActState.UNDONE else self

    @property
    def changed_at(self) -> datetime:
        """When the act came into force, or when it was undone. Not for proposals."""
        changed_at = self.undone_at or self.at
        assert changed_at is not None
        return changed_at


class Appeal(models.Model):
    """An account's request to review a sanction; at most one for each act."""

    class Outcome(models.TextChoices):
        """The decision; empty until a moderator decides."""

        LIFTED = "lifted"
        UPHELD = "upheld"

    id = IdField()
    act = models.OneToOneField(Act, on_delete=models.PROTECT, related_name="appeal")
    account = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="appeals"
    )
    text = models.CharField(max_length=APPEAL_LENGTH)
    at = models.DateTimeField()
    decided_by = models.ForeignKey(
        Account, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=8, choices=Outcome, blank=True, default="")
    answer = models.CharField(max_length=ACT_TEXT_LENGTH, blank=True, default="")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(
                    outcome="", decided_at__isnull=True, decided_by__isnull=True
                )
                | (
                    ~Q(outcome="")
                    & Q(decided_at__isnull=False, decided_by__isnull=False)
                ),
                name="appeal_decision_is_whole",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["at"], condition=Q(outcome=""), name="appeal_waiting"),
        ]

    def __str__(self) -> str:
        return f"appeal {self.id}"


class Notice(models.Model):
    """A message from the site to an account; shown until the account has seen it."""

    class Kind(models.TextChoices):
        """What the notice is about."""

        ACT = "act"
        LIFTED = "lifted"
        APPEAL = "appeal"
        REPORT = "report"

    id = IdField()
    account = models.ForeignKey(
        Account, on_delete=models.CASCADE, related_name="notices", db_index=False
    )
    kind = models.CharField(max_length=8, choices=Kind)
    words = models.CharField(max_length=1000)
    act = models.ForeignKey(
        Act, null=True, blank=True, on_delete=models.PROTECT, related_name="notices"
    )
    at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["account", "-at"], name="notice_of_account"),
            models.Index(
                fields=["account"],
                condition=Q(seen_at__isnull=True),
                name="notice_unseen",
            ),
        ]

    def __str__(self) -> str:
        return f"notice {self.id}"
