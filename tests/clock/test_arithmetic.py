"""hours, logaddexp, logsumexp and mass against Python's math and NumPy, extremes included."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Connection, at, value

PROPERTY = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
potentials = st.floats(-1e300, 1e300) | st.floats(-800, 800)


@pytest.mark.parametrize(
    ("moment", "hours"),
    [
        ("1970-01-01T00:00:00+00:00", 0),
        ("1970-01-01T00:00:00+02:00", -2),
        ("1970-01-02T01:30:00+00:00", 25.5),
        ("1969-12-31T23:59:59.5+00:00", -0.5 / 3600),
        ("2026-03-02T09:00:00+00:00", 20514 * 24 + 9),  # 56 years, 14 leap days, 31 + 28 + 1 days
        ("9999-12-31T00:00:00+00:00", 2932896 * 24),  # date(9999, 12, 31).toordinal() - date(1970, 1, 1).toordinal()
    ],
)
def test_hours_count_from_the_first_of_january_1970_in_utc(connection: Connection, moment: str, hours: float) -> None:
    assert value(connection, "SELECT cognifold.hours(%s)", moment) == pytest.approx(hours, rel=1e-14, abs=1e-12)


@pytest.mark.parametrize(
    ("moment", "sign"), [("infinity", 1), ("-infinity", -1), ("294000-01-01Z", 1), ("4700-01-01Z BC", 0)]
)
def test_hours_stay_finite_for_dates_without_end(connection: Connection, moment: str, sign: int) -> None:
    hours = value(connection, "SELECT cognifold.hours(%s::timestamptz)", moment)
    assert hours == sign * 1e8 if sign else -1e8 < hours < 0


def test_hours_are_the_same_in_every_zone_and_over_a_change_to_summer_time(connection: Connection) -> None:
    found = set()
    for zone in ("UTC", "Europe/Amsterdam", "America/St_Johns", "Pacific/Kiritimati"):
        connection.execute("SELECT set_config('TimeZone', %s, false)", [zone])
        found.add(value(connection, "SELECT cognifold.hours(%s) - cognifold.hours(%s)",
                        at("2026-03-29T12:00:00+02:00"), at("2026-03-28T12:00:00+01:00")))  # fmt: skip
    assert found == {23.0}


@PROPERTY
@given(pairs=st.lists(st.tuples(potentials, potentials), min_size=1, max_size=40))
def test_two_masses_add_as_numpy_adds_their_logarithms(
    connection: Connection, pairs: list[tuple[float, float]]
) -> None:
    found = connection.execute(
        "SELECT array_agg(cognifold.logaddexp(a, b) ORDER BY n), array_agg(cognifold.logaddexp(b, a) ORDER BY n) "
        "FROM unnest(%s::float8[], %s::float8[]) WITH ORDINALITY AS p (a, b, n)",
        [[a for a, _ in pairs], [b for _, b in pairs]],
    ).fetchone()
    assert found is not None and found[0] == found[1]
    expected = [float(np.logaddexp(a, b)) for a, b in pairs]
    assert found[0] == pytest.approx(expected, rel=1e-14, abs=1e-15)


@pytest.mark.parametrize(
    ("a", "b", "sum_"),
    [
        (0.0, 0.0, math.log(2)),
        (math.log(3), math.log(4), math.log(7)),
        (1e308, -1e308, 1e308),
        (-1e308, -1e308, -1e308),
        (-math.inf, 5.0, 5.0),
        (-math.inf, -math.inf, -math.inf),
        (math.inf, 5.0, math.inf),
        (None, 5.0, 5.0),
        (5.0, None, 5.0),
        (None, None, None),
    ],
)
def test_a_sum_of_masses_is_right_at_the_ends_of_the_scale(
    connection: Connection, a: float | None, b: float | None, sum_: float | None
) -> None:
    found = value(connection, "SELECT cognifold.logaddexp(%s::float8, %s::float8)", a, b)
    assert found == (sum_ if sum_ is None else pytest.approx(sum_, rel=1e-15))


@PROPERTY
@given(terms=st.lists(potentials, min_size=1, max_size=60), order=st.randoms())
def test_a_sum_over_rows_is_exact_in_any_order(connection: Connection, terms: list[float], order: object) -> None:
    largest = max(terms)
    expected = largest + math.log(math.fsum(math.exp(max(t - largest, -745)) for t in terms))
    shuffled = list(terms)
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    for given_terms in (terms, shuffled):
        found = value(connection, "SELECT cognifold.logsumexp(t) FROM unnest(%s::float8[]) AS t", given_terms)
        assert found == pytest.approx(expected, rel=1e-13, abs=1e-13)


def test_a_sum_over_no_row_is_null_and_null_terms_weigh_nothing(connection: Connection) -> None:
    assert value(connection, "SELECT cognifold.logsumexp(t) FROM unnest(ARRAY[]::float8[]) AS t") is None
    assert value(connection, "SELECT cognifold.logsumexp(t) FROM unnest(ARRAY[NULL, 2.5, NULL]::float8[]) AS t") == 2.5


@PROPERTY
@given(pairs=st.lists(st.tuples(potentials, potentials), min_size=1, max_size=40))
def test_a_mass_is_the_exponential_held_within_what_a_double_can_carry(
    connection: Connection, pairs: list[tuple[float, float]]
) -> None:
    found = value(
        connection,
        "SELECT array_agg(cognifold.mass(p.a, p.b) ORDER BY n) "
        "FROM unnest(%s::float8[], %s::float8[]) WITH ORDINALITY AS p (a, b, n)",
        [a for a, _ in pairs],
        [b for _, b in pairs],
    )
    assert found == pytest.approx([math.exp(min(690, max(-690, a - b))) for a, b in pairs], rel=1e-13)


def test_no_potential_means_no_mass(connection: Connection) -> None:
    assert value(connection, "SELECT cognifold.mass(NULL, 3)") is None
    assert value(connection, "SELECT cognifold.mass(3, NULL)") is None
