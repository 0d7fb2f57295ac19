"""Bots import only what the contract in ``pyproject.toml`` lists."""

import grimp
import pytest
from importlinter.api import read_configuration
from importlinter.contracts.forbidden import ForbiddenContract

from local import ROOT

CONFIGURATION = read_configuration(str(ROOT / "pyproject.toml"))
(CONTRACT,) = (
    each for each in CONFIGURATION["contracts_options"] if each.get("source_modules") == ["rules.mexican_train.bots"]
)


def is_kept(graph: grimp.ImportGraph) -> bool:
    contract = ForbiddenContract(CONTRACT["name"], CONFIGURATION["session_options"], CONTRACT)
    return contract.check(graph, verbose=False).kept


def graph_with(imported: str) -> grimp.ImportGraph:
    """The imports of the rules, and one more by a bot."""
    graph = grimp.build_graph("rules", include_external_packages=True)
    if imported not in graph.modules:
        graph.add_module(imported, is_squashed=True)
    graph.add_import(importer="rules.mexican_train.bots.easy", imported=imported, line_number=1, line_contents="")
    return graph


@pytest.mark.parametrize(
    "module",
    ["rules.mexican_train.moves", "rules.mexican_train.options", "rules.tiles", "rules.mexican_train.view", "math"],
)
def test_a_bot_may_import_what_is_listed(module: str) -> None:
    assert is_kept(graph_with(module))


@pytest.mark.parametrize(
    "module",
    [
        "rules.mexican_train.turns",
        "rules.mexican_train.state",
        "rules.mexican_train.versions",
        "tables",
        "random",
        "threading",
    ],
)
def test_a_bot_may_import_nothing_else(module: str) -> None:
    assert not is_kept(graph_with(module))
