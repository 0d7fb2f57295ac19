from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("tables", "0010_stall_minutes"),)

    operations = (
        migrations.AddField(
            model_name="seat",
            name="has_left",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Of a match that is over: others made more than a third of its turns, or its host cancelled it.",
            ),
        ),
    )
