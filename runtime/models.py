"""Periods of uptime."""

from django.db import models


class Uptime(models.Model):
    """A period in which the server could accept moves. The time between two periods is an outage."""

    began_at = models.DateTimeField()
    until = models.DateTimeField(help_text="When a web process last said that it could take moves.")
    is_settled = models.BooleanField(default=False, help_text="Whether deadlines were extended by the outage before.")

    class Meta:
        db_table = "rest_uptime"  # the name of the table since the first release
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.began_at:%Y-%m-%d %H:%M:%S} to {self.until:%Y-%m-%d %H:%M:%S}"
