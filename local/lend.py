"""Temporary servers for one command."""

import signal
import subprocess
from collections.abc import Mapping, Sequence
from types import FrameType

from local.errors import LocalError
from local.servers import throwaway_servers


def lend(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run the command and return its exit code as a shell does: 128 plus the signal's number after a signal."""
    with throwaway_servers(environment) as addresses:
        try:
            process = subprocess.Popen(command, env={**environment, **addresses})
        except OSError as error:
            raise LocalError(f"{command[0]} cannot be run: {(error.strerror or str(error)).lower()}.") from None
        with process:
            pass_on_signals(process)
            code = process.wait()
    return code if code >= 0 else 128 - code


def pass_on_signals(process: subprocess.Popen[bytes]) -> None:
    """Pass SIGTERM on to the command. Ignore SIGINT here, because the terminal sends Ctrl-C to the command too."""

    def pass_on(number: int, _frame: FrameType | None) -> None:
        process.send_signal(number)

    signal.signal(signal.SIGTERM, pass_on)
    signal.signal(signal.SIGINT, lambda _number, _frame: None)
