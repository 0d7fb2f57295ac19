"""The app's configuration: it connects the signal, and registers the gauges and the queue."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "webhooks"

    def ready(self) -> None:
        from players.accounts import player_forgotten
        from runtime import metrics
        from webhooks import addressbook, gauges, outbox

        player_forgotten.connect(addressbook.on_player_forgotten)
        metrics.readings.append(gauges.read)
        metrics.queues.append(outbox.QUEUE)
