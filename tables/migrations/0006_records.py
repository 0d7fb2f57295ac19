"""Tables that come from a record of a match played elsewhere, whose deals may have no secret."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("tables", "0005_event"),)
    operations = (
        migrations.AddField(
            "table",
            "imported_at",
            models.DateTimeField(null=True, blank=True, help_text="When its record came from elsewhere."),
        ),
        migrations.AddField(
            "table",
            "record_headers",
            models.JSONField(default=list, blank=True, help_text="Of that record: names and values, in order."),
        ),
        migrations.AlterField(
            "round",
            "secret",
            models.BinaryField(help_text="Empty if a record of the round came without it."),
        ),
        migrations.AlterField(
            "round",
            "commitment",
            models.CharField(max_length=64, blank=True, help_text="SHA-256 of the secret."),
        ),
    )
