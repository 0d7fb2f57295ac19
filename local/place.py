"""The folder one server lives in, and what lies where in it."""

from dataclasses import dataclass
from pathlib import Path

from local.errors import LocalError


@dataclass(frozen=True)
class Place:
    folder: Path

    @property
    def run(self) -> Path:
        """Records of what runs at the moment."""
        return self.folder / "run"

    def data(self, name: str) -> Path:
        return self.folder / name

    def log(self, name: str) -> Path:
        return self.folder / "log" / f"{name}.log"


def make_place(folder: Path) -> Place:
    """Others may pass through, to reach a PostgreSQL that runs as somebody else, and see nothing."""
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
