"""Vectors from any service that speaks OpenAI's embeddings protocol (extra ``openai``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cognifold_pg.embedding.provider import Matrix, Role, unit_rows
from cognifold_pg.errors import CognifoldError, DimensionMismatchError, ZeroVectorError

TEXTS_AT_ONCE = 256  # the protocol's own limit is 2048 texts; smaller requests lose less when one fails


class ProviderUnavailableError(CognifoldError):
    """A provider's optional package is not installed; the message names the extra."""


class OpenAICompatibleEmbedder:
    """One model of one service.

    :param model: the model's name, as the service and the row of ``cognifold.embedding_model`` call it.
    :param dimensions: of the model; an answer with another number is refused, never stored.
    :param base_url: the service; None is OpenAI itself (or ``OPENAI_BASE_URL``).
    :param api_key: None takes ``OPENAI_API_KEY``; a local service may accept anything.
    :param client: a ready client with ``embeddings.create`` instead of the two, for own time limits and
        retries.
    :raises ProviderUnavailableError: the package ``openai`` is not installed.
    """

    def __init__(
        self,
        model: str = "text-embedding-3-small",
        dimensions: int = 1536,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        client: Any = None,
    ) -> None:
        self.name = model
        self.dimensions = dimensions
        if client is None:
            try:
                import openai
            except ImportError as error:
                raise ProviderUnavailableError(
                    "The package openai is not installed. Install the extra: pip install 'cognifold-pg[openai]'."
                ) from error
            client = openai.OpenAI(base_url=base_url, api_key=api_key)
        self._client = client

    def embed(self, texts: Sequence[str], role: Role = "document") -> Matrix:
        """Unit vectors, shape (len(texts), dimensions); the model makes no difference between the roles.

        :raises DimensionMismatchError: the service answered with another number of dimensions, or of vectors.
        :raises ZeroVectorError: a text is empty (services answer it with an error or with anything), or its
            vector has no direction.
        """
        empty = next((row for row, text in enumerate(texts) if not text.strip()), None)
        if empty is not None:
            raise ZeroVectorError(f"Text {empty} of {len(texts)} is empty: store it without an embedding.")
        # Lone surrogates can't be sent as UTF-8 at all, and no database holds a NUL.
        clean = [text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ") for text in texts]
        rows: list[list[float]] = []
        for start in range(0, len(clean), TEXTS_AT_ONCE):
            batch = clean[start : start + TEXTS_AT_ONCE]
            # "float" said outright: without it the client asks for base64, which not every service knows.
            answer = self._client.embeddings.create(model=self.name, input=batch, encoding_format="float")
            data = sorted(answer.data, key=lambda item: item.index)
            if len(data) != len(batch):
                raise DimensionMismatchError(
                    f"Model {self.name!r} answered {len(batch)} texts with {len(data)} vectors."
                )
            for item in data:
                if len(item.embedding) != self.dimensions:
                    raise DimensionMismatchError(
                        f"Model {self.name!r} is registered with {self.dimensions} dimensions but answered "
                        f"with {len(item.embedding)}. Register the model under its real dimensions, or name "
                        "the right one."
                    )
                rows.append(item.embedding)
        matrix = np.array(rows, dtype=np.float64).reshape(len(rows), self.dimensions)
        return unit_rows(matrix, self.name, self.dimensions)
