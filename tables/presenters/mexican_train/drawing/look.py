"""The colours by day and by night, and the shapes of every picture: pips, tiles, a locomotive."""

from xml.etree.ElementTree import Element, SubElement

from tables.presenters.mexican_train.drawing.layout import LONG, TILE

MOST_PIPS = 18
DAY = (
    *("#b83248", "#1f6f94", "#2b7a46", "#b4690e", "#6f4fa0", "#12776c"),
    *("#a8407f", "#7a5a36", "#45608c", "#6d7212", "#b04c22", "#4c6a5b"),
)
NIGHT = (
    *("#ff8496", "#6ec3ec", "#7bd197", "#f5b45f", "#bfa2f2", "#5fd3c4"),
    *("#f49bd0", "#d3b088", "#a3bdea", "#cfd463", "#ff9d73", "#a9cbb9"),
)
"""The seats' colours: dark enough for white letters by day, light enough for black ones by night."""
PIPS = (
    *("#000", "#2a9fd8", "#1f8f4d", "#d6263c", "#8a5a2b", "#2649c2", "#d99a00", "#e0559f", "#0b9a8d", "#7a35b5"),
    *("#e8681a", "#8c1d2c", "#67707a", "#5a7d12", "#0d4f8b", "#b5179e", "#7b4b94", "#1d6b5c", "#3b3b3b"),
)
"""The colour of the pips by their number, as in most sets."""
LINES = ["010", "202", "212", "303", "313", "323", "333", "424", "434", "444", "535", "545", "555", "646", "656", "666"]
PIPS_IN_LINE = {value: list(map(int, lines)) for value, lines in zip((1, *range(4, 19)), LINES, strict=True)}
"""How many pips are in each of three lines along the tile. Two and three pips are on the diagonal instead."""
LOCOMOTIVE = (
    "M 0 -12 h 8 v 2.5 h -1 v 3 h 5 v -5 h -1 v -2 h 6 v 2 h -1 v 5 q 4 .5 4 4 v 3.5 h -20 v -10.5 h -1 z "
    "M 2 -9 v 3.5 h 3 v -3.5 z M 19.5 1.5 l 4 3.5 h -4 z "
    "M 1 4 a 3 3 0 1 0 6 0 a 3 3 0 1 0 -6 0 M 8 4 a 3 3 0 1 0 6 0 a 3 3 0 1 0 -6 0 "
    "M 15 4.5 a 2.5 2.5 0 1 0 5 0 a 2.5 2.5 0 1 0 -5 0"
)
STAR = "M0 -9L2.6 -3.2L9 -2.6L4.2 1.6L5.6 8L0 4.6L-5.6 8L-4.2 1.6L-9 -2.6L-2.6 -3.2Z"

STYLE = """
svg{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
text{unicode-bidi:isolate;fill:#1b2a25}
.felt{background:#e7efe6}.ground{fill:#e7efe6}.card{fill:#fbfdfa}.soft{fill:#53645c}
.big{font-size:24px;font-weight:700}.name{font-size:18px;font-weight:650}.small{font-size:15px}
.badge{font-size:15px;font-weight:700;fill:#fff}.mid{text-anchor:middle}.end{text-anchor:end}
.rail{fill:none;stroke:currentColor;stroke-width:7;stroke-linecap:round}
.tie{fill:none;stroke:currentColor;stroke-width:15;stroke-dasharray:2.5 6.5;opacity:.38}
.line{fill:none;stroke:currentColor}.fill{fill:currentColor}.tint{fill:currentColor;opacity:.13}
.body{fill:#fffdf5;stroke:#8d8672;stroke-width:1}.slit{stroke:#c3bca6;stroke-width:1.2}
.pip{stroke-linecap:round;fill:none}.halo{fill:#ffb300;stroke:#c76b00;stroke-width:1.5}
.hub{fill:#31463d}.ring{fill:none;stroke:#fbfdfa;stroke-width:1.5;stroke-dasharray:2 5;opacity:.7}
.still{fill:#fbfdfa}.chip{fill:#fbfdfa;stroke:currentColor;stroke-width:2.5}.num{font-size:13px;font-weight:700}
.gold{color:#8a5a00}.pill{fill:#ffd873}.inpill{fill:#4a3000;font-size:14px;font-weight:650}
.back{fill:#31463d;stroke:#e7efe6;stroke-width:1.5}.m{color:#00714d}.white{fill:none;stroke:#fff;stroke-width:4.5}
.red{fill:none;stroke:#ce1126;stroke-width:1.8}.pick{fill:#1f8f4d}
"""
BY_NIGHT = """
text{fill:#edf3ef}.felt{background:#0f1a16}.ground{fill:#0f1a16}.card{fill:#1a2823}.soft{fill:#a3b5ac}
.badge{fill:#0f1a16}.body{fill:#efe9d9;stroke:#060b09}.slit{stroke:#b3ab94}.halo{fill:#ffb300;stroke:#ffe08a}
.hub{fill:#3d5a4d}.ring{stroke:#0f1a16}.still{fill:#0f1a16}.chip{fill:#0f1a16}.back{fill:#4d6f60;stroke:#0f1a16}
.gold{color:#ffd873}.pill{fill:#5a430f}.inpill{fill:#ffe3a0}.m{color:#38b28a}.white{stroke:#0f1a16}.red{stroke:#ff5a6c}
.pick{fill:#63d68f}.tint{opacity:.2}
"""


def style() -> Element:
    pips = "".join(f".p{value}{{stroke:{colour}}}" for value, colour in enumerate(PIPS))
    sheet = Element("style")
    sheet.text = f"{STYLE}{pips}{colours(DAY)}@media (prefers-color-scheme:dark){{{BY_NIGHT}{colours(NIGHT)}}}"
    return sheet


def colours(of: tuple[str, ...]) -> str:
    return "".join(f".s{seat}{{color:{colour}}}" for seat, colour in enumerate(of))


def shapes() -> Element:
    """Return the shapes that every picture uses: half tiles by value, a tile's body and halo, and the locomotive."""
    found = Element("defs")
    for value in range(1, MOST_PIPS + 1):
        width = 3.9 if value < 10 else 3.2 if value < 13 else 2.5
        half = {"id": f"p{value}", "class": f"pip p{value}", "stroke-width": str(width)}
        SubElement(found, "path", half | {"d": " ".join(f"M {x:g} {y:g} h 0" for x, y in pips_of(value))})
    tile = SubElement(found, "g", {"id": "tile"})
    SubElement(tile, "rect", box(LONG, TILE) | {"rx": "3.5", "class": "body"})
    SubElement(tile, "path", {"d": "M 0 -7 V 7", "class": "slit"})
    SubElement(found, "rect", box(LONG + 7, TILE + 7) | {"id": "halo", "rx": "6.5", "class": "halo"})
    SubElement(found, "path", {"id": "loco", "d": LOCOMOTIVE, "fill-rule": "evenodd"})
    return found


def box(width: float, height: float) -> dict[str, str]:
    """Return a rectangle around its middle."""
    return {"x": f"{-width / 2:g}", "y": f"{-height / 2:g}", "width": f"{width:g}", "height": f"{height:g}"}


def pips_of(value: int) -> list[tuple[float, float]]:
    if value == 2:
        return [(-5.3, 5.3), (5.3, -5.3)]
    if value == 3:
        return [(-5.3, 5.3), (0, 0), (5.3, -5.3)]
    return [(x, y) for y, many in zip((-5.4, 0, 5.4), PIPS_IN_LINE[value], strict=True) for x in spread(many)]


def spread(many: int) -> list[float]:
    """Return evenly spaced places on a line: the middle for one, else as far apart as there is room."""
    if many < 2:
        return [0.0] * many
    reach = 5.4 if many < 4 else 6.6 if many < 6 else 7.2
    return [round(-reach + 2 * reach * at / (many - 1), 2) for at in range(many)]
