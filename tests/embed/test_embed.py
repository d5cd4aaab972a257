"""The vector of a text in SQL: against NumPy on the rows of the table, and against the Python embedder."""

from __future__ import annotations

import hashlib
import json
import math

import numpy as np
import psycopg
import pytest

from cognifold_pg.embedding import LexiconEmbedder
from cognifold_pg.errors import ZeroVectorError
from cognifold_pg.lexicon import words
from tests.embed.conftest import Connection, Vector, embed, embedded

TEXTS = [
    "We moved the settlement service to kubernetes last night.",
    "don't",
    "Zoë’s l'hôpital isn't far, O'Neill''s is",
    "pgbouncer xyzzyplugh qwrtzp",
    "the the the of of",
    "7 May 2023, 14:32:05, order 20240317-889",
    "東京タワー ᮀᮁ ສະບາຍດີ नमस्ते привет Ёлка γειά",
    "a" * 101 + " " + "b" * 100,
    "snake_case_identifier = camelCaseIdentifier()",
]


def row_of(connection: Connection, word: str) -> tuple[float, float, Vector]:
    row = connection.execute(
        "SELECT frequency::float8, document_weight::float8, document_vector::vector::real[] "
        "FROM cognifold.lexicon WHERE word = %s",
        [word],
    ).fetchone()
    assert row is not None
    return row[0], row[1], np.array(row[2], dtype=np.float64)


def unit(vector: Vector) -> Vector:
    return vector / np.linalg.norm(vector)


def set_statistics(connection: Connection, documents: int, frequencies: dict[str, int]) -> None:
    """Give the tenant that many documents, and each word's lexeme its number of them."""
    connection.execute("UPDATE cognifold.lexical_statistics SET document_count = %s", [documents])
    for word, count in frequencies.items():
        connection.execute(
            "INSERT INTO cognifold.lexeme_frequency (tenant_id, lexeme, document_count) "
            "VALUES ('words', cognifold.lexeme(%s), %s) "
            "ON CONFLICT (tenant_id, lexeme) DO UPDATE SET document_count = excluded.document_count",
            [word, count],
        )


def test_a_document_is_the_weighted_sum_of_its_words_each_time_they_occur(connection: Connection) -> None:
    smoothing = connection.execute("SELECT smoothing FROM cognifold.lexicon_release").fetchone()
    assert smoothing is not None
    total = np.zeros(256)
    for word, times in {"the": 2, "dog": 2, "barked": 1}.items():
        frequency, weight, vector = row_of(connection, word)
        assert weight == pytest.approx(smoothing[0] / (smoothing[0] + frequency), rel=1e-6)
        assert np.linalg.norm(vector / weight) == pytest.approx(1, abs=1e-3)
        total += times * vector
    assert embedded(connection, "The dog -- the DOG! -- barked") == pytest.approx(unit(total), abs=1e-5)


def test_a_question_weighs_its_words_by_their_rarity_for_the_tenant(connection: Connection) -> None:
    set_statistics(connection, 900, {"dogs": 300, "barking": 1})
    total = np.zeros(256)
    for word, count in {"the": 0, "dogs": 300, "barking": 1}.items():
        frequency, weight, vector = row_of(connection, word)
        total += vector / weight * math.log((900 + 100) / (count + 100 * frequency))
    assert embedded(connection, "The dogs barking?", "query") == pytest.approx(unit(total), abs=1e-5)


def test_inflected_forms_of_a_word_share_its_document_frequency(connection: Connection) -> None:
    before = embedded(connection, "barking dogs", "query")
    set_statistics(connection, 50, {"bark": 50})  # the stem of barking
    assert not np.allclose(embedded(connection, "barking dogs", "query"), before, atol=1e-3)


def test_a_question_works_for_a_tenant_without_any_document(connection: Connection) -> None:
    total = np.zeros(256)
    for word in ("where", "is", "the", "dog"):
        frequency, weight, vector = row_of(connection, word)
        total += vector / weight * math.log(1 / frequency)
    assert embedded(connection, "where is the dog", "query") == pytest.approx(unit(total), abs=1e-5)


def test_a_word_of_every_document_still_weighs_a_little(connection: Connection) -> None:
    set_statistics(connection, 10, {"the": 1000})
    vector = row_of(connection, "the")[2]
    assert embedded(connection, "the", "query") == pytest.approx(unit(vector), abs=1e-5)


@pytest.mark.parametrize("text", TEXTS)
def test_sql_and_python_give_the_same_vectors(connection: Connection, embedder: LexiconEmbedder, text: str) -> None:
    assert embedded(connection, text) == pytest.approx(embedder.embed([text])[0], abs=1e-5)
    assert embedded(connection, text, "query") == pytest.approx(embedder.embed([text], "query")[0], abs=1e-5)
    frequencies = {word: 1 + place % 7 for place, word in enumerate(words(text))}
    set_statistics(connection, 40, frequencies)
    counted = dict(
        connection.execute(
            "SELECT w.word, f.document_count FROM cognifold.words(%s) AS w "
            "JOIN cognifold.lexeme_frequency AS f "
            "ON f.tenant_id = 'words' AND f.lexeme = cognifold.lexeme(w.word)",
            [text],
        ).fetchall()
    )
    expected = embedder.embed_query(text, 40, counted)
    assert embedded(connection, text, "query") == pytest.approx(expected, abs=1e-5)


def test_a_word_that_is_not_listed_is_the_mean_of_its_longest_pieces(connection: Connection) -> None:
    pieces = connection.execute("SELECT cognifold.word_pieces('pgbouncer')").fetchone()
    assert pieces == (["pg", "##bo", "##unce", "##r"],)
    total = np.zeros(256)
    for piece in pieces[0]:
        _, weight, vector = row_of(connection, piece)
        total += vector / weight
    assert embedded(connection, "pgbouncer") == pytest.approx(unit(total), abs=1e-5)


def test_a_word_of_unknown_letters_has_the_direction_of_its_hash(connection: Connection) -> None:
    word = "ᮀᮁ"
    assert connection.execute("SELECT cognifold.word_pieces(%s)", [word]).fetchone() == (None,)
    number = int.from_bytes(hashlib.sha256(word.encode()).digest(), "little")
    expected = [(-1 if number >> bit & 1 else 1) / 16 for bit in range(256)]
    assert embedded(connection, word) == pytest.approx(expected, abs=1e-6)


def test_an_endless_run_of_letters_is_hashed_as_one_word(connection: Connection) -> None:
    assert connection.execute("SELECT cognifold.word_pieces(repeat('ab', 51))").fetchone() == (None,)
    assert embed(connection, "ab" * 51) is not None


@pytest.mark.parametrize("text", ["", "   ", "!?", "🔥🔥", "'"])
@pytest.mark.parametrize("role", ["document", "query"])
def test_a_text_without_words_has_no_vector(
    connection: Connection, embedder: LexiconEmbedder, text: str, role: str
) -> None:
    assert embed(connection, text, role) is None
    with pytest.raises(ZeroVectorError, match="Text 1 of 2"):
        embedder.embed(["words", text])


def test_a_megabyte_of_text_is_embedded_by_its_beginning(connection: Connection) -> None:
    text = " ".join(f"word{number}" for number in range(120_000))
    assert len(text) > 1_000_000
    assert embedded(connection, text) == pytest.approx(embedded(connection, text[:20_000]), abs=1e-6)


def test_the_same_text_gives_the_same_bits_in_another_session(connection: Connection, installed: str) -> None:
    text = " ".join(TEXTS)
    with psycopg.connect(installed) as other:
        rows = [c.execute("SELECT cognifold.embed(%s)::text", [text]).fetchone() for c in (connection, other)]
    assert rows[0] == rows[1]
    assert rows[0] is not None
    assert np.linalg.norm(json.loads(rows[0][0])) == pytest.approx(1, abs=1e-6)


def test_texts_about_the_same_are_nearer_than_others(connection: Connection) -> None:
    anchor, alike, other = (
        embedded(connection, text) for text in ("my dog is ill", "the puppy was sick", "the invoice was paid in euros")
    )
    assert anchor @ alike > anchor @ other + 0.2


def test_words_are_looked_up_by_key_and_the_lexicon_is_never_scanned(connection: Connection) -> None:
    scans = (
        "SELECT coalesce(seq_scan, 0), coalesce(idx_scan, 0) FROM pg_stat_xact_user_tables WHERE relname = 'lexicon'"
    )
    before = connection.execute(scans).fetchone()
    for _ in range(8):  # past the point where a generic plan takes over
        embed(connection, "pgbouncer woke the oncall engineer")
        embed(connection, "who was woken by pgbouncer", "query")
    after = connection.execute(scans).fetchone()
    assert before is not None
    assert after is not None
    assert after[0] == before[0]
    assert after[1] > before[1]


@pytest.mark.parametrize("role", ["passage", "", None])
def test_an_unknown_role_is_refused_by_name(connection: Connection, role: str | None) -> None:
    with pytest.raises(psycopg.Error, match=f"there is no role {'NULL' if role is None else repr(role)}") as caught:
        connection.execute("SELECT cognifold.embed('text', %s)", [role])
    assert caught.value.sqlstate == "CF010"


def test_a_document_needs_no_tenant_and_a_question_does(connection: Connection) -> None:
    connection.execute("RESET cognifold.tenant")
    assert embed(connection, "a dog") is not None
    with pytest.raises(psycopg.Error) as caught:
        embed(connection, "a dog", "query")
    assert caught.value.sqlstate == "CF001"


def test_a_question_cannot_be_weighed_by_another_tenants_words(connection: Connection) -> None:
    with pytest.raises(psycopg.Error, match='"other" was given while "words" is set') as caught:
        connection.execute("SELECT cognifold.embed('a dog', 'query', 'other')")
    assert caught.value.sqlstate == "CF004"
