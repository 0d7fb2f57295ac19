"""The refusals of a table: one problem for each reason."""

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as N_

from rest.problems import Invalid, Problem
from rules.errors import Reason
from tables.models import Status
from tables.snapshots import Snapshot
from tables.translating import translated


class NotFound(Problem):
    detail = N_("This table does not exist, or you may not see it.")
    status, code = 404, "not_found"


class UnknownInvite(Problem):
    detail = N_("No table has this invite code.")
    status, code = 404, "unknown_invite"


class NotHost(Problem):
    detail = N_("Only the host of this table may do this.")
    status, code = 403, "not_host"


class NotYourSeat(Problem):
    detail = N_("This seat is not yours, and you are not the host.")
    status, code = 403, "not_your_seat"


class NotAtTable(Problem):
    detail = N_("You do not sit at this table.")
    status, code = 403, "not_seated"


class RemovedByHost(Problem):
    detail = N_("The host of this table has removed you, so you cannot sit down here again.")
    status, code = 403, "removed_by_host"


class InviteNeeded(Problem):
    detail = N_("This table is private: take a seat with its invite code.")
    status, code = 403, "invite_needed"


class NoSuchSeat(Problem):
    detail = N_("This table has no seat with this number.")
    status, code = 404, "no_such_seat"


class SeatTaken(Problem):
    detail = N_("Another player sits in this seat.")
    code = "seat_taken"


class PlayerPresent(Problem):
    detail = N_("The player of this seat is present and has time left, so no bot can take their place.")
    code = "player_present"


class SeatAway(Problem):
    detail = N_("A bot plays for you; take your seat back first.")
    code = "seat_away"


class ClockProposed(Problem):
    detail = N_("Another clock is already proposed; agree to it, or wait until it is withdrawn or expires.")
    code = "clock_proposed"


class NotYourProposal(Problem):
    detail = N_("Only a player who has agreed to the proposed clock can withdraw it.")
    status, code = 403, "not_your_proposal"


class TableFull(Problem):
    detail = N_("Every seat of this table is taken.")
    code = "table_full"


class SeatsEmpty(Problem):
    detail = N_("Not every seat is filled; invite somebody or seat a bot.")
    code = "seats_empty"


class SeatForfeited(Problem):
    detail = N_("This seat was forfeited; a bot plays for it until the match ends.")
    code = "seat_forfeited"


class TooManyOpenTables(Problem):
    detail = N_("You host the maximum number of open tables; start or cancel one first.")
    code = "too_many_tables"


class TooManyRunningTables(Problem):
    detail = N_("You host the maximum number of running matches; finish or cancel one first.")
    code = "too_many_tables"


class TableOpen(Problem):
    detail = N_("The match has not started.")
    code = "table_open"


class TablePlaying(Problem):
    detail = N_("The match has started.")
    code = "table_playing"


class TableFinished(Problem):
    detail = N_("The match is over.")
    code = "table_finished"


class TableCancelled(Problem):
    detail = N_("This table was cancelled.")
    code = "table_cancelled"


class HintsOff(Problem):
    detail = N_("The host of this table has turned hints off.")
    status, code = 403, "hints_off"


class RoundNotOver(Problem):
    detail = N_("This round is not over; its secret and its hands become public when it ends.")
    code = "round_not_over"


class NoLevelForPerson(Invalid):
    field = "level"
    detail = N_("A person has this seat; the table's `on_leave` sets the level of the bot, so send no level.")


class LevelNeeded(Invalid):
    field = "level"
    detail = N_("Send the level of the bot.")


class MoveRefused(Problem):
    """A refused move. It carries the table's snapshot, so that the answer can include the position."""

    detail = N_("This move cannot be added to the log now.")

    def __init__(self, snapshot: Snapshot, detail: str | None = None) -> None:
        super().__init__(detail)
        self.snapshot = snapshot


class NotSeated(MoveRefused):
    detail = N_("You do not sit at this table.")
    status, code = NotAtTable.status, NotAtTable.code


class Stale(MoveRefused):
    detail = N_("The log has a different next number; see `position`.")
    code = "stale"

    def __init__(self, snapshot: Snapshot, number: int) -> None:
        later = gettext("The next number of the log is {next}; it has not reached {number} yet.")
        earlier = gettext("The next number of the log is already {next}; other moves were made in the meantime.")
        text = later if number > snapshot.next_number else earlier
        super().__init__(snapshot, text.format(next=snapshot.next_number, number=number))


class NotYourTurn(MoveRefused):
    detail = N_("It is another seat's turn.")
    code = "not_your_turn"


class TooLate(MoveRefused):
    detail = N_("The time for this turn was over when the move arrived.")
    code = "too_late"


class BackNextRound(MoveRefused):
    detail = N_(
        "Hints are off at this table, so a bot plays for you until this round ends. Take your seat now to play again "
        "from the next round."
    )
    code = "back_next_round"


class NotStarted(MoveRefused):
    detail = N_("The match has not started.")
    code = "table_open"


class MatchOver(MoveRefused):
    detail = N_("The match is over.")
    code = "table_finished"

    def __init__(self, snapshot: Snapshot) -> None:
        is_cancelled = snapshot.status == Status.CANCELLED
        super().__init__(snapshot, gettext("This table was cancelled.") if is_cancelled else None)


class Illegal(MoveRefused):
    detail = N_("The rules do not allow this move.")
    status, code = 422, "illegal_move"

    def __init__(self, snapshot: Snapshot, reason: Reason) -> None:
        super().__init__(snapshot, translated(reason.sentence))
        self.reason = reason
