"""The configuration of this Django app, and the signals that it handles."""

from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"

    def ready(self) -> None:
        from django.db.models.signals import post_delete
        from knox.models import AuthToken

        from players.accounts import inactivity_asked, player_forgotten, player_made_inactive, player_renamed
        from runtime import metrics
        from tables import gauges, notices, schedule, watching
        from tables.lobby import leaving, renaming
        from webhooks import outbox
        from webhooks.models import Event

        player_forgotten.connect(leaving.on_player_gone)
        player_forgotten.connect(renaming.on_forgotten)
        player_renamed.connect(renaming.on_renamed)
        player_made_inactive.connect(leaving.on_player_gone)
        player_made_inactive.connect(watching.on_player_gone)
        post_delete.connect(watching.on_token_ended, sender=AuthToken)
        inactivity_asked.connect(leaving.consequences)
        metrics.readings.append(gauges.read)
        metrics.queues.append(schedule.BOTS)
        outbox.is_still_news[Event.YOUR_TURN] = notices.is_still_their_turn
