"""What stands in a replay for the pages and for the model: what the run had of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel

from core.config import Settings
from core.file_store import FileStore
from core.llm import Usage
from pipeline.orchestrator.artifacts import store_reading
from pipeline.schema import EvidenceBox, FieldReading, Report, SubmissionRecord
from pipeline.validate import validate_record
from pipeline.validation.policy import Policy

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class StoredReading:
    """A `ReadEntry` that reads no page: it validates what was read by the rules of the replay."""

    record: SubmissionRecord
    report: Report

    def __call__(
        self,
        image_path: str,
        submission_id: str,
        artifact_dir: str,
        ocr_provider_name: str,
        original_filename: str | None,
        chunk_metadata: dict[str, Any] | None,
        doc_format: str | None,
        *,
        settings: Settings,
        store: FileStore,
        policy: Policy,
    ) -> tuple[SubmissionRecord, Report]:
        """Return the record and report, and store them in the replay's store."""
        record, found = validate_record(self.record.model_copy(update={"artifact_dir": artifact_dir}), policy)
        report = {**self.report, **found}
        store_reading(store, record, report)
        return record, report


@dataclass(frozen=True, slots=True)
class RecordedReadings:
    """Stands for the second reading of the page: what the run proposed."""

    found: Mapping[str, FieldReading] = field(default_factory=dict)

    def __call__(
        self, fields: Sequence[str], pdf_key: str, ocr_provider_name: str, record: SubmissionRecord, **clients: Any
    ) -> dict[str, list[FieldReading]]:
        """Return the reading of each field that the run has one of."""
        return {name: [self.found[name]] for name in fields if name in self.found}


@dataclass(frozen=True, slots=True)
class RecordedModel:
    """Stands for the model: the values that it gave in the run, and nothing for what it was not asked then."""

    said: Mapping[str, str] = field(default_factory=dict)

    def ask(self, system: str, user: str, schema: type[T], *, purpose: str, **more: Any) -> tuple[T, Usage]:
        """Return the values that the run has, as `Model.ask` would; no call is made."""
        known = {name: value for name, value in self.said.items() if name in schema.model_fields}
        return schema.model_validate(known), Usage("recorded", "recorded")


def no_place(*_: Any, **__: Any) -> dict[str, list[EvidenceBox]]:
    """Stand for the search for a value's place on the page."""
    return {}
