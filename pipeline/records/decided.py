"""Values that people stand by, as a new reading of the entry takes them over. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipeline.schema import FieldReading, SubmissionRecord


def decided_readings(record: SubmissionRecord) -> dict[str, FieldReading]:
    """Return the readings of the fields whose value a person gave."""
    return {name: one for name, one in record.readings.items() if one.is_decided}


def with_decided(
    record: SubmissionRecord, decided: Mapping[str, FieldReading], waived: Sequence[str] = ()
) -> SubmissionRecord:
    """Return a new reading with the values that a person gave in place of what was read there.

    `waived`: what a person has accepted as it is, which holds for the new reading too.
    """
    values = {name: reading.value for name, reading in decided.items()}
    if "word_count" in values:
        values["word_count"] = int(values["word_count"] or 0) or None  # type: ignore[assignment]
    return record.model_copy(update={**values, "readings": {**record.readings, **decided}, "waived": list(waived)})
