"""The Celery application, from which the workers and beat start."""

import os
from typing import Any

from celery import Celery
from celery.signals import task_prerun
from django.db import close_old_connections
from kombu.transport.redis import Channel

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# When a connection closes, kombu (5.7) puts unacknowledged messages back into Redis. If Redis is away, this fails, and
# kombu writes them to a temporary file. Messages may be lost here, so this is off. No transport option turns it off.
Channel.do_restore = False

app = Celery("mexican_train")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@task_prerun.connect
def drop_broken_connections(**kwargs: Any) -> None:
    """Before each task, close a database connection that has failed or that the server has closed.

    Other connections stay open between tasks.
    """
    from runtime.database_away import close_if_cut  # not at the top: Django must be set up first

    close_old_connections()
    close_if_cut()
