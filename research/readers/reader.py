"""The reader: what a model is asked for, and what there is without one: plans and searches from the words of the
request, and passages of the sources as they stand.

Only `research.readers.choice` knows which one is at work. A reader returns nothing that does not stand in its
sources: quotations are verified here, not by callers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from research.material import SourceText
from research.meaning import Meaning
from research.memo import CatalogCandidate, Gap
from research.memo.worker_result import Finding, PlannedTask
from research.questions.asking import asking_parts, subject_of_all
from research.questions.catalog_fields import named_fields
from research.readers.listing import MOST_OF_AN_ASPECT, Aspect, Shelf
from research.readers.protocol import (
    Agreement,
    Asked,
    DraftQuote,
    DraftSentence,
    Evidence,
    FaultySentence,
    GeneratedQueries,
    LongCell,
    Outline,
    Plan,
    ReaderLog,
    SectionRequest,
    Value,
)
from research.readers.shown import shown
from research.readers.statements import speaks_to_machines
from research.readers.vocabulary import folded
from research.readers.wording_plan import plan_of, queries_of
from research.report_type import ReportType

#: Most passages that stand in place of a section.
_PASSAGES = 5
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")


@dataclass
class Reader:
    """One that reads. No method raises for a model that fails: passages take its place, and `log` says so.

    Every method is deterministic for the same input and recorded replies. Raises BudgetSpentError nowhere: an
    exhausted budget is a model that fails. CancelRequestedError and LeaseLostError pass through.
    """

    #: Whether a model reads; without one a report is a reading list.
    judges: ClassVar[bool] = False

    #: Which texts are near each other, for callers that order them.
    meaning: Meaning
    log: ReaderLog = field(default_factory=ReaderLog)

    def fields(self, asked: Asked) -> Sequence[str]:
        """Return what the request of a catalog wants to know of each item, in its words and order."""
        return named_fields(asked.query)

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
        """Return for each question the sentences or short passages that answer it, best first, verbatim.

        Without a model, the passages that a reading list has on it.
        """
        shelf, subject = Shelf(sources, self.meaning), subject_of_all(asked.query, asked.language)
        # What is asked for a catalog is asked of its items, and a part of a request does not name its subject.
        # Another question, as of a gap in a report, is on a subject of its own.
        own = set() if asked.report_type is ReportType.CATALOG else {*questions} - {*asking_parts(asked.query)}
        return {
            question: shelf.on(Aspect(question, question if question in own else subject), MOST_OF_AN_ASPECT)
            for question in questions
        }

    def items(
        self, asked: Asked, sources: Mapping[str, SourceText], known: Sequence[CatalogCandidate] = ()
    ) -> list[CatalogCandidate]:
        """Return the items that the sources prove, each value with its quotation; without a model none.

        `known`: items found before, of which more is looked for. Items that do not answer the question
        are left out, with the reason in `log`.
        """
        return []

    def proven(self, asked: Asked, values: Sequence[Value], sources: Mapping[str, SourceText]) -> list[str | None]:
        """Return each value as far as its quotation says it of that item, or None.

        Where no model said so, only what its quotation has word for word.
        """
        return [value.value if _is_quoted(value) else None for value in values]

    def cells(self, asked: Asked, long: Sequence[LongCell]) -> list[str]:
        """Return each cell in a few words, in the unit that the request names; "" where no model said it.

        What is returned is not verified.
        """
        return [""] * len(long)

    def agreement(self, pairs: Sequence[tuple[Evidence, Evidence]]) -> list[Agreement]:
        """Return for each pair of different sources how they relate; without a model nothing is compared."""
        return ["unrelated"] * len(pairs)

    def gaps(self, asked: Asked, plan: Plan, findings: Mapping[str, Sequence[Finding]]) -> list[Gap]:
        """Return what the question asks for and the findings do not say, at most five.

        Without a model none: `research.gap_detection` finds the topics that nothing covers.
        """
        return []

    def outline(self, asked: Asked, plan: Plan, evidence: Sequence[Evidence]) -> Outline:
        """Return the sections of a narrative, without summary and limits; each has evidence.

        Without a model none: a reading list takes the place of the narrative.
        """
        return Outline()

    def draft(self, request: SectionRequest) -> list[DraftSentence]:
        """Return the sentences of a section; none if the evidence does not answer it.

        Where no model wrote it, the best passages of its evidence as they stand.
        """
        quotes = dict.fromkeys((one.finding.source_key, shown(one.finding.quote)) for one in request.evidence)
        fit = [(key, text) for key, text in quotes if not speaks_to_machines(text)]
        return [
            DraftSentence(text, (DraftQuote(key, text),), new_paragraph=True, verbatim=True)
            for key, text in fit[:_PASSAGES]
        ]

    def mended(self, asked: Asked, faulty: Sequence[FaultySentence]) -> list[DraftSentence | None]:
        """Return each sentence mended, or None for one that is better left out; all in one call.

        Without a model they are left out.
        """
        return [None] * len(faulty)


def _is_quoted(value: Value) -> bool:
    """Return whether every number and word of a value stands in its quotation."""
    told, quoted = (set(_WORD.findall(folded(text))) for text in (value.value, value.quote))
    return bool(told) and told <= quoted
