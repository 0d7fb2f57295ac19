"""``docs/fair-deals.md`` and the two programs beside it, which check a deal without any of our code."""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from rules.mexican_train.dealing import choose_engine, deal, engine_found, hands_dealt
from rules.mexican_train.presets import rules_of
from rules.shuffling import DEAL, FIRST_SEAT, below, commitment_to, drawn_seat, shuffled, stream_key, word_stream
from rules.tiles import parse_tile, tile_text, tile_texts, tiles_in
from tables import repository
from tables.dealing import deal_coming
from tables.models import Round, Seat, Table
from tables.presenters.rounds import present_deal
from tests.cases import slow_after
from tests.cast import Caller, join, open_table, play, position, start
from tests.matches import begin, bots, play_round

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "fair-deals.md").read_text()
PROGRAMS = {
    "python": [sys.executable, str(DOCS / "verify" / "verify_deal.py")],
    "node": ["node", str(DOCS / "verify" / "verify_deal.mjs")],
}
SEEDS = ["zoë 🚂 e\u0301", "  Ünïcode\t?"]
SECRET, TABLE = bytes(range(32)), "00000000-0000-4000-8000-000000000001"
Deal = dict[str, Any]
ENGINES = ("engine_set_aside", "engine_from", "engine_draws", "first_seat", "first_seat_drawn", "starter")
RULES = ("engine_selection", "round_starter", "first_round_starter", "hand_size")
FROM_HANDS = ("holder_all_draw", "holder_turn_draw", "holder_or_next_lower", "highest_held", "starter_highest")


def block(language: str, number: int = 0) -> str:
    """A fenced block of the page."""
    blocks: list[str] = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return blocks[number]


def vector() -> dict[str, str]:
    """The test vector of the page: a name, two spaces or more, a value that may go on in indented lines."""
    lines = re.sub(r"\n {8,}", " ", block("text")).splitlines()
    return dict(re.split(r" {2,}", line, maxsplit=1) for line in lines)


def run(program: str, *arguments: str, told: str | bytes = b"") -> tuple[int, str]:
    """A verifier's output for a deal on standard input, and its exit status."""
    told = told.encode() if isinstance(told, str) else told
    ran = subprocess.run([*PROGRAMS[program], *arguments], input=told, capture_output=True, check=False, timeout=60)
    assert ran.stderr == b""
    return ran.returncode, ran.stdout.decode()


def verdict(dealt: Deal, *arguments: str) -> tuple[int, str]:
    """The common output of both verifiers. One gets non-ASCII letters unchanged, the other as escapes."""
    told = {"python": json.dumps(dealt), "node": json.dumps(dealt, ensure_ascii=False)}
    said = {run(program, "-", *arguments, told=told[program]) for program in PROGRAMS}
    assert len(said) == 1
    return said.pop()


def test_the_deal_key_comes_from_the_secret_and_the_seeds() -> None:
    told = vector()
    secret, seeds = bytes.fromhex(told["secret"]), json.loads(told["client_seeds"])
    assert (secret, told["table"], told["round"], seeds) == (SECRET, TABLE, "1", ["alice", ""])
    assert told["commitment"] == commitment_to(secret)
    assert told["deal key"] == stream_key(DEAL, secret, told["table"], 1, seeds).hex()
    assert [told["seed hash 0"], told["seed hash 1"]] == [commitment_to(seed.encode()) for seed in seeds]


def test_the_stream_begins_with_block_0_and_chooses_these_places() -> None:
    told = vector()
    key = bytes.fromhex(told["deal key"])
    assert bytes.fromhex(told["block 0"]) == b"".join(word.to_bytes(4, "big") for word in islice(word_stream(key), 8))
    words = word_stream(key)
    assert [below(bound, words) for bound in (91, 90, 89)] == [int(place) for place in told["chosen"].split()]


def test_the_order_is_that_of_the_test_vector() -> None:
    told = vector()
    order = shuffled(SECRET, TABLE, 1, json.loads(told["client_seeds"]), int(told["set_max_pip"]))
    assert tile_texts(order) == told["order"].split()
    hands = deal(rules_of("classic", {}), 2, 12, 0, order).hands
    assert set(tile_texts(tiles_in(hands[0]))) == set(told["order"].split()[:16]) - {"12-12"}
    assert "`7-6` to `11-8`" in " ".join(PAGE.split())
    assert told["order"].split()[14:16] == ["11-0", "11-8"]
    assert "end with `11-0`, seat 0 holds `12-12`, and seat 1's begin with `11-8`" in " ".join(PAGE.split())


def test_the_first_seat_is_drawn_from_a_stream_of_its_own() -> None:
    told = vector()
    seeds = json.loads(told["client_seeds"])
    key = stream_key(FIRST_SEAT, SECRET, TABLE, 1, seeds)
    assert (told["first key"], int(told["first word"])) == (key.hex(), next(word_stream(key)))
    assert int(told["first seat"]) == drawn_seat(SECRET, TABLE, 1, seeds) == int(told["first word"]) % 2
    five = ["alice", "", "", "", ""]
    assert f"seeds `{json.dumps(five)}` it is seat {drawn_seat(SECRET, TABLE, 1, five)}." in " ".join(PAGE.split())


def test_the_numbers_in_the_text_are_right() -> None:
    word, limit = int(vector()["block 0"][:8], 16), 2**32 - 2**32 % 91
    assert f"is {word};" in PAGE.replace("\n", " ")
    assert f"the limit for 91 is {limit}, so" in PAGE.replace("\n", " ")


def test_both_verifiers_discard_a_word_in_the_rare_deal_of_the_page() -> None:
    rare = made(number=1, seeds=("1417597", ""), max_pip=18)
    words = list(islice(word_stream(stream_key(DEAL, SECRET, TABLE, 1, rare["client_seeds"])), 190))
    thrown_away = [at for at, word in enumerate(words[:189]) if word >= 2**32 - 2**32 % (190 - at)]
    assert thrown_away == [51]
    text = " ".join(PAGE.split())
    assert f"word 51 (counted from 0) is {words[51]}, not below the limit {2**32 - 2**32 % 139} for 139" in text
    assert f"begins `{' '.join(rare['order'][:6])}`" in text
    assert verdict(rare)[0] == 0


def said_on_the_page() -> list[str]:
    return re.findall(r"^(?:Fair|NOT FAIR):.*$", PAGE, re.MULTILINE)


def test_the_round_that_is_checked_by_hand_is_fair() -> None:
    fair, fair_too, swapped, *_ = said_on_the_page()
    example = json.loads(block("json"))
    assert verdict(example) == (0, fair + "\n")
    assert fair == fair_too
    swap(example["order"], 0, 1)
    assert verdict(example) == (1, swapped + "\n")


def test_the_round_whose_engine_was_drawn_is_fair() -> None:
    *_, fair, moved = said_on_the_page()
    example = json.loads(block("json", 1))
    assert verdict(example) == (0, fair + "\n")
    example["engine_from"] = 2
    assert verdict(example) == (1, moved + "\n")


def dealt_by_the_server(number: int, seeds: Sequence[str], options: dict[str, Any]) -> Deal:
    """The server's deal of a round whose secrets are known."""
    rules = rules_of("classic", options)
    table = Table.objects.create(id=TABLE, preset="classic", options=rules.as_dict(), engine_version=1)
    Seat.objects.bulk_create(Seat(table=table, number=seat, client_seed=seed) for seat, seed in enumerate(seeds))
    for each in range(1, number + 1):
        Round.objects.create(table=table, number=each, secret=SECRET, commitment=commitment_to(SECRET))
        facts = repository.match_facts(table.id)
        dealt, _ = deal_coming(table.id, repository.rules_of(table), rules, facts, len(seeds))
        repository.write_deal(table.id, dealt, list(table.seats.values_list("id", flat=True)), timezone.now())
        Round.objects.update(ended_at=timezone.now(), result={"points": [0] * len(seeds)})
    told = dict(present_deal(table, number))
    assert told.pop("dealt_here")
    return told


@pytest.mark.django_db
def test_the_examples_have_the_form_of_the_servers_answer() -> None:
    assert json.loads(block("json")) == dealt_by_the_server(2, ["zoë 🚂", ""], small(4, seats=2))


@pytest.mark.django_db
def test_the_example_with_a_drawn_engine_has_the_form_of_the_servers_answer() -> None:
    options = {"round_starter": "engine_holder", "first_round_starter": "random"}
    options |= small(5, seats=3) | {"engine_selection": "holder_all_draw"}
    assert json.loads(block("json", 1)) == dealt_by_the_server(1, ["night", "coal", ""], options)


@pytest.mark.parametrize("name", ["verify_deal.py", "verify_deal.mjs"])
def test_a_verifier_is_short_enough_to_be_read(name: str) -> None:
    assert len((DOCS / "verify" / name).read_text().splitlines()) < 135


def test_the_verifiers_use_none_of_our_code_and_no_packages() -> None:
    python, node = ((DOCS / "verify" / name).read_text() for name in ("verify_deal.py", "verify_deal.mjs"))
    (imports,) = (line for line in ast.walk(ast.parse(python)) if isinstance(line, ast.Import | ast.ImportFrom))
    assert {name.name.split(".")[0] for name in imports.names} < sys.stdlib_module_names
    assert set(re.findall(r'(?:from|import|require)\W+"(.+?)"', node)) == {"node:crypto", "node:fs"}


def played_round(alice: Caller, bob: Caller) -> tuple[dict[str, Any], str]:
    """A table whose only round is over, and the commitment that Alice noted down before it was dealt."""
    options = {"rounds": 1, "set_max_pip": 6, "hand_sizes": {"2": 4}}
    table = open_table(alice, seats=2, options=options)
    join(table, bob)
    noted = position(table, alice)["next_commitment"]
    for caller, seed in zip((alice, bob), SEEDS, strict=True):
        answer = caller.put(f"tables/{table['id']}/client-seed", {"seed": seed})
        assert (answer.status, answer.body["commitment"]) == (200, noted)
    start(table, alice)
    assert position(table, alice)["round"]["commitment"] == noted
    while (now := position(table, alice))["status"] == "playing":
        assert play(table, (alice, bob)[now["turn"]["seat"]]).status == 201
    return table, noted


@pytest.mark.parametrize(
    "preset",
    slow_after(0, ["classic", "official_d12", "long_trains", "cardinal", "pressman", "galt", "family", "rv_club"]),
)
def test_every_round_of_a_match_is_fair(preset: str, alice: Caller, bob: Caller) -> None:
    """Three tiles each, so that the engine is often in no hand."""
    options = {**small(3, seats=3), "rounds": 3}
    table = begin(alice, bob, preset=preset, options=options, seats=3, bots=bots(2))
    for number in (1, 2, 3):
        shown = position(table, alice)["round"]
        play_round(table)
        dealt = Caller().get(f"tables/{table['id']}/rounds/{number}/deal").body
        assert verdict(dealt, "--commitment", shown["commitment"])[0] == 0
        assert {name: dealt[name] for name in ("engine", "engine_from", "starter")}.items() <= shown.items()


@pytest.fixture
def fetched(alice: Caller, bob: Caller) -> tuple[Deal, str]:
    """A finished round's deal from the API, and the commitment noted before."""
    table, noted = played_round(alice, bob)
    answer = Caller().get(f"tables/{table['id']}/rounds/1/deal")
    assert answer.status == 200
    return answer.body, noted


def test_a_round_from_the_server_is_fair(fetched: tuple[Deal, str]) -> None:
    dealt, noted = fetched
    assert dealt["client_seeds"] == SEEDS
    assert verdict(dealt) == (0, f"Fair: round 1 of table {dealt['table']}.\n")
    assert verdict(dealt, "--commitment", noted.upper()) == verdict(dealt)


def test_the_order_and_the_hands_of_the_server_are_those_of_the_rules(fetched: tuple[Deal, str]) -> None:
    dealt, _ = fetched
    order = shuffled(bytes.fromhex(dealt["secret"]), dealt["table"], 1, dealt["client_seeds"], dealt["set_max_pip"])
    assert dealt["order"] == tile_texts(order)
    options = rules_of("classic", {"set_max_pip": 6, "hand_sizes": {"2": 4}})
    state = deal(options, 2, parse_tile(dealt["engine"]).high, 0, order)
    assert dealt["hands"] == [tile_texts(tiles_in(hand)) for hand in state.hands]


def test_the_deal_of_a_running_round_is_refused(playing: dict[str, Any], alice: Caller) -> None:
    answer = alice.get(f"tables/{playing['id']}/rounds/1/deal")
    assert (answer.status, answer.body["code"]) == (409, "round_not_over")


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.django_db(transaction=True)
def test_a_verifier_fetches_a_round_itself(program: str, live_server: LiveServer, alice: Caller, bob: Caller) -> None:
    table, noted = played_round(alice, bob)
    address = f"{live_server.url}/api/v1/tables/{table['id']}/rounds/1/deal"
    assert run(program, address, "--commitment", noted) == (0, f"Fair: round 1 of table {table['id']}.\n")
    assert run(program, address.replace("rounds/1", "rounds/2"))[0] == 2


def small(each: int, seats: int, max_pip: int = 6) -> dict[str, Any]:
    return {"set_max_pip": max_pip, "hand_sizes": {str(seats): each}}


def made(
    number: int = 3, seeds: tuple[str, ...] = ("", "b"), max_pip: int = 9, each: int = 6, **options: object
) -> Deal:
    """A deal in the form of the API, made without a server; the engines of the earlier rounds are used."""
    rules, seats = rules_of("classic", {**small(each, len(seeds), max_pip), **options}), len(seeds)
    first = drawn_seat(SECRET, TABLE, 1, seeds) if rules.draws_first_seat else rules.first_seat_chosen
    used: list[int] = []
    for now in range(number):
        order = shuffled(SECRET, TABLE, now + 1, seeds, max_pip)
        used.append(choose_engine(rules, seats, now, used, (first + now) % seats, order))
    first, engine = (first + number - 1) % seats, used[-1]
    found = engine_found(rules, seats, engine, first, order)
    return {
        "table": TABLE,
        "round": number,
        "commitment": commitment_to(SECRET),
        "secret": SECRET.hex(),
        "client_seeds": list(seeds),
        "set_max_pip": max_pip,
        "order": tile_texts(order),
        "hands": [tile_texts(tiles_in(hand)) for hand in hands_dealt(rules, seats, engine, order).hands],
        "engine": tile_text(found.engine),
        "engine_set_aside": rules.sets_engine_aside,
        "engine_from": found.holder,
        "engine_draws": [{"seat": seat, "tile": tile_text(tile)} for seat, tile in found.draws],
        "first_seat": first,
        "first_seat_drawn": rules.draws_first_seat,
        "starter": deal(rules, seats, engine, first, order).turn,
        **{option: rules.as_dict()[option] for option in RULES[:3]},
        "hand_size": each,
    }


@pytest.mark.parametrize("selection", ["set_aside", *FROM_HANDS])
@pytest.mark.django_db
def test_a_deal_made_by_the_test_equals_the_servers_answer(selection: str) -> None:
    options = {"engine_selection": selection, "first_round_starter": "random"}
    here = made(number=4, seeds=("", "b", "c"), max_pip=6, each=2, **options)
    assert here == dealt_by_the_server(4, ["", "b", "c"], small(2, seats=3) | options)


@pytest.mark.parametrize("max_pip", slow_after(1, [6, 9, 12, 15, 18]))
def test_every_set_is_checked(max_pip: int) -> None:
    assert verdict(made(number=max_pip + 1, seeds=("",) * 12, max_pip=max_pip, each=2))[0] == 0


def without_new(dealt: Deal) -> Deal:
    """The same from an old server that always set the engine aside."""
    return {name: told for name, told in dealt.items() if name not in (*ENGINES, *RULES)}


def without_rules(dealt: Deal) -> Deal:
    """The same from an old server that did not publish its rules."""
    return {name: told for name, told in dealt.items() if name not in RULES}


@pytest.mark.parametrize("number", slow_after(1, [1, 2, 3]))
def test_an_old_deal_without_engine_set_aside_is_checked_too(number: int) -> None:
    old = without_new(made(number=number))
    assert verdict(old)[0] == 0
    swap(old["hands"], 0, 1)
    assert verdict(old) == (1, f"NOT FAIR: {HAND_0_WRONG}; {HAND_1_WRONG}.\n")


@pytest.mark.slow
def test_an_old_deal_without_rules_may_have_any_starter_of_some_rule() -> None:
    old = without_rules(held())
    for starter in (0, 2, 3):
        assert verdict(old | {"starter": starter})[0] == 0
    assert verdict(old | {"starter": 1}) == (1, f"NOT FAIR: {STARTER_WRONG.format('0 or 2 or 3')}.\n")


@pytest.mark.slow
def test_with_the_rules_of_family_one_of_eight_starters_is_correct() -> None:
    """All three that any rule could have made were accepted before."""
    options: dict[str, Any] = {"engine_selection": "holder_turn_draw", "round_starter": "engine_holder"}
    dealt = some(lambda each: each["engine_from"] == 5, seats=8, each=3, **options)
    assert [seat for seat in range(8) if verdict(dealt | {"starter": seat})[0] == 0] == [5]


def test_a_deal_cannot_leave_out_that_its_engine_came_from_a_hand() -> None:
    assert verdict(without_new(held()))[0] == 1


@pytest.mark.slow
@pytest.mark.parametrize("selection", slow_after(1, FROM_HANDS))
@pytest.mark.parametrize("starter", slow_after(1, ["rotate", "engine_holder", "left_of_engine_holder"]))
def test_every_way_to_find_an_engine_is_fair(selection: str, starter: str) -> None:
    options = {"engine_selection": selection, "round_starter": starter, "first_round_starter": "random"}
    deals = [made(number, (starter, "b", "c"), max_pip=6, each=2, **options) for number in (1, 2, 5)]
    assert [verdict(dealt)[0] for dealt in deals] == [0, 0, 0]


def some(fits: Callable[[Deal], object], seats: int = 3, number: int = 1, **more: Any) -> Deal:
    """The first of many rounds of a double-six set that has something to show."""
    deals = (made(number, (f"seed {at}", *[""] * (seats - 1)), 6, **more) for at in range(1000))
    return next(dealt for dealt in deals if fits(dealt))


@pytest.mark.parametrize(
    "seeds",
    [("é", "e\u0301", "🚂🚃", "日本語", " a\n"), ("\u0000", "\ufeff", "\u2028", '"\\', "x" * 128)],
)
def test_any_text_is_a_seed(seeds: tuple[str, ...]) -> None:
    assert verdict(made(seeds=seeds))[0] == 0


def swap(items: list[Any], one: int, other: int) -> None:
    items[one], items[other] = items[other], items[one]


def swap_tiles(dealt: Deal) -> None:
    swap(dealt["order"], 2, 9)


def swap_hands(dealt: Deal) -> None:
    dealt["hands"].reverse()


def swap_one_tile(dealt: Deal) -> None:
    mine, yours = dealt["hands"]
    mine[0], yours[0] = yours[0], mine[0]
    for hand in dealt["hands"]:
        hand.sort(key=parse_tile)


def shorten_hands(dealt: Deal) -> None:
    for hand in dealt["hands"]:
        hand.pop()


def change_secret(dealt: Deal) -> None:
    dealt["secret"] = "ff" + dealt["secret"][2:]


def change_both(dealt: Deal) -> None:
    """Another secret and a commitment that goes with it: only who noted the first one sees that."""
    dealt["secret"] = bytes(32).hex()
    dealt["commitment"] = commitment_to(bytes(32))
    dealt["order"] = tile_texts(shuffled(bytes(32), dealt["table"], 3, dealt["client_seeds"], 9))
    tiles = [parse_tile(text) for text in dealt["order"] if text != dealt["engine"]]
    dealt["hands"] = [tile_texts(sorted(tiles[at : at + 6])) for at in (0, 6)]


def change(name: str, value: object) -> Callable[[Deal], None]:
    def changed(dealt: Deal) -> None:
        assert dealt[name] != value or type(dealt[name]) is not type(value)
        dealt[name] = value

    return changed


SECRET_WRONG = "the secret is not the one that was committed to"
ORDER_WRONG = "the order is not the one that the secret and the seeds give"
HAND_0_WRONG, HAND_1_WRONG, HAND_2_WRONG = (
    f"the hand of seat {seat} is not the one that the order gives" for seat in (0, 1, 2)
)
ALL_WRONG = (ORDER_WRONG, HAND_0_WRONG, HAND_1_WRONG)
ENGINE_WRONG = "the engine is not a double of the set"
ASIDE_WRONG = "an engine that was set aside is laid by nobody and drawn for by nobody"
TILES_WRONG = "the tiles drawn for the engine are not those that follow the hands in the order"
SEATS_WRONG = "the seats did not draw for the engine in turn from the first seat"
LAYER_WRONG = "the seat that is said to have laid the engine did not have it"
END_WRONG = "the drawing for the engine did not end where it had to"
STARTER_WRONG = "the starter is not seat {}, as it had to be"
ASIDE_NOT_SO = "engine_set_aside is not as engine_selection wants it"
DRAWN_NOT_SO = "first_seat_drawn is not as first_round_starter wants it"
FIRST_WRONG = "the first seat is not seat {}, as it had to be"


def differences_named(name: str) -> set[str]:
    """Every message of a verifier, with its seat written as on the page."""
    text = (DOCS / "verify" / name).read_text()
    return {re.sub(r"\$?\{\w+\}", "*n*", told) for told in re.findall(r"yield f?[`\"](.+?)[`\"]", text)}


def test_both_verifiers_have_the_messages_that_the_page_lists() -> None:
    known = differences_named("verify_deal.py")
    table = PAGE.split("message if it is wrong |\n|---|---|\n")[1].split("\n\n")[0]
    assert known == differences_named("verify_deal.mjs")
    assert known == {line.split(" | ")[1].removesuffix(" |") for line in table.splitlines()}


@pytest.mark.parametrize(
    ("lie", "found"),
    slow_after(
        3,
        [
            pytest.param(change_secret, (SECRET_WRONG, *ALL_WRONG), id="secret"),
            pytest.param(change("commitment", "0" * 64), (SECRET_WRONG,), id="commitment"),
            pytest.param(swap_tiles, (ORDER_WRONG,), id="two tiles of the order"),
            pytest.param(swap_hands, (HAND_0_WRONG, HAND_1_WRONG), id="hands"),
            pytest.param(swap_one_tile, (HAND_0_WRONG, HAND_1_WRONG), id="a tile of two hands"),
            pytest.param(shorten_hands, (HAND_0_WRONG, HAND_1_WRONG), id="shorter hands"),
            pytest.param(change("table", TABLE[:-1] + "2"), ALL_WRONG, id="table"),
            pytest.param(change("round", 4), ALL_WRONG, id="round"),
            pytest.param(change("client_seeds", ["b", ""]), ALL_WRONG, id="seeds of each other"),
            pytest.param(change("client_seeds", ["", "B"]), ALL_WRONG, id="a seed"),
            pytest.param(change("order", []), (ORDER_WRONG,), id="no order"),
            pytest.param(change("engine_from", 0), (ASIDE_WRONG,), id="who laid it"),
            pytest.param(change("engine_draws", [{"seat": 0, "tile": "1-1"}]), (ASIDE_WRONG,), id="a draw"),
            pytest.param(change("first_seat", 1), (STARTER_WRONG.format(1),), id="first seat"),
            pytest.param(change("starter", 1), (STARTER_WRONG.format(0),), id="starter"),
            pytest.param(
                change("engine_selection", "highest_held"), (ASIDE_NOT_SO,), id="another way to find the engine"
            ),
            pytest.param(change("first_round_starter", "random"), (DRAWN_NOT_SO,), id="another way to begin"),
            pytest.param(change("hand_size", 5), (HAND_0_WRONG, HAND_1_WRONG), id="hand size"),
        ],
    ),
)
def test_a_lie_is_found_and_named(lie: Callable[[Deal], None], found: tuple[str, ...]) -> None:
    assert found_in(made(), lie) == found


def found_in(dealt: Deal, lie: Callable[[Deal], None]) -> tuple[str, ...]:
    """What both verifiers find in a deal that is fair but for this lie."""
    assert verdict(dealt)[0] == 0
    lie(dealt)
    status, said = verdict(dealt)
    assert (status, said[:10], said[-2:]) == (1, "NOT FAIR: ", ".\n")
    return tuple(said[10:-2].split("; "))


def drawn() -> Deal:
    """The page's second example: seat 2 is the first, seat 0 draws 6-6 in the second lap, and seat 1 draws too."""
    dealt: Deal = json.loads(block("json", 1))
    return dealt


def held() -> Deal:
    """A round of five seats whose engine was in the hand of seat 2, which begins."""

    def fits(dealt: Deal) -> bool:
        return dealt["engine_from"] == 2 and not dealt["engine_draws"]

    return some(fits, seats=5, each=4, engine_selection="holder_turn_draw", round_starter="engine_holder")


def found_by_starter(draws: int, **more: Any) -> Deal:
    """Seats 0 and 1 had no double and drew, as far as there were tiles; seat 2 had been dealt one."""

    def fits(dealt: Deal) -> bool:
        return len(dealt["engine_draws"]) == draws and dealt["engine"] in dealt["hands"][2]

    return some(fits, engine_selection="starter_highest", **more)


def draw(at: int, **changes: object) -> Callable[[Deal], None]:
    def changed(dealt: Deal) -> None:
        assert dealt["engine_draws"][at] != dealt["engine_draws"][at] | changes
        dealt["engine_draws"][at] |= changes

    return changed


def swap_drawn(one: int, other: int) -> Callable[[Deal], None]:
    """The tiles of two draws change places, the seats do not."""

    def changed(dealt: Deal) -> None:
        draws = dealt["engine_draws"]
        draws[one]["tile"], draws[other]["tile"] = draws[other]["tile"], draws[one]["tile"]

    return changed


def leave_out(at: int, how_many: int = 1) -> Callable[[Deal], None]:
    def changed(dealt: Deal) -> None:
        del dealt["engine_draws"][at : at + how_many]

    return changed


def draw_once_more(dealt: Deal) -> None:
    """One more tile, the right one, drawn by the seat whose turn it would be."""
    draws, seats = dealt["engine_draws"], len(dealt["hands"])
    taken = seats * len(dealt["hands"][0]) + len(draws)
    draws.append({"seat": (dealt["first_seat"] + len(draws)) % seats, "tile": dealt["order"][taken]})


def draw_past_the_end(dealt: Deal) -> None:
    dealt["engine_draws"].append({"seat": (dealt["first_seat"] + 1) % len(dealt["hands"]), "tile": "1-0"})


def begin_with_the_next(dealt: Deal) -> None:
    dealt["first_seat"] = dealt["starter"] = (dealt["first_seat"] + 1) % len(dealt["hands"])


def give_engine_to_hand(dealt: Deal) -> None:
    """The drawn engine and a tile of the layer's hand change places."""
    dealt["engine_draws"][4]["tile"], dealt["hands"][0][-1] = dealt["hands"][0][-1], dealt["engine"]
    dealt["hands"][0].sort(key=parse_tile)


@pytest.mark.parametrize(
    ("lie", "found"),
    slow_after(
        1,
        [
            pytest.param(draw(0, tile="5-5"), (TILES_WRONG,), id="another tile"),
            pytest.param(swap_drawn(0, 1), (TILES_WRONG,), id="two tiles in another order"),
            pytest.param(swap_drawn(4, 5), (TILES_WRONG, LAYER_WRONG), id="another seat drew the engine"),
            pytest.param(draw(0, seat=1), (SEATS_WRONG,), id="another seat drew"),
            pytest.param(draw(4, seat=1), (SEATS_WRONG, LAYER_WRONG), id="another seat drew it"),
            pytest.param(leave_out(0), (TILES_WRONG, SEATS_WRONG, END_WRONG), id="not the first draw"),
            pytest.param(leave_out(0, 3), (TILES_WRONG,), id="not the first lap"),
            pytest.param(leave_out(5), (END_WRONG,), id="the last lap cut short"),
            pytest.param(leave_out(4, 2), (LAYER_WRONG, END_WRONG), id="nobody drew the engine"),
            pytest.param(leave_out(0, 6), (LAYER_WRONG,), id="nobody drew"),
            pytest.param(draw_once_more, (END_WRONG,), id="one more draw"),
            pytest.param(give_engine_to_hand, (HAND_0_WRONG, TILES_WRONG, END_WRONG), id="the engine was held"),
            pytest.param(change("engine_from", 2), (LAYER_WRONG, STARTER_WRONG.format(2)), id="the first seat laid it"),
            pytest.param(change("engine_from", 1), (LAYER_WRONG, STARTER_WRONG.format(1)), id="another seat laid it"),
            pytest.param(change("engine_from", None), (LAYER_WRONG, STARTER_WRONG.format(2)), id="no seat laid it"),
            pytest.param(
                change("engine_set_aside", True), (ASIDE_NOT_SO, ASIDE_WRONG, STARTER_WRONG.format(2)), id="set aside"
            ),
            pytest.param(change("engine_selection", "holder_turn_draw"), (END_WRONG,), id="another way to draw"),
            pytest.param(change("round_starter", "rotate"), (STARTER_WRONG.format(2),), id="another starter's rule"),
            pytest.param(
                change("round_starter", "left_of_engine_holder"), (STARTER_WRONG.format(1),), id="the seat after"
            ),
            pytest.param(change("starter", 1), (STARTER_WRONG.format(0),), id="starter"),
            pytest.param(change("engine", "3-3"), (LAYER_WRONG, END_WRONG), id="another engine"),
            pytest.param(change("engine", "6-5"), (ENGINE_WRONG, LAYER_WRONG), id="no double"),
            pytest.param(change("first_seat", 0), (FIRST_WRONG.format(2), SEATS_WRONG), id="first seat"),
            pytest.param(change("first_seat_drawn", False), (DRAWN_NOT_SO, FIRST_WRONG.format(0)), id="not by chance"),
            pytest.param(change("first_round_starter", "seat_1"), (DRAWN_NOT_SO,), id="another seat was chosen"),
        ],
    ),
)
def test_a_lie_about_a_drawn_engine_is_found_and_named(lie: Callable[[Deal], None], found: tuple[str, ...]) -> None:
    assert found_in(drawn(), lie) == found


def swap_hands_of_the_layer(dealt: Deal) -> None:
    """The deal says that another seat was dealt the hand with the engine and laid it."""
    layer = dealt["engine_from"]
    swap(dealt["hands"], layer - 1, layer)
    dealt["engine_from"] -= 1


@pytest.mark.parametrize(
    ("lie", "found"),
    slow_after(
        1,
        [
            pytest.param(
                change("engine_from", 1), (LAYER_WRONG, STARTER_WRONG.format(1)), id="the seat before it laid it"
            ),
            pytest.param(
                change("engine_from", 3), (LAYER_WRONG, STARTER_WRONG.format(3)), id="the seat after it laid it"
            ),
            pytest.param(change("engine_from", None), (LAYER_WRONG, STARTER_WRONG.format(0)), id="no seat laid it"),
            pytest.param(
                swap_hands_of_the_layer, (HAND_1_WRONG, HAND_2_WRONG, STARTER_WRONG.format(1)), id="another seat's hand"
            ),
            pytest.param(draw_once_more, (END_WRONG,), id="a draw though it was held"),
            pytest.param(change("starter", 1), (STARTER_WRONG.format(2),), id="starter"),
            pytest.param(change("starter", 0), (STARTER_WRONG.format(2),), id="the first seat began"),
            pytest.param(change("starter", 3), (STARTER_WRONG.format(2),), id="the seat after it began"),
        ],
    ),
)
def test_a_lie_about_a_held_engine_is_found_and_named(lie: Callable[[Deal], None], found: tuple[str, ...]) -> None:
    assert found_in(held(), lie) == found


@pytest.mark.parametrize(
    ("lie", "found"),
    slow_after(
        1,
        [
            pytest.param(leave_out(1), (END_WRONG,), id="a seat before it did not draw"),
            pytest.param(draw_once_more, (END_WRONG,), id="it drew too"),
            pytest.param(draw(1, seat=2), (SEATS_WRONG,), id="it drew itself"),
            pytest.param(
                change("engine_from", 1), (LAYER_WRONG, END_WRONG, STARTER_WRONG.format(1)), id="another seat laid it"
            ),
            pytest.param(change("starter", 0), (STARTER_WRONG.format(2),), id="the first seat began"),
        ],
    ),
)
def test_a_lie_about_an_engine_that_a_later_starter_held_is_found(
    lie: Callable[[Deal], None], found: tuple[str, ...]
) -> None:
    assert found_in(found_by_starter(draws=2, each=4), lie) == found


@pytest.mark.slow
def test_the_drawing_may_end_with_an_empty_boneyard() -> None:
    """Three hands of nine leave one tile of a double-six set; in the seventh round one double is not used."""
    by_starter = found_by_starter(draws=1, each=9, number=7)
    by_all = some(lambda dealt: dealt["engine_draws"], each=9, engine_selection="holder_all_draw")
    assert len(by_all["engine_draws"]) == 1
    for dealt in (by_starter, by_all):
        assert found_in(dealt, draw_past_the_end) == (TILES_WRONG, END_WRONG)


@pytest.mark.parametrize("is_drawn", slow_after(1, [False, True]))
@pytest.mark.parametrize("selection", slow_after(1, ["set_aside", "highest_held"]))
def test_the_first_seat_is_checked_in_the_first_round_only(selection: str, is_drawn: bool) -> None:
    options = {"engine_selection": selection, "first_round_starter": "random" if is_drawn else "seat_0"}
    first, second = (made(number, ("", "b", "c", "e"), 6, 5, **options) for number in (1, 2))
    must = first["first_seat"]
    assert found_in(first, begin_with_the_next) == (FIRST_WRONG.format(must),)
    begin_with_the_next(second)
    assert verdict(second)[0] == 0


@pytest.mark.parametrize("engine", slow_after(1, ["10-10", "8-7", "9-9 ", "9-", "", "x"]))
def test_an_engine_that_is_not_a_double_of_the_set_is_found(engine: str) -> None:
    dealt = next(each for each in map(made, range(1, 11)) if not {each["engine"], engine} & {*each["order"][:12]})
    assert found_in(dealt, change("engine", engine)) == (ENGINE_WRONG,)


def test_a_last_hand_that_is_smaller_than_the_others_is_found() -> None:
    """Four hands of seven are more than a double-six set has beside its engine."""
    dealt = made(seeds=("",) * 4, max_pip=6, each=6)
    tiles = [parse_tile(text) for text in dealt["order"] if text != dealt["engine"]]
    dealt["hands"] = [tile_texts(sorted(tiles[at : at + 7])) for at in range(0, 28, 7)]
    dealt["hand_size"] = 7
    assert [len(hand) for hand in dealt["hands"]] == [7, 7, 7, 6]
    assert verdict(dealt) == (1, "NOT FAIR: the hand of seat 3 is not the one that the order gives.\n")


def test_the_noted_commitment_reveals_a_deal_made_up_afterwards() -> None:
    dealt = made()
    noted = dealt["commitment"]
    change_both(dealt)
    assert verdict(dealt)[0] == 0
    assert verdict(dealt, "--commitment", noted) == (1, "NOT FAIR: the commitment is not the one that you noted.\n")


@pytest.mark.parametrize("noted", slow_after(1, ["", "630dcd29", "0" * 64]))
def test_another_or_an_empty_commitment_is_refused(noted: str) -> None:
    assert verdict(made(), "--commitment", noted)[0] == 1


def say_who_was_dealt_a_lower_one(dealt: Deal) -> None:
    lower = [(tile, seat) for seat, hand in enumerate(dealt["hands"]) for tile in hand if tile in ("2-2", "3-3", "4-4")]
    dealt["engine"], dealt["engine_from"] = lower[0]
    dealt["engine_draws"], dealt["starter"] = [], dealt["engine_from"]


def test_facts_that_depend_on_other_rounds_are_not_checked() -> None:
    dealt = drawn()
    say_who_was_dealt_a_lower_one(dealt)
    assert verdict(dealt)[0] == 0
    assert "**What they do not check.**" in PAGE


UNREADABLE = "Name the URL or the file of a finished round's deal; this could not be read as one.\n"


def leave_out_field(name: str) -> Callable[[Deal], None]:
    def changed(dealt: Deal) -> None:
        del dealt[name]

    return changed


NO_DRAWS: list[object] = [{}, "1-1", [None], ["1-1"], [[]], [{"seat": 0}], [{"tile": "1-1"}], [{"seat": 0, "tile": 11}]]
NO_SEATS = (-1, 2, 0.5, True, "0", [0])


@pytest.mark.parametrize(
    "lie",
    slow_after(
        3,
        [
            *(change(name, None) for name in made() if name != "engine_from"),
            *(leave_out_field(name) for name in made()),
            change("round", 1.5),
            change("client_seeds", {}),
            change("hands", {}),
            change("secret", "00" * 31),
            change("secret", "0g" * 32),
            change("secret", SECRET.hex().upper()),
            change("commitment", ""),
            change("table", TABLE.upper().replace("0", "A")),
            change("table", f"{TABLE}\n"),
            change("round", 0),
            change("round", True),
            change("round", "3"),
            change("client_seeds", ["", 1]),
            change("client_seeds", [""]),
            change("client_seeds", ["", "b", ""]),
            change("client_seeds", ["", "\ud800"]),
            change("hands", []),
            change("hands", [[], []]),
            change("hands", ["1-1", "2-2"]),
            change("set_max_pip", 200),
            change("engine", ["9-9"]),
            change("engine_set_aside", 1),
            change("engine_set_aside", "false"),
            change("first_seat_drawn", 0),
            *(change("engine_selection", value) for value in ("", "any", 1)),
            *(change("round_starter", value) for value in ("", "any", 1)),
            *(change("first_round_starter", value) for value in ("", "seat_12", "seat_1 ", 1)),
            *(change("hand_size", value) for value in (0, -1, 200, 6.5, True, "6")),
            *(change("first_seat", value) for value in NO_SEATS),
            *(change(name, value) for name in ("engine_from", "starter") for value in (-1, 2, True)),
            *(change("engine_draws", value) for value in NO_DRAWS),
            *(change("engine_draws", [{"seat": value, "tile": "1-1"}]) for value in (None, -1, 2, True)),
        ],
    ),
)
def test_a_document_that_is_not_a_deal_is_reported_in_one_sentence(lie: Callable[[Deal], None]) -> None:
    dealt = made()
    lie(dealt)
    assert {run(program, "-", told=json.dumps(dealt)) for program in PROGRAMS} == {(2, UNREADABLE)}


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("told", slow_after(1, [b"", b"{}", b"null", b"\xff\xfe", b"<html>", b"[" * 99_999]))
def test_a_document_that_is_not_a_json_object_is_reported_in_one_sentence(program: str, told: bytes) -> None:
    assert run(program, "-", told=told) == (2, UNREADABLE)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_seed_that_is_not_utf_8_is_reported_in_one_sentence(program: str) -> None:
    told = json.dumps(made(seeds=("", "zoe"))).encode().replace(b"zoe", b"zo\xeb")
    assert run(program, "-", told=told) == (2, UNREADABLE)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    "arguments",
    slow_after(
        1,
        [
            pytest.param(("no such file",)),
            pytest.param(()),
            pytest.param(("http://127.0.0.1:1/",)),
            pytest.param(("file:///etc/hostname",)),
            pytest.param(("-", "--commitment")),
            pytest.param(("-", "--check", "00")),
            pytest.param(("-", "--commitment", "00", "11")),
        ],
    ),
)
def test_wrong_arguments_are_reported_in_one_sentence(program: str, arguments: tuple[str, ...]) -> None:
    assert run(program, *arguments, told=json.dumps(made())) == (2, UNREADABLE)


def test_a_verifier_reads_a_file_too(tmp_path: Path) -> None:
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(made(seeds=("🚂", "é")), ensure_ascii=False), encoding="utf-8")
    assert {run(program, str(file))[0] for program in PROGRAMS} == {0}
