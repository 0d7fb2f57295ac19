"""The webhooks of players, and the messages to them."""

import django.contrib.postgres.fields
import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("url", models.CharField(max_length=500)),
                (
                    "secret",
                    models.CharField(
                        help_text="The key that signs the messages. Only its player sees it, once.", max_length=60
                    ),
                ),
                (
                    "events",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("your_turn", "Your Turn"),
                                ("table_finished", "Table Finished"),
                                ("test", "Test"),
                            ],
                            max_length=20,
                        ),
                        size=None,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "disabled_reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "not disabled"),
                            ("by_player", "By Player"),
                            ("gone", "its receiver has answered 410"),
                            ("failing", "nothing has reached it for days"),
                        ],
                        default="",
                        max_length=12,
                    ),
                ),
                (
                    "failures",
                    models.PositiveIntegerField(default=0, help_text="Failed attempts in a row."),
                ),
                ("failing_since", models.DateTimeField(blank=True, null=True)),
                ("busy_until", models.DateTimeField(blank=True, null=True)),
                ("sending_until", models.DateTimeField(blank=True, null=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("created_at", "id"),
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                (
                    "event",
                    models.CharField(
                        choices=[("your_turn", "Your Turn"), ("table_finished", "Table Finished"), ("test", "Test")],
                        max_length=20,
                    ),
                ),
                ("table", models.UUIDField(blank=True, null=True)),
                (
                    "number",
                    models.PositiveIntegerField(
                        blank=True, help_text="The number in the log at which it happened.", null=True
                    ),
                ),
                ("body", models.TextField()),
                ("created_at", models.DateTimeField()),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("delivered", "Delivered"),
                            ("failed", "Failed"),
                            ("obsolete", "the turn was over before the message was sent"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "last_status",
                    models.PositiveSmallIntegerField(
                        blank=True, help_text="The status of the receiver's last answer.", null=True
                    ),
                ),
                ("last_failure", models.CharField(blank=True, max_length=20)),
                (
                    "webhook",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="webhooks.webhook",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "deliveries",
                "ordering": ("-created_at", "-id"),
                "indexes": [
                    models.Index(
                        condition=models.Q(("due_at__isnull", False)), fields=["due_at", "webhook"], name="delivery_due"
                    ),
                    models.Index(fields=["webhook", "-created_at"], name="delivery_latest"),
                    models.Index(fields=["created_at"], name="delivery_oldest"),
                    models.Index(
                        condition=models.Q(("outcome", "failed")), fields=["ended_at"], name="delivery_failed"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("webhook", "table", "number", "event"), name="one_delivery_of_a_turn"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("due_at__isnull", False), ("outcome", "waiting")),
                            models.Q(models.Q(("outcome", "waiting"), _negated=True), ("due_at", None)),
                            _connector="OR",
                        ),
                        name="what_waits_is_due_some_time",
                    ),
                ],
            },
        ),
    ]
