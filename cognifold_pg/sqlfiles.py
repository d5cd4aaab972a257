"""The SQL files as the package carries them: their names, the order they run in, and their checksums."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable

# Rooms in which later files use what earlier ones make (defaults, views); within a room by name.
ROOMS = (
    "tenant", "clock", "settings", "graph", "lexical", "embed", "capture", "fold", "state", "recall",
    "consolidate", "insight", "intent", "delivery", "schedule", "context", "watch", "views", "operate",
    "govern", "transfer", "projection",
)  # fmt: skip

AGE = "optional/age"  # what the names of its files begin with


def checksum(file: Traversable, vector_schema: str = "") -> str:
    """SHA-256 of a file, as ``frozen.txt`` and ``schema_migration`` hold it.

    With ``vector_schema`` for one that runs again whenever it changes: functions keep the search_path they were made
    with, so where pgvector lives is part of what such a file made.
    """
    return hashlib.sha256(file.read_bytes() + vector_schema.encode()).hexdigest()


def _sql_root() -> Traversable:
    return resources.files("cognifold_pg.sql")


def _sql_files(folder: Traversable) -> list[Traversable]:
    return sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)


def sql_file(*place: str) -> Traversable:
    """A file of ``sql/`` by its place there: ``sql_file("versioned", "0001_core.sql")``."""
    return _sql_root().joinpath(*place)


def roles_file() -> Traversable:
    """The file ``sql/roles.sql``."""
    return sql_file("roles.sql")


def file_named(name: str) -> Traversable:
    """A file by the name it is noted with; that of a repeatable one begins with its room."""
    room, *_ = place = name.split("/")
    return sql_file(*place) if room in ("versioned", "policies", "optional") else sql_file("repeatable", *place)


def versioned_files() -> Iterator[tuple[str, Traversable]]:
    """Every file of ``sql/versioned`` with its name (``versioned/file.sql``), in the order they must run."""
    for file in _sql_files(_sql_root() / "versioned"):
        yield f"versioned/{file.name}", file


def versioned_names() -> list[str]:
    """Their names alone."""
    return [name for name, _ in versioned_files()]


def repeatable_files() -> Iterator[tuple[str, Traversable]]:
    """Every file of ``sql/repeatable`` with its name (``room/file.sql``), in the order they must run."""
    for room in ROOMS:
        for file in _sql_files(_sql_root() / "repeatable" / room):
            yield f"{room}/{file.name}", file


def policy_files() -> Iterator[tuple[str, Traversable]]:
    """Every file of ``sql/policies`` with its name, row-level security last."""
    for file in _sql_files(_sql_root() / "policies"):
        yield f"policies/{file.name}", file


def age_files() -> Iterator[tuple[str, Traversable]]:
    """Every file of ``sql/optional/age`` with its name, in the order they must run."""
    for file in _sql_files(_sql_root() / "optional" / "age"):
        yield f"{AGE}/{file.name}", file
