"""LoCoMo: long two-person conversations, several in one file, each with questions and their evidence turns.

A turn is an event. Its source is the conversation (``sample_id``), its actor the speaker, its key
``sample_id:dia_id``. The file dates whole sessions, without a zone; a turn's time is the session's plus a few
seconds for each turn before it, so that order survives. A shared picture's caption, the only words there are
for it, follows the text in brackets, and its address goes to ``media``.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from cognifold_pg.ingest.fields import BadFieldError, Reading, to_experience
from cognifold_pg.ingest.stream import BadRecord, Item, Question, Record, Stream

SECONDS_PER_TURN = 15

_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D:?\s*(\d+):0*(\d+)")
_DATE_FORMAT = "%I:%M %p on %d %B, %Y"


def open_locomo(name: str, document: Any, reading: Reading) -> Stream:
    """The stream of a LoCoMo file: one conversation or a list of them, in the file's order."""
    conversations: list[Any] = document if isinstance(document, list) else [document]
    total = sum(len(list(_turns_of(conversation))) for conversation in conversations)

    def read(stream: Stream) -> Iterator[Item]:
        number = 0
        for conversation in conversations:
            for session, place, turn in _turns_of(conversation):
                number += 1
                stream.position = number
                yield _item(number, conversation, session, place, turn, reading)

    zone = "UTC" if reading.zone is None else str(reading.zone)
    return Stream(
        name=name,
        format="locomo",
        unit="records",
        total=total,
        read=read,
        notes=(
            f"session times carry no zone: read as {zone}; "
            f"a turn is taken to come {SECONDS_PER_TURN} s after the one before it",
        ),
        questions=tuple(question for item in conversations for question in _questions_of(item)),
    )


def evidence_ids(written: object) -> tuple[str, ...]:
    """The turns an evidence list names, as ``D8:6``: in order, each once.

    The data set also writes ``"D8:6; D9:17"``, ``"D:11:26"``, ``"D30:05"``; and ``"D"``, which names none.
    """
    texts = written if isinstance(written, list) else [written]
    found = [f"D{s}:{t}" for text in texts for s, t in _EVIDENCE.findall(str(text))]
    return tuple(dict.fromkeys(found))


def _item(number: int, conversation: Mapping[str, Any], session: int, place: int, turn: Any, reading: Reading) -> Item:
    sample = _sample_of(conversation)
    if not isinstance(turn, Mapping):
        return BadRecord(number, f"{sample} session {session}: not a JSON object")
    turn_id = str(turn.get("dia_id") or f"D{session}:{place + 1}")
    key = f"{sample}:{turn_id}"
    try:
        moment = _session_time(conversation, session, reading) + timedelta(seconds=place * SECONDS_PER_TURN)
        raw: dict[str, Any] = {
            "content": _content_of(turn),
            "occurred_at": moment.isoformat(),
            "source": sample,
            "actor": turn.get("speaker"),
            "payload": {"dia_id": turn_id, "session": session},
        }
        media = _media_of(turn)
        if media:
            raw["media"] = media
        experience, cleaned = to_experience(raw, reading, key)
    except BadFieldError as error:
        return BadRecord(number, f"{key}: {error}")
    return Record(number, experience, cleaned)


def _content_of(turn: Mapping[str, Any]) -> str:
    text = str(turn.get("text") or "").strip()
    caption = str(turn.get("blip_caption") or "").strip()
    return f"{text} [picture: {caption}]".strip() if caption else text


def _media_of(turn: Mapping[str, Any]) -> list[dict[str, Any]]:
    addresses = turn.get("img_url") or []
    return [
        {"mime": mimetypes.guess_type(urlsplit(str(address)).path)[0] or "image/*", "uri": str(address)}
        for address in (addresses if isinstance(addresses, list) else [addresses])
    ]


def _session_time(conversation: Mapping[str, Any], session: int, reading: Reading) -> datetime:
    written = _dialogue_of(conversation).get(f"session_{session}_date_time")
    try:
        moment = datetime.strptime(str(written), _DATE_FORMAT)
    except ValueError:
        raise BadFieldError(f"session_{session}_date_time {written!r} is not like '1:56 pm on 8 May, 2023'") from None
    return moment.replace(tzinfo=UTC if reading.zone is None else reading.zone)


def _turns_of(conversation: Any) -> Iterator[tuple[int, int, Any]]:
    """(session number, place in it from 0, turn), sessions in the order of their numbers."""
    sessions = [
        (int(match[1]), turns)
        for key, turns in _dialogue_of(conversation).items()
        if (match := _SESSION.fullmatch(key)) and isinstance(turns, list)
    ]
    for session, turns in sorted(sessions, key=lambda pair: pair[0]):
        for place, turn in enumerate(turns):
            yield session, place, turn


def _questions_of(conversation: Any) -> Iterator[Question]:
    sample = _sample_of(conversation)
    for question in (conversation.get("qa") or ()) if isinstance(conversation, Mapping) else ():
        answer = question.get("answer")
        yield Question(
            text=str(question.get("question") or ""),
            evidence=tuple(f"{sample}:{turn}" for turn in evidence_ids(question.get("evidence") or [])),
            answer=None if answer is None else str(answer),
            category=str(question.get("category") or ""),
            source=sample,
        )


def _dialogue_of(conversation: Any) -> Mapping[str, Any]:
    dialogue = conversation.get("conversation") if isinstance(conversation, Mapping) else None
    return dialogue if isinstance(dialogue, Mapping) else {}


def _sample_of(conversation: Any) -> str:
    if isinstance(conversation, Mapping) and conversation.get("sample_id"):
        return str(conversation["sample_id"])
    speakers = _dialogue_of(conversation)
    return f"{speakers.get('speaker_a', 'someone')} and {speakers.get('speaker_b', 'someone')}"
