"""Store the sources of a report with their texts, and records of failed fetches."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from core.models import ReportPassage, ReportSource
from research.document import Reference
from research.material import SourceText
from research.sources.base import Passage
from research.storage.held import Held


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

    @property
    def identity(self) -> dict[str, str | None]:
        """The fields by which `same_reference` compares sources."""
        return {
            "title": self.reference.title,
            "url": self.reference.url,
            "doi": self.reference.doi,
            "isbn": self.reference.isbn,
        }


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
        row: dict[str, Any] = {
            "report_id": self.held.report_id,
            "key": source.key,
            "kind": source.reference.kind,
            "provider": source.provider,
            "title": source.reference.title,
            "authors": list(source.reference.authors),
            "year": source.reference.year,
            "publisher": source.reference.publisher,
            "url": source.reference.url,
            "canonical_url": canonical_url,
            "domain": source.domain,
            "doi": source.reference.doi,
            "isbn": source.reference.isbn,
            "language": source.language or None,
            "library_document_id": library_document_id,
            "status": source.status,
            "error_code": source.error_code,
            "char_count": sum(len(passage.text) for passage in passages),
            "round_index": source.round_index,
            "task_id": source.task_id,
        }
        with self.held.writing() as session:
            added = session.scalar(
                insert(ReportSource).values(row).on_conflict_do_nothing().returning(ReportSource.key)
            )
            if added is None or not passages:
                return
            session.execute(
                insert(ReportPassage),
                [
                    {
                        "report_id": self.held.report_id,
                        "source_key": source.key,
                        "position": position,
                        "page_no": passage.page_no,
                        "start_char": passage.start_char,
                        "end_char": passage.end_char,
                        "text": passage.text,
                    }
                    for position, passage in enumerate(passages)
                ],
            )

    def all(self) -> list[StoredSource]:
        """Return all rows in order of their keys."""
        with self.held.reading() as session:
            rows = session.scalars(
                select(ReportSource)
                .where(ReportSource.report_id == self.held.report_id)
                .order_by(ReportSource.key)
            ).all()
        return [_stored(row) for row in rows]

    def before(self, round_index: int) -> list[StoredSource]:
        """Return the sources read in earlier rounds, by key: the same for every researcher of this round."""
        return [row for row in self.all() if row.status == "read" and row.round_index < round_index]

    def of_task(self, task_id: str) -> list[StoredSource]:
        """Return the task's sources so far, failures included, in order of fetching."""
        return sorted((row for row in self.all() if row.task_id == task_id), key=lambda row: place_of(row.key))

    def text(self, source: StoredSource) -> SourceText:
        """Return a read source with its passages."""
        with self.held.reading() as session:
            rows = session.scalars(
                select(ReportPassage)
                .where(ReportPassage.report_id == self.held.report_id, ReportPassage.source_key == source.key)
                .order_by(ReportPassage.position)
            ).all()
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
    return StoredSource(
        key=row.key,
        reference=Reference(
            key=row.key,
            kind=row.kind,
            title=row.title,
            authors=tuple(row.authors),
            year=row.year,
            publisher=row.publisher,
            url=row.url,
            doi=row.doi,
            isbn=row.isbn,
        ),
        provider=row.provider,
        domain=row.domain,
        language=row.language or "en",
        status=row.status,
        error_code=row.error_code,
        round_index=row.round_index,
        task_id=row.task_id,
    )
