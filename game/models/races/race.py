"""Races, their entrants and their numbered events.

A race has no phase column: `game.contest.race.race_phase` derives it from the
timestamps.
Everything here is written under the lock of the race's row. `seq` counts the events and
is incremented in the transaction that writes them.
"""

from datetime import timedelta
from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from game.models.accounts.account import Account
from game.models.core.ids import IdField
from game.models.runs.dungeon import Dungeon

SEATS = (2, 8)
TIME_LIMIT_S = (180, 3600)


class Race(models.Model):
    """A race: several accounts start on the same dungeon at the same time.

    `rev` counts changes of the race and its entrants, not moves; `due_at` is when the
    next timed transition is due.
    """

    class Format(models.TextChoices):
        """How places are decided."""

        SCORE = "score"
        SPEED = "speed"

    class Visibility(models.TextChoices):
        """Whether the lobby lists it. Anybody who knows the id can watch."""

        PUBLIC = "public"
        LINK = "link"

    id = IdField()
    host = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="+")
    # Drawn at the countdown; a race against a ghost is created with the ghost's.
    dungeon = models.ForeignKey(
        Dungeon, null=True, blank=True, on_delete=models.PROTECT, related_name="races"
    )
    ruleset = models.CharField(max_length=32)
    difficulty = models.CharField(max_length=16)
    format = models.CharField(max_length=8, choices=Format)
    visibility = models.CharField(max_length=8, choices=Visibility)
    seats = models.PositiveSmallIntegerField()
    rated = models.BooleanField(default=False)
    # Whether the system chose the entrants: only such races give points and records.
    is_paired = models.BooleanField(default=False, db_default=False)
    # The system paired accounts that may be one person's: it is unrated for that.
    is_linked = models.BooleanField(default=False, db_default=False)
    time_limit_s = models.PositiveSmallIntegerField()
    seq = models.PositiveIntegerField(default=0)
    rev = models.PositiveIntegerField(default=0)
    chat_count = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    starts_at = models.DateTimeField(null=True, blank=True)
    deadline_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    cancelled_at = models.DateTimeField(null=True, blank=True)
    held_at = models.DateTimeField(null=True, blank=True)
    voided_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)
    # Outages that ended by then have moved the deadline.
    paused_to = models.DateTimeField(null=True, blank=True)
    # Until when an outage lasted that covered its rest; it was rated before.
    unrated_at = models.DateTimeField(null=True, blank=True)
    rematch_of = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="rematch"
    )
    # As `rematch_of`, and kept when a cancelled rematch is replaced by a new one.
    rematch_origin = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(seats__range=SEATS) & Q(time_limit_s__range=TIME_LIMIT_S),
                name="race_bounds",
            ),
            models.CheckConstraint(
                condition=Q(starts_at__isnull=True, deadline_at__isnull=True)
                | Q(
                    starts_at__isnull=False,
                    deadline_at__gt=F("starts_at"),
                    dungeon__isnull=False,
                ),
                name="race_start_is_whole",
            ),
            models.CheckConstraint(
                condition=Q(started_at__isnull=True) | Q(started_at=F("starts_at")),
                name="race_starts_at_its_instant",
            ),
            models.CheckConstraint(
                condition=(Q(closed_at__isnull=True) | Q(started_at__isnull=False))
                & (Q(settled_at__isnull=True) | Q(closed_at__isnull=False))
                & (Q(cancelled_at__isnull=True) | Q(started_at__isnull=True)),
                name="race_phases_in_order",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["due_at"], condition=Q(due_at__isnull=False), name="race_due"
            ),
            models.Index(
                fields=["-made_at", "-id"],
                condition=Q(
                    visibility="public",
                    closed_at__isnull=True,
                    cancelled_at__isnull=True,
                ),
                name="race_lobby",
            ),
        ]

    def __str__(self) -> str:
        return f"race {self.id}"

    @property
    def time_limit(self) -> timedelta:
        """The time from start to deadline."""
        return timedelta(seconds=self.time_limit_s)


class Entrant(models.Model):
    """A seat in a race. Entrants who leave keep their row, for the names in events."""

    class Kind(models.TextChoices):
        """Who plays."""

        PLAYER = "player"
        BOT = "house", "House"
        GHOST = "ghost"

    race = models.ForeignKey(
        Race, on_delete=models.PROTECT, related_name="entrants", db_index=False
    )
    account = models.ForeignKey(
        Account, on_delete=models.PROTECT, related_name="entrants"
    )
    seat = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.PLAYER)
    run = models.OneToOneField(
        "game.Run",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="entrant",
    )
    ghost = models.ForeignKey(
        "game.Run", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    joined_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True, blank=True)
    is_ready = models.BooleanField(default=False)
    is_present = models.BooleanField(default=False)
    seen_at = models.DateTimeField()
    forfeits_at = models.DateTimeField(null=True, blank=True)
    is_disqualified = models.BooleanField(default=False)
    # Removed by the host: they cannot come back to this race.
    is_removed = models.BooleanField(default=False, db_default=False)
    # A rematch took the seat for them, and they have not answered yet.
    is_invited = models.BooleanField(default=False, db_default=False)
    # Since when they are not ready; null: ready, or since they joined.
    unready_at = models.DateTimeField(null=True, blank=True)
    # True from the countdown until the player's run is over. The column has the name
    # of the time when only rated races set it.
    is_live = models.BooleanField(default=False, db_column="is_rated_live")
    # They won, and an opponent had been shown the cards first at most of their moves.
    is_scouted = models.BooleanField(default=False, db_default=False)
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    # When a bot or a ghost makes its next move.
    turn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["race", "seat"], name="entrant_a_seat"),
            models.UniqueConstraint(
                fields=["race", "account"], name="entrant_once_a_race"
            ),
            models.UniqueConstraint(
                fields=["account"],
                condition=Q(is_live=True),
                name="entrant_one_live_race",
            ),
            models.CheckConstraint(
                condition=Q(kind="ghost", ghost__isnull=False)
                | (~Q(kind="ghost") & Q(ghost__isnull=True)),
                name="entrant_ghost_has_its_run",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["turn_at"],
                condition=Q(turn_at__isnull=False),
                name="entrant_turn",
            ),
            models.Index(
                fields=["account"],
                condition=Q(is_scouted=True),
                name="entrant_scouted",
            ),
            models.Index(
                fields=["seen_at"],
                condition=Q(is_present=True),
                name="entrant_present",
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of race {self.race_id}"


class RaceEvent(models.Model):
    """A numbered event with all its facts; `game.contest.horizon` limits what is shown.

    `needs` is how many deck positions a viewer must have been shown to see all of it.
    """

    race = models.ForeignKey(
        Race, on_delete=models.PROTECT, related_name="events", db_index=False
    )
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=24)
    at = models.DateTimeField()
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    needs = models.PositiveSmallIntegerField(default=0)
    # JSON as text: written by the SQL of a move, never queried.
    body = models.TextField(default="{}")
    rev = models.PositiveIntegerField(null=True, blank=True)
    deadline_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["race", "seq"], name="event_once_a_seq"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.seq} of race {self.race_id}"
