"""``manage.py`` with the local server's databases, whether the server is running or not."""

import json
import secrets
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

from local import ROOT
from local.errors import LocalError
from local.guard import guarded
from local.lock import is_held, only_one
from local.migrate import is_empty, migrate
from local.options import django_environment, read_options
from local.place import Place, make_place
from local.servers import servers

WITHOUT_DATABASE = {"help", "simulate", "version"}
MIGRATES_ITSELF = {"makemigrations", "migrate", "showmigrations", "sqlmigrate", "squashmigrations"}


def manage(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run the command and return its exit code. If no server is running, start the databases for the command."""
    if not needs_database(arguments):
        return call(arguments, unconnected(environment))
    options = read_options(environment)
    place = make_place(options.data_dir)
    django = django_environment(options, environment)
    if is_held(place.run / "lock"):
        return call(arguments, {**django, **addresses_of_servers(place)})
    with (
        only_one(place.run / "lock", options.url),
        guarded(place.run),
        servers(place, environment, durable=True) as addresses,
    ):
        if arguments[0] not in MIGRATES_ITSELF and is_empty(addresses["DATABASE_URL"]):
            migrate(place, {**django, **addresses})
        return call(arguments, {**django, **addresses})


def needs_database(arguments: Sequence[str]) -> bool:
    name, *rest = arguments
    only_checks = name == "import_record" and "--check" in rest
    return not (name in WITHOUT_DATABASE or only_checks or {"--help", "-h"} & {*arguments})


def unconnected(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the required settings with values that are not used, so that no data folder is read or created."""
    set_already = {name: value for name, value in environment.items() if value}
    return {"SECRET_KEY": secrets.token_urlsafe(50), "DATABASE_URL": "postgresql:///unused", **set_already}


def call(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    command = [sys.executable, "manage.py", *arguments]
    with suppress(KeyboardInterrupt):
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    return 130


def tell_addresses(place: Place, addresses: Mapping[str, str]) -> None:
    """Write the addresses of a running server's databases to a file that only its owner can read."""
    forget_addresses(place)
    path = place.data("addresses.json")
    path.touch(mode=0o600)
    path.write_text(json.dumps(addresses))


def forget_addresses(place: Place) -> None:
    """Delete the addresses of the last run. Its databases have stopped, or they are not migrated yet."""
    place.data("addresses.json").unlink(missing_ok=True)


def addresses_of_servers(place: Place) -> dict[str, str]:
    try:
        addresses: dict[str, str] = json.loads(place.data("addresses.json").read_text())
    except (OSError, ValueError) as error:
        raise LocalError("The server is just being started or stopped; try again in a moment.") from error
    return addresses
