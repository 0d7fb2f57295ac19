"""Takes over the model of uptime from ``rest``. Its table stays as it is, so this migration changes no table."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [("rest", "0003_uptime_moves_to_runtime")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="Uptime",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("began_at", models.DateTimeField()),
                        (
                            "until",
                            models.DateTimeField(help_text="When a web process last said that it could take moves."),
                        ),
                        (
                            "is_settled",
                            models.BooleanField(
                                default=False, help_text="Whether deadlines were extended by the outage before."
                            ),
                        ),
                    ],
                    options={"db_table": "rest_uptime", "ordering": ("-id",)},
                ),
            ]
        )
    ]
