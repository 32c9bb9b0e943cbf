"""What a reader is asked about a report's question and its sources, and the form of the answers.

There are two: `research.readers.rules` and `research.readers.model`. Only `research.readers.choice` knows which
one is at work. A reader returns nothing that does not stand in its sources: quotations are verified here, not by
callers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Protocol

from research.config import Language
from research.material import SourceText
from research.meaning import Meaning
from research.memo import CatalogCandidate, Gap
from research.memo.worker_result import Finding, PlannedTask
from research.report_type import ReportType


@dataclass(frozen=True)
class Asked:
    """The request of a report as a person confirmed it on the form."""

    query: str
    report_type: ReportType
    language: Language
    #: Year of the request.
    year: int
    #: Keys of the fields that every item should have, without the name; empty for a narrative.
    fields: tuple[str, ...] = ()
    #: Number of requested items; None for a narrative.
    count: int | None = None


@dataclass(frozen=True)
class Plan:
    """The questions of Round 1 and the aspects that the report should say something about."""

    #: Full sentences, each understood by itself.
    questions: tuple[str, ...]
    #: Two to four words each, as short headings.
    aspects: tuple[str, ...]
    #: One sentence, shown on the report's page.
    reasoning: str
    #: Proposed numbers of web, academic and book researchers; None: the default decides.
    researchers: tuple[int, int, int] | None = None
    #: One sentence on why these researchers; empty where none are proposed.
    allocation_reasoning: str = ""


@dataclass(frozen=True)
class GeneratedQueries:
    """Search queries of one task, in the order in which to try them."""

    queries: list[str]
    #: Whether they were made by rule.
    fallback: bool = False


@dataclass(frozen=True)
class Value:
    """A value of an item that a catalog is about to publish, with the quotation that should prove it."""

    item: str
    field: str
    value: str
    quote: str
    source_key: str


#: "contradicts" also where two studies or accounts give other figures or opposite findings on the same matter.
Agreement = Literal["agrees", "contradicts", "unrelated"]


#: Kinds of proof, strongest first; "report" is any source without a sign of another kind.
STRENGTHS = ("trial", "survey", "official", "report", "provider", "opinion")


@dataclass(frozen=True)
class Evidence:
    """A finding as the writer gets it, with what a reader of the report should know about its source."""

    #: Short and unique in the report: "e1", "e2".
    evidence_id: str
    finding: Finding
    #: The sentence before it in its source, so that a pronoun can be resolved; not to be quoted.
    before: str
    title: str
    publisher: str
    year: int | None
    language: str
    #: How much the kind of source proves: one of `STRENGTHS`.
    strength: str


@dataclass(frozen=True)
class SectionOutline:
    """A section to be written: a short heading, the question that it answers, and the evidence for it."""

    heading: str
    question: str
    #: Ids of the evidence, best first.
    evidence_ids: tuple[str, ...]


@dataclass(frozen=True)
class Outline:
    """The sections of a narrative in order, and what the request asks and no evidence says."""

    sections: tuple[SectionOutline, ...] = ()
    #: Short phrases as the officer would put them, for the limits.
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class SectionRequest:
    """One section and all evidence that may be used for it."""

    asked: Asked
    section: SectionOutline
    evidence: tuple[Evidence, ...]
    #: Headings of the other sections, whose subjects are not repeated here; for the summary what stands in the
    #: report, each section with its first sentence.
    others: tuple[str, ...] = ()
    #: Whether it is the summary, whose first sentence answers the question.
    is_summary: bool = False
    most_sentences: int = 10
    #: Ids of two pieces of evidence that contradict each other: both are said, or neither.
    disagreements: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class DraftQuote:
    """The words of a source that carry a sentence."""

    source_key: str
    quote: str


@dataclass(frozen=True)
class DraftSentence:
    """A sentence of a section and its quotations; the writing room verifies both before it publishes them."""

    text: str
    quotes: tuple[DraftQuote, ...]
    new_paragraph: bool = False
    #: Verbatim from its source, so that it is published in quotation marks.
    verbatim: bool = False


@dataclass(frozen=True)
class Draft:
    """The sentences of a section."""

    sentences: tuple[DraftSentence, ...]


@dataclass(frozen=True)
class FaultySentence:
    """A drafted sentence that cannot be published, and what it could be mended from."""

    sentence: DraftSentence
    #: What its quotations do not support, in words for a model.
    faults: tuple[str, ...]
    #: The evidence of its section that is nearest to it.
    evidence: tuple[Evidence, ...]


@dataclass
class ReaderLog:
    """What a reader dropped or could not do, for the report's limits and for the log."""

    #: Replies that could not be used even after a repair; the rules read these parts: "items", "section: Costs".
    parts_by_rule: list[str] = field(default_factory=list)
    #: Quotations that stand in no source.
    unproven: int = 0
    #: Items left out, each with the reason.
    left_out: list[tuple[str, str]] = field(default_factory=list)

    def clear(self) -> None:
        """Forget everything."""
        self.parts_by_rule.clear()
        self.left_out.clear()
        self.unproven = 0


class Reader(Protocol):
    """One that reads. No method raises for a model that fails: the rules answer instead, and `log` says so.

    Every method is deterministic for the same input and recorded replies. Raises BudgetSpentError nowhere: an
    exhausted budget is a model that fails. CancelRequestedError and LeaseLostError pass through.
    """

    #: "model" or "rules".
    name: ClassVar[str]
    #: Whether each finding was judged to answer its question; otherwise it is only near it.
    judges: ClassVar[bool]
    log: ReaderLog
    #: Which texts are near each other, for callers that order them.
    meaning: Meaning

    def plan(self, asked: Asked, most_questions: int) -> Plan:
        """Return the questions and aspects of a report."""
        ...

    def queries(self, asked: Asked, tasks: Sequence[PlannedTask], most: int) -> Mapping[str, GeneratedQueries]:
        """Return at most `most` queries per task id, in the language of the request or in the other one."""
        ...

    def findings(
        self, asked: Asked, questions: Sequence[str], sources: Mapping[str, SourceText]
    ) -> Mapping[str, list[Finding]]:
        """Return for each question the sentences or short passages that answer it, best first, verbatim."""
        ...

    def items(
        self, asked: Asked, sources: Mapping[str, SourceText], known: Sequence[CatalogCandidate] = ()
    ) -> list[CatalogCandidate]:
        """Return the items that the sources prove, each value with its quotation.

        `known`: items found before, of which more is looked for. Items that do not answer the question
        are left out, with the reason in `log`.
        """
        ...

    def proven(self, asked: Asked, values: Sequence[Value], sources: Mapping[str, SourceText]) -> list[str | None]:
        """Return each value as far as its quotation says it of that item, or None.

        What stands before a quotation in its source may tell of whom or what it speaks.
        """
        ...

    def agreement(self, pairs: Sequence[tuple[Evidence, Evidence]]) -> list[Agreement]:
        """Return for each pair of different sources how they relate."""
        ...

    def gaps(self, asked: Asked, plan: Plan, findings: Mapping[str, Sequence[Finding]]) -> list[Gap]:
        """Return what the question asks for and the findings do not say, at most five; rules find none here."""
        ...

    def outline(self, asked: Asked, plan: Plan, evidence: Sequence[Evidence]) -> Outline:
        """Return the sections of a narrative, without summary and limits; each has evidence."""
        ...

    def draft(self, request: SectionRequest) -> Draft:
        """Return the sentences of a section; none if the evidence does not answer it."""
        ...

    def mended(self, asked: Asked, faulty: Sequence[FaultySentence]) -> list[DraftSentence | None]:
        """Return each sentence mended, or None for one that is better left out; all in one call."""
        ...
