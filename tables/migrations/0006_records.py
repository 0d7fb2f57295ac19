"""Tables that come from a record of a match played elsewhere, whose deals may have no secret."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("tables", "0005_event"),)
    operations = (
        migrations.AddField(
            "table",
            "imported_at",
            models.DateTimeField(null=True, blank=True, help_text="When the table was imported from a record."),
        ),
        migrations.AddField(
            "table",
            "record_headers",
            models.JSONField(
                default=list, blank=True, help_text="The headers of the imported record: names and values, in order."
            ),
        ),
        migrations.AlterField(
            "round",
            "secret",
            models.BinaryField(help_text="Empty if the imported record has no secret."),
        ),
        migrations.AlterField(
            "round",
            "commitment",
            models.CharField(max_length=64, blank=True, help_text="SHA-256 of the secret."),
        ),
    )
