"""The games that this server plays, each in the versions of its rules."""

from collections.abc import Iterator, Mapping
from itertools import chain

from rules.errors import BadOption, Reason, UnknownPreset, UnknownVersion
from rules.game import AnyGame, Level
from rules.mexican_train.versions import VERSIONS
from rules.sentences import Sentence, shortened

DEFAULT = "mexican_train"
GAMES: dict[tuple[str, int], AnyGame] = {(game.name, number): game for number, game in VERSIONS.items()}
"""Every version of every game. The default game comes first, and the newest version of a game last."""


def game_of(name: str, version: int) -> AnyGame:
    """The game in this version. Raises ``UnknownVersion``."""
    game = GAMES.get((name, version))
    if game is None:
        raise UnknownVersion(name, version, [number for other, number in GAMES if other == name])
    return game


def newest() -> Mapping[str, AnyGame]:
    """The newest version of each game, by its name."""
    return {name: game for (name, _), game in GAMES.items()}


def of_preset(preset: str) -> AnyGame:
    """The newest version of the game that has this preset. Raises ``UnknownPreset``."""
    for game in newest().values():
        if preset in game.presets:
            return game
    known = ", ".join(presets())
    raise UnknownPreset(Sentence("{value} is not one of {values}.", value=shortened(preset), values=known))


def presets() -> list[str]:
    """The presets of all games."""
    return list(chain.from_iterable(game.presets for game in newest().values()))


def levels() -> Mapping[str, Level]:
    """The levels of the bots of all games."""
    return {level: each for game in newest().values() for level, each in game.levels.items()}


def phases() -> list[str]:
    """The phases of a turn in all games."""
    return list(dict.fromkeys(chain.from_iterable(game.phases for game in newest().values())))


def move_types() -> list[str]:
    """The types of the moves of all games."""
    return list(dict.fromkeys(chain.from_iterable(game.move_types for game in newest().values())))


def reasons() -> list[Reason]:
    """The reasons of all games why a move may be illegal."""
    return list(dict.fromkeys(chain.from_iterable(game.reasons for game in newest().values())))


def fewest_seats() -> int:
    return min(game.seats.start for game in newest().values())


def most_seats() -> int:
    return max(game.seats.stop - 1 for game in newest().values())


def check_options(given: Mapping[str, object]) -> None:
    """Check each option by itself, before the game is known. Raises ``BadOption`` with all that no game accepts."""
    wrong = [fault for option, value in given.items() for fault in fault_of(option, value)]
    if wrong:
        raise BadOption(wrong[0].option, wrong[0].detail, wrong[1:])


def fault_of(option: str, value: object) -> Iterator[BadOption]:
    """Yield what is wrong with an option if no game accepts it."""
    games = newest()
    faults = []
    for game in [game for game in games.values() if option in game.option_names] or [games[DEFAULT]]:
        try:
            game.read_option(option, value)
        except BadOption as fault:
            faults.append(fault)
        else:
            return
    yield faults[0]


def in_rule_order(options: Mapping[str, object]) -> dict[str, object]:
    """Options in the order of their game's rule book, unknown ones last."""
    names = max((game.option_names for game in newest().values()), key=lambda names: len(options.keys() & set(names)))
    places = {option: place for place, option in enumerate(names)}
    return {name: options[name] for name in sorted(options, key=lambda name: places.get(name, len(places)))}
