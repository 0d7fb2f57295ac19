"""Fair deals: from a secret and the seats' contributions to an order (``rules.md`` §8, ``docs/fair-deals.md``)."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from rules.shuffling import DEAL, SECRET_BYTES, below, commitment_to, is_honest, shuffled, stream_key, word_stream
from rules.tiles import Tile, double_set

SECRET = bytes(range(SECRET_BYTES))
TABLE = "00000000-0000-4000-8000-000000000001"


def order(
    secret: bytes = SECRET, table: str = TABLE, number: int = 1, seeds: tuple[str, ...] = ("alice", "")
) -> list[Tile]:
    return shuffled(secret, table, number, seeds, 12)


def test_the_commitment_is_sha_256_of_the_secret() -> None:
    assert commitment_to(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert commitment_to(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_only_the_secret_that_was_committed_to_is_honest() -> None:
    assert is_honest(SECRET, commitment_to(SECRET))
    assert not is_honest(SECRET[::-1], commitment_to(SECRET))
    assert not is_honest(SECRET, commitment_to(SECRET).upper())
    assert not is_honest(SECRET, "")


@pytest.mark.parametrize("max_pip", [6, 9, 12, 15, 18])
def test_an_order_is_the_whole_set_each_tile_once(max_pip: int) -> None:
    tiles = shuffled(SECRET, TABLE, 1, ["", ""], max_pip)
    assert sorted(tiles) == list(double_set(max_pip))
    assert tiles != sorted(tiles)


def test_the_same_inputs_give_the_same_order() -> None:
    assert order() == order()


@pytest.mark.parametrize(
    "other",
    [
        order(secret=bytes(SECRET_BYTES)),
        order(table=TABLE[:-1] + "2"),
        order(number=2),
        order(seeds=("", "alice")),
        order(seeds=("alice", "", "")),
        order(seeds=("alice",)),
        order(seeds=("Alice", "")),
        order(seeds=("alice\n", "")),
    ],
)
def test_another_input_gives_another_order(other: list[Tile]) -> None:
    assert other != order()


def test_no_seed_can_look_like_another_line() -> None:
    empty = hashlib.sha256(b"").hexdigest()
    assert stream_key(DEAL, SECRET, TABLE, 1, ["a", ""]) != stream_key(DEAL, SECRET, TABLE, 1, [f"a\n{empty}"])
    assert stream_key(DEAL, SECRET, TABLE, 1, []) != stream_key(DEAL, SECRET, f"{TABLE}\n1", 1, [])


@pytest.mark.parametrize("seed", ["é", "e\u0301", "🚂", "\u0000", "мексика", "x" * 128])
def test_any_text_is_a_seed_and_counts_byte_by_byte(seed: str) -> None:
    assert stream_key(DEAL, SECRET, TABLE, 1, [seed]) != stream_key(DEAL, SECRET, TABLE, 1, [""])
    assert stream_key(DEAL, SECRET, TABLE, 1, ["é"]) != stream_key(DEAL, SECRET, TABLE, 1, ["e\u0301"])


def test_the_stream_goes_on_beyond_a_block() -> None:
    words = list(islice(word_stream(SECRET), 24))
    assert len(set(words)) == 24
    assert all(0 <= word < 1 << 32 for word in words)
    assert words[:8] != words[8:16]


def taken(bound: int, *words: int) -> tuple[int, list[int]]:
    """The number that these words give, and the words that are left."""
    stream: Iterator[int] = iter(words)
    return below(bound, stream), list(stream)


def test_a_word_of_an_incomplete_last_lap_is_skipped() -> None:
    """2**32 is 3 x 1431655765 + 1: with bound 3 the very last word alone would favour 0."""
    assert taken(3, (1 << 32) - 1, 5) == (2, [])
    assert taken(3, (1 << 32) - 2, 5) == (2, [5])
    assert taken(91, (1 << 32) - 1, (1 << 32) - 2, 92) == (1, [])


def test_a_bound_that_divides_the_words_skips_none() -> None:
    assert taken(64, (1 << 32) - 1, 5) == (63, [5])
    assert taken(1, 7, 5) == (0, [5])


def test_every_order_of_a_few_tiles_is_about_as_likely() -> None:
    """Where the three smallest tiles of the order lie, over 3,000 rounds: six ways, 500 each, give or take 5 sigma."""
    smallest = double_set(6)[:3]
    ways = Counter(tuple(sorted(smallest, key=shuffled(SECRET, TABLE, number, [], 6).index)) for number in range(3000))
    assert len(ways) == 6
    assert all(abs(count - 500) < 105 for count in ways.values())
