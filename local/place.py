"""The data folder of one server, and the paths in it."""

from dataclasses import dataclass
from pathlib import Path

from local.errors import LocalError


@dataclass(frozen=True)
class Place:
    folder: Path

    @property
    def run(self) -> Path:
        """The folder with the records of running processes."""
        return self.folder / "run"

    def data(self, name: str) -> Path:
        return self.folder / name

    def log(self, name: str) -> Path:
        return self.folder / "log" / f"{name}.log"


def make_place(folder: Path) -> Place:
    """Create the folders. Other accounts may pass through but not list them: PostgreSQL may run as another account."""
    place = Place(folder)
    try:
        folder.mkdir(mode=0o711, parents=True, exist_ok=True)
        place.run.mkdir(exist_ok=True)
        place.log("").parent.mkdir(exist_ok=True)
        (place.run / "lock").touch()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise LocalError(
            f"Nothing can be kept in {folder} ({reason}); set DATA_DIR to a folder you may write."
        ) from None
    return place
