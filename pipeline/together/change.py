"""Members of the joint pass, the changes that it makes, and how a record takes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from pipeline.extraction.combine import AGREED
from pipeline.extraction.values.text import squeezed
from pipeline.pages.page_model import Source
from pipeline.schema import FieldReading, SubmissionRecord


@dataclass(frozen=True, slots=True)
class Member:
    """One entry of those that came together. Its record's `submission_id` tells it from the others."""

    record: SubmissionRecord
    #: Key of the file that it came in.
    file: str

    @property
    def key(self) -> str:
        """The id of the entry; a member that is given twice is one member."""
        return self.record.submission_id

    def reading(self, name: str) -> FieldReading:
        """The reading of a field, with the record's value."""
        reading = self.record.readings.get(name, FieldReading())
        return reading.model_copy(update={"value": self.record.value_of(name)})


class Change(BaseModel):
    """One value that the pass has changed."""

    model_config = ConfigDict(frozen=True)

    field: str
    #: The value as read, and the one that replaces it.
    before: str
    after: str
    #: How many other entries have it so; 0 where another field of the same entry decided.
    support: int
    #: Where the new value is from, as a `Message` in JSON.
    way: dict[str, Any]
    #: Whether the entry's own reading carries the new value without the others, so that no person need look.
    carried: bool = False


def may_be_respelled(reading: FieldReading) -> bool:
    """Whether a value was recognised, and by less than two readings that agree. Typed text is never respelled,
    nor is what a person has confirmed."""
    recognised = reading.source is Source.OCR and not reading.is_decided
    return bool(reading.value) and recognised and reading.confidence < AGREED


def is_carried(reading: FieldReading, after: str) -> bool:
    """Whether an entry's own reading has these letters already: parted otherwise, or read at a second place."""
    return squeezed(after) in {squeezed(reading.value or ""), squeezed(reading.disagrees_with or "")}


def with_changes(record: SubmissionRecord, changes: Sequence[Change]) -> SubmissionRecord:
    """Return the record with the changed values; what was read stands in `disagrees_with`.

    A change whose field no longer has the value that was read has no effect, so that it can be applied again.
    """
    readings, values = dict(record.readings), {}
    for change in changes:
        reading = readings.get(change.field)
        if reading is None or record.value_of(change.field) != change.before:
            continue
        values[change.field] = change.after
        update: dict[str, Any] = {"value": change.after, "method": f"{reading.method} + other entries"}
        if not change.carried:
            update["way"] = change.way
        if not change.carried or reading.disagrees_with:
            update["disagrees_with"] = change.before
        readings[change.field] = reading.model_copy(update=update)
    return record.model_copy(update={**values, "readings": readings})
