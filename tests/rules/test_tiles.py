"""Tiles and sets of tiles (``rules.md`` §1)."""

import pytest

from rules.tiles import SET_SIZES, TILES, WITH_PIP, all_with_pip, double, double_set, set_of, set_size, tile, tiles_in


@pytest.mark.parametrize(("max_pip", "tiles"), [(6, 28), (9, 55), (12, 91), (15, 136), (18, 190)])
def test_a_double_n_set_holds_every_pair_of_ends_once(max_pip: int, tiles: int) -> None:
    ends = {(each.high, each.low) for each in double_set(max_pip)}
    assert len(double_set(max_pip)) == len(ends) == set_size(max_pip) == tiles
    assert ends == {(high, low) for high in range(max_pip + 1) for low in range(high + 1)}


def test_a_tile_has_its_ends_in_either_order() -> None:
    assert tile(5, 12) is tile(12, 5)
    assert (tile(5, 12).high, tile(5, 12).low, tile(5, 12).pips) == (12, 5, 17)


def test_only_equal_ends_make_a_double() -> None:
    assert [each for each in double_set(6) if each.is_double] == [double(pip) for pip in range(7)]
    assert not tile(1, 0).is_double


def test_laid_by_one_end_the_other_is_free() -> None:
    assert tile(12, 5).other_end(12) == 5
    assert tile(12, 5).other_end(5) == 12
    assert double(7).other_end(7) == 7


@pytest.mark.parametrize(("one", "other"), [(19, 0), (0, 19), (-1, 3), (3, -1), (100, 100)])
def test_there_is_no_tile_beyond_the_largest_set(one: int, other: int) -> None:
    with pytest.raises(IndexError):
        tile(one, other)


def test_every_tile_has_its_own_place_in_a_set_of_tiles() -> None:
    assert len({each.bit for each in TILES}) == len(TILES) == 190
    assert list(tiles_in(set_of(TILES))) == list(TILES)
    assert list(tiles_in(0)) == []
    assert set_of([double(3), double(3), tile(4, 1)]) == double(3).bit | tile(4, 1).bit


@pytest.mark.parametrize("max_pip", SET_SIZES)
def test_each_pip_is_on_one_tile_with_every_pip_the_double_counted_once(max_pip: int) -> None:
    for pip in range(max_pip + 1):
        bearing = list(tiles_in(all_with_pip(pip, max_pip)))
        assert bearing == sorted(tile(pip, other) for other in range(max_pip + 1))
        assert all(WITH_PIP[pip] & each.bit for each in bearing)


def test_a_tile_that_does_not_bear_a_pip_is_not_among_those_that_do() -> None:
    assert not WITH_PIP[5] & tile(12, 4).bit
    assert WITH_PIP[5] & tile(12, 5).bit
