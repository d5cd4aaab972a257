"""The measures of the embedder's benchmark, against values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.embedder import auc, average_link, b_cubed


def test_auc_counts_the_pairs_that_stand_right_and_ties_half() -> None:
    # .9 is above both, .3 above one and level with the other: (2 + 1.5) of 4
    assert auc([0.9, 0.3], [0.3, 0.1]) == pytest.approx(3.5 / 4)


def test_average_link_joins_by_the_mean_of_all_pairs() -> None:
    cosines = np.array([[1, 0.9, 0.5, 0], [0.9, 1, 0.1, 0], [0.5, 0.1, 1, 0], [0, 0, 0, 1]], dtype=float)
    # 0 and 1 join at .9; their mean cosine with 2 is .3
    assert average_link(cosines, 0.95) == [0, 1, 2, 3]
    assert average_link(cosines, 0.31) == [0, 0, 2, 3]
    assert average_link(cosines, 0.29) == [0, 0, 0, 3]
    assert len(set(average_link(cosines, -1))) == 1


def test_b_cubed_is_the_mean_over_items() -> None:
    # found {a a b} {b}: precision (2/3 + 2/3 + 1/3 + 1) / 4 = 2/3, recall (1 + 1 + 1/2 + 1/2) / 4 = 3/4
    assert b_cubed(["a", "a", "b", "b"], [0, 0, 0, 1]) == pytest.approx(2 * (2 / 3) * (3 / 4) / (2 / 3 + 3 / 4))
    assert b_cubed(["a", "b"], [0, 1]) == 1
