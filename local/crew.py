"""Honcho's process manager, with safe output in signal handlers and a correct stop during the start."""

import os
import shlex
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from honcho.manager import SIGNALS, Manager
from honcho.printer import Message, Printer

from local import ROOT, records

STOP_SIGNALS = {signal.SIGINT, signal.SIGTERM}
REQUESTED = {known["rc"] for known in SIGNALS.values()}


class CrewPrinter(Printer):  # type: ignore[misc]
    """Blocks stop signals while it writes a line, because their handlers write lines too."""

    crew: "Crew"

    def write(self, message: Message) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        try:
            super().write(message)
        except BrokenPipeError:
            # The reader of the output has ended: stop all processes and write nothing more.
            self.output = Path(os.devnull).open("w")  # noqa: SIM115
            os.kill(os.getpid(), signal.SIGTERM)
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
        self.crew.terminate_if_due()


class Crew(Manager):  # type: ignore[misc]
    """Runs the processes until one ends or a stop signal arrives. ``fallen`` names those that ended by themselves."""

    def __init__(self, run: Path) -> None:
        printer = CrewPrinter(sys.stdout)
        printer.crew = self
        super().__init__(printer)
        self.run = run
        self.fallen: list[str] = []
        self.is_due = False

    def add(self, name: str, command: Sequence[str], environment: Mapping[str, str]) -> None:
        """Add a process. A shell writes its own process id to the record, and then becomes the command."""
        record = shlex.quote(str(records.path_of(self.run, name)))
        self.add_process(name, f"echo $$ >{record} && exec {shlex.join(command)}", env=dict(environment), cwd=str(ROOT))

    def erase_records(self) -> None:
        for name in self._processes:
            records.erase(self.run, name)

    def terminate(self) -> None:
        """Stop all processes. If some have no process id yet, stop all later, once every process has started."""
        self.is_due = True
        if self.returncode not in REQUESTED:
            self.fallen = [name for name, process in self._processes.items() if "returncode" in process]
        if self._all_started():
            super().terminate()

    def terminate_if_due(self) -> None:
        if self.is_due and not self._terminating:
            self.terminate()
