"""Gives the model of uptime to ``runtime``. Its table stays as it is, so this migration changes no table."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("rest", "0002_uptime")]

    operations = [migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("Uptime")])]
