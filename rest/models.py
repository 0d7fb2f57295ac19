"""Stored answers, kept for a day so that a repeated request gets the same one; and periods of uptime."""

from django.db import models


class AnsweredRequest(models.Model):
    """One request with an ``Idempotency-Key``. Neither the key nor the answer can be read from the row alone."""

    digest = models.CharField(max_length=64, primary_key=True, help_text="The digest of the caller and the key.")
    fingerprint = models.CharField(max_length=64, help_text="The digest of the method, the path and the body.")
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.BinaryField(null=True, help_text="Encrypted with the key that the caller sent.")
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return self.digest[:12]


class Uptime(models.Model):
    """A period in which the server could accept moves. The time between two periods is an outage."""

    began_at = models.DateTimeField()
    until = models.DateTimeField(help_text="When a web process last said that it could take moves.")
    is_settled = models.BooleanField(default=False, help_text="Whether deadlines were extended by the outage before.")

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.began_at:%Y-%m-%d %H:%M:%S} to {self.until:%Y-%m-%d %H:%M:%S}"
