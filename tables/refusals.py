"""Why a table refuses something: one exception a reason, whose docstring is the sentence a person reads.

It is told in the language that is spoken when it is raised: that of the request.
"""

from typing import ClassVar

from django.utils.translation import gettext

from rules.errors import Reason
from tables.codec import Snapshot
from tables.models import Status
from tables.telling import told


class TableRefusal(Exception):
    """The table refuses this."""

    status: ClassVar[int] = 409
    code: ClassVar[str]

    def __init__(self, detail: str | None = None) -> None:
        said, _, _ = (type(self).__doc__ or "").partition("\n\n")
        super().__init__(detail or gettext(said.strip()))


class NotFound(TableRefusal):
    """There is no such table, or you may not see it."""

    status, code = 404, "not_found"


class UnknownInvite(TableRefusal):
    """No table has this invite code."""

    status, code = 404, "unknown_invite"


class NotHost(TableRefusal):
    """Only the host of this table may do this."""

    status, code = 403, "not_host"


class NotYourSeat(TableRefusal):
    """This seat is not yours, and you are not the host."""

    status, code = 403, "not_your_seat"


class NotAtTable(TableRefusal):
    """You do not sit at this table."""

    status, code = 403, "not_seated"


class InviteNeeded(TableRefusal):
    """This table is private: take a seat with its invite code."""

    status, code = 403, "invite_needed"


class NoSuchSeat(TableRefusal):
    """This table has no seat of that number."""

    status, code = 404, "no_such_seat"


class SeatTaken(TableRefusal):
    """Somebody else sits there."""

    code = "seat_taken"


class TableFull(TableRefusal):
    """Every seat of this table is taken."""

    code = "table_full"


class SeatsEmpty(TableRefusal):
    """Not every seat is filled; invite somebody or seat a bot."""

    code = "seats_empty"


class SeatForfeited(TableRefusal):
    """This seat was forfeited; a bot plays it to the end."""

    code = "seat_forfeited"


class TableOpen(TableRefusal):
    """The match has not started."""

    code = "table_open"


class TablePlaying(TableRefusal):
    """The match has started."""

    code = "table_playing"


class TableFinished(TableRefusal):
    """The match is over."""

    code = "table_finished"


class TableCancelled(TableRefusal):
    """This table was cancelled."""

    code = "table_cancelled"


class HintsOff(TableRefusal):
    """The host of this table has switched hints off."""

    status, code = 403, "hints_off"


class RoundNotOver(TableRefusal):
    """This round is not over; its secret and its hands are shown when it is."""

    code = "round_not_over"


class CannotKeepMarker(TableRefusal):
    """Only a play on the own, marked train may leave the marker there, at a table whose rules let a seat choose."""

    status, code = 400, "invalid"


class MoveRefused(TableRefusal):
    """The log does not take this move.

    Carries the table as it is, so that the caller can see why.
    """

    def __init__(self, snapshot: Snapshot, detail: str | None = None) -> None:
        super().__init__(detail)
        self.snapshot = snapshot


class NotSeated(MoveRefused):
    """You do not sit at this table."""

    status, code = NotAtTable.status, NotAtTable.code


class Stale(MoveRefused):
    """The log has another next number; the position is how things are now."""

    code = "stale"

    def __init__(self, snapshot: Snapshot, number: int) -> None:
        later = gettext("The log is only at number {next}: what is to come before {number} has not happened yet.")
        earlier = gettext("The log is at number {next} already: something happened that you had not seen.")
        told = later if number > snapshot.next_number else earlier
        super().__init__(snapshot, told.format(next=snapshot.next_number, number=number))


class NotYourTurn(MoveRefused):
    """It is another seat's turn."""

    code = "not_your_turn"


class TooLate(MoveRefused):
    """The time for this turn was over when the move arrived."""

    code = "too_late"


class NotStarted(MoveRefused):
    """The match has not started."""

    code = "table_open"


class MatchOver(MoveRefused):
    """The match is over."""

    code = "table_finished"

    def __init__(self, snapshot: Snapshot) -> None:
        is_cancelled = snapshot.status == Status.CANCELLED
        super().__init__(snapshot, gettext("This table was cancelled.") if is_cancelled else None)


class Illegal(MoveRefused):
    """The rules refuse this move."""

    status, code = 422, "illegal_move"

    def __init__(self, snapshot: Snapshot, reason: Reason) -> None:
        super().__init__(snapshot, told(reason.sentence))
        self.reason = reason
