"""``make run``: everything one machine needs to play, started in order and stopped in reverse."""

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
WEB = ("gunicorn", "config.wsgi:application")  # gunicorn.conf.py says how
CELERY = ("celery", "--app", "config", "--quiet")
# Celery warns root at length; on the one machine of somebody who is root there is nobody else to be.
QUIET = ("-W", "ignore:You're running the worker with superuser privileges")
CALM = ("--without-gossip", "--without-mingle")
WORKER = ("worker", "--queues", "celery", "--pool", "threads", "--concurrency", "4", *CALM)
# Bots think in a process of their own. In production it has several (prefork), of which one that hangs can be ended.
BOTS = ("worker", "--queues", "bots", "--hostname", "bots@%h", "--pool", "threads", "--concurrency", "4", *CALM)
# Whoever is told over the internet may be slow; nothing else waits for them.
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
    """A wish to stop is one thing, however it arrives: Ctrl-C, SIGTERM, or the terminal closing."""
    signal.signal(signal.SIGINT, interrupt_once)
    signal.signal(signal.SIGTERM, interrupt_once)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda _number, _frame: signal.raise_signal(signal.SIGTERM))
    with suppress(KeyboardInterrupt):
        yield


def interrupt_once(_number: int, _frame: FrameType | None) -> None:
    """A second Ctrl-C does not stop the stopping."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


def clear_leftovers(place: Place) -> bool:
    ended = records.end_all(place.run)
    if ended:
        say(f"Ended what a killed run had left behind: {', '.join(ended)}.")
    return bool(ended)


def clear_port(options: Options, *, was_used: bool) -> None:
    """The last of a killed web server's processes may need a moment to notice and go."""
    deadline = time.monotonic() + (LEFTOVER_PATIENCE if was_used else 0)
    while time.monotonic() < deadline:
        with suppress(LocalError):
            check_port(options)
            return
        time.sleep(0.1)
    check_port(options)


def start_and_stay(options: Options, place: Place, environment: Mapping[str, str]) -> None:
    """Returns when asked to stop; raises when a process has ended by itself."""
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
        raise LocalError(f"Everything was stopped because {' and '.join(crew.fallen)} ended; the lines above tell why.")


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
