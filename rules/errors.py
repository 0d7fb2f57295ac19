"""Everything that can be wrong: the exceptions of the rules, and the reasons why a move is illegal."""

from collections.abc import Sequence
from enum import StrEnum

from rules.sentences import Sentence


class Reason(StrEnum):
    """Why a move is illegal. The API sends these values."""

    TILE_NOT_HELD = "tile_not_held"
    NO_SUCH_TRAIN = "no_such_train"
    ENDS_DO_NOT_MATCH = "ends_do_not_match"
    TRAIN_NOT_OPEN = "train_not_open"
    DOUBLE_NOT_COVERED = "double_not_covered"
    MUST_PLAY = "must_play"
    MUST_DRAW_FIRST = "must_draw_first"
    ALREADY_DREW = "already_drew"
    BONEYARD_EMPTY = "boneyard_empty"
    MEXICAN_NOT_YET = "mexican_not_yet"
    OWN_TRAIN_FIRST = "own_train_first"
    FIRST_TURN_OWN_TRAIN = "first_turn_own_train"
    DOUBLES_LIMIT = "doubles_limit"
    NOTHING_TO_END = "nothing_to_end"
    NOTHING_TO_CALL = "nothing_to_call"
    ROUND_OVER = "round_over"

    @property
    def sentence(self) -> str:
        return SENTENCES[self]


SENTENCES = {
    Reason.TILE_NOT_HELD: "That tile is not in this seat's hand.",
    Reason.NO_SUCH_TRAIN: "There is no such train at this table.",
    Reason.ENDS_DO_NOT_MATCH: "Neither end of that tile matches the end of that train.",
    Reason.TRAIN_NOT_OPEN: "That train belongs to another seat and is not open to this seat.",
    Reason.DOUBLE_NOT_COVERED: "An open double must be covered before anything else is laid.",
    Reason.MUST_PLAY: "This seat can make another move, so it may not draw or pass.",
    Reason.MUST_DRAW_FIRST: "This seat must draw before it may pass.",
    Reason.ALREADY_DREW: "This seat has already drawn.",
    Reason.BONEYARD_EMPTY: "The boneyard is empty.",
    Reason.MEXICAN_NOT_YET: "The Mexican Train may not be started yet.",
    Reason.OWN_TRAIN_FIRST: "This seat must start its own train first.",
    Reason.FIRST_TURN_OWN_TRAIN: "At the start of the round, this seat may not play on that train yet.",
    Reason.DOUBLES_LIMIT: "This seat may not lay another double in this turn.",
    Reason.NOTHING_TO_END: "There is no long first turn to end.",
    Reason.NOTHING_TO_CALL: "There is nobody to call and nothing to announce.",
    Reason.ROUND_OVER: "The round is over.",
}


class RulesError(Exception):
    """The base class of the exceptions of the rules.

    Subclasses pass all their arguments to ``Exception``, because copying and pickling use them.
    """


class UnreadableText(RulesError):
    """A text that is not a tile, a move or a position. ``detail`` says which part cannot be read."""

    def __init__(self, detail: Sentence) -> None:
        super().__init__(detail)
        self.detail = detail


class BadOption(RulesError):
    """An option that is unknown, has a value outside its list, or cannot be dealt.

    ``others`` are further wrong options, each wrong by itself.
    """

    def __init__(self, option: str, detail: Sentence, others: Sequence["BadOption"] = ()) -> None:
        super().__init__(option, detail, others)
        self.option = option
        self.detail = detail
        self.others = tuple(others)

    def __str__(self) -> str:
        return f"{self.option}: {self.detail}"


class UnknownPreset(BadOption):
    """The preset does not exist."""

    def __init__(self, detail: Sentence) -> None:
        super().__init__("preset", detail)
        self.args = (detail,)


class NotForSeats(BadOption):
    """These rules have no hand size for this number of seats."""

    def __init__(self, detail: Sentence) -> None:
        super().__init__("hand_sizes", detail)
        self.args = (detail,)


class IllegalMove(RulesError):
    """A move that is illegal in this state."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return self.reason.sentence


class BrokenLog(RulesError):
    """A log that contains an illegal move. ``played`` is the number of legal moves before it."""

    def __init__(self, played: int, reason: Reason) -> None:
        super().__init__(played, reason)
        self.played = played
        self.reason = reason

    def __str__(self) -> str:
        return f"The first {self.played} moves are legal; the next is not: {self.reason.sentence}"
