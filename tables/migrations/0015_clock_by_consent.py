"""Another clock by consent, and stand-ins that play a round to its end."""

from django.db import migrations, models

from tables.models import OnTimeout, StandIn


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0014_rematches"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="turn_on_timeout",
            field=models.CharField(
                blank=True,
                choices=OnTimeout.choices,
                help_text="The on_timeout of the current turn, if the clock has changed since the turn began.",
                max_length=8,
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="clock_proposal",
            field=models.JSONField(blank=True, help_text="Another clock, and the seats that agree.", null=True),
        ),
        migrations.AddField(
            model_name="table",
            name="clock_lapses_at",
            field=models.DateTimeField(blank=True, help_text="When the proposed clock expires.", null=True),
        ),
        migrations.AddIndex(
            model_name="table",
            index=models.Index(
                condition=models.Q(("clock_lapses_at__isnull", False)),
                fields=["clock_lapses_at"],
                name="table_clock_lapses",
            ),
        ),
        migrations.AlterField(
            model_name="seat",
            name="stand_in_until",
            field=models.CharField(blank=True, choices=StandIn.choices, default="", max_length=6),
        ),
    ]
