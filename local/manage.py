"""``manage.py`` with the databases of this machine's server, whether that is running or not."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

from local import ROOT
from local.errors import LocalError
from local.guard import guarded
from local.lock import is_held, only_one
from local.options import django_environment, read_options
from local.place import Place, make_place
from local.servers import servers


def manage(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """The command's exit code. Where no server is running, the databases are started for its time."""
    options = read_options(environment)
    place = make_place(options.data_dir)
    django = django_environment(options, environment)
    if is_held(place.run / "lock"):
        return call(arguments, {**django, **addresses_told(place)})
    with (
        only_one(place.run / "lock", options.url),
        guarded(place.run),
        servers(place, environment, durable=True) as addresses,
    ):
        return call(arguments, {**django, **addresses})


def call(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    command = [sys.executable, "manage.py", *arguments]
    with suppress(KeyboardInterrupt):
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    return 130


def tell_addresses(place: Place, addresses: Mapping[str, str]) -> None:
    """Leave word of where a running server's databases are, readable by its owner alone."""
    path = place.data("addresses.json")
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_text(json.dumps(addresses))


def addresses_told(place: Place) -> dict[str, str]:
    try:
        told: dict[str, str] = json.loads(place.data("addresses.json").read_text())
    except (OSError, ValueError) as error:
        raise LocalError("The server is just being started or stopped; try again in a moment.") from error
    return told
