"""Where everything lies in a picture: plain geometry, in units of which a tile is 20 wide and 40 long.

The engine lies in the middle. The trains leave it to both sides, each in its own lane, clockwise in the order of the
seats; the first lane begins at the top left. A train runs away from the engine, turns, comes back, and so on, like a
snake.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import ceil

from tables.presenters.mexican_train.drawing.scene import Scene, Train, is_double

TILE = 20
LONG = 2 * TILE
GAP = 2
PITCH = LONG + 6
"""The distance between two rows. It is large enough that doubles that lie across do not touch."""
CHIP = TILE
BULGE = 12
"""How far a track swings out where it turns."""
BEND = 8
"""The radius with which a track turns from the yard into its lane."""
MARGIN = 10
YARD = 44
"""The distance from the middle to the lanes, with room for the engine and for the tracks to the lanes."""
TRACK_STEP = 6
TOP = 78
LABEL = 48
NOTE = 22
"""The height of a label's third line, which only some trains need."""
LANE_GAP = 14
LOWEST_BOARD = 400
SMALL = 0.6
"""The scale of other seats' open tiles."""
LARGE = 1.4
"""The scale of the viewer's own tiles."""
RAISED = 9
"""How far a playable tile stands out of the hand."""
HAND_LABEL = 48
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Page:
    """The length of the rows of trains, which decides the width of the picture."""

    tiles_in_row: int

    @property
    def run(self) -> int:
        return self.tiles_in_row * (LONG + GAP)

    @property
    def width(self) -> int:
        return 2 * (MARGIN + BULGE + self.run + YARD)

    @property
    def middle(self) -> float:
        return self.width / 2

    def along_x(self, side: int, along: float, row: int) -> float:
        """Return the x of a place in a row. Rows run outwards and inwards alternately."""
        return self.middle + side * (YARD + (along if row % 2 == 0 else self.run - along))


PAGES = {"tall": Page(5), "wide": Page(10)}
"""``tall`` is for telephones, where longer rows could not be read.

``wide`` is for desks, and may get longer rows still.
"""
WIDE = 4 / 3
"""A picture for a desk is at least this many times as wide as it is high."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile and the place of its middle.

    At angle 0 the tile lies along the row, with its first end to the left. The angle is clockwise.
    """

    tile: str
    x: float
    y: float
    angle: int
    scale: float = 1
    is_raised: bool = False
    is_open: bool = False

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        half = (LONG / 2 * self.scale, TILE / 2 * self.scale)
        across, down = half if self.angle % 180 == 0 else half[::-1]
        return self.x - across, self.y - down, self.x + across, self.y + down


@dataclass(frozen=True, slots=True)
class Lane:
    """The room of one train: its label on top, then an open hand, then its rows.

    ``chip`` is where the train goes on.
    """

    train: Train
    left: float
    top: float
    label: float
    hand: tuple[Placed, ...]
    tiles: tuple[Placed, ...]
    chip: Point
    track: str


@dataclass(frozen=True, slots=True)
class Layout:
    page: Page
    height: float
    hub: Point
    lanes: tuple[Lane, ...]
    hand_top: float
    hand: tuple[Placed, ...]

    @property
    def tiles(self) -> list[Placed]:
        """Every tile except the engine."""
        return [*self.hand, *(tile for lane in self.lanes for tile in (*lane.hand, *lane.tiles))]


def laid_out(scene: Scene, shape: str) -> Layout:
    """Return the layout of a shape.

    For a desk, a picture with many lanes above each other gets longer rows, so that it stays wide.
    """
    layout = lay_out(scene, PAGES[shape])
    while shape == "wide" and layout.page.width < WIDE * layout.height:
        lacking = (WIDE * layout.height - layout.page.width) / 2
        layout = lay_out(scene, Page(layout.page.tiles_in_row + ceil(lacking / (LONG + GAP))))
    return layout


def lay_out(scene: Scene, page: Page) -> Layout:
    columns = sides(scene.trains)
    board = max(LOWEST_BOARD, *(sum(lane_height(scene, page, train) for train in column) for column in columns))
    hub = (page.middle, TOP + board / 2)
    lanes = [
        lane for side, column in zip((-1, 1), columns, strict=True) for lane in lanes_of(scene, page, column, side, hub)
    ]
    top = TOP + board + LANE_GAP
    if scene.hand is None:
        return Layout(page, top, hub, tuple(lanes), top, ())
    hand = upright(scene.hand, (MARGIN + 16, top + HAND_LABEL + RAISED), page.width - 2 * (MARGIN + 16), LARGE)
    raised = tuple(lifted(each) if each.tile in scene.playable else each for each in hand)
    bottom = max((each.box[3] for each in hand), default=top + HAND_LABEL)
    return Layout(page, bottom + 2 * MARGIN + 4, hub, tuple(lanes), top, raised)


def sides(trains: Sequence[Train]) -> tuple[list[Train], list[Train]]:
    """Return the trains on the left and on the right, from the top.

    They go clockwise. The first is at the top left, and the last is below it.
    """
    right = 1 + len(trains) // 2
    return [trains[0], *reversed(trains[right:])], list(trains[1:right])


def lane_height(scene: Scene, page: Page, train: Train) -> float:
    *_, (_, last) = snake(train.tiles, page.run)
    return first_row(scene, page, train) + last * PITCH + LONG / 2 + LANE_GAP


def first_row(scene: Scene, page: Page, train: Train) -> float:
    """Return the distance from the top of a lane to the middle of its first row."""
    hand = open_hand(scene, page, train, (0, 0))
    return label_height(scene, train) + (hand[-1].box[3] + 6 if hand else 0) + LONG / 2


def label_height(scene: Scene, train: Train) -> float:
    return LABEL + (NOTE if train.is_marked or scene.is_away(train) else 0)


def open_hand(scene: Scene, page: Page, train: Train, at: Point) -> tuple[Placed, ...]:
    seat = scene.seat_of(train)
    return upright(seat.hand if seat else (), at, page.run, SMALL)


def lanes_of(scene: Scene, page: Page, trains: Sequence[Train], side: int, hub: Point) -> list[Lane]:
    """Return the lanes of one side. They share the room that is left."""
    heights = [lane_height(scene, page, train) for train in trains]
    board = 2 * (hub[1] - TOP)
    spare = (board - sum(heights)) / max(1, len(trains))
    tops = list(accumulate((height + spare for height in heights), initial=TOP + spare / 2))
    starts = [top + first_row(scene, page, train) for top, train in zip(tops, trains, strict=False)]
    return [
        lane(scene, page, train, side, tops[at], approach(hub, starts, at, side)) for at, train in enumerate(trains)
    ]


def approach(hub: Point, starts: Sequence[float], at: int, side: int) -> tuple[str, float]:
    """Return the track from the engine to the start of a lane's first row, and that row's y.

    Tracks run side by side. The one to the farthest lane is nearest to the middle, so that no two cross.
    """
    middle, y = hub[1], starts[at]
    if abs(y - middle) <= TILE:
        return f"M {hub[0]:g} {y:g}", y
    up = -1 if y < middle else 1
    as_far = sum(1 for other in starts if (other - middle) * up >= (y - middle) * up)
    x = hub[0] + side * TRACK_STEP * as_far
    return f"M {x:g} {middle:g} V {y - up * BEND:g} Q {x:g} {y:g} {x + side * BEND:g} {y:g}", y


def lane(scene: Scene, page: Page, train: Train, side: int, top: float, start: tuple[str, float]) -> Lane:
    begin, y = start
    left = page.middle + (YARD if side > 0 else -YARD - page.run)
    stops = snake(train.tiles, page.run)
    places = [(page.along_x(side, *stop), y + stop[1] * PITCH) for stop in stops]
    tiles = [
        Placed(tile, *place, heading(side, row) + (90 if is_double(tile) else 0))
        for tile, place, (_, row) in zip(train.tiles, places, stops, strict=False)
    ]
    if tiles and train.has_open_double:
        tiles[-1] = replace(tiles[-1], is_open=True)
    label = label_height(scene, train)
    hand = open_hand(scene, page, train, (left, top + label))
    track = " ".join([begin, *track_along(page, side, y, stops)])
    return Lane(train, left, top, label, hand, tuple(tiles), places[-1], track)


def snake(tiles: Sequence[str], run: int) -> list[tuple[float, int]]:
    """Return how far along which row the middle of each tile is. The last entry is for the chip at the end."""
    lengths = [TILE if is_double(tile) else LONG for tile in tiles]
    stops, used, row = list[tuple[float, int]](), 0, 0
    for length in [*lengths, CHIP]:
        if used + length > run:
            used, row = 0, row + 1
        stops.append((used + GAP / 2 + length / 2, row))
        used += length + GAP
    return stops


def heading(side: int, row: int) -> int:
    outwards = row % 2 == 0
    return 0 if (side > 0) == outwards else 180


def track_along(page: Page, side: int, y: float, stops: Sequence[tuple[float, int]]) -> list[str]:
    """Return the rest of a track: every full row with the turn after it, and the last row up to the chip."""
    end, last = stops[-1]
    parts = []
    for row in range(last):
        x, here, below = page.along_x(side, page.run, row), y + row * PITCH, y + (row + 1) * PITCH
        swing = x + side * (1 if row % 2 == 0 else -1) * BULGE * 4 / 3
        parts.append(f"H {x:g} C {swing:g} {here:g} {swing:g} {below:g} {x:g} {below:g}")
    return [*parts, f"H {page.along_x(side, end, last):g}"]


def upright(tiles: Sequence[str], at: Point, width: float, scale: float) -> tuple[Placed, ...]:
    """Place tiles upright side by side, in as many rows as they need."""
    step, fall = (TILE + 3) * scale, (LONG + 4) * scale + (RAISED if scale > 1 else 0)
    in_row = int(width // step)
    return tuple(
        Placed(tile, at[0] + (nth % in_row + 0.5) * step, at[1] + LONG * scale / 2 + nth // in_row * fall, 90, scale)
        for nth, tile in enumerate(tiles)
    )


def lifted(placed: Placed) -> Placed:
    return replace(placed, y=placed.y - RAISED, is_raised=True)
