"""The reader: by rule here, precise before complete; `research.readers.model` asks a model instead.

Only `research.readers.choice` knows which one is at work. A reader returns nothing that does not stand in its
sources: quotations are verified here, not by callers.
"""

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
    Agreement,
    Asked,
    DraftSentence,
    Evidence,
    FaultySentence,
    GeneratedQueries,
    Outline,
    Plan,
    ReaderLog,
    SectionRequest,
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
class Reader:
    """One that reads. No method raises for a model that fails: the rules answer instead, and `log` says so.

    Every method is deterministic for the same input and recorded replies. Raises BudgetSpentError nowhere: an
    exhausted budget is a model that fails. CancelRequestedError and LeaseLostError pass through.
    """

    #: Whether each finding was judged to answer its question; otherwise it is only near it.
    judges: ClassVar[bool] = False

    #: Which texts are near each other, for callers that order them.
    meaning: Meaning
    log: ReaderLog = field(default_factory=ReaderLog)

    def plan(self, asked: Asked, most_questions: int) -> Plan:
        """Return the questions and aspects of a report."""
        return plan_of(asked, most_questions)

    def queries(self, asked: Asked, tasks: Sequence[PlannedTask], most: int) -> Mapping[str, GeneratedQueries]:
        """Return at most `most` queries per task id, in the language of the request or in the other one."""
        made = {one.task_id: queries_of(one.kind, one.question, year=asked.year, limit=most) for one in tasks}
        return {task_id: GeneratedQueries(queries, fallback=True) for task_id, queries in made.items()}

    def findings(
        self, asked: Asked, questions: Sequence[str], sources: Mapping[str, SourceText]
    ) -> Mapping[str, list[Finding]]:
        """Return for each question the sentences or short passages that answer it, best first, verbatim."""
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
        """Return the items that the sources prove, each value with its quotation.

        `known`: items found before, of which more is looked for. Items that do not answer the question
        are left out, with the reason in `log`.
        """
        return items_of(asked, sources, known, self.log)

    def proven(self, asked: Asked, values: Sequence[Value], sources: Mapping[str, SourceText]) -> list[str | None]:
        """Return each value as far as its quotation says it of that item, or None.

        What stands before a quotation in its source may tell of whom or what it speaks.
        """
        return [value.value if says_value(value) else None for value in values]

    def agreement(self, pairs: Sequence[tuple[Evidence, Evidence]]) -> list[Agreement]:
        """Return for each pair of different sources how they relate."""
        return agreements(pairs)

    def gaps(self, asked: Asked, plan: Plan, findings: Mapping[str, Sequence[Finding]]) -> list[Gap]:
        """Return what the question asks for and the findings do not say, at most five.

        By rule none: `research.gap_detection` finds those that rules can find.
        """
        return []

    def outline(self, asked: Asked, plan: Plan, evidence: Sequence[Evidence]) -> Outline:
        """Return the sections of a narrative, without summary and limits; each has evidence."""
        return outline_of(asked, plan, evidence, self.meaning)

    def draft(self, request: SectionRequest) -> list[DraftSentence]:
        """Return the sentences of a section; none if the evidence does not answer it."""
        return digest(request)

    def mended(self, asked: Asked, faulty: Sequence[FaultySentence]) -> list[DraftSentence | None]:
        """Return each sentence mended, or None for one that is better left out; all in one call.

        Verbatim sentences have no faults to mend.
        """
        return [None] * len(faulty)
