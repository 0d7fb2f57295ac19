"""The room's name to Django, and whom it listens to."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "webhooks"

    def ready(self) -> None:
        from players.accounts import player_forgotten
        from webhooks import addressbook

        player_forgotten.connect(addressbook.on_player_forgotten)
