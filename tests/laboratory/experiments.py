"""Small experiments, quickly played."""

from laboratory.experiment import Experiment
from rules.mexican_train.presets import rules_of


def experiment(
    *levels: str, seats: int = 4, deals: int = 3, preset: str = "classic", seed: str = "test", **options: object
) -> Experiment:
    """Without a time limit, so that the same experiment has the same figures."""
    return Experiment(levels or ("easy", "random"), seats, deals, rules_of(preset, options), seed, think_ms=0)
