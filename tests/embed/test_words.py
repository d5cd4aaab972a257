"""The words of a text: the same in SQL and in Python, whatever is thrown at them."""

from __future__ import annotations

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cognifold_pg.lexicon import words
from tests.embed.conftest import Connection

EXAMPLES = {
    "Zoë’s café isn't open": "zoe cafe isn't open",
    "'Quoted', O'Neill's rock'n'roll!": "quoted o'neill rock'n'roll",
    "7 May 2023, 14:32:05": "7 may 2023 14 32 05",
    "snake_case and kebab-case": "snake case and kebab case",
    "ﬁve ＦＵＬＬ ½ x² 𝐛𝐨𝐥𝐝": "five full 1 2 x2 bold",
    "soft\u00adhyphen zero\u200bwidth": "softhyphen zero width",
    "ЁЛКА ΑΘΗΝΑ ŁÓDŹ İstanbul Straße": "елка αθηνα łodz istanbul straße",
    "東京タワー": "東 京 タワー",
    "🔥 !!! ''' — \t\n": "",
    "dogs' tails": "dogs tails",
}


def words_in_sql(connection: Connection, text: str) -> list[str]:
    row = connection.execute("SELECT array_agg(word ORDER BY place) FROM cognifold.words(%s)", [text]).fetchone()
    assert row is not None
    return row[0] or []


@pytest.mark.parametrize("text", EXAMPLES)
def test_a_word_is_a_run_of_letters_without_case_accents_and_possessive(connection: Connection, text: str) -> None:
    expected = EXAMPLES[text].split()
    assert words(text) == expected
    assert words_in_sql(connection, text) == expected


def test_every_code_point_means_the_same_in_sql_and_in_python(connection: Connection) -> None:
    points = [point for point in range(1, 0x110000) if not 0xD800 <= point < 0xE000]
    for start in range(0, len(points), 4000):
        text = " ".join(f"a{chr(point)}b" for point in points[start : start + 4000])
        found = connection.execute(
            "SELECT array_agg(word ORDER BY place) FROM cognifold.words(%s, 20000000)", [text]
        ).fetchone()
        assert found is not None
        assert found[0] == words(text, 20_000_000), f"between U+{points[start]:X} and the next 4000"


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.text(
        st.one_of(
            st.characters(codec="utf-8", exclude_characters="\0"),
            st.characters(min_codepoint=0x300, max_codepoint=0x36F),
            st.sampled_from("aZ09éß'’ʼ \n_-.İıΣςǅ가각\u1100\u1161ﷺ½が\u3099"),
        ),
        max_size=60,
    )
)
def test_any_mixture_of_characters_gives_the_same_words(connection: Connection, text: str) -> None:
    assert words_in_sql(connection, text) == words(text)


def test_words_do_not_depend_on_the_locale_of_the_database(installed: str) -> None:
    with psycopg.connect(installed, autocommit=True) as connection:
        definitions = connection.execute(
            "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'cognifold'::regnamespace "
            "AND proname IN ('plain_letters', 'words') ORDER BY proname"
        ).fetchall()
        connection.execute("CREATE DATABASE plain_c TEMPLATE template0 LOCALE 'C' ENCODING 'UTF8'")
        try:
            with psycopg.connect(installed, dbname="plain_c") as other:
                other.execute("CREATE SCHEMA cognifold")
                for (definition,) in definitions:
                    other.execute(definition)
                for text, expected in EXAMPLES.items():
                    assert words_in_sql(other, text) == expected.split()
        finally:
            connection.execute("DROP DATABASE plain_c")


def test_lone_surrogates_part_words_like_a_space() -> None:
    assert words("left\ud800right") == ["left", "right"]


def test_only_the_first_twenty_thousand_characters_are_read(connection: Connection) -> None:
    text = "a " * 9_999 + "b " + "c " * 500_000
    assert words(text)[-1] == "b"
    assert words_in_sql(connection, text) == words(text)
