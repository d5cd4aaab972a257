"""Whose turn it is: nobody gets ahead of another by having more to do."""

from __future__ import annotations

from collections.abc import Mapping

from cognifold_pg.workers.turns import FORGOTTEN, Turns


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def order(turns: Turns, waiting: Mapping[str, int], seconds: Mapping[str, float], number: int) -> list[str]:
    """Whose the next turns are, where each one's take so long."""
    found = []
    for _ in range(number):
        tenant = turns.next(waiting)
        assert tenant is not None
        turns.charge(tenant, seconds[tenant])
        found.append(tenant)
    return found


BULK = {f"bulk {number}": 100 for number in range(20)}
QUARTER = dict.fromkeys(BULK, 0.25)


def test_two_with_long_queues_take_turns() -> None:
    assert order(Turns(), {"a": 100, "b": 60}, {"a": 1, "b": 1}, 6) == ["a", "b", "a", "b", "a", "b"]


def test_one_whose_turns_are_short_has_more_of_them() -> None:
    assert order(Turns(), {"slow": 100, "fast": 100}, {"slow": 3, "fast": 1}, 8).count("fast") == 6


def test_who_comes_anew_with_little_is_next_however_long_others_have_waited() -> None:
    turns = Turns()
    order(turns, BULK, QUARTER, 27)
    assert turns.next(BULK | {"newcomer": 1}) == "newcomer"


def test_who_has_an_event_now_and_then_waits_for_one_turn_at_most() -> None:
    turns = Turns()
    for _ in range(100):
        (whose,) = order(turns, BULK, QUARTER, 1)
        assert whose in BULK
        assert turns.next(BULK | {"small": 1}) == "small"
        turns.charge("small", 0.02)


def test_long_queues_have_their_part_when_short_ones_fill_all_the_time() -> None:
    waiting = {"a": 3, "b": 3, "long": 100}
    made = order(Turns(), waiting, {"a": 0.1, "b": 0.1, "long": 0.1}, 40)
    assert made.count("long") == 10  # a quarter
    assert made.count("a") == made.count("b") == 15


def test_a_queue_that_begins_does_not_stop_one_that_has_been_worked_off_for_long() -> None:
    turns = Turns()
    order(turns, {"a": 100}, {"a": 1}, 100)
    assert order(turns, {"a": 100, "b": 100}, {"a": 1, "b": 1}, 10).count("a") == 5


def test_leaving_for_a_moment_does_not_wipe_out_what_one_has_had() -> None:
    turns = Turns()
    assert order(turns, {"a": 1, "b": 1}, {"a": 10, "b": 1}, 2) == ["a", "b"]
    assert order(turns, {"b": 1}, {"b": 1}, 1) == ["b"]
    assert order(turns, {"a": 1, "b": 1}, {"a": 1, "b": 1}, 5) == ["b"] * 5


def test_who_rests_is_passed_over_until_then() -> None:
    clock = Clock()
    turns = Turns(clock)
    turns.rest("a", 5)
    assert turns.next({"a": 1, "b": 1}) == "b"
    assert turns.next({"a": 1}) is None
    assert turns.pause(60) == 5
    clock.now = 5
    assert turns.next({"a": 1}) == "a"
    assert turns.pause(60) == 60


def test_what_is_remembered_of_tenants_that_are_gone_goes_too() -> None:
    clock = Clock()
    turns = Turns(clock)
    for number in range(1000):
        order(turns, {f"tenant {number}": 1}, {f"tenant {number}": 0.1}, 1)
        clock.now += 1
    assert len(turns._rounds["short"]._had) <= FORGOTTEN + 1
