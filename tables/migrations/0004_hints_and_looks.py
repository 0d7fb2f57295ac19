"""Hints can be switched off, and the sweep counts how often it has found a table due."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("tables", "0003_round_first_seat"),)
    operations = (
        migrations.AddField(
            "table",
            "looks",
            models.PositiveSmallIntegerField(
                default=0, help_text="How often the sweep has found this table due since its last move."
            ),
        ),
        migrations.AddField(
            "table",
            "hints",
            models.BooleanField(default=True, help_text="Whether seats may ask which move a bot would make."),
        ),
    )
