"""Accounts: people, guests and bots. Knows nothing of how they sign in."""

from typing import Any, ClassVar

from django.contrib.auth.models import (
    AbstractBaseUser,
    BaseUserManager,
    PermissionsMixin,
)
from django.db import models
from django.db.models.functions import Now

from game.models.accounts.name_keys import name_key, name_skeleton
from game.models.core.ids import IdField

NAME_LENGTH = 20


class AccountManager(BaseUserManager["Account"]):
    """Makes accounts for Django's own commands; people come through services."""

    def get_by_natural_key(self, username: str | None) -> "Account":
        """The account of a name, however it is spelt."""
        return self.get(name_key=name_key(username or ""))

    def create_user(
        self,
        name: str,
        email: str | None = None,
        password: str | None = None,
        **fields: Any,
    ) -> "Account":
        """An account with a password (None: unusable)."""
        account = self.model(name=name, email=email or None, **fields)
        account.set_password(password)
        account.save(using=self._db)
        return account

    def create_superuser(
        self,
        name: str,
        email: str | None = None,
        password: str | None = None,
        **fields: Any,
    ) -> "Account":
        """An administrator, for `manage.py createsuperuser`."""
        rights = {"is_staff": True, "is_superuser": True, "is_guest": False}
        return self.create_user(name, email, password, **(rights | fields))


class Account(AbstractBaseUser, PermissionsMixin):
    """Somebody who plays: a guest until there is a way to sign in again."""

    id = IdField()
    name = models.CharField(max_length=NAME_LENGTH)
    name_key = models.CharField(max_length=80, unique=True, editable=False)
    name_skeleton = models.CharField(
        max_length=160, default="", db_index=True, editable=False
    )
    renamed_at = models.DateTimeField(null=True, blank=True, editable=False)
    email = models.EmailField(null=True, blank=True)  # noqa: DJ001 - none, not ""
    is_guest = models.BooleanField(default=False)
    is_bot = models.BooleanField(default=False)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    preferences = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    seen_at = models.DateTimeField(db_default=Now(), editable=False)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    # What moderators laid on it, as the hot paths ask for it; `services/moderation`
    # alone writes these, from the acts in force. For good is the year 9999.
    banned_until = models.DateTimeField(null=True, blank=True, editable=False)
    cheat_marked_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Raised with every notice to the account: open sockets notice by it.
    standing_rev = models.PositiveIntegerField(default=0, editable=False)
    # Of `game.contest.moderation.roles`; empty for who is no staff.
    staff_role = models.CharField(max_length=16, blank=True, default="", editable=False)

    objects: ClassVar[AccountManager] = AccountManager()

    USERNAME_FIELD = "name"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["is_guest", "seen_at"], name="account_guest_seen"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_pending(self) -> bool:
        """Signed up, but the e-mail is not verified yet: nobody to the outside."""
        return self.is_guest and self.has_usable_password()

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep what is derived from the name in step with it; no e-mail is NULL."""
        self.name_key = name_key(self.name)
        self.name_skeleton = name_skeleton(self.name)
        self.email = self.email or None
        fields = kwargs.get("update_fields")
        if fields is not None and "name" in fields:
            kwargs["update_fields"] = {*fields, "name_key", "name_skeleton"}
        super().save(*args, **kwargs)


class OldName(models.Model):
    """A name somebody gave up, kept for him for a while: it leads to him, and nobody
    else may take it, or one that looks like it.
    """

    key = models.CharField(max_length=80, primary_key=True)
    skeleton = models.CharField(max_length=160, db_index=True)
    name = models.CharField(max_length=NAME_LENGTH)
    account = models.ForeignKey(
        Account, on_delete=models.CASCADE, related_name="old_names"
    )
    until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.name
