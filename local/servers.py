"""PostgreSQL and Redis: existing servers if the environment names them, else servers started here."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from local import given, postgres, redis_server
from local.guard import guarded
from local.place import Place, make_place


@contextmanager
def servers(place: Place, environment: Mapping[str, str], *, durable: bool) -> Iterator[dict[str, str]]:
    """Yield DATABASE_URL and REDIS_URL of servers that answer. Servers started here keep their data in ``place``."""
    with ExitStack() as stack:
        database_url = environment.get("DATABASE_URL")
        if database_url:
            given.check_database(database_url)
        else:
            database_url = stack.enter_context(postgres.running(place, durable=durable))
        redis_url = environment.get("REDIS_URL")
        if redis_url:
            given.check_redis(redis_url)
        else:
            redis_url = stack.enter_context(redis_server.running(place))
        yield {"DATABASE_URL": database_url, "REDIS_URL": redis_url}


@contextmanager
def throwaway_servers(environment: Mapping[str, str] = os.environ) -> Iterator[dict[str, str]]:
    """Yield the same with a temporary DATA_DIR, which is deleted afterwards, even after a kill -9."""
    folder = Path(tempfile.mkdtemp(prefix="mexican-train-"))
    folder.chmod(0o711)
    place = make_place(folder)
    try:
        with guarded(place.run, remove=folder), servers(place, environment, durable=False) as addresses:
            yield {"DATA_DIR": str(folder), **addresses}
    finally:
        shutil.rmtree(folder, ignore_errors=True)
