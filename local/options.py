"""Options of a run from the environment, read and validated before anything is started."""

import errno
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from local.errors import LocalError

# The wildcard addresses that HOST may name, and the address that a URL on this machine uses instead.
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
        """The URL for a browser on this machine."""
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
        raise LocalError(f"PORT must be a number from 1 to {HIGHEST_PORT}, not {text!r}.")
    return int(text)


def check_port(options: Options) -> None:
    """Raise ``LocalError`` if the port cannot be used.

    SO_REUSEADDR, which gunicorn sets too, allows connections of the last run that are still closing.
    """
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as candidate:
        candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            candidate.bind((options.host, options.port))
        except OSError as error:
            raise LocalError(refusal(options, error)) from None


def refusal(options: Options, error: OSError) -> str:
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"HOST={options.host} is not an address of this machine; leave it out or correct it."
    reason = (error.strerror or str(error)).lower()
    return f"Port {options.port} cannot be used ({reason}); choose another: {advice(options)}."


def advice(options: Options) -> str:
    return f"make run PORT={options.port + 1 if 1024 <= options.port < HIGHEST_PORT else 8001}"


def django_environment(options: Options, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for Django. Variables that are set stay; the defaults suit one machine without TLS."""
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
    """Return the secret key. The first call creates the file, at once with permissions for its owner only."""
    if not path.exists() or not path.read_text().strip():
        path.unlink(missing_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text().strip()
