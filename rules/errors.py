"""Everything that can be wrong: the exceptions of the rules of every game."""

from collections.abc import Sequence
from enum import StrEnum

from rules.sentences import Sentence


class Reason(StrEnum):
    """Why a move is illegal. Each game has its own values, and the API sends them."""

    @property
    def sentence(self) -> str:
        """The reason as a sentence for people."""
        raise NotImplementedError


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


class BadMoveField(RulesError):
    """A field beside a move has a value that this state does not allow."""

    def __init__(self, field: str, detail: Sentence) -> None:
        super().__init__(field, detail)
        self.field = field
        self.detail = detail


class UnknownVersion(RulesError):
    """A game, or a version of its rules, that this server does not play."""

    def __init__(self, game: str, number: int, known: Sequence[int]) -> None:
        super().__init__(game, number, known)
        self.number = number
        self.known = known

    def __str__(self) -> str:
        return f"engine version {self.number} is unknown; this server plays {', '.join(map(str, self.known))}"
