"""Stored answers, kept for a day so that a repeated request gets the same one."""

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
