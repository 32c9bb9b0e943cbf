"""The artifacts of a reading, the part of it that enters graph state, and the reading after the joint pass.

`<artifact_dir>/reading.json` holds {"record": …, "report": …}, complete but for the text of the pages, which is
`<artifact_dir>/text.txt`. Where a joint pass has changed the record, `first.json` there holds it as it was before.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.config import Settings
from core.errors import NotFoundError
from core.file_store import FileStore
from pipeline.joint_pass.votes import Respelling, with_changes
from pipeline.orchestrator_state import AgentState
from pipeline.profiles import text_fields
from pipeline.schema import FieldReading, Report, SubmissionRecord
from pipeline.validate import NO_DEFAULTS, Defaults, validate_record, with_defaults, without_defaults
from pipeline.validation.certainty import with_probabilities
from pipeline.validation.policy import Policy

# Give a run the stored reading of its entry with the joint pass's changes, carried decisions and defaults.


@dataclass(frozen=True, slots=True)
class ReadTogether:
    """A `ReadEntry` from stored data: the reading with joint changes, carried decisions and defaults."""

    changes: Sequence[Respelling]
    defaults: Defaults = NO_DEFAULTS
    #: Values that people decided for the entries that this one replaces.
    carried: Mapping[str, FieldReading] = field(default_factory=dict)

    def __call__(
        self, state: AgentState, *, settings: Settings, store: FileStore, policy: Policy
    ) -> tuple[SubmissionRecord, Report]:
        """Change, validate and store the reading of the run's entry; safe to repeat.

        The original reading is kept, since a later pass begins with it. Raises NotFoundError if there is none.
        """
        record, report = self._first(store, state["artifact_dir"])
        changed = with_changes(without_second_readings(without_defaults(record)), self.changes)
        if self.carried:
            changed = with_decided(changed, self.carried, changed.waived)
        record, found = validate_record(with_probabilities(with_defaults(changed, self.defaults)), policy)
        report = {**report, **found}
        store_reading(store, record, report)
        return record, report

    def _first(self, store: FileStore, artifact_dir: str) -> tuple[SubmissionRecord, Report]:
        if not self.changes:
            return load_reading(store, artifact_dir)
        try:
            return load_first(store, artifact_dir)
        except NotFoundError:
            record, report = load_reading(store, artifact_dir)
            record = without_defaults(record)
            keep_first(store, record, report)
            return record, report


def without_second_readings(record: SubmissionRecord) -> SubmissionRecord:
    """Return the record as the first reader alone read it: each run asks the second reader anew."""
    readings = {name: one.model_copy(update={"second": None}) for name, one in record.readings.items()}
    return record.model_copy(update={"readings": readings})


# The part of a reading that enters graph state, and the artifacts of a reading, which hold all of it.


#: Keys of a report that may enter graph state; the others quote the document or are not used by routing.
REPORT_KEYS = ("ocr_summary", "missing_fields", "reason_codes", "timings_ms")

RAW_TEXT = "raw_text"


def artifact_dir_of(submission_id: object, run_no: int) -> str:
    """Return the folder of the artifacts of an entry's run, as a prefix of keys in the file store."""
    return f"artifacts/{submission_id}/{run_no}"


def text_key(artifact_dir: str) -> str:
    """Return the key of the text of the entry's pages, in reading order."""
    return f"{artifact_dir}/text.txt"


def reading_key(artifact_dir: str) -> str:
    """Return the key of the record and report as read."""
    return f"{artifact_dir}/reading.json"


def first_key(artifact_dir: str) -> str:
    """Return the key of the record and report as they were before a joint pass changed them."""
    return f"{artifact_dir}/first.json"


def store_reading(store: FileStore, record: SubmissionRecord, report: Report) -> None:
    """Write the reading and the text; idempotent."""
    store.put(text_key(record.artifact_dir), report[RAW_TEXT].encode(), "text/plain; charset=utf-8")
    store.put(reading_key(record.artifact_dir), _as_json(record, report), "application/json")


def keep_first(store: FileStore, record: SubmissionRecord, report: Report) -> None:
    """Write a copy of the record and report before the reading is changed."""
    store.put(first_key(record.artifact_dir), _as_json(record, report), "application/json")


def load_text(store: FileStore, artifact_dir: str) -> str:
    return store.get(text_key(artifact_dir)).decode()


def load_reading(store: FileStore, artifact_dir: str) -> tuple[SubmissionRecord, Report]:
    return _loaded(store, artifact_dir, reading_key(artifact_dir))


def load_first(store: FileStore, artifact_dir: str) -> tuple[SubmissionRecord, Report]:
    """Load the copy of `keep_first`. Raises NotFoundError if nothing was changed."""
    return _loaded(store, artifact_dir, first_key(artifact_dir))


def _loaded(store: FileStore, artifact_dir: str, key: str) -> tuple[SubmissionRecord, Report]:
    kept = json.loads(store.get(key))
    report: Report = {**kept["report"], RAW_TEXT: load_text(store, artifact_dir)}
    return SubmissionRecord.model_validate(kept["record"]), report


def _as_json(record: SubmissionRecord, report: Report) -> bytes:
    kept = {
        "record": record.model_dump(mode="json"),
        "report": {key: value for key, value in report.items() if key != RAW_TEXT},
    }
    return json.dumps(kept, ensure_ascii=False).encode()


def for_state(record: SubmissionRecord) -> dict[str, Any]:
    """Return the record in JSON without essay, reaction, lattices and signals, which never enter graph state."""
    bare = record.model_copy(
        update={
            **dict.fromkeys(text_fields()),
            "readings": {name: _withheld(name, reading) for name, reading in record.readings.items()},
        }
    )
    return bare.model_dump(mode="json")


def report_for_state(report: Report) -> dict[str, Any]:
    """Return the part of the report that routing and the log may use."""
    return {key: report[key] for key in REPORT_KEYS if key in report}


def _withheld(name: str, reading: FieldReading) -> FieldReading:
    withheld: dict[str, Any] = {"considered": (), "signals": {}}
    if name in text_fields():
        withheld |= {"value": None, "disagrees_with": None}
    return reading.model_copy(update=withheld)


# Values that people decided, for a new reading of the entry. Pure.


def decided_readings(record: SubmissionRecord) -> dict[str, FieldReading]:
    """Return the readings of the fields whose value a person gave."""
    return {name: one for name, one in record.readings.items() if one.is_decided}


def with_decided(
    record: SubmissionRecord, decided: Mapping[str, FieldReading], waived: Sequence[str] = ()
) -> SubmissionRecord:
    """Return a new reading in which values that a person gave replace those that were read.

    `waived`: fields that a person has accepted as they are, which also apply to the new reading.
    """
    values = {name: reading.value for name, reading in decided.items()}
    if "word_count" in values:
        values["word_count"] = int(values["word_count"] or 0) or None  # type: ignore[assignment]
    return record.model_copy(update={**values, "readings": {**record.readings, **decided}, "waived": list(waived)})
