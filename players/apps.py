"""The app's configuration."""

from django.apps import AppConfig


class PlayersConfig(AppConfig):
    name = "players"

    def ready(self) -> None:
        from players.api import schema  # noqa: F401 - the import registers the extension in drf-spectacular
