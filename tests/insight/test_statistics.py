"""The probabilities that decide what is a regularity, against sums of binomial coefficients."""

from __future__ import annotations

from fractions import Fraction
from math import comb, isclose, sqrt

import pytest

from tests.conftest import Connection, value


@pytest.mark.parametrize("total", [1, 5, 12, 100])
@pytest.mark.parametrize("share", [Fraction(1, 7), Fraction(1, 2), Fraction(9, 10)])
def test_a_binomial_tail_is_the_sum_of_its_terms(owner: Connection, total: int, share: Fraction) -> None:
    for held in range(total + 2):
        exact = sum(comb(total, k) * share**k * (1 - share) ** (total - k) for k in range(held, total + 1))
        found = value(owner, "SELECT cognifold.binomial_tail(%s, %s, %s)", held, total, float(share))
        assert isclose(found, float(exact), rel_tol=1e-9, abs_tol=1e-300), held


@pytest.mark.parametrize(("drawn", "marked", "total"), [(8, 8, 16), (3, 5, 9), (9, 6, 10), (10, 30, 60)])
def test_a_hypergeometric_tail_counts_the_draws(owner: Connection, drawn: int, marked: int, total: int) -> None:
    for held in range(drawn + 2):
        exact = Fraction(
            sum(comb(marked, k) * comb(total - marked, drawn - k) for k in range(held, drawn + 1)), comb(total, drawn)
        )
        found = value(owner, "SELECT cognifold.hypergeometric_tail(%s, %s, %s, %s)", held, drawn, marked, total)
        assert isclose(found, float(exact), rel_tol=1e-9, abs_tol=1e-15), held


@pytest.mark.parametrize(("held", "total"), [(0, 5), (5, 5), (9, 10), (70, 100)])
def test_confidence_is_the_lower_end_of_the_wilson_interval(owner: Connection, held: int, total: int) -> None:
    p, n, z = held / total, total, 1.96
    expected = (p + z * z / (2 * n) - z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))) / (1 + z * z / n)
    assert isclose(value(owner, "SELECT cognifold.wilson_bound(%s, %s)", held, total), max(0, expected), abs_tol=1e-9)


def test_more_and_more_consistent_evidence_is_surer(owner: Connection) -> None:
    bounds = [
        value(owner, "SELECT cognifold.wilson_bound(%s, %s)", held, total)
        for held, total in [(3, 5), (5, 5), (20, 20), (200, 200)]
    ]
    assert bounds == sorted(bounds)
    assert 0 < bounds[0] < bounds[-1] < 1
