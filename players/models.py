"""The models ``Player`` (Django's user model), ``TokenUse`` and ``Handover``."""

import uuid
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Lower

from players.names import NAME_LENGTH

USERNAME_LENGTH = 60


class Kind(models.TextChoices):
    PERSON = "person"
    BOT = "bot"


class Players(BaseUserManager["Player"]):
    """The manager that creates users, also for ``createsuperuser`` and the admin."""

    def create_user(self, username: str | None, password: str | None = None, **fields: Any) -> "Player":
        player = self.model(username=username, **fields)
        player.set_password(password)
        player.save(using=self._db)
        return player

    def get_by_natural_key(self, username: str | None) -> "Player":
        return self.of_username(username or "").get()

    def of_username(self, username: str) -> "models.QuerySet[Player]":
        """Return the account with this username, in any case, if there is one.

        The database compares the lower case, as its constraint does. Python's lower case differs: PostgreSQL turns
        ``İ`` into ``i``.
        """
        wanted = Lower(Value(self.model.normalize_username(username)))
        return self.annotate(lower=Lower("username")).filter(lower=wanted)

    def create_superuser(self, username: str, password: str | None = None, **fields: Any) -> "Player":
        return self.create_user(
            username, password, **{"name": username, "is_staff": True, "is_superuser": True} | fields
        )


class Player(AbstractBaseUser, PermissionsMixin):
    """A person or a bot. A guest has no username, and only a bot has a level. A deleted player's row stays, unnamed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.PERSON)
    name = models.CharField(max_length=NAME_LENGTH)
    level = models.CharField(max_length=16, blank=True, help_text="How well a bot plays; empty for a person.")
    username = models.CharField(max_length=USERNAME_LENGTH, unique=True, null=True, blank=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False, help_text="May enter the admin.")
    has_webhooks = models.BooleanField(
        default=False, editable=False, help_text="Whether the player has an enabled webhook."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = Players()

    class Meta:
        ordering = ("-created_at", "-id")
        indexes = (models.Index(fields=("-created_at", "-id"), name="player_newest"),)
        constraints = (
            models.UniqueConstraint(Lower("username"), name="one_account_of_a_username_in_any_case"),
            models.UniqueConstraint(fields=("level", "name"), condition=Q(kind=Kind.BOT), name="one_bot_of_a_name"),
            models.CheckConstraint(
                condition=(Q(kind=Kind.BOT) & ~Q(level="")) | (Q(kind=Kind.PERSON) & Q(level="")),
                name="bots_have_a_level",
            ),
        )

    def __str__(self) -> str:
        return self.name


class TokenUse(models.Model):
    """When a token was last used. The row stays after a log-out: the player still counts as present for a while.

    It has no foreign key to the token, so that a use and a log-out at the same moment do not wait for each other.
    """

    digest = models.CharField(max_length=128, primary_key=True)
    player = models.ForeignKey(Player, models.CASCADE, related_name="token_uses")
    used_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.digest[:8]} at {self.used_at}"


class Handover(models.Model):
    """A code with which a player continues on another device. A player has at most one; it is stored as a hash."""

    player = models.OneToOneField(Player, models.CASCADE, primary_key=True, related_name="handover")
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"Handover until {self.expires_at}"
