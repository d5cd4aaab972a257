"""mne_score is the MNE formula within its clamps, and immutable."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Connection, value

DAY = 86400
cases = st.tuples(
    st.floats(-1, 1, allow_subnormal=False),
    st.floats(-1, 1, allow_subnormal=False),
    st.floats(-1e12, 1e12, allow_subnormal=False)
    | st.floats(0, 100 * DAY, allow_subnormal=False)
    | st.sampled_from([0.0, -1.0, 700.0 * DAY, 700.1 * DAY, 1e300, -1e300]),
    st.integers(0, 2**62) | st.integers(0, 50),
    st.floats(0, 1, allow_subnormal=False),
)


def formula(cosine: float, emotion: float, age: float, accesses: int, integration: float) -> float:
    days = min(max(age, 0) / DAY, 700)
    return (
        max(cosine, 0) * (1 + 0.5 * abs(emotion)) * (0.3 * math.exp(-days) + 0.7)
        * (1 + 0.1 * math.log(1 + accesses)) * (1 + 0.2 * integration)
    )  # fmt: skip


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(given_cases=st.lists(cases, min_size=1, max_size=30))
def test_the_score_is_the_formula(
    connection: Connection, given_cases: list[tuple[float, float, float, int, float]]
) -> None:
    columns = [list(column) for column in zip(*given_cases, strict=True)]
    found = value(
        connection,
        "SELECT array_agg(cognifold.mne_score(a, b, c, d, e) ORDER BY n) "
        "FROM unnest(%s::float8[], %s::float8[], %s::float8[], %s::bigint[], %s::float8[]) "
        "WITH ORDINALITY AS t (a, b, c, d, e, n)",
        *columns,
    )
    assert found == pytest.approx([formula(*case) for case in given_cases], rel=1e-12, abs=1e-300)


@pytest.mark.parametrize(
    ("arguments", "score"),
    [
        ((1, 0, 0, 0, 0), 1.0),  # new, plain, never used
        ((0.5, -1, 0, 0, 0), 0.75),  # sorrow weighs as joy does
        ((0.5, 1, -5 * DAY, 0, 0), 0.75),  # what is yet to come is as recent as now
        ((1, 0, DAY, 0, 0), 0.3 / math.e + 0.7),
        ((1, 0, 5000 * DAY, 0, 0), 0.7),
        ((-0.4, 1, 0, 9, 1), 0.0),
        ((1, 0, 0, 0, 1), 1.2),
    ],
)
def test_scores_worked_out_by_hand(connection: Connection, arguments: tuple[float, ...], score: float) -> None:
    assert value(connection, "SELECT cognifold.mne_score(%s, %s, %s, %s, %s)", *arguments) == pytest.approx(
        score, rel=1e-15
    )


def test_the_score_is_immutable_so_that_it_can_be_indexed_and_inlined(connection: Connection) -> None:
    assert value(connection, "SELECT provolatile FROM pg_proc WHERE proname = 'mne_score'") == "i"
    plan = connection.execute(
        "EXPLAIN (VERBOSE, COSTS OFF) SELECT cognifold.mne_score(x, 0, 0, 0, 0) FROM generate_series(1, 3) AS x"
    ).fetchall()
    assert "mne_score" not in str(plan)
