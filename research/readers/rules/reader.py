"""The reader without a model: precise before complete, and it reads nothing but plain statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from research.material import SourceText
from research.meaning import Meaning
from research.memo import CatalogCandidate, Gap
from research.memo.worker_result import Finding, PlannedTask
from research.questions.asking import asking_parts
from research.readers.protocol import (
    Asked,
    DraftSentence,
    Evidence,
    FaultySentence,
    GeneratedQueries,
    Outline,
    Plan,
    ReaderLog,
    Value,
)
from research.readers.rules.agreement import agreements
from research.readers.rules.digest import digest
from research.readers.rules.fields import says_value
from research.readers.rules.findings import nearest_sources, read_for
from research.readers.rules.items import items_of
from research.readers.rules.outline import outline_of
from research.readers.rules.planning import plan_of, queries_of


@dataclass
class RulesReader:
    """See `research.readers.protocol.Reader`."""

    name: ClassVar[str] = "rules"
    judges: ClassVar[bool] = False

    plan = staticmethod(plan_of)
    agreement = staticmethod(agreements)
    draft = staticmethod(digest)

    meaning: Meaning
    log: ReaderLog = field(default_factory=ReaderLog)

    def queries(self, asked: Asked, tasks: Sequence[PlannedTask], most: int) -> Mapping[str, GeneratedQueries]:
        """See `Reader.queries`."""
        made = {one.task_id: queries_of(one.kind, one.question, year=asked.year, limit=most) for one in tasks}
        return {task_id: GeneratedQueries(queries, fallback=True) for task_id, queries in made.items()}

    def findings(
        self, asked: Asked, questions: Sequence[str], sources: Mapping[str, SourceText]
    ) -> Mapping[str, list[Finding]]:
        """See `Reader.findings`."""
        parts = asking_parts(asked.query)
        # A part does not name the subject of the request, so that its words stand in sources on other subjects.
        nearest = nearest_sources(asked.query, sources, self.meaning) if parts else sources
        return {
            question: read_for(question, nearest if question in parts else sources, self.meaning)
            for question in questions
        }

    def items(
        self, asked: Asked, sources: Mapping[str, SourceText], known: Sequence[CatalogCandidate] = ()
    ) -> list[CatalogCandidate]:
        """See `Reader.items`."""
        return items_of(asked, sources, known, self.log)

    def proven(self, asked: Asked, values: Sequence[Value], sources: Mapping[str, SourceText]) -> list[str | None]:
        """See `Reader.proven`."""
        return [value.value if says_value(value) else None for value in values]

    def gaps(self, asked: Asked, plan: Plan, findings: Mapping[str, Sequence[Finding]]) -> list[Gap]:
        """Return none: `research.gap_detection` finds those that rules can find."""
        return []

    def outline(self, asked: Asked, plan: Plan, evidence: Sequence[Evidence]) -> Outline:
        """See `Reader.outline`."""
        return outline_of(asked, plan, evidence, self.meaning)

    def mended(self, asked: Asked, faulty: Sequence[FaultySentence]) -> list[DraftSentence | None]:
        """Return None for each: verbatim sentences have no faults to mend."""
        return [None] * len(faulty)
