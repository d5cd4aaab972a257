"""Read what people already have, a record at a time, as experiences the memory can remember.

``open_stream(path)`` finds the format and gives a :class:`Stream`; iterating it yields a :class:`Record` for
each good record and a :class:`BadRecord`, with its number and a reason, for each that cannot be an event.
Nothing here touches the database.
"""

from __future__ import annotations

from cognifold_pg.ingest.formats import FORMATS, Format, IngestFormatError, open_stream
from cognifold_pg.ingest.stream import BadRecord, Item, Question, Record, Stream

__all__ = [
    "FORMATS",
    "BadRecord",
    "Format",
    "IngestFormatError",
    "Item",
    "Question",
    "Record",
    "Stream",
    "open_stream",
]
