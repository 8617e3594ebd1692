"""Accounts of people, guests and bots. django-allauth signs them in."""

from typing import Any, ClassVar

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import (
    AbstractBaseUser,
    BaseUserManager,
    PermissionsMixin,
)
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from game.models.accounts.name_keys import name_key, name_skeleton
from game.models.core.ids import IdField

NAME_LENGTH = 20
# Sign-ups whose e-mail is not verified; see `Account.is_pending`.
SIGN_UP_PENDING = Q(is_guest=True, last_login=None) & ~Q(
    password__startswith=UNUSABLE_PASSWORD_PREFIX
)


class AccountManager(BaseUserManager["Account"]):
    """Creates accounts for Django's commands; the site creates them in services."""

    def get_by_natural_key(self, username: str | None) -> "Account":
        """Return the account with that name in any capitalisation."""
        return self.get(name_key=name_key(username or ""))

    def create_user(
        self,
        name: str,
        email: str | None = None,
        password: str | None = None,
        **fields: Any,
    ) -> "Account":
        """Create an account; with None, its password is unusable."""
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
        """Create an administrator, for `manage.py createsuperuser`."""
        rights = {"is_staff": True, "is_superuser": True, "is_guest": False}
        return self.create_user(name, email, password, **(rights | fields))


class Account(AbstractBaseUser, PermissionsMixin):
    """A player. A guest is an account that cannot sign in again."""

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
    # Derived from the moderation acts in force, for hot paths; only
    # `services/moderation` writes these. A permanent ban ends in the year 9999.
    banned_until = models.DateTimeField(null=True, blank=True, editable=False)
    cheat_marked_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Incremented with every notice to the account, so that open sockets see a change.
    standing_rev = models.PositiveIntegerField(default=0, editable=False)
    # A key of `game.contest.moderation.roles`; empty for players who are not staff.
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
        """Whether this is an unverified sign-up, which is not shown publicly."""
        return self.is_guest and self.has_usable_password()

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save, deriving the keys of the name; an empty e-mail becomes NULL."""
        self.name_key = name_key(self.name)
        self.name_skeleton = name_skeleton(self.name)
        self.email = self.email or None
        fields = kwargs.get("update_fields")
        if fields is not None and "name" in fields:
            kwargs["update_fields"] = {*fields, "name_key", "name_skeleton"}
        super().save(*args, **kwargs)


class OldName(models.Model):
    """A name that an account gave up. Until `until` it still leads to the account, and
    no other account may take it or a name that looks like it.
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
