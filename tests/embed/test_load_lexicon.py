"""Loading the lexicon: once, whoever comes and how many."""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import psycopg
import pytest

from cognifold_pg.lexicon import Lexicon, LexiconMismatchError, load_lexicon
from tests.embed.conftest import Connection

SMALL = Lexicon(
    words=("b", "a", "##c"),
    frequencies=np.array([0.1, 0.2, 1e-8], dtype=np.float32),
    vectors=np.eye(3, 256, dtype=np.float32),
    smoothing=0.1,
    unknown_frequency=1e-8,
    checksum="ab" * 32,
)


def test_the_table_holds_what_the_file_holds(connection: Connection, lexicon: Lexicon) -> None:
    rows = connection.execute(
        "SELECT word, frequency, document_weight, document_vector::vector::real[] FROM cognifold.lexicon "
        "WHERE word = ANY (%s) OR hashtext(word) %% 1000 = 0",
        [["the", "don't", "##ing", "東"]],
    ).fetchall()
    assert len(rows) > 50
    places = {word: place for place, word in enumerate(lexicon.words)}
    weights, vectors = lexicon.document_weights, lexicon.document_vectors
    for word, frequency, weight, vector in rows:
        place = places[word]
        assert frequency == pytest.approx(float(lexicon.frequencies[place]), rel=1e-6)
        assert weight == pytest.approx(float(weights[place]), rel=1e-6)
        assert vector == pytest.approx(vectors[place].astype(float), rel=1e-6)
    assert connection.execute("SELECT count(*) FROM cognifold.lexicon").fetchone() == (len(lexicon.words),)


def test_a_second_load_changes_nothing(connection: Connection, lexicon: Lexicon) -> None:
    loaded = "SELECT checksum, word_count, loaded_at FROM cognifold.lexicon_release"
    before = connection.execute(loaded).fetchall()
    assert load_lexicon(connection) is False
    assert connection.execute(loaded).fetchall() == before
    assert before[0][:2] == (lexicon.checksum, len(lexicon.words))


def test_another_release_is_refused_unless_it_is_to_replace(connection: Connection) -> None:
    with pytest.raises(LexiconMismatchError, match="abababababab"):
        load_lexicon(connection, SMALL)
    assert load_lexicon(connection, SMALL, replace=True) is True
    assert connection.execute("SELECT word FROM cognifold.lexicon ORDER BY word").fetchall() == [
        ("##c",),
        ("a",),
        ("b",),
    ]
    assert connection.execute("SELECT word_count FROM cognifold.lexicon_release").fetchall() == [(3,)]


def test_an_empty_lexicon_is_an_error_and_not_a_hash(connection: Connection) -> None:
    connection.execute("TRUNCATE cognifold.lexicon, cognifold.lexicon_release")
    with pytest.raises(psycopg.Error, match="the lexicon is empty"):
        connection.execute("SELECT cognifold.embed('a dog')")


def test_loads_at_the_same_time_come_out_as_one(installed: str) -> None:
    small = dataclasses.replace(SMALL, checksum="cd" * 32)
    with psycopg.connect(installed, autocommit=True) as owner:
        owner.execute("CREATE DATABASE many_loads TEMPLATE template0")
        try:
            with psycopg.connect(installed, dbname="many_loads", autocommit=True) as setup:
                setup.execute("CREATE EXTENSION vector")
                setup.execute("CREATE SCHEMA cognifold")
                setup.execute(
                    'CREATE TABLE cognifold.lexicon (word text COLLATE "C" PRIMARY KEY, frequency real, '
                    "document_weight real, document_vector halfvec(256))"
                )
                setup.execute(
                    "CREATE TABLE cognifold.lexicon_release (checksum text PRIMARY KEY, word_count int, "
                    "smoothing float8, unknown_frequency real, loaded_at timestamptz)"
                )

            def load(_: int) -> bool:
                with psycopg.connect(installed, dbname="many_loads") as own:
                    return load_lexicon(own, small)

            with ThreadPoolExecutor(8) as pool:
                assert sorted(pool.map(load, range(8))) == [False] * 7 + [True]
        finally:
            owner.execute("DROP DATABASE many_loads")
