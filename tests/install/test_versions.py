"""What the memory needs of the server is asked before anything is made."""

from __future__ import annotations

import pytest

from cognifold_pg.install import InstallError, _check_vector


@pytest.mark.parametrize("version", ["0.6.2", "0.5", "0.1.8"])
def test_a_pgvector_without_half_precision_is_refused_with_both_versions(version: str) -> None:
    with pytest.raises(InstallError, match=rf"(?s)pgvector {version} is too old.*0\.7"):
        _check_vector(version)


@pytest.mark.parametrize("version", ["0.7.0", "0.8.1", "0.10.0", "1.0"])
def test_a_newer_pgvector_is_taken(version: str) -> None:
    _check_vector(version)
