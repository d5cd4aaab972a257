"""Commands for a memory's vectors: index what waits, move to another embedding model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from cognifold_pg.cli.database import ready_dsn
from cognifold_pg.cli.memory import Dsn, Tenant
from cognifold_pg.cli.rights import told_plainly
from cognifold_pg.client import Memory

if TYPE_CHECKING:
    from cognifold_pg.embedding import EmbeddingProvider


def index(
    tenant: Tenant = "default",
    batch: Annotated[int, typer.Option(min=1, help="Vectors in one transaction.")] = 500,
    dsn: Dsn = None,
) -> None:
    """Move the vectors of a large memory that wait into its index. Nothing waits for it; stopped, it goes on."""
    total = 0
    with told_plainly(dsn, "cognifold_writer", tenant), Memory(ready_dsn(dsn), tenant=tenant, pool_size=1) as memory:
        while moved := memory.index_vectors(batch):
            total += moved
    Console(highlight=False).print(f"{total} vectors indexed")


def reembed(
    model: Annotated[str, typer.Argument(help="The model, as registered.", show_default=False)],
    tenant: Tenant = "default",
    base_url: Annotated[str | None, typer.Option(help="The service of a model that speaks OpenAI's protocol.")] = None,
    dimensions: Annotated[int, typer.Option(min=1, max=4000, help="Its vectors' length.")] = 1536,
    abandon: Annotated[bool, typer.Option("--abandon", help="Stay with the model there is.")] = False,
    dsn: Dsn = None,
) -> None:
    """Give a memory vectors of another model, while it is used. Stopped or killed, it goes on when called again."""
    console = Console(highlight=False)
    with told_plainly(dsn, "cognifold_writer", tenant), Memory(ready_dsn(dsn), tenant=tenant, pool_size=1) as memory:
        if abandon:
            console.print("abandoned" if memory.abandon_reembedding() else "no move was under way")
            return
        made = memory.reembed(_embedder(model, base_url, dimensions))
    console.print(f"{made} vectors made; tenant {tenant} has the model {model}", markup=False)


def _embedder(model: str, base_url: str | None, dimensions: int) -> EmbeddingProvider | None:
    from cognifold_pg.embedding import MiniLMEmbedder, OpenAICompatibleEmbedder

    if model == "lexicon":
        return None
    if model == MiniLMEmbedder.name and base_url is None:
        return MiniLMEmbedder()
    return OpenAICompatibleEmbedder(model, dimensions, base_url=base_url)
