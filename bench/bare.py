"""The reference for the web: plain Django without middleware, with the same transaction and the same poll in raw SQL.

A move authenticates, locks, inserts and updates, and answers about 2 KB of JSON. A poll is one indexed query. The same
kind of server runs it in a process of its own, on its own tables in the same database (``bare_tables.py``).
"""

import json
from uuid import UUID

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path

from config.environment import environment

database = environment.DATABASE_URL | {"CONN_MAX_AGE": None}
# Django's defaults, whatever our own settings say, so that the reference does not change with them.
database["OPTIONS"] |= {"server_side_binding": False, "prepare_threshold": None}
settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    DATABASES={"default": database},
    INSTALLED_APPS=[],
    LOGGING_CONFIG=None,
    MIDDLEWARE=[],
    ROOT_URLCONF=__name__,
    SECRET_KEY=environment.SECRET_KEY,
    USE_TZ=True,
)


def token_of(request: HttpRequest) -> str:
    return str(request.META.get("HTTP_AUTHORIZATION", ""))[7:]


def move(request: HttpRequest, table: UUID) -> HttpResponse:
    sent = json.loads(request.body)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("select seat from bare_token where key = %s and table_id = %s", [token_of(request), table])
        (seat,) = cursor.fetchone()
        cursor.execute("select version, state::text from bare_table where id = %s for update", [table])
        version, text = cursor.fetchone()
        cursor.execute(
            "insert into bare_move (table_id, number, seat, text) values (%s, %s, %s, %s)",
            [table, version + 1, seat, sent["move"]],
        )
        cursor.execute("update bare_table set version = %s where id = %s", [version + 1, table])
    state = json.loads(text)
    state["version"] = version + 1
    return answer(json.dumps(state).encode(), 201, {})


def poll(request: HttpRequest, table: UUID) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute(
            "select t.version from bare_token k join bare_table t on t.id = k.table_id where k.key = %s and t.id = %s",
            [token_of(request), table],
        )
        (version,) = cursor.fetchone()
    tag = f'"{version}"'
    if request.META.get("HTTP_IF_NONE_MATCH") == tag:
        return HttpResponse(status=304, headers={"ETag": tag})
    return answer(b"{}", 200, {"ETag": tag})


def healthz(request: HttpRequest) -> HttpResponse:
    return answer(b"{}", 200, {})


def answer(body: bytes, status: int, headers: dict[str, str]) -> HttpResponse:
    """Set the length. Django leaves this to a middleware that is not installed here."""
    headers["Content-Length"] = str(len(body))
    return HttpResponse(body, content_type="application/json", status=status, headers=headers)


urlpatterns = [
    path("healthz", healthz),
    path("bare/<uuid:table>/moves", move),
    path("bare/<uuid:table>/position", poll),
]
application = get_wsgi_application()
