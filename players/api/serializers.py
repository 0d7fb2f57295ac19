"""What goes in and out of the calls about players."""

from typing import Any

from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError as InvalidPassword
from rest_framework import serializers

from players.models import NAME_LENGTH, USERNAME_LENGTH, Player
from rest.bodies import StrictFields


class MeSerializer(serializers.ModelSerializer[Player]):
    """A player as they see themselves."""

    class Meta:
        model = Player
        fields = ("id", "name", "kind", "username", "created_at")
        read_only_fields = ("id", "kind", "username", "created_at")


class GuestSerializer(StrictFields):
    name = serializers.CharField(max_length=NAME_LENGTH)


class LoginSerializer(StrictFields):
    username = serializers.CharField(max_length=USERNAME_LENGTH)
    password = serializers.CharField(max_length=128, trim_whitespace=False)


class RegistrationSerializer(LoginSerializer):
    username = serializers.RegexField(r"^[\w.@+-]+\Z", max_length=USERNAME_LENGTH)
    name = serializers.CharField(max_length=NAME_LENGTH, required=False)

    def validate_password(self, password: str) -> str:
        try:
            password_validation.validate_password(password)
        except InvalidPassword as error:
            raise serializers.ValidationError(error.messages, code="weak_password") from error
        return password


class WelcomeSerializer(serializers.Serializer[Any]):
    """The player and the token to call with; the token is shown this once."""

    player = MeSerializer()
    token = serializers.CharField()
