"""Playing a plan to its end through the server's own code, and keeping what its rows say."""

from random import Random

from django.db import transaction
from django.utils import timezone

from players.accounts import become_guest
from rules.mexican_train.legality import legal_moves
from rules.mexican_train.moves import Call, Move
from tables import play, repository, schedule, tasks
from tables.audit import first_difference
from tables.lobby import opening, seating, starting
from tables.models import OnTimeout, StandIn, Table, Visibility
from tables.snapshots import SeatFacts, Snapshot
from tests.finished_matches.files import Match
from tests.finished_matches.plans import Plan
from tests.finished_matches.rows import rows_of, taken_from, tells_from

LEVELS = ("easy", "random")
TURN_SECONDS = 60


def record(plan: Plan) -> Match:
    """A match that distinguishes the option values that its plan names."""
    chance = Random(plan.name)
    while not tells(plan, match := played(plan, chance)):
        pass
    return match


def tells(plan: Plan, match: Match) -> bool:
    rows = rows_of(match)
    if plan.forfeits and first_difference(rows_of({**match, "forfeited": []})) is None:
        return False  # the forfeited seat would not have won anyway
    return all(tells_from(rows, option, other) for option, others in plan.tells.items() for other in others)


def played(plan: Plan, chance: Random) -> Match:
    """A match played anew. Nothing of it stays in the database, and no bot is nudged."""
    with transaction.atomic():
        table = begun(plan)
        while (now := loaded(table)).is_playing:
            step(plan, now, chance)
        match = taken_from(Table.objects.get(pk=table.pk))
        transaction.set_rollback(True)
    return match


def begun(plan: Plan) -> Table:
    host = become_guest("Host")
    table = opening.open_table(
        host,
        seats=plan.seats,
        host_seat=None,
        bots={seat: LEVELS[seat % 2] for seat in range(plan.seats) if seat not in plan.persons},
        preset=plan.preset,
        options=dict(plan.options),
        visibility=Visibility.PUBLIC,
        on_timeout=OnTimeout.FORFEIT,
        turn_seconds=TURN_SECONDS if plan.forfeits else None,
    )
    for seat in plan.persons:
        person = become_guest(f"Person {seat}")
        seating.take_seat(table.id, person, seat)
        starting.set_client_seed(table.id, person, f"{plan.name}, seat {seat}")
    return starting.start_match(table.id, host)


def loaded(table: Table) -> Snapshot:
    now = repository.load(table.id)
    assert now is not None
    return now


def step(plan: Plan, now: Snapshot, chance: Random) -> None:
    """The next step: a call out of turn, a timeout, or the move of the seat to move."""
    assert now.state is not None
    mover = play.mover(now)
    exposed, caller = now.state.standing.exposed, who_calls(now, chance)
    if exposed is not None and caller is not None:
        submit(now, caller, Call(exposed))
    elif plan.forfeits and is_leading_at_last(now):
        assert now.deadline is not None
        play.time_out(now.id, now.next_number, now.deadline + schedule.GRACE)
    elif mover.level is None:
        submit(now, mover, chance.choice(list(legal_moves(now.state))))
    else:
        tasks.take_turn(str(now.id), now.next_number)


def who_calls(now: Snapshot, chance: Random) -> SeatFacts | None:
    """Perhaps a person whose turn it is not."""
    assert now.state is not None
    others = [seat for seat in now.seats if seat.number not in (now.turn, now.state.standing.exposed)]
    persons = [seat for seat in others if seat.level is None]
    return chance.choice(persons) if persons and chance.random() < 0.5 else None


def is_leading_at_last(now: Snapshot) -> bool:
    """Whether the person to move has the lowest total in the last round, and nobody has forfeited yet."""
    if now.rounds_played + 1 < now.options.round_count:
        return False
    if any(seat.stand_in_until == StandIn.END for seat in now.seats):
        return False
    return play.mover(now).total == min(seat.total for seat in now.seats)


def submit(now: Snapshot, seat: SeatFacts, move: Move) -> None:
    play.submit_move(now.id, seat.player, move, now.next_number, timezone.now())
