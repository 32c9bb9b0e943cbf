"""Store the sources of a report with their texts, and records of failed fetches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import select

from core.models import ReportPassage, ReportSource
from research.document import Reference
from research.material import SourceText
from research.sources.base import Passage
from research.storage.held import Held, insert_of

#: The fields of a hit and the columns of `report_sources` that a reference takes.
WORK = tuple(name for name in Reference.model_fields if name not in ("key", "as_written"))


@dataclass(frozen=True)
class Sources:
    """The sources of a report."""

    held: Held

    def add(self, source: ReportSource, passages: Sequence[Passage] = ()) -> None:
        """Insert a source with its text, or the record of its failure; an existing row is kept."""
        source.report_id, source.char_count = self.held.report_id, sum(len(one.text) for one in passages)
        own = {"report_id": source.report_id, "source_key": source.key}
        texts = [ReportPassage(**own, position=place, **asdict(one)) for place, one in enumerate(passages)]
        with self.held.writing() as session:
            if session.scalar(insert_of(source).returning(ReportSource.key)) is not None:
                session.add_all(texts)

    def all(self) -> list[ReportSource]:
        """Return all rows in order of their keys."""
        own = select(ReportSource).where(ReportSource.report_id == self.held.report_id)
        return self.held.values(own.order_by(ReportSource.key))

    def keyed(self) -> list[ReportSource]:
        """Return the sources that have a citation key, by key: those read before the tasks that are under way."""
        return [row for row in self.all() if row.status == "read" and not is_provisional(row.key)]

    def of_task(self, task_id: str) -> list[ReportSource]:
        """Return the task's sources so far, failures included, in order of fetching."""
        return sorted((row for row in self.all() if row.task_id == task_id), key=lambda row: place_of(row.key))

    def texts(self, rows: Iterable[ReportSource]) -> dict[str, SourceText]:
        """Return those of the sources that were read with their passages, by key."""
        read = {row.key: row for row in rows if row.status == "read"}
        passages: dict[str, list[Passage]] = {key: [] for key in read}
        own = ReportPassage.report_id == self.held.report_id, ReportPassage.source_key.in_(read)
        for one in self.held.values(select(ReportPassage).where(*own).order_by(ReportPassage.position)):
            passages[one.source_key].append(Passage(one.text, one.start_char, one.end_char, one.page_no))
        return {
            key: SourceText(reference_of(row), row.domain, tuple(passages[key]), row.language or "en")
            for key, row in read.items()
        }


def reference_of(row: ReportSource) -> Reference:
    """Return the reference that a source's row holds."""
    return Reference.model_validate({name: getattr(row, name) for name in ("key", *WORK)})


def is_provider(row: ReportSource) -> bool:
    """Return whether a row records a failed provider instead of a source."""
    return row.status == "failed" and row.key.endswith(f".{row.provider}")


def place_of(key: str) -> tuple[str, int]:
    """Split a provisional key into task id and number; 0 if it ends in no number."""
    task_id, _, number = key.rpartition(".")
    return task_id, int(number) if number.isdigit() else 0


def is_provisional(key: str) -> bool:
    """Return whether a key is provisional: it has a full stop, which no citation key has."""
    return "." in key
