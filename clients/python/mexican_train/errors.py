"""The exceptions: the server refuses a request, cannot be reached, or sends an answer that this client cannot read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mexican_train.answers import LegalMove, Position, Reason
from mexican_train.reading import Unreadable, many, one


class MexicanTrainError(Exception):
    """Any failure of a call. ``retry_after`` is the seconds after which to try again, if the server says so."""

    def __init__(self, sentence: str, retry_after: float | None = None) -> None:
        super().__init__(sentence)
        self.retry_after = retry_after


class Unreachable(MexicanTrainError):
    """The server could not be reached or did not answer in time, in all attempts."""


class BadAnswer(MexicanTrainError):
    """An answer that this API does not give. It may come from a proxy, or from another server."""


class Unverified(MexicanTrainError):
    """A message without a valid signature of the server, or with an old one. Do not act on it."""


@dataclass(frozen=True)
class FieldError:
    """What is wrong with one field of a request. A nested field is written ``bots.0.level``.

    ``line`` and ``column`` are the place of an error in the text of a record.
    """

    field: str
    code: str
    detail: str
    line: int | None = None
    column: int | None = None


class ProblemError(MexicanTrainError):
    """The server refused the request, and nothing has changed. ``code`` is stable, ``detail`` is for people.

    ``problem`` is the whole RFC 9457 document. ``position`` is the current position, if a move was refused. ``errors``
    names the invalid fields.
    """

    def __init__(self, problem: Mapping[str, Any], retry_after: float | None = None) -> None:
        self.problem = problem
        self.code = str(problem["code"])
        self.status = int(problem["status"])
        self.detail = str(problem.get("detail", ""))
        super().__init__(f"{self.code}: {self.detail}", retry_after)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problem, self.retry_after)

    @property
    def errors(self) -> tuple[FieldError, ...]:
        return many(FieldError)(self.problem.get("errors", []))

    @property
    def position(self) -> Position | None:
        return one(Position)(self.problem["position"]) if self.problem.get("position") else None


class Invalid(ProblemError):
    """The request is invalid: a field is missing, unknown or wrong; see ``errors``."""


class UnreadableMove(Invalid):
    """The text cannot be read as a move."""


class NotAuthenticated(ProblemError):
    """The token is missing, unknown or revoked, or the password is wrong."""


class Forbidden(ProblemError):
    """The caller may not do this."""


class NotSeated(Forbidden):
    """The caller does not sit at this table."""


class NotHost(Forbidden):
    """Only the host of the table may do this."""


class NotFound(ProblemError):
    """The resource does not exist, or the caller may not see it."""


class Conflict(ProblemError):
    """The current state of the table does not allow this."""


class Stale(Conflict):
    """The log has a different next number, because other moves were made. See ``position``."""


class NotYourTurn(Conflict):
    """It is another seat's turn."""


class TooLate(Conflict):
    """The time for this turn was over when the move arrived."""


class SeatTaken(Conflict):
    """Another player sits in this seat."""


class TableFull(Conflict):
    """Every seat is taken."""


class TableOver(Conflict):
    """The match is over, or the table was cancelled."""


class PlayerPresent(Conflict):
    """The player of this seat is present and has time left, so no bot can take their place."""


class AlreadyRegistered(Conflict):
    """The caller already has an account, with a different username or password."""


class TooManyTables(Conflict):
    """The caller hosts the maximum number of open tables or running matches."""


class IllegalMove(ProblemError):
    """The rules do not allow this move; ``legal_moves`` are the moves that they allow."""

    @property
    def reason(self) -> Reason:
        reason: Reason = self.problem["reason"]
        return reason

    @property
    def legal_moves(self) -> tuple[LegalMove, ...]:
        return many(LegalMove)(self.problem.get("legal_moves", []))


class RateLimited(ProblemError):
    """Too many requests: try again after ``retry_after`` seconds."""


class Unavailable(ProblemError):
    """The server cannot answer now; the change may or may not have been made."""


BY_CODE: dict[str, type[ProblemError]] = {
    "unreadable_move": UnreadableMove,
    "not_seated": NotSeated,
    "not_host": NotHost,
    "stale": Stale,
    "not_your_turn": NotYourTurn,
    "too_late": TooLate,
    "seat_taken": SeatTaken,
    "table_full": TableFull,
    "table_finished": TableOver,
    "table_cancelled": TableOver,
    "player_present": PlayerPresent,
    "already_registered": AlreadyRegistered,
    "too_many_tables": TooManyTables,
    "illegal_move": IllegalMove,
}
BY_STATUS: dict[int, type[ProblemError]] = {
    400: Invalid,
    401: NotAuthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    429: RateLimited,
    503: Unavailable,
}


def refusal(problem: Any, retry_after: float | None = None) -> ProblemError:
    """Return the exception for a problem document. The code decides; for an unknown code, the status decides."""
    if not isinstance(problem, Mapping) or not isinstance(problem.get("code"), str):
        raise Unreadable("a problem has a code")
    if not isinstance(problem.get("status"), int):
        raise Unreadable("a problem has a status")
    kind = BY_CODE.get(problem["code"]) or BY_STATUS.get(problem["status"], ProblemError)
    return kind(problem, retry_after)
