"""The SVG elements of a picture, from back to front: tracks, engine, labels, tiles, the viewer's hand."""

from xml.etree.ElementTree import Element, SubElement, tostring

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tables.presenters.mexican_train.drawing.layout import LABEL, MARGIN, Lane, Layout, Page, Placed
from tables.presenters.mexican_train.drawing.look import STAR, shapes, style
from tables.presenters.mexican_train.drawing.scene import MEXICAN, Scene, Seat, ends_of
from tables.presenters.mexican_train.drawing.words import (
    BOLD,
    GAME,
    absence_of,
    advice,
    description,
    fitted,
    heading,
    headline,
    name_of,
    number_of,
    standing_of,
)

HUB = 41
PAD = 4
TEXT = 36
"""Where a label's text begins, to the right of the badge."""
PILL = 90
NEWS = 18 * BOLD
"""The font size of the news for the estimate of its width. It is enlarged because bold letters are wider."""


def markup(scene: Scene, layout: Layout) -> str:
    size = f"0 0 {layout.page.width} {layout.height:g}"
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": size, "role": "img", "class": "felt"})
    root.set("aria-labelledby", "title desc")
    root.set("lang", get_language() or settings.LANGUAGE_CODE)
    SubElement(root, "title", {"id": "title"}).text = f"{GAME}: {heading(scene)}"
    SubElement(root, "desc", {"id": "desc"}).text = description(scene)
    root.extend([style(), shapes()])
    SubElement(root, "rect", {"width": "100%", "height": "100%", "class": "ground"})
    add_header(root, scene, layout.page)
    for lane in layout.lanes:
        add_track(root, scene, lane)
    add_hub(root, scene, layout)
    for lane in layout.lanes:
        add_lane(root, scene, lane, layout.page.run)
    add_hand(root, scene, layout)
    return tostring(root, encoding="unicode")


def group(parent: Element, x: float, y: float, kind: str = "", turned: str = "") -> Element:
    found = SubElement(parent, "g", {"transform": f"translate({x:g} {y:g}){turned}"})
    if kind:
        found.set("class", kind)
    return found


def write(parent: Element, x: float, y: float, text: str, kind: str) -> None:
    SubElement(parent, "text", {"x": f"{x:g}", "y": f"{y:g}", "class": kind}).text = text


def write_within(parent: Element, at: tuple[float, float], width: float, text: str, kind: str, size: float) -> None:
    """Write a text in a frame of this width, which cuts it off if the font is wider than estimated."""
    x, y = at
    frame = {"x": f"{x:g}", "y": f"{y - size * 1.2:g}", "width": f"{width:g}", "height": f"{size * 1.7:g}"}
    write(SubElement(parent, "svg", frame), 0, size * 1.2, fitted(text, width, size), kind)


def add_header(root: Element, scene: Scene, page: Page) -> None:
    write(root, MARGIN + 4, 34, heading(scene), "big")
    width = page.width - 150
    write_within(root, (MARGIN + 4, 60), width, headline(scene, width, NEWS), "name soft", NEWS)
    if scene.engine is None:
        return
    right = page.width - MARGIN - 4
    write(root, right - (40 if scene.boneyard else 0), 32, str(scene.boneyard), "big end")
    write(root, right, 60, _("Boneyard"), "small soft end")
    for lift in (0, 5, 10)[: min(3, scene.boneyard)]:
        SubElement(root, "rect", BACK | {"x": f"{page.width - MARGIN - 36:g}", "y": f"{26 - lift}"})


BACK = {"width": "32", "height": "10", "rx": "3", "class": "back"}


def colour_of(lane: Lane) -> str:
    return "m" if lane.train.name == MEXICAN else f"s{lane.train.name}"


def add_track(root: Element, scene: Scene, lane: Lane) -> None:
    """Draw the sleepers, and the line in the seat's colour. The Mexican Train has the three colours of a flag."""
    track = SubElement(root, "g", {"class": colour_of(lane)})
    kinds = ["tie", "rail", *(["white", "red"] if lane.train.name == MEXICAN else [])]
    for kind in kinds:
        SubElement(track, "path", {"d": lane.track, "class": kind})


def add_hub(root: Element, scene: Scene, layout: Layout) -> None:
    hub = group(root, *layout.hub)
    SubElement(hub, "circle", {"r": f"{HUB}", "class": "hub"})
    SubElement(hub, "circle", {"r": f"{HUB - 4}", "class": "ring"})
    if scene.engine is not None:
        add_tile(hub, Placed(f"{scene.engine}-{scene.engine}", 0, 0, 90, 1.4))
    else:
        SubElement(hub, "use", {"href": "#loco", "class": "still", "transform": "scale(1.9) translate(-11 3)"})


def add_tile(parent: Element, placed: Placed) -> None:
    turned = f" rotate({placed.angle})" + (f" scale({placed.scale:g})" if placed.scale != 1 else "")
    tile = group(parent, placed.x, placed.y, turned=turned)
    SubElement(tile, "title").text = placed.tile
    if placed.is_open:
        SubElement(tile, "use", {"href": "#halo"})
    SubElement(tile, "use", {"href": "#tile"})
    for pips, x in zip(ends_of(placed.tile), ("-10", "10"), strict=True):
        if pips:
            SubElement(tile, "use", {"href": f"#p{pips}", "x": x})


def add_lane(root: Element, scene: Scene, lane: Lane, run: int) -> None:
    found = SubElement(root, "g", {"class": colour_of(lane)})
    add_label(found, scene, lane, run)
    for tile in (*lane.hand, *lane.tiles):
        add_tile(found, tile)
    if lane.train.end is not None:
        chip = group(found, *lane.chip)
        SubElement(chip, "circle", {"r": "10", "class": "chip"})
        write(chip, 0, 4.6, str(lane.train.end), "num mid")


def add_label(parent: Element, scene: Scene, lane: Lane, run: int) -> None:
    seat, left, top = scene.seat_of(lane.train), lane.left, lane.top
    if seat is not None and seat.number == scene.turn:
        add_turn(parent, lane, run)
    badge = group(parent, left + 14, top + 20)
    SubElement(badge, "circle", {"r": "14", "class": "fill"})
    write(badge, 0, 5.5, "M" if seat is None else str(number_of(seat)), "badge mid")
    lines, indent = lines_of(scene, seat), TEXT + (22 if seat and seat.has_won else 0)
    write_within(parent, (left + indent, top + (17 if len(lines) > 1 else 26)), run - indent, lines[0], "name", 20)
    for line in lines[1:]:
        write_within(parent, (left + TEXT, top + 36), run - TEXT, line, "small soft", 15)
    if seat is not None and seat.has_won:
        SubElement(group(parent, left + TEXT + 9, top + 11, "gold"), "path", {"d": STAR, "class": "fill"})
    add_notes(parent, scene, lane, run)


def lines_of(scene: Scene, seat: Seat | None) -> list[str]:
    """Return the lines of a label: the name, and what the seat has."""
    if seat is None:
        return [_("Mexican Train")]
    return [name_of(seat), *([standing_of(seat)] if scene.engine is not None else [])]


def add_notes(parent: Element, scene: Scene, lane: Lane, run: int) -> None:
    left, top = lane.left + TEXT, lane.top + LABEL - 7
    if lane.train.is_marked:
        add_marker(parent, left - 3, top)
        left += PILL + 6
    seat = scene.seat_of(lane.train)
    if seat is not None and seat.is_away:
        write_within(parent, (left, top + 15), lane.left + run - left, absence_of(seat), "small soft", 15)


def add_turn(parent: Element, lane: Lane, run: int) -> None:
    frame = {"x": f"{lane.left - PAD:g}", "y": f"{lane.top - 4:g}", "width": f"{run + 2 * PAD:g}"}
    frame["height"] = f"{lane.label - 1:g}"
    SubElement(parent, "rect", frame | {"rx": "10", "class": "tint"})
    SubElement(parent, "rect", frame | {"rx": "10", "class": "line", "stroke-width": "2.5"})


def add_marker(parent: Element, left: float, top: float) -> None:
    marker = group(parent, left, top)
    SubElement(marker, "rect", {"width": f"{PILL}", "height": "21", "rx": "10.5", "class": "pill"})
    loco = group(marker, 7, 14.5, "gold", " scale(.8)")
    SubElement(loco, "use", {"href": "#loco", "class": "fill"})
    write_within(marker, (29, 15.5), PILL - 33, _("Marker"), "inpill", 14)


def add_hand(root: Element, scene: Scene, layout: Layout) -> None:
    if scene.hand is None:
        return
    frame = {"x": f"{MARGIN}", "y": f"{layout.hand_top:g}", "width": f"{layout.page.width - 2 * MARGIN:g}"}
    height = layout.height - layout.hand_top - MARGIN
    SubElement(root, "rect", frame | {"height": f"{height:g}", "rx": "14", "class": "card"})
    write(root, MARGIN + 16, layout.hand_top + 28, _("Your hand"), "name")
    write(root, layout.page.width - MARGIN - 16, layout.hand_top + 28, advice(scene), "small soft end")
    for tile in layout.hand:
        add_tile(root, tile)
        if tile.is_raised:
            left, _top, right, bottom = tile.box
            bar = {"x": f"{left + 4:g}", "y": f"{bottom + 3:g}", "width": f"{right - left - 8:g}", "height": "4"}
            SubElement(root, "rect", bar | {"rx": "2", "class": "pick"})
