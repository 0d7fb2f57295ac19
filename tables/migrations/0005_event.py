"""Events: what each version of a table changed, so that a watcher can continue after a lost connection."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("tables", "0004_hints_and_looks"),)
    operations = (
        migrations.CreateModel(
            "Event",
            (
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[("move", "Move"), ("round", "Round"), ("seat", "Seat"), ("table", "Table")],
                        max_length=5,
                    ),
                ),
                ("data", models.JSONField()),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to="tables.table",
                    ),
                ),
            ),
            options={
                "ordering": ("table", "version"),
                "constraints": (models.UniqueConstraint(fields=("table", "version"), name="one_event_of_a_version"),),
            },
        ),
    )
