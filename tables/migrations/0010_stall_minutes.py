"""How long an absent player may hold up a match, or an absent host a table."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0009_seat_shown_name"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="stall_minutes",
            field=models.PositiveIntegerField(
                blank=True,
                db_default=15,
                default=15,
                help_text="Minutes for which the others wait for an absent player, without a clock, or for an absent host.",
                null=True,
            ),
        ),
    ]
