from __future__ import annotations

from benchmarks.completion import Tally, left_out, total


def test_figures_are_shares_of_what_an_event_ends_and_counts_of_what_is_wrong() -> None:
    both = total([Tally(3, 1, 1, 0, 0), Tally(3, 3, 0, 1, 2)])
    assert both.figures() == {
        "intents": 6,
        "ending": 4,
        "resolved_in_time": 0.25,
        "resolved_early": 1,
        "resolved_wrongly": 2,
    }
    assert Tally().figures()["resolved_in_time"] == 0


def test_a_scenario_gets_the_bar_that_is_best_on_the_others_and_of_equals_the_highest() -> None:
    low = [Tally(in_time=1), Tally(in_time=1, wrong=2), Tally(in_time=1)]
    high = [Tally(), Tally(in_time=1), Tally()]
    # Without the first: 2 - 2 against 1; without the second: 2 against 0; without the third: 2 - 2 against 1.
    assert left_out([0.2, 0.4], [low, high]) == [1, 0, 1]
    assert left_out([0.2, 0.4], [high, high]) == [1, 1, 1]
