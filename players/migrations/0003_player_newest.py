"""Players, newest first, for the admin's list."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0002_has_webhooks"),
    ]

    operations = [
        migrations.AlterModelOptions(name="player", options={"ordering": ("-created_at", "-id")}),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(fields=["-created_at", "-id"], name="player_newest"),
        ),
    ]
