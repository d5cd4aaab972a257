"""The decay clock: D(t) is piecewise linear, and a new rate leaves the past as it was."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
import pytest

from tests.conftest import Connection, at, value
from tests.graph.plans import START, make_concept, remember, rows

RATES = {"episodic": 0.005, "semantic": 0.0005}


def decay(connection: Connection, tenant: str, rate: str, moment: str) -> float:
    amount: float = value(connection, "SELECT cognifold.decay_integral(%s, %s, %s)", tenant, rate, moment)
    return amount


def set_decay(connection: Connection, rate: str | None, lambda_: float | None, valid_from: str | None = None) -> None:
    connection.execute("SELECT cognifold.set_decay(%s, %s, %s)", [rate, lambda_, valid_from])


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(
    ("moment", "hours"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1969-12-31T00:00:00Z", -24),
        ("2026-03-02T09:00:00Z", 492345),
        ("9999-12-31T00:00:00Z", 70389504),
        ("infinity", 1e8),
        ("-infinity", -1e8),
    ],
)
def test_a_new_tenant_forgets_by_the_default_rates_from_1970_on(
    connection: Connection, tenant: str, rate: str, moment: str, hours: float
) -> None:
    assert decay(connection, tenant, rate, moment) == pytest.approx(RATES[rate] * hours, rel=1e-14)


def test_a_changed_rate_appends_a_row_and_bends_the_line_there(connection: Connection, tenant: str) -> None:
    past = ["-infinity", "1970-01-01Z", "2025-12-31T12:00:00Z", "2026-01-01T00:00:00Z"]
    before = [decay(connection, tenant, "episodic", moment) for moment in past]
    set_decay(connection, "episodic", 0.02, "2026-01-01T00:00:00Z")
    set_decay(connection, "episodic", 0, "2026-01-02T00:00:00Z")
    set_decay(connection, "episodic", 0.001, "2026-01-04T00:00:00Z")

    assert [decay(connection, tenant, "episodic", moment) for moment in past] == before
    bend = 0.005 * 20454 * 24  # 2026-01-01 is 20,454 days after 1970-01-01
    for moment, more in {
        "2026-01-01T10:00:00Z": 0.2,
        "2026-01-02T00:00:00Z": 0.48,
        "2026-01-03T07:00:00Z": 0.48,  # a rate of zero: nothing is forgotten
        "2026-01-04T00:00:00Z": 0.48,
        "2026-01-05T00:00:00Z": 0.504,
        "2026-02-03T00:00:00Z": 0.48 + 30 * 0.024,
    }.items():
        assert decay(connection, tenant, "episodic", moment) == pytest.approx(bend + more, rel=1e-14)
    clock = rows(connection, "SELECT lambda FROM cognifold.decay_clock WHERE rate = 'episodic' ORDER BY valid_from")
    assert [row["lambda"] for row in clock] == [0.005, 0.02, 0, 0.001]


def test_the_two_rates_change_apart_from_each_other(connection: Connection, tenant: str) -> None:
    set_decay(connection, "semantic", 0, "2026-01-01T00:00:00Z")
    assert decay(connection, tenant, "episodic", "2026-01-02T00:00:00Z") == pytest.approx(0.005 * 20455 * 24)
    assert decay(connection, tenant, "semantic", "2026-01-02T00:00:00Z") == pytest.approx(0.0005 * 20454 * 24)


def test_a_new_rate_holds_from_the_memorys_clock_where_no_moment_is_given(
    connect: Callable[..., Connection], tenant: str
) -> None:
    connection = connect(tenant, now="2026-01-01T00:00:00+00:00")
    set_decay(connection, "episodic", 0.5)
    assert value(connection, "SELECT max(valid_from) FROM cognifold.decay_clock") == at("2026-01-01T00:00:00+00:00")


def test_a_rate_changes_for_one_tenant_only(connection: Connection, tenant: str, new_tenant: Callable[..., str],
                                            connect: Callable[..., Connection]) -> None:  # fmt: skip
    other = new_tenant()
    set_decay(connection, "episodic", 0, "2026-01-01T00:00:00Z")
    assert decay(connect(other), other, "episodic", "2026-01-02T00:00:00Z") == pytest.approx(0.005 * 20455 * 24)


@pytest.mark.parametrize("valid_from", ["2026-01-05T00:00:00Z", "2026-01-04T23:59:59Z"])
def test_a_rate_that_would_change_the_clocks_past_is_refused(connection: Connection, valid_from: str) -> None:
    set_decay(connection, "episodic", 0.01, "2026-01-05T00:00:00Z")
    clock = rows(connection, "SELECT d::text FROM cognifold.decay_clock AS d ORDER BY 1")
    with pytest.raises(psycopg.Error, match="2026-01-05") as refused:
        set_decay(connection, "episodic", 0.02, valid_from)
    assert refused.value.sqlstate == "CF010"
    assert rows(connection, "SELECT d::text FROM cognifold.decay_clock AS d ORDER BY 1") == clock


@pytest.mark.parametrize("valid_from", ["-infinity", "infinity"])
def test_a_rate_begins_at_a_moment(connection: Connection, valid_from: str) -> None:
    with pytest.raises(psycopg.Error, match=valid_from) as refused:
        set_decay(connection, "episodic", 0.02, valid_from)
    assert refused.value.sqlstate == "CF010"


def test_a_rate_that_would_begin_before_an_edge_was_stamped_is_refused(
    connect: Callable[..., Connection], tenant: str
) -> None:
    connection = connect(tenant, now="2026-04-01T00:00:00+00:00")
    make_concept(connection, "Running", remember(connection, "A run", START), remember(connection, "A race", START))
    with pytest.raises(psycopg.Error, match="2026-03-02") as refused:
        set_decay(connection, "episodic", 0.02, "2026-03-02T08:00:00Z")
    assert refused.value.sqlstate == "CF010"
    set_decay(connection, "semantic", 0.02, "2026-03-02T08:00:00Z")  # no edge goes by this clock yet
    set_decay(connection, "episodic", 0.02, START)


@pytest.mark.parametrize(
    ("rate", "lambda_", "named"),
    [
        ("daily", 0.1, "daily"),
        (None, 0.1, "NULL"),
        ("episodic", -0.001, "-0.001"),
        ("episodic", float("nan"), "NaN"),
        ("episodic", float("inf"), "Infinity"),
        ("episodic", 1000.5, "1000.5"),
        ("episodic", None, "NULL"),
    ],
)
def test_a_rate_out_of_range_is_refused_by_name(
    connection: Connection, rate: str | None, lambda_: float | None, named: str
) -> None:
    with pytest.raises(psycopg.Error, match=named) as refused:
        set_decay(connection, rate, lambda_)
    assert refused.value.sqlstate == "CF010"
