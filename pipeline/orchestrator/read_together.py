"""Give a run the reading that its entry has after the joint pass, with what is carried to it and the defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.config import Settings
from core.errors import NotFoundError
from core.file_store import FileStore
from pipeline.orchestrator.artifacts import keep_first, load_first, load_reading, store_reading
from pipeline.records.decided import with_decided
from pipeline.schema import FieldReading, Report, SubmissionRecord
from pipeline.together.change import Change, with_changes
from pipeline.validate import validate_record
from pipeline.validation.certainty import with_probabilities
from pipeline.validation.defaults import NO_DEFAULTS, Defaults, with_defaults, without_defaults
from pipeline.validation.policy import Policy


@dataclass(frozen=True, slots=True)
class ReadTogether:
    """A `ReadEntry` that reads no page: it takes the stored reading, joint changes, what is carried, defaults."""

    changes: Sequence[Change]
    defaults: Defaults = NO_DEFAULTS
    #: What people had decided on the entries that this one replaces.
    carried: Mapping[str, FieldReading] = field(default_factory=dict)

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
        """Change and validate the reading stored under `artifact_dir`, and store it; safe to repeat.

        The reading as it was is kept, as a later pass begins with it. Raises NotFoundError if nothing was stored
        there.
        """
        record, report = self._first(store, artifact_dir)
        changed = with_changes(without_defaults(record), self.changes)
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
