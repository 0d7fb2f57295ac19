"""Which receivers took long the last time, so that they do not take all threads from others."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("webhooks", "0001_webhooks_and_deliveries"),
    ]

    operations = [
        migrations.AddField(
            model_name="webhook",
            name="is_slow",
            field=models.BooleanField(db_default=False, default=False, help_text="Whether the last attempt took long."),
        ),
        migrations.AddIndex(
            model_name="webhook",
            index=models.Index(condition=models.Q(("is_slow", True)), fields=["sending_until"], name="webhook_slow"),
        ),
    ]
