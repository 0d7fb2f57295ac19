"""A round counts from a seat that need not be the one with the first turn. Until now it always was."""

from django.db import migrations, models
from django.db.models import F


def count_from_starter(apps, schema_editor):
    apps.get_model("tables", "Round").objects.filter(starter__isnull=False).update(first_seat=F("starter"))


class Migration(migrations.Migration):
    dependencies = (("tables", "0002_append_only_log"),)
    operations = (
        migrations.AddField(
            "round",
            "first_seat",
            models.PositiveSmallIntegerField(
                null=True, help_text="The first seat of the round, which also draws first."
            ),
        ),
        migrations.AlterField(
            "round",
            "starter",
            models.PositiveSmallIntegerField(null=True, help_text="The seat that has the first turn."),
        ),
        migrations.RunPython(count_from_starter, migrations.RunPython.noop),
    )
