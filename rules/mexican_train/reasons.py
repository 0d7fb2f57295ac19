"""Why a move of Mexican Train is illegal."""

from rules import errors


class Reason(errors.Reason):
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
