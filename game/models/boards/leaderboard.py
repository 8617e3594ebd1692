"""Boards and their entries, which are derived from verified runs.

Entries are sorted by (`order`, `ms`), lower first; `game.contest.ranking` computes
both. Buckets count entries, so that a rank is a short sum. `manage.py boards_rebuild`
rebuilds all these tables.
"""

from typing import ClassVar

from django.db import models

from game.models.accounts.account import Account

# The slot of the bucket that counts all entries of an order, whatever their time.
ALL_SLOTS = -1


class Leaderboard(models.Model):
    """One board: a kind (`key`), a ruleset, a difficulty, a span of time and a pool.

    `span` is a date, a week such as 2026-W48, a season's number, or empty. `ruleset`
    and `difficulty` are empty if the kind has one board for all of them.
    """

    key = models.CharField(max_length=16)
    ruleset = models.CharField(max_length=32, blank=True, default="")
    difficulty = models.CharField(max_length=16, blank=True, default="")
    span = models.CharField(max_length=16, blank=True, default="")
    pool = models.CharField(max_length=8)
    # A provisional board has the runs that finished up to this time.
    noted_to = models.DateTimeField(null=True, blank=True)
    # Since when the board of a span is final.
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["key", "ruleset", "difficulty", "span", "pool"],
                name="board_one_of_a_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key} {self.ruleset} {self.span} {self.pool}"


class BoardEntry(models.Model):
    """One account's entry on one board.

    `number` is what is shown: a score, points, milliseconds, days or a rating.
    """

    board = models.ForeignKey(
        Leaderboard, on_delete=models.CASCADE, related_name="entries", db_index=False
    )
    account = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="board_entries"
    )
    run = models.ForeignKey(
        "game.Run", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    order = models.IntegerField()
    ms = models.IntegerField(default=0)
    number = models.IntegerField()
    cleared = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["board", "account"], name="entry_once_a_board"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["board", "order", "ms", "id"],
                include=["account", "run", "number", "cleared"],
                name="entry_by_place",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} of {self.account_id} on board {self.board_id}"


class BoardBucket(models.Model):
    """How many entries of a board have an order, in one slot of time or ALL_SLOTS."""

    board = models.ForeignKey(
        Leaderboard, on_delete=models.CASCADE, related_name="buckets", db_index=False
    )
    slot = models.IntegerField()
    order = models.IntegerField()
    n = models.IntegerField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["board", "slot", "order"], name="bucket_by_slot"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["board", "order", "slot"], include=["n"], name="bucket_by_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.n} of board {self.board_id}"


class PointsLine(models.Model):
    """Points from one daily or race; week and season boards are sums of these."""

    account = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="points"
    )
    source = models.CharField(max_length=16)
    pool = models.CharField(max_length=8)
    ruleset = models.CharField(max_length=32)
    on = models.DateField()
    points = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["source", "account"], name="points_once_a_source"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["ruleset", "pool", "on"], name="points_of_a_span"),
        ]

    def __str__(self) -> str:
        return f"{self.points} for {self.account_id} from {self.source}"


class StreakRow(models.Model):
    """An account's streak of days, up to the last settled daily."""

    account = models.OneToOneField(
        Account, primary_key=True, on_delete=models.CASCADE, related_name="streak"
    )
    last_on = models.DateField(null=True, blank=True)
    current = models.PositiveIntegerField(default=0)
    longest = models.PositiveIntegerField(default=0)
    frozen_on = models.DateField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.longest} days of {self.account_id}"
