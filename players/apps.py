"""The room's name to Django."""

from django.apps import AppConfig


class PlayersConfig(AppConfig):
    name = "players"

    def ready(self) -> None:
        from players.api import schema  # noqa: F401 - drf-spectacular finds the extension once it is imported
