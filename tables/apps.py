"""The room's name to Django, and whom it listens to."""

from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"

    def ready(self) -> None:
        from players.accounts import player_forgotten
        from tables import notices, seating
        from webhooks import outbox
        from webhooks.models import Event

        player_forgotten.connect(seating.on_player_forgotten)
        outbox.is_still_news[Event.YOUR_TURN] = notices.is_still_their_turn
