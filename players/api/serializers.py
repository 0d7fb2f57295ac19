"""Serializers of the API for players."""

from typing import Any

from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError as InvalidPassword
from django.utils.translation import gettext
from rest_framework import serializers

from players.accounts import RESERVED_USERNAMES
from players.models import USERNAME_LENGTH, Player
from players.names import NAME_LENGTH, BadName, folded, in_one_form, is_reserved, must_be_free
from rest.bodies import StrictFields
from rest.texts import described


class NameField(serializers.CharField):
    """A name. It is brought into its normal form before its length is validated."""

    def __init__(self, max_length: int = NAME_LENGTH, **kwargs: Any) -> None:
        super().__init__(max_length=max_length, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        name: str = super().to_internal_value(data)
        try:
            return self.validated(data if isinstance(data, str) else name)
        except BadName as bad:
            raise serializers.ValidationError(str(bad), code=bad.code) from bad

    def validated(self, name: str) -> str:
        return in_one_form(name)


class PlayerNameField(NameField):
    """The name of a player. Reserved names are refused."""

    def validated(self, name: str) -> str:
        name = super().validated(name)
        must_be_free(name)
        return name


class UsernameField(serializers.RegexField):
    """A username. It is brought into its normal form (NFKC) before its length and characters are validated."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(r"^[\w.@+-]+\Z", max_length=USERNAME_LENGTH, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        return Player.normalize_username(super().to_internal_value(data))


class PasswordField(serializers.CharField):
    """An existing password."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=128, trim_whitespace=False, **kwargs)


class NewPasswordField(PasswordField):
    """A new password, which must not be easy to guess."""

    def to_internal_value(self, data: Any) -> str:
        password: str = super().to_internal_value(data)
        try:
            password_validation.validate_password(password)
        except InvalidPassword as error:
            raise serializers.ValidationError(error.messages, code="weak_password") from error
        return password


@described("The name of a guest.")
class NameSerializer(StrictFields):
    name = PlayerNameField(help_text="The name that others see.")


@described("Changes to the caller. A new password also needs the current one.")
class MeChangesSerializer(StrictFields):
    name = PlayerNameField(required=False, help_text="The new name, which others see.")
    password = NewPasswordField(required=False, help_text="The new password. It must not be easy to guess.")
    current_password = PasswordField(required=False, help_text="The password until now.")

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        both = {"password", "current_password"}
        if missing := both - given.keys() if both & given.keys() else set():
            raise serializers.ValidationError({name: self.fields[name].error_messages["required"] for name in missing})
        return given


@described("The tokens to revoke.")
class LogoutSerializer(StrictFields):
    everywhere = serializers.BooleanField(
        default=False, help_text="Whether to revoke all of the player's tokens, not only this one."
    )


@described("An account's name and its password.")
class LoginSerializer(StrictFields):
    username = serializers.CharField(max_length=USERNAME_LENGTH, help_text="The account's username.")
    password = PasswordField(help_text="The account's password.")


@described("A new account. Other players see `name`.")
class RegistrationSerializer(StrictFields):
    username = UsernameField(help_text="The username: letters, digits and `@.+-_`.")
    password = NewPasswordField(help_text="The password. It must not be easy to guess.")
    name = PlayerNameField(required=False, help_text="The name that others see; by default the username.")

    def validate_username(self, username: str) -> str:
        """Validate the username as a name too, because it becomes the name if the caller gives none."""
        try:
            in_one_form(username)
        except BadName as bad:
            raise serializers.ValidationError(str(bad), code=bad.code) from bad
        if folded(username) in RESERVED_USERNAMES or is_reserved(username):
            raise serializers.ValidationError(gettext("This username is reserved."), code="username_reserved")
        return username


@described("A code from another device.")
class HandoverSerializer(StrictFields):
    code = serializers.CharField(max_length=100, help_text="Case, spaces and hyphens make no difference.")
