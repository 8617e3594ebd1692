"""The audit log: entries are only ever added.

Triggers on PostgreSQL and SQLite refuse any change (migrations 0006, 0008 and the one
that added `signature`).
"""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from game.models.accounts.account import Account


class AuditEntry(models.Model):
    """One entry of the log: actor, verb, subject, and the hash that chains it.

    `body` is canonical JSON text and is hashed unchanged. It holds ids and no names, so
    deleting an account leaves no name in the log.
    """

    number = models.PositiveBigIntegerField(primary_key=True)
    at = models.DateTimeField()
    # Null: an automatic entry.
    actor = models.ForeignKey(
        Account, null=True, on_delete=models.PROTECT, related_name="+"
    )
    verb = models.CharField(max_length=32)
    subject = models.ForeignKey(
        Account, null=True, on_delete=models.PROTECT, related_name="+"
    )
    # "act:ID", "case:ID", "appeal:ID" or "race:ID".
    target = models.CharField(max_length=48, blank=True, default="", db_index=True)
    body = models.TextField(default="{}")
    previous = models.CharField(max_length=64)
    hash = models.CharField(max_length=64, unique=True)
    # Null: an entry from before the log was signed. The public key and the signature of
    # the hash are in hexadecimal. (Nullable, so that SQLite adds the columns without
    # rebuilding the table, which would drop its triggers.)
    salt = models.CharField(max_length=32, null=True)  # noqa: DJ001
    key = models.CharField(max_length=64, null=True)  # noqa: DJ001
    signature = models.CharField(max_length=128, null=True)  # noqa: DJ001

    def __str__(self) -> str:
        return f"audit {self.number}: {self.verb}"


class AuditHead(models.Model):
    """The length and last hash of the log: one row, locked while an entry is added."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    count = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(id=1), name="audit_one_head"),
        ]

    def __str__(self) -> str:
        return f"audit head {self.count}"
