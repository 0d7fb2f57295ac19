from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("tables", "0011_deadline_set_at"),)

    operations = (
        migrations.AddField(
            model_name="seat",
            name="has_left",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Whether others made over a third of the turns of a finished match, or this host cancelled it.",
            ),
        ),
    )
