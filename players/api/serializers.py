"""What goes in and out of the calls about players."""

from typing import Any
from unicodedata import category

from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError as InvalidPassword
from django.utils.translation import gettext
from rest_framework import serializers

from players.accounts import RESERVED_USERNAMES
from players.models import NAME_LENGTH, USERNAME_LENGTH, Player
from rest.bodies import StrictFields
from rest.texts import described

TURNS_TEXT = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Characters that turn the direction of what follows, also outside the name."""
BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs, says Unicode, of which nothing is seen."""


@described("A player as they see themselves.")
class MeSerializer(serializers.ModelSerializer[Player]):
    class Meta:
        model = Player
        fields = ("id", "name", "kind", "username", "created_at")
        read_only_fields = ("id", "kind", "username", "created_at")


class NameField(serializers.CharField):
    """A name that can be seen, and that leaves the text around it as it is."""

    def __init__(self, max_length: int = NAME_LENGTH, **kwargs: Any) -> None:
        super().__init__(max_length=max_length, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        name: str = super().to_internal_value(data)
        if not any(category(letter)[0] in "LNPS" and letter not in BLANK for letter in name):
            unseen = gettext("A name has at least one letter that can be seen.")
            raise serializers.ValidationError(unseen, code="invisible")
        if any(category(letter) == "Cc" or letter in TURNS_TEXT for letter in name):
            raise serializers.ValidationError(gettext("A name has no control characters."), code="control_character")
        return name


class UsernameField(serializers.RegexField):
    """A username, brought to its one form (NFKC) before its length and its letters are looked at."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(r"^[\w.@+-]+\Z", max_length=USERNAME_LENGTH, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        return Player.normalize_username(super().to_internal_value(data))


class PasswordField(serializers.CharField):
    """A password that somebody has."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=128, trim_whitespace=False, **kwargs)


class NewPasswordField(PasswordField):
    """One to be chosen, which is not easily guessed."""

    def to_internal_value(self, data: Any) -> str:
        password: str = super().to_internal_value(data)
        try:
            password_validation.validate_password(password)
        except InvalidPassword as error:
            raise serializers.ValidationError(error.messages, code="weak_password") from error
        return password


@described("A name: all that a guest needs.")
class NameSerializer(StrictFields):
    name = NameField()


@described("What one can change of oneself; an account's password with the one it has.")
class MeChangesSerializer(StrictFields):
    name = NameField(required=False)
    password = NewPasswordField(required=False)
    current_password = PasswordField(required=False)

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        both = {"password", "current_password"}
        if missing := both - given.keys() if both & given.keys() else set():
            raise serializers.ValidationError({name: self.fields[name].error_messages["required"] for name in missing})
        return given


@described("Which tokens end.")
class LogoutSerializer(StrictFields):
    everywhere = serializers.BooleanField(default=False, help_text="All of the player's tokens, not this one alone.")


@described("An account's name and its password.")
class LoginSerializer(StrictFields):
    username = serializers.CharField(max_length=USERNAME_LENGTH)
    password = PasswordField()


@described("An account to be made; `name` is what others see.")
class RegistrationSerializer(StrictFields):
    username = UsernameField()
    password = NewPasswordField()
    name = NameField(required=False)

    def validate_username(self, username: str) -> str:
        if username.casefold() in RESERVED_USERNAMES:
            raise serializers.ValidationError(gettext("This username is reserved."), code="username_reserved")
        return username


@described("The player and the token to call with; the token is shown this once.")
class WelcomeSerializer(serializers.Serializer[Any]):
    player = MeSerializer()
    token = serializers.CharField()
