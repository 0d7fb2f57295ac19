"""When a table last changed, so that an unused table can be cancelled."""

import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0006_records"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="changed_at",
            field=models.DateTimeField(
                default=django.utils.timezone.now, help_text="When anything other than a move last changed this table."
            ),
        ),
        migrations.AddIndex(
            model_name="table",
            index=models.Index(
                condition=models.Q(("status__in", ("open", "playing"))), fields=["changed_at"], name="table_idle"
            ),
        ),
    ]
