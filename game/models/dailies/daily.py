"""Dailies: one dungeon per UTC day and ruleset; their digests, and earned badges.

A daily's dungeon is derived from its master secret. The master is stored encrypted like
a seed, and only `services/runs/dungeons` decrypts it. `game.contest.drawing` has the
rule by which the dungeon is chosen.
"""

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from game.models.accounts.account import Account
from game.models.core.ids import IdField
from game.models.runs.dungeon import Dungeon


class Daily(models.Model):
    """The dungeon of one UTC day under one ruleset.

    It is drawn (a master and its seal) long before its dungeon is chosen (a candidate
    of that master), because candidates must be assessed first; `tried` and
    `first_winnable` are the progress of that. A move that may end one of its runs takes
    a share lock on this row, settling an exclusive one.
    """

    id = IdField()
    on = models.DateField()
    ruleset = models.CharField(max_length=32)
    difficulty = models.CharField(max_length=16)
    planned = models.CharField(max_length=8)
    master_seal = models.CharField(max_length=64)
    master_sealed = models.CharField(max_length=255)
    drawn_at = models.DateTimeField()
    # The drand round that was named when it was drawn, if any, and that round's
    # signature once its dungeon was chosen with it ("": chosen without it).
    beacon_round = models.PositiveBigIntegerField(null=True, blank=True)
    beacon_signature = models.CharField(
        max_length=192, blank=True, default="", db_default=""
    )
    tried = models.PositiveSmallIntegerField(default=0)
    first_winnable = models.PositiveSmallIntegerField(null=True, blank=True)
    dungeon = models.OneToOneField(
        Dungeon, null=True, blank=True, on_delete=models.PROTECT, related_name="daily"
    )
    candidate = models.PositiveSmallIntegerField(null=True, blank=True)
    choice = models.CharField(max_length=16, blank=True, default="")
    chosen_at = models.DateTimeField(null=True, blank=True)
    opens_at = models.DateTimeField()
    closes_at = models.DateTimeField()
    settles_at = models.DateTimeField()
    # After an outage: when the last attempt that got its time back has expired.
    # `settles_at` stays as it was published.
    postponed_to = models.DateTimeField(null=True, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["on", "ruleset"], name="daily_one_a_date_and_ruleset"
            ),
            models.CheckConstraint(
                condition=~Q(master_seal="") & ~Q(master_sealed=""),
                name="daily_is_sealed",
            ),
            models.CheckConstraint(
                condition=Q(
                    dungeon__isnull=True,
                    candidate__isnull=True,
                    chosen_at__isnull=True,
                    choice="",
                )
                | (
                    Q(
                        dungeon__isnull=False,
                        candidate__isnull=False,
                        chosen_at__isnull=False,
                    )
                    & ~Q(choice="")
                ),
                name="daily_choice_is_whole",
            ),
            models.CheckConstraint(
                condition=Q(opens_at__lt=F("closes_at"))
                & Q(closes_at__lt=F("settles_at")),
                name="daily_instants_in_order",
            ),
            models.CheckConstraint(
                condition=Q(settled_at__isnull=True)
                | Q(settled_at__gte=F("settles_at")),
                name="daily_settles_in_time",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["settles_at"],
                condition=Q(settled_at__isnull=True),
                name="daily_to_settle",
            ),
            models.Index(fields=["ruleset", "-on"], name="daily_archive"),
        ]

    def __str__(self) -> str:
        return f"daily {self.on} {self.ruleset}"

    @property
    def settlement_due_at(self) -> datetime:
        """When it may be settled."""
        return max(self.settles_at, self.postponed_to or self.settles_at)

    @staticmethod
    def settlement_due(at: datetime) -> Q:
        """The condition that a daily is to be settled at that time."""
        is_reached = Q(postponed_to=None) | Q(postponed_to__lte=at)
        return is_reached & Q(settled_at=None, settles_at__lte=at)


class DailyDigest(models.Model):
    """One revision of a settled board: its canonical text and the digest of that.

    Each text contains the previous digest. Rows are never changed: settling adds the
    first, a moderator's act adds later ones.
    """

    daily = models.ForeignKey(
        Daily, on_delete=models.PROTECT, related_name="digests", db_index=False
    )
    revision = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=64)
    text = models.TextField()
    reason = models.CharField(max_length=200, blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["daily", "revision"], name="digest_once_a_revision"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.daily_id} revision {self.revision}: {self.digest[:12]}"


class EarnedBadge(models.Model):
    """A badge that an account has earned, and the run that earned it."""

    account = models.ForeignKey(
        Account, on_delete=models.CASCADE, related_name="badges", db_index=False
    )
    key = models.CharField(max_length=24)
    run = models.ForeignKey("game.Run", on_delete=models.PROTECT, related_name="+")
    earned_on = models.DateField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["account", "key"], name="badge_once"),
        ]

    def __str__(self) -> str:
        return f"{self.key} of {self.account_id}"
