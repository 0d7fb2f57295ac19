"""``docs/fair-deals.md`` and the two programs beside it, which check a deal without any of our code."""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from rules.dealing import deal
from rules.notation import parse_tile, tile_texts
from rules.presets import rules_of
from rules.shuffling import below, commitment_to, deal_key, shuffled, word_stream
from rules.tiles import tiles_in
from tests.cast import Caller, join, open_table, play, position, start

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "fair-deals.md").read_text()
PROGRAMS = {
    "python": [sys.executable, str(DOCS / "verify" / "verify_deal.py")],
    "node": ["node", str(DOCS / "verify" / "verify_deal.mjs")],
}
SEEDS = ["zoë 🚂 e\u0301", "  Ünïcode\t?"]
SECRET, TABLE = bytes(range(32)), "00000000-0000-4000-8000-000000000001"
Deal = dict[str, Any]


def block(language: str, number: int = 0) -> str:
    """A fenced block of the page."""
    blocks: list[str] = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return blocks[number]


def vector() -> dict[str, str]:
    """The test vector of the page: a name, two spaces or more, a value that may go on in indented lines."""
    lines = re.sub(r"\n {8,}", " ", block("text")).splitlines()
    return dict(re.split(r" {2,}", line, maxsplit=1) for line in lines)


def run(program: str, *arguments: str, told: str | bytes = b"") -> tuple[int, str]:
    """What a verifier says of a deal that comes through a pipe, and its exit status."""
    told = told.encode() if isinstance(told, str) else told
    ran = subprocess.run([*PROGRAMS[program], *arguments], input=told, capture_output=True, check=False, timeout=60)
    assert ran.stderr == b""
    return ran.returncode, ran.stdout.decode()


def verdict(dealt: Deal, *arguments: str) -> tuple[int, str]:
    """What both verifiers say, which is the same. One reads other letters as they are, the other as escapes."""
    told = {"python": json.dumps(dealt), "node": json.dumps(dealt, ensure_ascii=False)}
    said = {run(program, "-", *arguments, told=told[program]) for program in PROGRAMS}
    assert len(said) == 1
    return said.pop()


def test_the_deal_key_comes_from_the_secret_and_the_seeds() -> None:
    told = vector()
    secret, seeds = bytes.fromhex(told["secret"]), json.loads(told["client_seeds"])
    assert (secret, told["table"], told["round"], seeds) == (SECRET, TABLE, "1", ["alice", ""])
    assert told["commitment"] == commitment_to(secret)
    assert told["deal key"] == deal_key(secret, told["table"], 1, seeds).hex()
    assert [told["seed hash 0"], told["seed hash 1"]] == [commitment_to(seed.encode()) for seed in seeds]


def test_the_stream_begins_with_block_0_and_chooses_these_places() -> None:
    told = vector()
    key = bytes.fromhex(told["deal key"])
    assert bytes.fromhex(told["block 0"]) == b"".join(word.to_bytes(4, "big") for word in islice(word_stream(key), 8))
    words = word_stream(key)
    assert [below(bound, words) for bound in (91, 90, 89)] == [int(place) for place in told["chosen"].split()]


def test_the_order_is_this_one() -> None:
    told = vector()
    order = shuffled(SECRET, TABLE, 1, json.loads(told["client_seeds"]), int(told["set_max_pip"]))
    assert tile_texts(order) == told["order"].split()
    hands = deal(rules_of("classic", {}), 2, 12, 0, order).hands
    assert set(tile_texts(tiles_in(hands[0]))) == set(told["order"].split()[:16]) - {"12-12"}
    assert "`7-6` to `11-8`" in PAGE


def test_the_numbers_in_the_text_are_right() -> None:
    word, limit = int(vector()["block 0"][:8], 16), 2**32 - 2**32 % 91
    assert f"is {word};" in PAGE.replace("\n", " ")
    assert f"the limit for 91 is {limit}, so" in PAGE.replace("\n", " ")


def test_the_rare_deal_that_throws_a_word_away_is_as_told_and_both_verifiers_see_to_it() -> None:
    rare = made(number=1, seeds=("1417597", ""), max_pip=18)
    words = list(islice(word_stream(deal_key(SECRET, TABLE, 1, rare["client_seeds"])), 190))
    thrown_away = [at for at, word in enumerate(words[:189]) if word >= 2**32 - 2**32 % (190 - at)]
    assert thrown_away == [51]
    text = " ".join(PAGE.split())
    assert f"word 51 (counted from 0) is {words[51]}, not below the limit {2**32 - 2**32 % 139} for 139" in text
    assert f"begins `{' '.join(rare['order'][:6])}`" in text
    assert verdict(rare)[0] == 0


def test_the_round_that_is_checked_by_hand_is_fair() -> None:
    said = re.findall(r"^(?:Fair|NOT FAIR):.*$", PAGE, re.MULTILINE)
    example = json.loads(block("json"))
    assert verdict(example) == (0, said[0] + "\n")
    assert said[0] == said[1]
    example["order"][:2] = example["order"][1::-1]
    assert verdict(example) == (1, said[2] + "\n")


@pytest.mark.parametrize("name", ["verify_deal.py", "verify_deal.mjs"])
def test_a_verifier_is_short_enough_to_be_read(name: str) -> None:
    assert len((DOCS / "verify" / name).read_text().splitlines()) < 60


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


@pytest.fixture
def fetched(alice: Caller, bob: Caller) -> tuple[Deal, str]:
    """A finished round's deal as the API tells it, and the commitment noted before."""
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


def test_the_deal_stays_closed_while_the_round_is_played(playing: dict[str, Any], alice: Caller) -> None:
    answer = alice.get(f"tables/{playing['id']}/rounds/1/deal")
    assert (answer.status, answer.body["code"]) == (409, "round_not_over")


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.django_db(transaction=True)
def test_a_verifier_fetches_a_round_itself(program: str, live_server: LiveServer, alice: Caller, bob: Caller) -> None:
    table, noted = played_round(alice, bob)
    address = f"{live_server.url}/api/v1/tables/{table['id']}/rounds/1/deal"
    assert run(program, address, "--commitment", noted) == (0, f"Fair: round 1 of table {table['id']}.\n")
    assert run(program, address.replace("rounds/1", "rounds/2"))[0] == 2


def made(number: int = 3, seeds: tuple[str, ...] = ("", "b"), max_pip: int = 9, each: int = 6) -> Deal:
    """A deal as the API tells it, made without a server."""
    order = shuffled(SECRET, TABLE, number, seeds, max_pip)
    options = rules_of("classic", {"set_max_pip": max_pip, "hand_sizes": {str(len(seeds)): each}})
    hands = deal(options, len(seeds), max_pip - 1, 0, order).hands
    return {
        "table": TABLE,
        "round": number,
        "commitment": commitment_to(SECRET),
        "secret": SECRET.hex(),
        "client_seeds": list(seeds),
        "set_max_pip": max_pip,
        "engine": f"{max_pip - 1}-{max_pip - 1}",
        "order": tile_texts(order),
        "hands": [tile_texts(tiles_in(hand)) for hand in hands],
    }


def test_a_deal_made_here_has_the_shape_of_the_servers(fetched: tuple[Deal, str]) -> None:
    assert made().keys() == fetched[0].keys()


@pytest.mark.parametrize("max_pip", [6, 9, 12, 15, 18])
def test_every_set_is_checked(max_pip: int) -> None:
    assert verdict(made(number=19, seeds=("",) * 12, max_pip=max_pip, each=2))[0] == 0


@pytest.mark.parametrize(
    "seeds",
    [("é", "e\u0301", "🚂🚃", "日本語", " a\n"), ("\u0000", "\ufeff", "\u2028", '"\\', "x" * 128)],
)
def test_any_text_is_a_seed(seeds: tuple[str, ...]) -> None:
    assert verdict(made(seeds=seeds))[0] == 0


def swap_tiles(dealt: Deal) -> None:
    dealt["order"][2], dealt["order"][9] = dealt["order"][9], dealt["order"][2]


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
        assert dealt[name] != value
        dealt[name] = value

    return changed


SECRET_WRONG = "the secret is not the one that was committed to"
ORDER_WRONG = "the order is not the one that the secret and the seeds give"
HAND_0_WRONG, HAND_1_WRONG = (f"the hand of seat {seat} is not the one that the order gives" for seat in (0, 1))
ALL_WRONG = (ORDER_WRONG, HAND_0_WRONG, HAND_1_WRONG)


@pytest.mark.parametrize(
    ("lie", "found"),
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
    ],
)
def test_a_lie_is_found_and_named(lie: Callable[[Deal], None], found: tuple[str, ...]) -> None:
    dealt = made()
    lie(dealt)
    assert verdict(dealt) == (1, f"NOT FAIR: {'; '.join(found)}.\n")


def test_an_engine_that_is_in_no_set_is_found_also_where_the_hands_do_not_show_it() -> None:
    dealt = next(each for each in map(made, range(1, 20)) if "8-8" not in each["order"][:12])
    assert verdict(dealt)[0] == 0
    dealt["engine"] = "10-10"
    assert verdict(dealt) == (1, f"NOT FAIR: {HAND_0_WRONG}; {HAND_1_WRONG}.\n")


def test_a_last_hand_that_is_smaller_than_the_others_is_found() -> None:
    """Four hands of seven are more than a double-six set has beside its engine."""
    dealt = made(seeds=("",) * 4, max_pip=6, each=6)
    tiles = [parse_tile(text) for text in dealt["order"] if text != dealt["engine"]]
    dealt["hands"] = [tile_texts(sorted(tiles[at : at + 7])) for at in range(0, 28, 7)]
    assert [len(hand) for hand in dealt["hands"]] == [7, 7, 7, 6]
    assert verdict(dealt) == (1, "NOT FAIR: the hand of seat 3 is not the one that the order gives.\n")


def test_a_deal_that_was_made_up_afterwards_is_found_by_the_commitment_noted_before() -> None:
    dealt = made()
    noted = dealt["commitment"]
    change_both(dealt)
    assert verdict(dealt)[0] == 0
    assert verdict(dealt, "--commitment", noted) == (1, "NOT FAIR: the commitment is not the one that you noted.\n")


@pytest.mark.parametrize("noted", ["", "630dcd29", "0" * 64])
def test_another_commitment_is_refused_also_an_empty_one(noted: str) -> None:
    assert verdict(made(), "--commitment", noted)[0] == 1


UNREADABLE = "Name the URL or the file of a finished round's deal; this could not be read as one.\n"


@pytest.mark.parametrize(
    "lie",
    [
        *(change(name, None) for name in made() if name != "engine"),
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
    ],
)
def test_what_is_no_deal_is_told_in_one_sentence(lie: Callable[[Deal], None]) -> None:
    dealt = made()
    lie(dealt)
    assert {run(program, "-", told=json.dumps(dealt)) for program in PROGRAMS} == {(2, UNREADABLE)}


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("told", [b"", b"{}", b"null", b"\xff\xfe", b"<html>", b"[" * 99_999])
def test_what_is_no_json_object_is_told_in_one_sentence(program: str, told: bytes) -> None:
    assert run(program, "-", told=told) == (2, UNREADABLE)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_seed_that_is_no_utf_8_is_told_in_one_sentence(program: str) -> None:
    told = json.dumps(made(seeds=("", "zoe"))).encode().replace(b"zoe", b"zo\xeb")
    assert run(program, "-", told=told) == (2, UNREADABLE)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("no such file",),
        ("http://127.0.0.1:1/",),
        ("file:///etc/hostname",),
        ("-", "--commitment"),
        ("-", "--check", "00"),
        ("-", "--commitment", "00", "11"),
    ],
)
def test_wrong_arguments_are_told_in_one_sentence(program: str, arguments: tuple[str, ...]) -> None:
    assert run(program, *arguments, told=json.dumps(made())) == (2, UNREADABLE)


def test_a_file_is_read_too(tmp_path: Path) -> None:
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(made(seeds=("🚂", "é")), ensure_ascii=False), encoding="utf-8")
    assert {run(program, str(file))[0] for program in PROGRAMS} == {0}
