"""The seam between the memory and whatever turns text into vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from cognifold_pg.errors import DimensionMismatchError, ZeroVectorError

Role = Literal["document", "query"]
Matrix = npt.NDArray[np.float32]


@runtime_checkable
class EmbeddingProvider(Protocol):
    """What the memory needs of an embedding model.

    ``name`` and ``dimensions`` are those of its row in ``cognifold.embedding_model``. Everything stored or
    compared with each other has the role ``document``; a question has the role ``query``; two query vectors
    are never compared.
    """

    @property
    def name(self) -> str:
        """The model's name in the registry."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of every vector."""
        ...

    def embed(self, texts: Sequence[str], role: Role = "document") -> Matrix:
        """Unit vectors, shape (len(texts), dimensions), float32, in the order of the texts.

        :raises DimensionMismatchError: the model answered with another number of dimensions.
        :raises ZeroVectorError: a text has no direction in this model; the message names its position.
        """
        ...


def unit_rows(vectors: npt.ArrayLike, model: str, dimensions: int | None = None) -> Matrix:
    """The rows scaled to length one.

    :raises DimensionMismatchError: not a matrix, or a row length other than ``dimensions`` (where given).
    :raises ZeroVectorError: a row is all zeros or not finite; the message names the first one.
    """
    matrix = np.asarray(vectors, dtype=np.float64)
    if matrix.ndim != 2 or (dimensions is not None and matrix.shape[1] != dimensions):
        raise DimensionMismatchError(
            f"Model {model!r} is registered with {dimensions} dimensions but answered with an array of shape "
            f"{matrix.shape}. Register the model under its real dimensions, or name the right model."
        )
    lengths = np.sqrt(np.square(matrix).sum(axis=1))
    bad = np.flatnonzero(~np.isfinite(lengths) | (lengths == 0))
    if bad.size:
        raise ZeroVectorError(
            f"Text {int(bad[0])} of {len(matrix)} has no direction in model {model!r} (its vector is zero or "
            "not finite), so nothing can be compared with it. Give it words, or store it without a vector."
        )
    unit: Matrix = (matrix / lengths[:, None]).astype(np.float32)
    return unit
