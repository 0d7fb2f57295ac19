"""When a turn's deadline was set, so that outages since then can be counted in."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0010_stall_minutes"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="deadline_set_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When the deadline was set: it does not count outages that ended later.",
                null=True,
            ),
        ),
    ]
