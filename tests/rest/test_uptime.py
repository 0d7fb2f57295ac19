"""Periods in which moves could be made, and the outages between them. Times are passed as values."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from runtime import uptime
from runtime.models import Uptime
from runtime.uptime import Outage
from tests.at_once import threads

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
pytestmark = pytest.mark.django_db


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def beats(*seconds: float) -> None:
    for each in seconds:
        uptime.beat(at(each))


def periods() -> list[tuple[float, float]]:
    rows = Uptime.objects.order_by("id").values_list("began_at", "until")
    return [((began - NOON).total_seconds(), (until - NOON).total_seconds()) for began, until in rows]


def outages(since: float, now: float) -> list[tuple[float, float]]:
    found = uptime.outages_since(at(since), at(now))
    return [((each.began_at - NOON).total_seconds(), (each.ended_at - NOON).total_seconds()) for each in found]


def test_without_any_beat_there_was_no_outage() -> None:
    assert uptime.outages_since(NOON) == []
    assert uptime.unsettled() == []


def test_beats_extend_one_period() -> None:
    beats(0, 1, 2, 3.4)
    assert periods() == [(0, 3.4)]
    assert outages(0, 4) == []
    assert uptime.unsettled() == []


def test_a_late_beat_does_not_shorten_a_period() -> None:
    beats(0, 2, 1)
    assert periods() == [(0, 2)]


def test_a_long_gap_is_an_outage_and_a_short_one_is_not() -> None:
    limit = uptime.OUTAGE_FROM.total_seconds()
    beats(0, limit, limit + 30)
    assert periods() == [(0, limit), (limit + 30, limit + 30)]
    assert outages(0, limit + 30) == [(limit, limit + 30)]
    assert len(uptime.unsettled()) == 1


def test_a_gap_of_two_seconds_is_no_outage_and_one_of_three_is() -> None:
    beats(0, 2, 5)
    assert periods() == [(0, 2), (5, 5)]


def test_an_outage_that_is_not_over_counts_too() -> None:
    beats(0, 1)
    assert outages(0, 3) == []
    assert outages(0, 61) == [(1, 61)]
    assert not uptime.outages_since(NOON, at(61))[0].is_over


def test_outages_that_ended_before_the_moment_are_left_out() -> None:
    beats(0, 60, 61, 120, 180)
    assert outages(0, 180) == [(0, 60), (61, 120), (120, 180)]
    assert outages(30, 180) == [(0, 60), (61, 120), (120, 180)]
    assert outages(60, 180) == [(61, 120), (120, 180)]
    assert outages(125, 180) == [(120, 180)]
    assert outages(180, 180) == []


def test_without_a_time_the_time_of_the_database_is_used() -> None:
    uptime.beat()
    uptime.beat()
    (period,) = Uptime.objects.all()
    with connection.cursor() as cursor:
        cursor.execute("select now()")
        assert period.until == cursor.fetchone()[0]


def test_the_outage_before_a_period() -> None:
    beats(0, 60)
    (period,) = uptime.unsettled()
    assert uptime.outage_before(period) == Outage(at(0), at(60))
    uptime.settle(period)
    assert uptime.unsettled() == []


def test_two_processes_that_notice_the_same_end_record_one_outage() -> None:
    beats(0)
    for seconds in (60, 60.01):
        Uptime.objects.create(began_at=at(seconds), until=at(seconds))
    assert outages(0, 60.1) == [(0, 60)]
    assert [uptime.outage_before(each) for each in uptime.unsettled()] == [Outage(at(0), at(60)), None]


@pytest.mark.django_db(transaction=True)
def test_many_processes_extend_the_same_period() -> None:
    uptime.beat()
    with threads() as start:
        for each in [start(uptime.beat) for _ in range(8)]:
            each.result(20)
    assert Uptime.objects.count() == 1


def test_of_two_periods_that_began_together_the_newest_is_extended() -> None:
    beats(0)
    for seconds in (60, 60.01):
        Uptime.objects.create(began_at=at(seconds), until=at(seconds))
    beats(61)
    assert periods() == [(0, 0), (60, 60), (60.01, 61)]


def test_an_outage_lasts_until_now_even_in_an_older_transaction() -> None:
    beats(0)
    with connection.cursor() as cursor:
        cursor.execute("select clock_timestamp()")
        before = cursor.fetchone()[0]
    (found,) = uptime.outages_since(NOON)
    assert found.ended_at > before


def test_an_outage_moves_the_start_of_a_span_back_perhaps_into_another_outage() -> None:
    beats(0, 1000, 1001, 2000, 2001)
    assert uptime.counted_back(at(2001), timedelta(seconds=1)) == at(2000)
    assert uptime.counted_back(at(2001), timedelta(seconds=1.5)) == at(1000.5)
    assert uptime.counted_back(at(2001), timedelta(seconds=10)) == at(-8)


def test_periods_are_kept_for_longer_than_any_turn() -> None:
    beats(0, 60, 120)
    Uptime.objects.update(is_settled=True)
    for days, kept in ((59, 3), (61, 1)):
        uptime.forget_long_ago(NOON + timedelta(days=days))
        assert Uptime.objects.count() == kept


def test_a_period_is_kept_until_deadlines_are_extended_by_the_outage_before_it() -> None:
    beats(0, 60, 120)
    uptime.forget_long_ago(at(120) + 2 * uptime.KEPT_FOR)
    assert periods() == [(60, 60), (120, 120)]


def test_periods_are_forgotten_but_never_the_last() -> None:
    beats(0, 60, 120)
    Uptime.objects.update(is_settled=True)
    uptime.forget_long_ago(at(120) + 2 * uptime.KEPT_FOR)
    assert periods() == [(120, 120)]
    assert outages(0, 121) == []
