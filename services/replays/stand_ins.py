"""The replacements that a replay runs with: its store, its readings, its model."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from core.config import Settings
from core.errors import existing
from core.file_store import OCTETS, FileStore, checked_key, from_beginning
from core.llm.ledger import Usage
from pipeline.orchestrator.artifacts import store_reading
from pipeline.orchestrator_state import AgentState
from pipeline.schema import EvidenceBox, FieldReading, Report, SubmissionRecord
from pipeline.second_reader.reader import HeaderReading
from pipeline.validate import validate_record
from pipeline.validation.policy import Policy


class OverlayStore:
    """A `FileStore` that never changes the store below it."""

    def __init__(self, below: FileStore) -> None:
        self._below = below
        #: None for files that were deleted here.
        self._here: dict[str, bytes | None] = {}

    def put(self, key: str, data: bytes, content_type: str = OCTETS) -> None:
        """Keep the file in memory."""
        self._here[checked_key(key)] = data

    def put_file(self, key: str, source: Path | BufferedReader, content_type: str = OCTETS) -> None:
        """Keep the file in memory."""
        with from_beginning(source) as opened:
            self.put(key, opened.read())

    def get(self, key: str) -> bytes:
        """Return the file kept here, else that of the store below. Raises NotFoundError."""
        if key not in self._here:
            return self._below.get(key)
        data = existing(self._here[key], "no such file")
        return data

    def exists(self, key: str) -> bool:
        """Whether there is a file of this key here or below."""
        return self._here[key] is not None if key in self._here else self._below.exists(key)

    def size(self, key: str) -> int:
        """Return the length of the file in bytes. Raises NotFoundError."""
        return len(self.get(key)) if key in self._here else self._below.size(key)

    def delete(self, key: str) -> None:
        """Hide the file; the one below stays."""
        self._here[checked_key(key)] = None

    def delete_prefix(self, prefix: str) -> None:
        """Drop what is kept here below the folder; files below stay."""
        folder = prefix.removesuffix("/") + "/"
        for key in [key for key in self._here if key.startswith(folder)]:
            self._here[key] = None

    def link(self, key: str, seconds: int, filename: str) -> str | None:
        """Return None: files in memory have no addresses."""
        return None

    def local_path(self, key: str) -> Path | None:
        """Return None: files in memory have no path."""
        return None

    def older_keys(self, prefix: str, seconds: float) -> Iterator[str]:
        """Yield nothing: nothing here is old."""
        return iter(())

    def remove_unfinished(self, seconds: float) -> int:
        """Remove nothing and return 0."""
        return 0


T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class StoredReading:
    """A `ReadEntry` that reads no page: it validates the stored reading by the rules of the replay."""

    record: SubmissionRecord
    report: Report

    def __call__(
        self, state: AgentState, *, settings: Settings, store: FileStore, policy: Policy
    ) -> tuple[SubmissionRecord, Report]:
        """Return the record and report, and store them in the replay's store."""
        record, found = validate_record(
            self.record.model_copy(update={"artifact_dir": state["artifact_dir"]}), policy
        )
        report = {**self.report, **found}
        store_reading(store, record, report)
        return record, report


@dataclass(frozen=True, slots=True)
class RecordedReadings:
    """Replaces the second reading of the page by what the run proposed."""

    found: Mapping[str, FieldReading] = field(default_factory=dict)

    def __call__(
        self, fields: Sequence[str], pdf_key: str, ocr_provider_name: str, record: SubmissionRecord, **clients: Any
    ) -> dict[str, list[FieldReading]]:
        """Return the readings of the fields for which the run has one."""
        return {name: [self.found[name]] for name in fields if name in self.found}


@dataclass(frozen=True, slots=True)
class RecordedHeader:
    """Replaces the second reader by what it read in the run."""

    record: SubmissionRecord

    def __call__(
        self,
        wanted: Collection[str],
        pdf_key: str,
        ocr_provider_name: str,
        record: SubmissionRecord,
        **clients: Any,
    ) -> HeaderReading | None:
        """Return the readings with what the second reader read; None if it saw nothing."""
        seen = {name: one for name, one in self.record.readings.items() if one.second is not None}
        return HeaderReading(self.record.page_start, seen) if seen else None


@dataclass(frozen=True, slots=True)
class ReplayedModel:
    """Replaces the model: gives its values in the run, and nothing that it was not asked then."""

    values: Mapping[str, str] = field(default_factory=dict)

    def ask(self, system: str, user: str, schema: type[T], *, purpose: str, **more: Any) -> tuple[T, Usage]:
        """Return the values that the run has, as `Model.ask` would; no call is made."""
        known = {name: value for name, value in self.values.items() if name in schema.model_fields}
        return schema.model_validate(known), Usage("recorded", "recorded")


def no_place(*_: Any, **__: Any) -> dict[str, list[EvidenceBox]]:
    """Replace the search for a value's place on the page; returns no places."""
    return {}
