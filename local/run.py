"""``make run``: starts everything that a server on one machine needs, and stops it in reverse order."""

import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from types import FrameType

from local import records
from local.console import say
from local.crew import Crew
from local.errors import LocalError
from local.guard import guarded
from local.lock import only_one
from local.manage import forget_addresses, tell_addresses
from local.migrate import migrate
from local.options import Options, check_port, django_environment, read_options
from local.place import Place, make_place
from local.servers import servers

LEFTOVER_PATIENCE = 3
WEB = ("gunicorn", "config.wsgi:application")  # gunicorn reads gunicorn.conf.py
CELERY = ("celery", "--app", "config", "--quiet")
# Hides Celery's long warning about root: a person who is root on their own machine may have no other account.
QUIET = ("-W", "ignore:You're running the worker with superuser privileges")
CALM = ("--without-gossip", "--without-mingle")
WORKER = ("worker", "--queues", "celery", "--pool", "threads", "--concurrency", "4", *CALM)
# Bots run in a process of their own. In production it has child processes (prefork), and one that hangs can be killed.
BOTS = ("worker", "--queues", "bots", "--hostname", "bots@%h", "--pool", "threads", "--concurrency", "4", *CALM)
# Webhooks have a worker of their own, because receivers on the internet may be slow.
WEBHOOKS = ("worker", "--queues", "webhooks", "--hostname", "webhooks@%h", "--pool", "threads", "-c", "8", *CALM)


def run(environment: Mapping[str, str]) -> int:
    options = read_options(environment)
    place = make_place(options.data_dir)
    with stopping_on_request(), only_one(place.run / "lock", options.url):
        clear_port(options, was_used=clear_leftovers(place))
        with guarded(place.run):
            start_and_stay(options, place, django_environment(options, environment))
    say("Stopped.")
    return 0


@contextmanager
def stopping_on_request() -> Iterator[None]:
    """Leave this context on Ctrl-C, on SIGTERM, or when the terminal is closed."""
    signal.signal(signal.SIGINT, interrupt_once)
    signal.signal(signal.SIGTERM, interrupt_once)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda _number, _frame: signal.raise_signal(signal.SIGTERM))
    with suppress(KeyboardInterrupt):
        yield


def interrupt_once(_number: int, _frame: FrameType | None) -> None:
    """Stop once: a second signal does not interrupt the shutdown."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


def clear_leftovers(place: Place) -> bool:
    ended = records.end_all(place.run)
    if ended:
        say(f"Ended what a killed run had left behind: {', '.join(ended)}.")
    return bool(ended)


def clear_port(options: Options, *, was_used: bool) -> None:
    """Check the port. If a killed run was ended, wait up to 3 seconds, because its web server may still be stopping."""
    deadline = time.monotonic() + (LEFTOVER_PATIENCE if was_used else 0)
    while time.monotonic() < deadline:
        with suppress(LocalError):
            check_port(options)
            return
        time.sleep(0.1)
    check_port(options)


def start_and_stay(options: Options, place: Place, environment: Mapping[str, str]) -> None:
    """Start everything and wait for a stop signal. Raises ``LocalError`` if a process ends by itself."""
    forget_addresses(place)
    say(f"Starting the databases in {options.data_dir}.")
    with servers(place, environment, durable=True) as addresses:
        environment = {**environment, **addresses}
        migrate(place, environment)
        tell_addresses(place, addresses)
        say(f"Starting web, worker, bots, webhooks and beat on {options.url}.")
        crew = assemble(options, place, environment)
        crew.loop()
        crew.erase_records()
        say("Stopping the databases.")
    if crew.fallen:
        raise LocalError(
            f"Everything was stopped because {' and '.join(crew.fallen)} ended; the lines above give the reason."
        )


def assemble(options: Options, place: Place, environment: Mapping[str, str]) -> Crew:
    crew = Crew(place.run)
    schedule = str(place.data("beat-schedule"))
    modules = {
        "web": (*WEB, "--bind", options.bind),
        "worker": (*CELERY, *WORKER),
        "bots": (*CELERY, *BOTS),
        "webhooks": (*CELERY, *WEBHOOKS),
        "beat": (*CELERY, "beat", "--schedule", schedule, "--pidfile="),
        "welcome": ("local.welcome", options.url),
    }
    for name, words in modules.items():
        crew.add(name, [sys.executable, *QUIET, "-m", *words], environment)
    return crew
