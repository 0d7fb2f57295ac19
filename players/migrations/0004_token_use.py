"""When each token was last used. Those of today count as used now, so that nobody is absent because of the update."""

from django.conf import settings
from django.db import migrations, models

USED_NOW = """
insert into players_tokenuse (digest, player_id, used_at) select digest, user_id, now() from knox_authtoken
"""


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0003_player_newest"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("knox", "0009_extend_authtoken_field"),
    ]

    operations = [
        migrations.CreateModel(
            name="TokenUse",
            fields=[
                ("digest", models.CharField(max_length=128, primary_key=True, serialize=False)),
                ("used_at", models.DateTimeField()),
                (
                    "player",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="token_uses", to=settings.AUTH_USER_MODEL),
                ),
            ],
        ),
        migrations.RunSQL(USED_NOW, migrations.RunSQL.noop),
    ]
