"""Public tables, newest first, without passing by all the private ones."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0007_changed_at"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="table",
            index=models.Index(
                condition=models.Q(("visibility", "public")),
                fields=["-created_at", "-id"],
                name="table_public_newest",
            ),
        ),
    ]
