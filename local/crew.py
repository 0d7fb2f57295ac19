"""Honcho's process manager, with the two edges taken off that a person would see."""

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
    """Writes one line at a time even if a signal arrives half-way, whose handler writes lines too."""

    crew: "Crew"

    def write(self, message: Message) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        try:
            super().write(message)
        except BrokenPipeError:
            # Whoever read along has gone; the crew is stopped and nothing more is said.
            self.output = Path(os.devnull).open("w")  # noqa: SIM115
            os.kill(os.getpid(), signal.SIGTERM)
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
        self.crew.terminate_if_due()


class Crew(Manager):  # type: ignore[misc]
    """Runs the processes until one of them ends or a signal asks; ``fallen`` names those that ended by themselves."""

    def __init__(self, run: Path) -> None:
        printer = CrewPrinter(sys.stdout)
        printer.crew = self
        super().__init__(printer)
        self.run = run
        self.fallen: list[str] = []
        self.is_due = False

    def add(self, name: str, command: Sequence[str], environment: Mapping[str, str]) -> None:
        """Recorded by its shell, which then becomes the process, so that the number is right from the first moment."""
        record = shlex.quote(str(records.path_of(self.run, name)))
        self.add_process(name, f"echo $$ >{record} && exec {shlex.join(command)}", env=dict(environment), cwd=str(ROOT))

    def erase_records(self) -> None:
        for name in self._processes:
            records.erase(self.run, name)

    def terminate(self) -> None:
        """Before every process has told its number there is nothing to send a signal to; then it is due later."""
        self.is_due = True
        if self.returncode not in REQUESTED:
            self.fallen = [name for name, process in self._processes.items() if "returncode" in process]
        if self._all_started():
            super().terminate()

    def terminate_if_due(self) -> None:
        if self.is_due and not self._terminating:
            self.terminate()
