"""Runs and their moves. The moves are the record; the run stores their result."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from game.models.accounts.account import Account
from game.models.core.ids import IdField
from game.models.runs.dungeon import Dungeon

KEY_LENGTH = 64


class Run(models.Model):
    """One account's attempt at one dungeon.

    `snapshot` is the position as text, see `game.rules.snapshot` (it names no undealt
    card); `status`, `health`, `faced` and `score` repeat it for queries. All of it
    follows from the moves, which `manage.py verify_invariants` checks.
    """

    class Kind(models.TextChoices):
        """Where the run belongs."""

        PRACTICE = "practice"
        DAILY = "daily"
        RACE = "race"

    class Status(models.TextChoices):
        """The state of the run; all but `playing` are ends."""

        PLAYING = "playing"
        CLEARED = "cleared"
        DIED = "died"
        ABANDONED = "abandoned"
        EXPIRED = "expired"
        FORFEITED = "forfeited"

    id = IdField()
    account = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="runs", db_index=False
    )
    dungeon = models.ForeignKey(Dungeon, on_delete=models.PROTECT, related_name="runs")
    race = models.ForeignKey(
        "game.Race",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="runs",
        db_index=False,
    )
    # Set for the attempt at a daily, and for practice on its deck afterwards.
    daily = models.ForeignKey(
        "game.Daily",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="runs",
        db_index=False,
    )
    kind = models.CharField(max_length=16, choices=Kind)
    # Whether it counts on boards. For a daily, `game.services.dailies.ranking` decides
    # it at the start and again until the board is settled; `unranked` is the reason.
    ranked = models.BooleanField(default=False)
    unranked = models.CharField(max_length=16, blank=True, default="", db_default="")
    # How the player may have known the cards of a daily, whether that makes the attempt
    # unranked or not (a bot's may stay ranked). Such runs are not measured.
    deck_seen = models.CharField(max_length=16, blank=True, default="", db_default="")
    # A program played it: the account is a bot, or a move was sent with a token. It is
    # ranked among bots. Set once and never cleared.
    by_program = models.BooleanField(default=False, db_default=False)
    # The player undid a move or asked the coach: it is never ranked, counted on boards
    # or measured. Set once and never cleared.
    coached = models.BooleanField(default=False, db_default=False)
    ruleset = models.CharField(max_length=32)
    difficulty = models.CharField(max_length=16)
    status = models.CharField(max_length=16, choices=Status, default=Status.PLAYING)
    index = models.PositiveSmallIntegerField(default=0)
    snapshot = models.CharField(max_length=320)
    health = models.SmallIntegerField()
    faced = models.PositiveSmallIntegerField(default=0)
    score = models.SmallIntegerField(null=True, blank=True)
    started_at = models.DateTimeField()
    moved_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    deadline_at = models.DateTimeField(null=True, blank=True)
    # How long outages interrupted an attempt at a daily; not part of its time.
    paused_ms = models.PositiveIntegerField(default=0, db_default=0)
    # Until when an outage lasted that covered the rest of such an attempt: it is
    # unranked.
    cut_off_at = models.DateTimeField(null=True, blank=True)
    # When it was verified and counted, and when a moderator voided it.
    counted_at = models.DateTimeField(null=True, blank=True)
    voided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(
                    status="playing", finished_at__isnull=True, score__isnull=True
                )
                | (
                    ~Q(status="playing")
                    & Q(finished_at__isnull=False, score__isnull=False)
                ),
                name="run_over_has_end_and_score",
            ),
            models.CheckConstraint(
                condition=Q(kind="race", race__isnull=False)
                | (~Q(kind="race") & Q(race__isnull=True)),
                name="run_race_has_its_race",
            ),
            models.UniqueConstraint(
                fields=["race", "account"], name="run_once_a_race_and_account"
            ),
            models.CheckConstraint(
                condition=Q(kind="daily", daily__isnull=False)
                | Q(kind="practice")
                | Q(kind="race", daily__isnull=True),
                name="run_daily_has_its_daily",
            ),
            models.CheckConstraint(
                condition=Q(ranked=False) | ~Q(kind="practice"),
                name="run_practice_is_unranked",
            ),
            models.CheckConstraint(
                condition=Q(coached=False) | Q(kind="practice"),
                name="run_coached_is_practice",
            ),
            models.UniqueConstraint(
                fields=["daily", "account"],
                condition=Q(kind="daily"),
                name="run_one_attempt_a_daily",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["account", "-started_at"], name="run_of_account"),
            models.Index(
                fields=["daily", "finished_at"],
                condition=Q(kind="daily", ranked=True),
                name="run_ranked_of_daily",
            ),
            models.Index(
                fields=["account", "daily"],
                condition=Q(kind="daily"),
                name="run_dailies_of_account",
            ),
            models.Index(
                fields=["moved_at"],
                condition=Q(status="playing"),
                name="run_playing_idle",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} run {self.id}"


class Move(models.Model):
    """One acknowledged move of a run. Never changed, and deleted only by an undo in
    practice, which marks the run.
    """

    run = models.ForeignKey(
        Run, on_delete=models.PROTECT, related_name="moves", db_index=False
    )
    index = models.PositiveSmallIntegerField()
    code = models.CharField(max_length=5)
    # NULL where none was given: the unique constraint allows many of them.
    key = models.CharField(max_length=KEY_LENGTH, null=True, blank=True)  # noqa: DJ001
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["run", "index"], name="move_once_an_index"),
            models.UniqueConstraint(fields=["run", "key"], name="move_once_a_key"),
        ]

    def __str__(self) -> str:
        return f"{self.index} {self.code}"
