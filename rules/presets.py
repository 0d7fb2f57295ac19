"""The named rule sets: each is the classic rules plus its differences (``rules.md`` §7)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.errors import BadOption
from rules.options import Options, resolve


@dataclass(frozen=True, slots=True)
class Preset:
    name: str
    title: str
    differences: Mapping[str, object] = field(default_factory=dict)


PRESETS = {preset.name: preset for preset in (Preset("classic", "Classic Mexican Train, double twelve"),)}


def rules_of(preset: str, overrides: Mapping[str, object]) -> Options:
    """A preset's rules with a table's own differences on top. Raises ``BadOption``, also for an unknown preset."""
    if preset not in PRESETS:
        raise BadOption("preset", f"{preset!r} is not one of {', '.join(PRESETS)}.")
    return resolve({**PRESETS[preset].differences, **overrides})
