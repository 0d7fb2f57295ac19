"""Whether a player has an enabled webhook, as a column, so that a move needs no further query."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="has_webhooks",
            field=models.BooleanField(
                default=False, editable=False, help_text="Whether the player has an enabled webhook."
            ),
        ),
    ]
