"""Providers of embeddings behind one small interface.

The lexicon needs nothing but the database itself; MiniLM runs in this process; everything else is reached
over OpenAI's protocol. A provider's ``name`` is its row in ``cognifold.embedding_model``.
"""

from __future__ import annotations

from cognifold_pg.embedding.lexicon import LexiconEmbedder
from cognifold_pg.embedding.minilm import MiniLMEmbedder, MiniLMUnavailableError
from cognifold_pg.embedding.openai_compatible import OpenAICompatibleEmbedder, ProviderUnavailableError
from cognifold_pg.embedding.provider import EmbeddingProvider, Role, unit_rows

__all__ = [
    "EmbeddingProvider",
    "LexiconEmbedder",
    "MiniLMEmbedder",
    "MiniLMUnavailableError",
    "OpenAICompatibleEmbedder",
    "ProviderUnavailableError",
    "Role",
    "unit_rows",
]
