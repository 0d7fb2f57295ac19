"""The room's name to Django, and whom it listens to."""

from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"

    def ready(self) -> None:
        from players.accounts import player_forgotten
        from tables import seating

        player_forgotten.connect(seating.on_player_forgotten)
