from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from cognifold_pg.ingest import BadRecord, IngestFormatError, Question, Record, Stream, open_stream
from cognifold_pg.ingest.locomo import evidence_ids


def opened(tmp_path: Path, document: object, **options: object) -> Stream:
    path = tmp_path / "document.json"
    path.write_text(json.dumps(document, indent=1))
    return open_stream(path, **options)  # type: ignore[arg-type]


def experiences(stream: Stream) -> list[Record]:
    items = list(stream)
    assert all(isinstance(item, Record) for item in items), items
    return [item for item in items if isinstance(item, Record)]


TIMELINE = {
    "timeline_id": "t-1",
    "persona": {"name": "Ada", "age": 36},
    "events": [
        {
            "event_id": "e-1",
            "timestamp": "2026-01-18T08:15:00Z",
            "event_type": "meal",
            "title": "Breakfast",
            "description": "Porridge with nuts.",
            "location": "home",
            "duration_minutes": 30,
            "metadata": {"food": ["porridge"]},
        },
        {"event_id": "e-2", "timestamp": "2026-01-18T09:00:00Z", "title": "Left home", "source": "phone"},
    ],
}


def test_a_timeline_gives_its_events_with_their_length_persona_and_surroundings(tmp_path: Path) -> None:
    stream = opened(tmp_path, TIMELINE)
    first, second = (record.experience for record in experiences(stream))
    assert (stream.format, stream.total) == ("timeline", 2)
    assert (first.title, first.content) == ("Breakfast", "Porridge with nuts.")
    assert (first.source, first.actor, first.idempotency_key) == ("timeline", "Ada", "t-1:e-1")
    assert first.occurred_at == datetime(2026, 1, 18, 8, 15, tzinfo=UTC)
    assert first.ended_at == datetime(2026, 1, 18, 8, 45, tzinfo=UTC)
    assert first.payload == {
        "event_id": "e-1",
        "event_type": "meal",
        "location": "home",
        "duration_minutes": 30,
        "metadata": {"food": ["porridge"]},
    }
    assert (second.content, second.source, second.ended_at) == ("Left home", "phone", None)


SCENARIO = {
    "scenario_id": "s-1",
    "concepts": [{"id": "C1", "label": "GOLD-LABEL"}],
    "questions": [
        {
            "id": "Q1",
            "type": "factual",
            "question": "Who?",
            "answer": "GOLD-ANSWER",
            "evidence_event_ids": ["e1"],
        }
    ],
    "events": [
        {
            "event_id": "e1",
            "timestamp": "2025-03-03T08:41:00-05:00",
            "source": "journal",
            "actor": "Mara",
            "title": "Monday",
            "description": "Coffee first.",
            "concepts": ["GOLD-CONCEPT"],
            "chain": "GOLD-CHAIN",
            "distractor": False,
        }
    ],
}


def test_nothing_of_a_scenario_but_the_event_itself_enters_the_memory(tmp_path: Path) -> None:
    stream = opened(tmp_path, SCENARIO)
    [record] = experiences(stream)
    assert stream.format == "scenario"
    assert "GOLD" not in repr(record)
    assert record.experience.payload is None
    assert (record.experience.title, record.experience.content) == ("Monday", "Coffee first.")
    assert (record.experience.source, record.experience.actor) == ("journal", "Mara")
    assert record.experience.occurred_at == datetime(2025, 3, 3, 13, 41, tzinfo=UTC)


def test_a_scenario_brings_its_questions_to_be_asked(tmp_path: Path) -> None:
    assert opened(tmp_path, SCENARIO).questions == (
        Question(text="Who?", evidence=("s-1:e1",), answer="GOLD-ANSWER", category="factual"),
    )


def test_an_event_of_a_document_that_is_no_event_is_bad_by_its_place(tmp_path: Path) -> None:
    document = {"scenario_id": "s-1", "events": [7, {"event_id": "e2", "timestamp": "noon", "title": "x"}]}
    first, second = opened(tmp_path, document)
    assert first == BadRecord(1, "not a JSON object")
    assert isinstance(second, BadRecord)
    assert second.number == 2
    assert second.reason.startswith("s-1:e2: occurred_at 'noon' is not an ISO 8601 time")


def conversation(sample: str, first_turn: str) -> dict[str, object]:
    return {
        "sample_id": sample,
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bob",
            "session_2_date_time": "12:05 am on 25 May, 2023",
            "session_2": [{"speaker": "Bob", "dia_id": "D2:1", "text": "Back again."}],
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ann", "dia_id": "D1:1", "text": first_turn},
                {
                    "speaker": "Bob",
                    "dia_id": "D1:2",
                    "text": "Look!",
                    "blip_caption": "a photo of a red boat",
                    "img_url": ["https://pictures.example/boat.jpg?size=2"],
                    "query": "boat",
                },
            ],
        },
        "qa": [
            {"question": "Which colour?", "answer": 3, "category": 1, "evidence": ["D1:2; D2:01"]},
            {"question": "Why?", "adversarial_answer": "no", "category": 5, "evidence": []},
        ],
        "observation": {"GOLD": "GOLD"},
    }


def test_each_locomo_conversation_is_a_source_and_each_speaker_an_actor(tmp_path: Path) -> None:
    stream = opened(tmp_path, [conversation("conv-1", "Hi Bob"), conversation("conv-2", "Hello")])
    records = experiences(stream)
    assert [record.number for record in records] == [1, 2, 3, 4, 5, 6]
    assert [record.experience.idempotency_key for record in records] == [
        "conv-1:D1:1",
        "conv-1:D1:2",
        "conv-1:D2:1",
        "conv-2:D1:1",
        "conv-2:D1:2",
        "conv-2:D2:1",
    ]
    first = records[0].experience
    assert (first.content, first.source, first.actor) == ("Hi Bob", "conv-1", "Ann")
    assert first.payload == {"dia_id": "D1:1", "session": 1}
    assert "GOLD" not in repr(records)


def test_locomo_turns_keep_their_order_in_time_and_the_reader_says_how(tmp_path: Path) -> None:
    stream = opened(tmp_path, [conversation("conv-1", "Hi Bob")])
    times = [record.experience.occurred_at for record in experiences(stream)]
    assert times == [
        datetime(2023, 5, 8, 13, 56, 0, tzinfo=UTC),
        datetime(2023, 5, 8, 13, 56, 15, tzinfo=UTC),
        datetime(2023, 5, 25, 0, 5, 0, tzinfo=UTC),
    ]
    assert stream.notes == (
        "session times carry no zone: read as UTC; a turn is taken to come 15 s after the one before it",
    )
    moved = opened(tmp_path, [conversation("conv-1", "Hi Bob")], zone=ZoneInfo("America/New_York"))
    assert experiences(moved)[0].experience.occurred_at == datetime(2023, 5, 8, 17, 56, tzinfo=UTC)


def test_a_picture_leaves_its_caption_in_the_text_and_its_address_in_the_media(tmp_path: Path) -> None:
    picture = experiences(opened(tmp_path, [conversation("conv-1", "Hi Bob")]))[1].experience
    assert picture.content == "Look! [picture: a photo of a red boat]"
    assert picture.media == [{"mime": "image/jpeg", "uri": "https://pictures.example/boat.jpg?size=2"}]


def test_locomo_questions_come_with_the_keys_of_their_evidence(tmp_path: Path) -> None:
    assert opened(tmp_path, conversation("conv-1", "Hi")).questions == (
        Question("Which colour?", ("conv-1:D1:2", "conv-1:D2:1"), "3", "1", "conv-1"),
        Question("Why?", (), None, "5", "conv-1"),
    )


def test_a_session_without_a_readable_date_makes_its_turns_bad_and_no_others(tmp_path: Path) -> None:
    document = conversation("conv-1", "Hi")
    document["conversation"]["session_2_date_time"] = "some day"  # type: ignore[index]
    items = list(opened(tmp_path, document))
    assert [isinstance(item, Record) for item in items] == [True, True, False]
    assert isinstance(items[2], BadRecord)
    assert items[2].reason.startswith("conv-1:D2:1: session_2_date_time 'some day'")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (["D1:3"], ("D1:3",)),
        (["D8:6; D9:17"], ("D8:6", "D9:17")),
        (["D9:1 D4:4 D4:6"], ("D9:1", "D4:4", "D4:6")),
        (["D:11:26"], ("D11:26",)),
        (["D30:05", "D30:5"], ("D30:5",)),
        (["D"], ()),
        ([], ()),
    ],
)
def test_evidence_is_read_however_it_is_written(written: list[str], expected: tuple[str, ...]) -> None:
    assert evidence_ids(written) == expected


def test_the_format_is_found_without_a_telling_name(tmp_path: Path) -> None:
    path = tmp_path / "data"
    for content, expected in [
        ('{"content": "a"}\n{"content": "b"}\n', "jsonl"),
        ("content,actor\nhello,Ada\n", "csv"),
        (json.dumps(TIMELINE), "timeline"),
        (json.dumps(SCENARIO), "scenario"),
        (json.dumps([conversation("c", "Hi")], indent=2), "locomo"),
    ]:
        path.write_text(content)
        assert open_stream(path).format == expected


@pytest.mark.parametrize(
    ("content", "format", "message"),
    [
        ("just words", None, "cannot tell the format of data.*--format"),
        ('[{"content": "a"}]', None, "JSON array: write one object a line"),
        ('{"a":\n1}', None, "neither a timeline, a scenario nor a LoCoMo"),
        ("{}", "xml", "unknown format 'xml': one of jsonl, csv"),
        (json.dumps(TIMELINE), "locomo", "not a locomo document"),
        (json.dumps([conversation("c", "Hi")]), "timeline", "not a timeline document"),
    ],
)
def test_a_file_of_no_known_format_is_refused_with_what_to_do(
    tmp_path: Path, content: str, format: str | None, message: str
) -> None:
    path = tmp_path / "data"
    path.write_text(content)
    with pytest.raises(IngestFormatError, match=message):
        open_stream(path, format=format)


def test_a_mapping_for_a_document_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IngestFormatError, match="a mapping is for JSON Lines and CSV"):
        opened(tmp_path, TIMELINE, mapping={"content": "title"})
