"""Store the sources of a report with their texts, and records of failed fetches."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from core.models import ReportPassage, ReportSource
from research.document import Reference
from research.material import SourceText
from research.sources.base import Passage
from research.storage.held import Held

#: The columns of `report_sources` that hold its reference, and those that a row adds to it.
_REFERENCE = tuple(name for name in Reference.model_fields if name != "as_written")
_ADDED = ("provider", "domain", "language", "status", "error_code", "round_index", "task_id")


@dataclass(frozen=True)
class StoredSource:
    """A source's row, without its text."""

    key: str
    reference: Reference
    provider: str
    domain: str
    language: str
    status: str
    error_code: str | None
    round_index: int
    task_id: str | None

    @property
    def is_provider(self) -> bool:
        """Whether this row records a failed provider instead of a source."""
        return self.status == "failed" and self.key.endswith(f".{self.provider}")


@dataclass(frozen=True)
class Sources:
    """The sources of a report."""

    held: Held

    def add(
        self,
        source: StoredSource,
        canonical_url: str | None,
        passages: Sequence[Passage] = (),
        library_document_id: uuid.UUID | None = None,
    ) -> None:
        """Insert a source with its text, or the record of its failure; an existing row is kept."""
        row = {
            **source.reference.model_dump(mode="json", include={*_REFERENCE}),
            **{name: getattr(source, name) for name in _ADDED},
            "report_id": self.held.report_id,
            "language": source.language or None,
            "canonical_url": canonical_url,
            "library_document_id": library_document_id,
            "char_count": sum(len(passage.text) for passage in passages),
        }
        own = {"report_id": self.held.report_id, "source_key": source.key}
        texts = [{**own, "position": place, **asdict(passage)} for place, passage in enumerate(passages)]
        added = insert(ReportSource).values(row).on_conflict_do_nothing().returning(ReportSource.key)
        with self.held.writing() as session:
            if session.scalar(added) is not None and texts:
                session.execute(insert(ReportPassage), texts)

    def all(self) -> list[StoredSource]:
        """Return all rows in order of their keys."""
        own = select(ReportSource).where(ReportSource.report_id == self.held.report_id)
        return [_stored(row) for row in self.held.values(own.order_by(ReportSource.key))]

    def keyed(self) -> list[StoredSource]:
        """Return the sources that have a citation key, by key: those read before the tasks that are under way."""
        return [row for row in self.all() if row.status == "read" and not is_provisional(row.key)]

    def of_task(self, task_id: str) -> list[StoredSource]:
        """Return the task's sources so far, failures included, in order of fetching."""
        return sorted((row for row in self.all() if row.task_id == task_id), key=lambda row: place_of(row.key))

    def text(self, source: StoredSource) -> SourceText:
        """Return a read source with its passages."""
        rows = self.held.values(
            select(ReportPassage)
            .where(ReportPassage.report_id == self.held.report_id, ReportPassage.source_key == source.key)
            .order_by(ReportPassage.position)
        )
        passages = tuple(Passage(row.text, row.start_char, row.end_char, row.page_no) for row in rows)
        return SourceText(source.reference, source.domain, passages, source.language)


def place_of(key: str) -> tuple[str, int]:
    """Split a provisional key into task id and number; 0 if it ends in no number."""
    task_id, _, number = key.rpartition(".")
    return task_id, int(number) if number.isdigit() else 0


def is_provisional(key: str) -> bool:
    """Return whether a key is provisional: it has a full stop, which no citation key has."""
    return "." in key


def _stored(row: ReportSource) -> StoredSource:
    reference = Reference.model_validate({name: getattr(row, name) for name in _REFERENCE})
    added = {name: getattr(row, name) for name in _ADDED}
    return StoredSource(row.key, reference, **added | {"language": row.language or "en"})
