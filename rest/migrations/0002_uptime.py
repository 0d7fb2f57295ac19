"""Periods in which moves could be taken."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("rest", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Uptime",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("began_at", models.DateTimeField()),
                ("until", models.DateTimeField(help_text="When a web process last said that it could take moves.")),
                (
                    "is_settled",
                    models.BooleanField(
                        default=False, help_text="Whether deadlines were extended by the outage before."
                    ),
                ),
            ],
            options={"ordering": ("-id",)},
        ),
    ]
