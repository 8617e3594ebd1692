"""Keeping order: reports and flags in cases, acts with their inverses, what the account
is told, appeals, and the log of who did what.

The words behind the keys are `game.contest.moderation`. The log is only ever added to;
triggers on both databases refuse anything else (migration 0006).
"""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from game.contest.moderation.acts import ActKind, ActState
from game.contest.moderation.reasons import CaseKind, FlagKind, ReportSource
from game.models.accounts.account import Account
from game.models.core.ids import IdField

REPORT_LENGTH = 500
APPEAL_LENGTH = 1000
NOTE_LENGTH = 2000


def _choices(
    kinds: type[CaseKind | FlagKind | ReportSource | ActKind | ActState],
) -> list[tuple[str, str]]:
    return [(kind.value, kind.value.replace("_", " ")) for kind in kinds]


class Case(models.Model):
    """Everything reported and noticed about one account, of one kind, until closed."""

    class Outcome(models.TextChoices):
        """How it ended; empty while it is open."""

        DISMISSED = "dismissed"
        UPHELD = "upheld"

    id = IdField()
    subject = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="cases", db_index=False
    )
    kind = models.CharField(max_length=16, choices=_choices(CaseKind))
    # The sum of what its reports and flags weigh: what the desk sorts by.
    weight = models.FloatField(default=0.0)
    opened_at = models.DateTimeField()
    touched_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=16, choices=Outcome, blank=True, default="")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["subject", "kind"],
                condition=Q(closed_at__isnull=True),
                name="case_one_open_a_kind",
            ),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True, outcome="")
                | (Q(closed_at__isnull=False) & ~Q(outcome="")),
                name="case_closed_has_outcome",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["-weight", "touched_at"],
                condition=Q(closed_at__isnull=True),
                name="case_open_by_weight",
            ),
            models.Index(fields=["subject", "-opened_at"], name="case_of_subject"),
        ]

    def __str__(self) -> str:
        return f"case {self.id} ({self.kind})"


class Report(models.Model):
    """One player's word in a case; once a reporter and case."""

    id = IdField()
    case = models.ForeignKey(
        Case, on_delete=models.PROTECT, related_name="reports", db_index=False
    )
    reporter = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="reports_made", db_index=False
    )
    place = models.CharField(max_length=8, choices=_choices(ReportSource))
    # A race's or run's id, or "race:number" of a chat line; empty for a profile, name.
    target = models.CharField(max_length=40, blank=True, default="")
    text = models.CharField(max_length=REPORT_LENGTH, blank=True, default="")
    # What was seen there, kept as it was: a name, a chat line.
    seen = models.CharField(max_length=200, blank=True, default="")
    weight = models.FloatField()
    at = models.DateTimeField()
    outcome = models.CharField(
        max_length=16, choices=Case.Outcome, blank=True, default=""
    )

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["case", "reporter"], name="report_once_a_case"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["reporter", "-at"], name="report_of_reporter"),
        ]

    def __str__(self) -> str:
        return f"report {self.id}"


class Flag(models.Model):
    """Something the machine noticed, with what it saw. The same one is noted once."""

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="flags")
    subject = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="flags", db_index=False
    )
    kind = models.CharField(max_length=16, choices=_choices(FlagKind))
    key = models.CharField(max_length=80)
    evidence = models.JSONField(default=dict)
    weight = models.FloatField()
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["subject", "kind", "key"], name="flag_noted_once"
            ),
        ]

    def __str__(self) -> str:
        return f"flag {self.kind} of {self.subject_id}"


class Act(models.Model):
    """What a moderator did, or proposes to do. `rule` in contest/moderation/acts.

    A taken-back act stays, `undone`; the act that took it back is its `undone_by`.
    """

    id = IdField()
    kind = models.CharField(max_length=20, choices=_choices(ActKind))
    state = models.CharField(max_length=10, choices=_choices(ActState))
    case = models.ForeignKey(
        Case, null=True, blank=True, on_delete=models.PROTECT, related_name="acts"
    )
    # Whom it is about; none for a race or a daily as a whole.
    subject = models.ForeignKey(
        Account,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="acts",
        db_index=False,
    )
    # The id of a race, run or daily, "race:number" of a message; else empty.
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
    # What the account is told besides; and what only staff read.
    text = models.CharField(max_length=REPORT_LENGTH, blank=True, default="")
    note = models.CharField(max_length=NOTE_LENGTH, blank=True, default="")
    # None: for good, or an act without a length.
    length_s = models.PositiveIntegerField(null=True, blank=True)
    # What taking it back needs to know, such as the name somebody had.
    facts = models.JSONField(default=dict, blank=True)
    made_at = models.DateTimeField()
    # When it came into force, and until when it is (None: until it is taken back).
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


class Appeal(models.Model):
    """An account asks that a sanction be looked at again, once."""

    class Outcome(models.TextChoices):
        """What came of it; empty while it waits."""

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
    answer = models.CharField(max_length=REPORT_LENGTH, blank=True, default="")

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
    """Something an account is told by the house; shown until it has been seen."""

    class Kind(models.TextChoices):
        """What about."""

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


class AuditEntry(models.Model):
    """One line of the log: who did what to whom, and the hash that chains it.

    `body` is canonical JSON text, hashed as it stands. Ids only: whoever is erased has
    no name in it.
    """

    number = models.PositiveBigIntegerField(primary_key=True)
    at = models.DateTimeField()
    # None: the machine itself.
    actor = models.ForeignKey(
        Account, null=True, on_delete=models.PROTECT, related_name="+"
    )
    verb = models.CharField(max_length=32)
    subject = models.ForeignKey(
        Account, null=True, on_delete=models.PROTECT, related_name="+"
    )
    # "act:..", "case:..", "appeal:..", "race:..": what it is about.
    target = models.CharField(max_length=48, blank=True, default="", db_index=True)
    body = models.TextField(default="{}")
    previous = models.CharField(max_length=64)
    hash = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return f"audit {self.number}: {self.verb}"


class AuditHead(models.Model):
    """How long the log is, and its last hash: one row, locked by whoever adds."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    count = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(id=1), name="audit_one_head"),
        ]

    def __str__(self) -> str:
        return f"audit head {self.count}"


class Screening(models.Model):
    """What screening found in one run: `rooms` are [index, rank, variance]."""

    run = models.OneToOneField(
        "game.Run", primary_key=True, on_delete=models.CASCADE, related_name="screening"
    )
    version = models.CharField(max_length=8)
    rooms = models.JSONField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"screening of run {self.run_id}"
