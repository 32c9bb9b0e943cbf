"""The data that readers get and return: requests, sources, queries, findings, evidence, drafts, reports."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from research.config import Language
from research.document import CheckedClaim, Reference, ReportDocument
from research.memo import Finding, Kind, ResearchMemo
from research.questions.wording import fold_words
from research.report_type import ReportType
from research.sources.base import Passage


@dataclass(frozen=True)
class Asked:
    """The request of a report as a person confirmed it on the form."""

    query: str
    report_type: ReportType
    language: Language
    #: Year of the request, which stays if a report is resumed in the next year.
    year: int
    #: Keys of the fields that every item should have, without the name; empty for a narrative.
    fields: tuple[str, ...] = ()
    #: Number of requested items; None for a narrative.
    count: int | None = None


@dataclass(frozen=True)
class Plan:
    """The questions of Round 1 and the aspects that the report should cover."""

    #: Full sentences, each understood by itself.
    questions: tuple[str, ...]
    #: Two to four words each, as short headings.
    aspects: tuple[str, ...]
    #: One sentence, shown on the report's page.
    reasoning: str
    #: Proposed numbers of web, academic and book researchers; None: the default decides.
    researchers: tuple[int, int, int] | None = None
    #: One sentence on why these researchers; empty without a proposal.
    allocation_reasoning: str = ""


@dataclass(frozen=True)
class GeneratedQueries:
    """Search queries of one task, in the order in which to try them."""

    queries: list[str]
    #: Whether they were made only from the words of the question.
    fallback: bool = False


@dataclass(frozen=True)
class ItemValue:
    """A value of an item that a catalog is about to publish, with the quotation that should prove it."""

    item: str
    field: str
    value: str
    quote: str
    source_key: str


#: Most words of a cell of a catalog's table.
WORDS_OF_A_CELL = 12


@dataclass(frozen=True)
class LongCell:
    """A field of an item whose values are too long for a cell of the table."""

    item: str
    field: str
    #: The best first.
    values: tuple[str, ...]


#: "contradicts" includes different figures or opposite findings of two studies on the same matter.
Agreement = Literal["agrees", "contradicts", "unrelated"]


#: Kinds of proof, strongest first; "report" is any source without a sign of another kind.
STRENGTHS = ("trial", "survey", "official", "report", "provider", "opinion")


@dataclass(frozen=True)
class Evidence:
    """A finding for the writer, with facts about its source."""

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
class NarrativeOutline:
    """The sections of a narrative in order, and the parts of the request without evidence."""

    sections: tuple[SectionOutline, ...] = ()
    #: Short phrases in the words of the officer, for the limits.
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class SectionRequest:
    """One section and all evidence that may be used for it."""

    asked: Asked
    heading: str
    question: str
    #: The best first.
    evidence: tuple[Evidence, ...]
    #: Headings of the other sections, whose subjects are not repeated here; for the summary each section of the
    #: report with its first sentence.
    others: tuple[str, ...] = ()
    #: Whether it is the summary, whose first sentence answers the question.
    is_summary: bool = False
    most_sentences: int = 10
    #: Pairs of ids of contradictory evidence: the section quotes both or neither.
    disagreements: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class DraftQuote:
    """The words of a source that carry a sentence."""

    source_key: str
    quote: str


@dataclass(frozen=True)
class DraftSentence:
    """A sentence of a section and its quotations; `research.writing` verifies both before publication."""

    text: str
    quotes: tuple[DraftQuote, ...]
    new_paragraph: bool = False
    #: Verbatim from its source, so that it is published in quotation marks.
    verbatim: bool = False


@dataclass(frozen=True)
class FaultySentence:
    """A drafted sentence that cannot be published, and evidence to mend it with."""

    sentence: DraftSentence
    #: What its quotations do not support, phrased for a model.
    faults: tuple[str, ...]
    #: The evidence of its section that is nearest to it.
    evidence: tuple[Evidence, ...]


@dataclass
class ReaderLog:
    """What a reader dropped or failed to do, for the report's limits and for the log."""

    #: Parts without a usable reply, even after a repair: "items", "section: Costs".
    unread_parts: list[str] = field(default_factory=list)
    #: Number of quotations that are in no source.
    unproven: int = 0
    #: Items left out, each with the reason.
    left_out: list[tuple[str, str]] = field(default_factory=list)


# Clean queries for search engines: one line, limited length, no operator characters.


#: Most characters of a query: Tavily's limit, which is below that of the others.
LONGEST: dict[Kind, int] = {"web": 400, "academic": 250, "book": 150}
#: Operators of the scholarly index (wildcards) and of the book catalogue (Solr's syntax).
_COMMANDS: dict[Kind, re.Pattern[str]] = {
    "web": re.compile(r"[\x00-\x1f]"),
    "academic": re.compile(r"[*?~^|!\\\x00-\x1f]"),
    "book": re.compile(r"[*?~^|!\\:/+(){}\[\]&\x00-\x1f]"),
}
_NUMBERING = re.compile(
    r"^\s*+(?:[-*•·]\s++|\(?\d{1,2}[.):]\s++|(?:query|search|consulta|búsqueda)\s*+\d*+\s*+:\s*+)+", re.IGNORECASE
)
_QUOTES = str.maketrans("“”«»„", '"""""')


def clean_query(query: str, kind: Kind) -> str:
    """Return the query to send; "" if nothing searchable remains."""
    text = _NUMBERING.sub("", query.translate(_QUOTES))
    text = " ".join(_COMMANDS[kind].sub(" ", text).split()).strip(" ,;")
    if len(text) > LONGEST[kind]:
        text = text[: LONGEST[kind] + 1].rpartition(" ")[0] or text[: LONGEST[kind]]
    if text.count('"') % 2:
        text = " ".join(text.replace('"', " ").split())
    return text if any(char.isalnum() for char in text) else ""


def distinct(queries: Iterable[str]) -> list[str]:
    """Drop empty queries and those that differ only in case, accents or spaces."""
    seen: dict[str, str] = {}
    for query in filter(None, queries):
        seen.setdefault(" ".join(fold_words(query).split()), query)
    return list(seen.values())


# A read source, and a written report.


@dataclass(frozen=True)
class SourceText:
    """A read source with its full text."""

    reference: Reference
    domain: str
    passages: tuple[Passage, ...]
    language: str = "en"

    @property
    def text(self) -> str:
        """The full text, in which quotations are verified."""
        return "".join(passage.text for passage in self.passages)

    def page_at(self, position: int) -> int | None:
        """Return the number of the page that holds a position of the text; None if it is on no numbered page."""
        return next((one.page_no for one in self.passages if one.start_char <= position < one.end_char), None)


@dataclass(frozen=True)
class WrittenReport:
    """A document, and every claim that was checked for it, published or dropped."""

    document: ReportDocument
    claims: tuple[CheckedClaim, ...] = ()
    #: The last memo as adjusted to the report; None if it is unchanged.
    memo: ResearchMemo | None = None
