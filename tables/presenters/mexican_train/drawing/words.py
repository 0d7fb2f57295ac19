"""The words in a picture, and names prepared for it: valid in XML, and not too long."""

import re
from collections.abc import Sequence
from unicodedata import category, east_asian_width

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as N_
from django.utils.translation import ngettext

from tables.presenters.mexican_train.drawing.scene import Scene, Seat

GAME = "Mexican Train"
"""The name of the game, which is not translated. The name of the train is translated."""
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow, not even escaped."""
NARROW = " .,:;·'|!()iIjlftr"
TURNS_TEXT = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def clean(text: str) -> str:
    return " ".join(TURNS_TEXT.sub("", NOT_XML.sub("\ufffd", text)).split())


BOLD = 1.15
"""Bold letters are wider by this factor."""


def fitted(text: str, width: float, size: float) -> str:
    """Return as much of a text as fits, by an estimate that holds for most fonts. For bold text, pass a larger size."""
    room, kept = width / size, ""
    for letter in text:
        room -= letter_width(letter)
        if room < 0:
            return kept[:-1].rstrip() + "…"
        kept += letter
    return kept


def letter_width(letter: str) -> float:
    """Return the estimated width of a letter in ems."""
    if category(letter) in {"Mn", "Me", "Cf"}:
        return 0
    if east_asian_width(letter) in "WF" or ord(letter) > 0xFFFF:
        return 1.1
    if letter in NARROW:
        return 0.35
    if letter in "WM@%":
        return 1.0
    return 0.74 if letter.isupper() or letter in "mw&<>+=~" else 0.58


def name_of(seat: Seat) -> str:
    if seat.name is None:
        return _("Free seat")
    return clean(seat.name) or _("Seat %(number)d") % {"number": number_of(seat)}


def number_of(seat: Seat) -> int:
    """Return the seat's number, counted from 1."""
    return seat.number + 1


def isolated(name: str) -> str:
    """Return a name marked to keep its own writing direction inside a sentence."""
    return f"\u2068{name}\u2069"


def heading(scene: Scene) -> str:
    if scene.round is None:
        return GAME
    if scene.round_count is None:
        return _("Round %(number)d") % {"number": scene.round}
    return _("Round %(number)d of %(count)d") % {"number": scene.round, "count": scene.round_count}


ENDINGS = {
    "forfeited": N_("Nobody wins: every seat was forfeited"),
    "cancelled_by_host": N_("The host cancelled this table"),
    "cancelled_by_admin": N_("An administrator cancelled this table"),
    "host_left": N_("This table was closed: the host left"),
    "expired": N_("This table was closed: nobody came"),
    "abandoned": N_("This match was closed: nobody moved"),
}
"""How a table without a winner has ended, by its ``ended_reason``."""


def news(scene: Scene) -> str:
    """Return the most important fact of the moment."""
    winners = [isolated(fitted(name_of(seat), 200, 18)) for seat in scene.seats if seat.has_won]
    if winners:
        return victory(scene, winners)
    if scene.ended_reason in ENDINGS:
        return _(ENDINGS[scene.ended_reason])
    if scene.status == "cancelled":
        return _("This table was cancelled")
    if scene.status == "open":
        return _("Waiting for the start")
    if scene.turn is None:
        return _("The round is over")
    return _("%(name)s to move") % {"name": isolated(fitted(name_of(scene.seats[scene.turn]), 240, 18))}


def headline(scene: Scene, width: float, size: float) -> str:
    """Return the news in one line. If the names of several winners do not fit, it says how many have won."""
    text, winners = news(scene), sum(seat.has_won for seat in scene.seats)
    if winners < 2 or fitted(text, width, size) == text:
        return text
    if scene.ended_reason == "forfeited":
        return ngettext("%(count)d player wins by forfeit", "%(count)d players win by forfeit", winners) % {
            "count": winners
        }
    return ngettext("%(count)d player wins", "%(count)d players win", winners) % {"count": winners}


def victory(scene: Scene, winners: Sequence[str]) -> str:
    """Return who has won, and whether by forfeit."""
    if scene.ended_reason == "forfeited":
        text = ngettext("%(names)s wins by forfeit", "%(names)s win by forfeit", len(winners))
    else:
        text = ngettext("%(names)s wins", "%(names)s win", len(winners))
    return text % {"names": ", ".join(winners)}


def absence_of(seat: Seat) -> str:
    """Return why a bot plays for the person in the seat."""
    return _("forfeited") if seat.is_forfeited else _("away")


def standing_of(seat: Seat) -> str:
    """Return the number of tiles and the points of a seat."""
    tiles = ngettext("%(count)d tile", "%(count)d tiles", seat.tile_count) % {"count": seat.tile_count}
    parts = [_("last tile") if seat.has_announced else tiles]
    if seat.total is not None:
        parts.append(ngettext("%(count)d point", "%(count)d points", seat.total) % {"count": seat.total})
    return " · ".join(parts)


def advice(scene: Scene) -> str:
    """Return what the viewer may do now."""
    if "play" in scene.choices:
        return _("Raised tiles fit")
    if "draw" in scene.choices:
        return _("You may draw")
    return _("You may pass") if "pass" in scene.choices else ""


def description(scene: Scene) -> str:
    parts = [news(scene)]
    if scene.engine is not None:
        parts.append(_("The engine is the double %(pips)d") % {"pips": scene.engine})
        parts.append(_("Boneyard: %(count)d") % {"count": scene.boneyard})
    return ". ".join(parts) + "."
