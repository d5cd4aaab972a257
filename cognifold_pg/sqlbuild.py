"""The same SQL files as an extension: ``python -m cognifold_pg.sqlbuild DIR``, or ``cognifold extension build DIR``.

Writes ``DIR/pgxs``, from which ``make install`` puts the extension where a PostgreSQL looks for it, and ``DIR/pg_tle``,
one script for a server whose files are out of reach. Neither needs Python where it is installed. The hand-written parts
stand in ``extension/``; its README says what becomes of each.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np

from cognifold_pg.errors import CognifoldError
from cognifold_pg.install import (
    INSTALL_LOCK,
    MINIMUM_SERVER,
    MINIMUM_VECTOR,
    SCHEMAS,
    package_version,
)
from cognifold_pg.lexicon.affect import read_affect
from cognifold_pg.lexicon.datafile import read_lexicon_and_grid
from cognifold_pg.locks import LOCK_TIMEOUT, PATIENCE, needed
from cognifold_pg.sqlfiles import checksum, policy_files, repeatable_files, roles_file, versioned_files

NAME = "cognifold"
LEXICON_MEMBER = "installer_lexicon.sql"
ATTRIBUTION = resources.files("cognifold_pg.lexicon") / "ATTRIBUTION.md"  # goes wherever the word vectors go
ORIGIN = ord("O")  # the letter for 0 on the lexicon's grid: the whole grid, -33 to 29, is then printable and holds no $

# What a script may not hold: quotes that are put around it, and what PostgreSQL replaces in the text of a script.
_RESERVED = re.compile(r"\$cognifold_\w*\$|\$_pgtle_\w*\$|@extschema|@extowner@|MODULE_PATHNAME|^\\", re.MULTILINE)


class BuildError(CognifoldError):
    """The extension cannot be built of these files; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Release:
    """An earlier version, and the checksum of the lexicon's text in its script."""

    version: str
    lexicon: str


@dataclass(frozen=True, slots=True)
class Extension:
    """Built scripts: ``script`` for ``CREATE EXTENSION``, ``updates`` by the version they start from."""

    version: str
    lexicon: str
    script: str
    updates: dict[str, str]


def compose(version: str | None = None, releases: Sequence[Release] | None = None) -> Extension:
    """The scripts of ``version`` (this package's), with updates from ``releases`` (those of ``releases.txt``)."""
    version = version or package_version()
    lexicon, lexicon_head = _lexicon()
    affect, affect_head = _affect()
    head: dict[str, Any] = {
        "version": version,
        "lock": INSTALL_LOCK,
        "minimum_server": MINIMUM_SERVER,
        "minimum_vector": ".".join(str(part) for part in MINIMUM_VECTOR),
        "lock_timeout": LOCK_TIMEOUT,
        "patience": PATIENCE,
        "schemas": SCHEMAS,
        "lexicon": lexicon_head,
        "affect": affect_head,
    }
    embedded = {
        "@RELEASE@": json.dumps(head).replace("'", "''"),
        "@FILES@": ",\n".join(_rows()),
        "@LEXICON@": lexicon,
        "@AFFECT@": affect,
    }
    for place, text in embedded.items():
        own = re.sub(r"\$cognifold_file\$", "", text) if place == "@FILES@" else text
        if found := _RESERVED.search(own):
            raise BuildError(f"What goes in for {place} holds {found.group()!r}, which a script cannot carry.")
    guard = _part("guard.sql").read_text(encoding="utf-8")
    members = {file.name: _filled(file, embedded) for file in _members()}
    without_lexicon = "\n".join([guard, *(text for name, text in members.items() if name != LEXICON_MEMBER)])
    whole = "\n".join([guard, *members.values()])
    return Extension(
        version=version,
        lexicon=lexicon_head["text_sha256"],
        script=whole,
        updates={
            release.version: without_lexicon if release.lexicon == lexicon_head["text_sha256"] else whole
            for release in (known_releases() if releases is None else releases)
            if release.version != version
        },
    )


def write(extension: Extension, folder: Path) -> list[Path]:
    """Write ``folder/pgxs`` and ``folder/pg_tle`` and return their files; scripts of an earlier build go."""
    control = _part("cognifold.control").read_text(encoding="utf-8").replace("@VERSION@", extension.version)
    files = {
        "pgxs/Makefile": _part("Makefile").read_text(encoding="utf-8"),
        "pgxs/ATTRIBUTION.md": ATTRIBUTION.read_text(encoding="utf-8"),
        f"pgxs/{NAME}.control": control,
        f"pgxs/{NAME}--{extension.version}.sql": extension.script,
        **{f"pgxs/{NAME}--{old}--{extension.version}.sql": text for old, text in extension.updates.items()},
        f"pg_tle/{NAME}-{extension.version}.sql": _for_pg_tle(extension, control),
    }
    for stale in (*folder.glob(f"pgxs/{NAME}--*.sql"), *folder.glob(f"pg_tle/{NAME}-*.sql")):
        stale.unlink()
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [folder / name for name in files]


def known_releases() -> list[Release]:
    """The earlier versions that ``extension/releases.txt`` lists."""
    lines = _part("releases.txt").read_text(encoding="utf-8").splitlines()
    return [Release(*line.split()) for line in lines if line.strip() and not line.startswith("#")]


def _part(name: str) -> Traversable:
    return resources.files("cognifold_pg.extension") / name


def _members() -> list[Traversable]:
    return sorted((f for f in _part("installer").iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)


def _filled(file: Traversable, embedded: dict[str, str]) -> str:
    text = file.read_text(encoding="utf-8")
    for place, content in embedded.items():
        text = text.replace(place, content)
    return text


def _rows() -> Iterator[str]:
    """A row of ``installer_files`` for each SQL file, in the order in which ``cognifold init`` runs them."""
    files: list[tuple[str, str, Traversable]] = [("roles", "roles.sql", roles_file())]
    files += [("versioned", name, file) for name, file in versioned_files()]
    files += [("repeatable", name, file) for name, file in repeatable_files()]
    files += [("policy", name, file) for name, file in policy_files()]
    for place, (kind, name, file) in enumerate(files):
        content = file.read_bytes().decode("utf-8")
        locks = ",".join(sorted(needed(content)))
        head = f"{place}, '{kind}', '{name}', '{checksum(file)}', '{{{locks}}}'::text[]"
        yield f"({head}, $cognifold_file${content}$cognifold_file$)"


@cache
def _lexicon() -> tuple[str, dict[str, Any]]:
    """The lexicon as lines of text, by their words' bytes as the index is ordered, and what the loader must know."""
    lexicon, grid = read_lexicon_and_grid()
    squares = np.square(grid.astype(np.int64)).sum(axis=1)
    letters = np.ascontiguousarray(grid.astype(np.int64) + ORIGIN, dtype=np.uint8)
    if letters.min() <= ord("$") or letters.max() > ord("~"):
        raise BuildError("The lexicon's grid is too wide for one letter a component: choose another way to write it.")
    order = sorted(range(len(lexicon.words)), key=lambda row: lexicon.words[row].encode())
    text = "\n".join(
        f"{lexicon.words[row]}\t{lexicon.frequencies[row]!s}\t{squares[row]}\t{letters[row].tobytes().decode()}"
        for row in order
    )
    return text, {
        "checksum": lexicon.checksum,
        "text_sha256": _digest(text),
        "words": len(lexicon.words),
        "dimensions": lexicon.dimensions,
        "smoothing": lexicon.smoothing,
        "unknown_frequency": lexicon.unknown_frequency,
        "origin": ORIGIN,
    }


@cache
def _affect() -> tuple[str, dict[str, Any]]:
    model = read_affect()
    ordered = sorted(zip(model.words, model.scores.tolist(), strict=True), key=lambda item: item[0].encode())
    text = "\n".join(f"{word}\t{valence:.3f}\t{arousal:.3f}" for word, (valence, arousal) in ordered)
    valence_weights, arousal_weights = model.weights.T.tolist()
    return text, {
        "checksum": model.checksum,
        "text_sha256": _digest(text),
        "words": len(model.words),
        "valence_weights": valence_weights,
        "arousal_weights": arousal_weights,
        "neutral": model.neutral,
        "mixed": model.mixed,
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _for_pg_tle(extension: Extension, control: str) -> str:
    comment = re.search(r"^comment = '(.*)'$", control, re.MULTILINE)
    assert comment is not None
    updates = "\n".join(
        f"    PERFORM pgtle.install_update_path('{NAME}', '{old}', '{extension.version}', "
        f"$cognifold_update${text}$cognifold_update$);"
        for old, text in extension.updates.items()
    )
    return (
        _part("pg_tle.sql")
        .read_text(encoding="utf-8")
        .replace("@VERSION@", extension.version)
        .replace("@COMMENT@", comment.group(1))
        .replace("@UPDATES@", updates)
        .replace("@SCRIPT@", extension.script)
    )


def build(folder: Path) -> Extension:
    """Build the extension of this package's version into ``folder`` and say on standard output what is there."""
    extension = compose()
    for path in write(extension, folder):
        print(f"{path}  {path.stat().st_size / 1e6:.1f} MB")
    print(f"When this version goes out, its line in extension/releases.txt: {extension.version} {extension.lexicon}")
    return extension


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: python -m cognifold_pg.sqlbuild DIR")
    build(Path(sys.argv[1]))
