"""Every game answers the questions of tables, and the registry finds the game for each."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import pytest

from rules import games
from rules.errors import BadMoveField, BadOption, BrokenLog, IllegalMove, UnknownPreset, UnknownVersion
from rules.game import AnyGame, EndedRound, Log
from rules.games import GAMES, game_of
from rules.mexican_train import ENGINE_VERSION
from rules.mexican_train.moves import Announce, Call, Draw, End, Pass, Play
from rules.mexican_train.options import Options
from rules.mexican_train.reasons import Reason
from rules.mexican_train.versions import CANNOT_KEEP, KEEP_MARKER, VERSIONS
from rules.replaying import Entry, IsOver, LogFault, LoggedRound, NotOver, Replay, WrongFact
from rules.tiles import double_set, parse_tile
from tests.block_dominoes import TARGET, BlockDominoes
from tests.rules.drawing import drawn

TRAIN = game_of("mexican_train", ENGINE_VERSION)
BLOCK: AnyGame = BlockDominoes()
SECRET, TABLE = b"s" * 32, "a table"
STUCK = "engine 12-12; turn 0; boneyard 3-2\n0: 12-5 | 9-8\n1: 12-7 | 7-1\nmexican:"
NO_CHANCE = (lambda _: 0, lambda: False)


def first_in_lot() -> int:
    return 0


def rounds_of(game: AnyGame, options: Any, seats: int) -> Iterator[tuple[LoggedRound, EndedRound]]:
    """The rounds of a match in which the clock makes every move, as they are dealt from one secret."""
    ended: list[EndedRound] = []
    while not ended or not game.is_over(options, [each.points for each in ended]):
        number = len(ended) + 1
        order = game.shuffled(options, SECRET, TABLE, number, ["", "x"])
        deal = game.deal(options, seats, order, ended, partial(game.drawn_seat, SECRET, TABLE, number, ["", "x"]))
        state, entries = deal.state, list[Entry]()
        while state.ended is None:
            move = game.clocks_move(state)
            entries.append(Entry(state.turn, game.parse(game.text(move))))
            state = game.apply(state, move)
        assert game.replay(deal.state, [entry.move for entry in entries]) == state
        ended.append(EndedRound(deal.facts, game.round_points(state)))
        stated = {**deal.facts, "ended": state.ended, "points": ended[-1].points}
        yield LoggedRound(order, entries, stated, SECRET, ["", "x"]), ended[-1]


def small(rounds: int = 2) -> Options:
    options: Options = TRAIN.options_of("classic", {"set_max_pip": 6, "hand_sizes": {"2": 7}, "rounds": rounds})
    return options


@pytest.mark.parametrize(("game", "options"), [(TRAIN, small()), (BLOCK, BLOCK.options_of("block", {}))])
def test_a_match_that_the_clock_plays_follows_the_rules_when_it_is_replayed(game: AnyGame, options: Any) -> None:
    replay = Replay(game, options, 2, TABLE)
    for logged, ended in rounds_of(game, options, 2):
        replayed = replay.play(logged)
        assert (replayed.points, replayed.deal.facts) == (ended.points, ended.facts)
    points = [each.points for each in replay.ended]
    best = (min if game is TRAIN else max)(replay.totals)
    assert game.winners(options, points, [True, True]) == [seat for seat in (0, 1) if replay.totals[seat] == best]


def test_the_rounds_of_a_match_are_counted_or_end_with_the_points() -> None:
    assert (TRAIN.round_count(small(3)), BLOCK.round_count(BLOCK.options_of("block", {}))) == (3, None)
    assert [TRAIN.is_over(small(2), [[1, 2]] * count) for count in (1, 2)] == [False, True]
    assert [BLOCK.is_over(BLOCK.options_of("block", {}), [[0, TARGET - less]]) for less in (1, 0)] == [False, True]


def fault_of(game: AnyGame, options: Any, **changes: Any) -> LogFault:
    logged, _ = next(rounds_of(game, options, 2))
    parts = {name: getattr(logged, name) for name in ("order", "entries", "stated", "secret", "client_seeds")}
    with pytest.raises(LogFault) as caught:
        Replay(game, options, 2, TABLE).play(LoggedRound(**{**parts, **changes}))
    return caught.value


def test_a_log_that_is_too_long_or_too_short_is_found() -> None:
    options = small()
    over = fault_of(TRAIN, options, is_over=False)
    assert isinstance(over, IsOver)
    assert over.ended in {"out", "blocked"}
    assert isinstance(fault_of(TRAIN, options, entries=[]), NotOver)


@pytest.mark.parametrize("first", ["0", 2, -1])
def test_without_a_secret_an_impossible_first_seat_is_found(first: object) -> None:
    fault = fault_of(TRAIN, lot(), secret=b"", stated={"first_seat": first})
    assert isinstance(fault, WrongFact)
    assert (fault.fact, fault.stated) == ("first_seat", first)


def lot() -> Options:
    rules = {"set_max_pip": 6, "hand_sizes": {"2": 7}, "rounds": 2, "first_round_starter": "random"}
    options: Options = TRAIN.options_of("classic", rules)
    return options


def test_another_number_in_the_log_is_found() -> None:
    logged, _ = next(rounds_of(TRAIN, small(), 2))
    first, *_ = logged.entries
    fault = fault_of(TRAIN, small(), entries=[Entry(first.seat, first.move, 3)])
    assert isinstance(fault, WrongFact)
    assert (fault.fact, fault.stated, fault.expected, fault.at) == ("number", 3, 1, 0)


# What Mexican Train answers


def test_options_are_read_stored_and_compared_with_their_preset() -> None:
    options = small()
    assert TRAIN.read_option("rounds", 3) == 3
    assert TRAIN.stored_options(options.as_dict()) == options
    assert TRAIN.overrides_over("classic", options) == {"set_max_pip": 6, "hand_sizes": {"2": 7}, "rounds": 2}
    assert TRAIN.hand_size(options, 2) == 7
    TRAIN.must_suit(options, 2)
    with pytest.raises(BadOption):
        TRAIN.must_suit(options, 3)


def test_the_public_facts_of_a_round_name_its_engine_and_how_it_was_found() -> None:
    order = list(double_set(6))
    facts = TRAIN.deal(small(), 2, order, [], first_in_lot).facts
    assert TRAIN.public_facts(facts) == {"engine": "6-6", "starter": facts["starter"]}
    assert BLOCK.public_facts({"first_seat": 0}) == {}
    assert VERSIONS[ENGINE_VERSION].engine_found(small(), 2, order, facts).engine == parse_tile("6-6")


def test_moves_have_types_and_those_out_of_turn_a_seat_that_may_make_them() -> None:
    play = Play(parse_tile("6-5"), 0)
    moves = (play, Call(1), Draw(), Pass(), End(), Announce())
    assert [TRAIN.type_of(move) for move in moves] == ["play", "call", "draw", "pass", "end", "announce"]
    assert [TRAIN.is_out_of_turn(move) for move in (play, Call(1))] == [False, True]
    assert [TRAIN.may_make(Call(1), seat) for seat in (0, 1)] == [True, False]
    assert [TRAIN.drawer(move, 0) for move in (Draw(), Call(1), play)] == [0, 1, None]
    assert (BLOCK.is_out_of_turn("pass"), BLOCK.may_make("pass", 0), BLOCK.drawer("pass", 0)) == (False, False, None)


def test_a_move_that_the_seat_may_not_make_is_refused() -> None:
    state = drawn(STUCK)
    with pytest.raises(IllegalMove) as refused:
        TRAIN.check(state, 0, Call(1))
    assert refused.value.reason is Reason.NOTHING_TO_CALL
    with pytest.raises(BadMoveField) as field:
        TRAIN.check(state, 0, Play(parse_tile("9-8"), 0, keep_marker=True))
    assert (field.value.field, field.value.detail) == (KEEP_MARKER, CANNOT_KEEP)
    TRAIN.check(state, 0, Draw())


def test_a_seat_that_can_only_pass_passes_and_the_clock_does_the_simplest() -> None:
    state = drawn(STUCK)
    assert (TRAIN.forced_pass(state), TRAIN.clocks_move(state)) == (None, Draw())
    assert TRAIN.forced_pass(drawn(STUCK.replace("; boneyard 3-2", ""))) == Pass()
    assert (
        BLOCK.forced_pass(BLOCK.deal(BLOCK.options_of("block", {}), 2, double_set(6), [], first_in_lot).state) is None
    )


def test_a_bot_sees_what_its_seat_knows_and_some_levels_also_see_the_limits() -> None:
    options, order = small(), double_set(6)
    state = TRAIN.deal(options, 2, order, [], first_in_lot).state
    log: Log[Any, Any] = Log(lambda: state, [])
    assert TRAIN.view(state, None).hand == 0
    easy, expert = (TRAIN.bots_view(state, level, log) for level in ("easy", "expert"))
    assert (easy, easy.limits, expert.limits is None) == (TRAIN.view(state, state.turn), None, False)
    move, grounds = TRAIN.advise("easy", easy, *NO_CHANCE)
    assert move == TRAIN.choose("easy", easy, *NO_CHANCE)
    assert grounds.move == move
    legal = [verdict.move for verdict in TRAIN.explain(state) if verdict.reason is None]
    assert set(legal) == set(easy.legal_moves)


# What a game inherits


def test_a_game_inherits_what_most_games_share() -> None:
    options = BLOCK.options_of("block", {})
    state = BLOCK.deal(options, 2, double_set(6), [], first_in_lot).state
    first = BLOCK.clocks_move(state)
    assert BLOCK.overrides_over("block", options) == {}
    assert list(BLOCK.drawn_tiles(state, [first])) == [()]
    assert [verdict.move for verdict in BLOCK.explain(state)] == list(BLOCK.view(state, 0).legal_moves)
    assert BLOCK.bots_view(state, "easy", Log(lambda: state, [])) == BLOCK.view(state, 0)
    assert BLOCK.advise("easy", BLOCK.view(state, 0), *NO_CHANCE) == (first, None)
    BLOCK.check(state, 0, first)
    BLOCK.must_suit(options, 4)
    with pytest.raises(BadOption):
        BLOCK.must_suit(options, 5)
    with pytest.raises(BrokenLog) as broken:
        BLOCK.replay(state, [first, "9-9>1"])
    assert broken.value.played == 1
    with pytest.raises(BadOption):
        BLOCK.read_option("rounds", 2)


# The registry


@pytest.fixture
def two_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, ("block_dominoes", 1), BLOCK)


@pytest.mark.usefixtures("two_games")
def test_the_games_are_found_by_name_and_by_preset() -> None:
    assert games.newest() == {"mexican_train": TRAIN, "block_dominoes": BLOCK}
    assert (games.of_preset("classic"), games.of_preset("block")) == (TRAIN, BLOCK)
    with pytest.raises(UnknownPreset, match="classic"):
        games.of_preset("chess")
    with pytest.raises(UnknownVersion):
        game_of("block_dominoes", 2)


def named(values: Iterable[object]) -> set[str]:
    return {str(value) for value in values}


@pytest.mark.usefixtures("two_games")
def test_the_lists_over_all_games_have_each_value_once() -> None:
    assert games.presets() == [*TRAIN.presets, "block"]
    assert named(games.levels()) == named(TRAIN.levels)
    assert games.phases() == list(TRAIN.phases)
    assert games.move_types() == list(TRAIN.move_types)
    assert named(games.reasons()) == named(TRAIN.reasons) | {"cannot"}
    assert (games.fewest_seats(), games.most_seats()) == (2, 12)


@pytest.mark.usefixtures("two_games")
def test_an_option_is_wrong_if_no_game_accepts_it() -> None:
    games.check_options({"rounds": 3})
    with pytest.raises(BadOption) as wrong:
        games.check_options({"rounds": 3, "draw_rule": "never", "colour": "red"})
    assert (wrong.value.option, [each.option for each in wrong.value.others]) == ("draw_rule", ["colour"])


@pytest.mark.usefixtures("two_games")
def test_options_keep_the_order_of_their_rule_book() -> None:
    mixed: dict[str, object] = {"tie_break": 1, "new": 2, "set_max_pip": 3}
    assert list(games.in_rule_order(mixed)) == ["set_max_pip", "tie_break", "new"]
