"""The Celery application: the worker and beat start from here."""

import os
from typing import Any

from celery import Celery
from celery.signals import task_prerun
from django.db import close_old_connections
from kombu.transport.redis import Channel

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# A message is only a nudge, and is let go with the connection. Putting it back into a Redis that is gone fails, and
# kombu (5.7) then writes it to a temporary file. There is no transport option for it.
Channel.do_restore = False

app = Celery("mexican_train")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@task_prerun.connect
def drop_broken_connections(**kwargs: Any) -> None:
    """Connections outlive tasks here; one that has failed does not, nor one that a restarted server has cut."""
    from rest.away import close_if_cut  # once Django is set up

    close_old_connections()
    close_if_cut()
