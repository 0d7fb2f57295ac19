"""What a run is told by its environment, read and checked before anything is started."""

import errno
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from local.errors import LocalError

# Listened to only when HOST says so; what stands for each of them in an address on this machine.
EVERY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
HIGHEST_PORT = 65535


@dataclass(frozen=True)
class Options:
    data_dir: Path
    host: str
    port: int

    @property
    def bind(self) -> str:
        return f"{bracketed(self.host)}:{self.port}"

    @property
    def url(self) -> str:
        """The address a browser on this machine takes."""
        return f"http://{bracketed(EVERY_ADDRESS.get(self.host, self.host))}:{self.port}"


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def read_options(environment: Mapping[str, str]) -> Options:
    return Options(
        data_dir=Path(environment.get("DATA_DIR") or ".data").expanduser().resolve(),
        host=environment.get("HOST") or "127.0.0.1",
        port=read_port(environment.get("PORT") or "8000"),
    )


def read_port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= HIGHEST_PORT:
        raise LocalError(f"PORT is a number from 1 to {HIGHEST_PORT}, not {text!r}.")
    return int(text)


def check_port(options: Options) -> None:
    """Tried with the option gunicorn sets too, so that the last run's closing connections are no bar."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as candidate:
        candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            candidate.bind((options.host, options.port))
        except OSError as error:
            raise LocalError(refusal(options, error)) from None


def refusal(options: Options, error: OSError) -> str:
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"HOST={options.host} is no address of this machine; leave it out or correct it."
    reason = (error.strerror or str(error)).lower()
    return f"Port {options.port} cannot be used ({reason}); choose another: {advice(options)}."


def advice(options: Options) -> str:
    return f"make run PORT={options.port + 1 if 1024 <= options.port < HIGHEST_PORT else 8001}"


def django_environment(options: Options, environment: Mapping[str, str]) -> dict[str, str]:
    """What the person has set stays; the rest suits one machine that is reached without TLS."""
    ours = {
        "SECRET_KEY": secret_key(options.data_dir / "secret_key"),
        "DEBUG": "no",
        "ALLOWED_HOSTS": ",".join(
            dict.fromkeys(["127.0.0.1", "localhost", "[::1]", options.host, socket.gethostname()])
        ),
        "PUBLIC_URL": options.url,
    }
    if options.host in EVERY_ADDRESS:
        ours["ALLOWED_HOSTS"] = "*"
    theirs = {name: value for name, value in environment.items() if value}
    return {**ours, **theirs, "DATA_DIR": str(options.data_dir), "PYTHONUNBUFFERED": "1"}


def secret_key(path: Path) -> str:
    """Made once and readable by nobody else; created with its permissions, not given them afterwards."""
    if not path.exists() or not path.read_text().strip():
        path.unlink(missing_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text().strip()
