"""Integration by a model: it inserts sentences into one section, each held by quotations that are verified."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from core.llm import Model
from core.messages import Message
from core.saying import say
from research.citations import claims_something
from research.document import ReportDocument, Section
from research.markdown_text import as_markdown
from research.meaning import Meaning, Text, order_by_nearness
from research.memo.worker_result import Finding
from research.readers.model.passages import plain as as_data
from research.readers.protocol import Asked, DraftQuote, DraftSentence
from research.report_type import ReportType
from research.supervision.integration.placing import (
    claim_book,
    pieces_of,
    with_insertions,
    with_references,
    with_section,
)
from research.supervision.outline import plain
from research.supervision.prompts import INTEGRATE_SYSTEM, INTEGRATE_USER, REFUSED
from research.supervision.types import Expansion, Integration, Issue
from research.text import split_sentences
from research.writing.checking import Checker, unmarked
from research.writing.desk import Sources

#: Characters before an excerpt in which the sentence before it is looked for.
_BEFORE = 600


class Quoted(BaseModel):
    """Words of an excerpt that carry a sentence."""

    model_config = ConfigDict(extra="forbid")

    excerpt: str
    words: str


class Sentence(BaseModel):
    """A new sentence."""

    model_config = ConfigDict(extra="forbid")

    text: str
    quotes: list[Quoted] = Field(default_factory=list)


class Insertion(BaseModel):
    """Sentences that follow each other at one place."""

    model_config = ConfigDict(extra="forbid")

    #: Number of the sentence that they follow; 0 for a new section.
    after: int = Field(ge=0)
    #: Of a new section.
    heading: str = Field(default="", max_length=120)
    sentences: list[Sentence] = Field(min_length=1, max_length=8)


class Revision(BaseModel):
    """The reply: what is inserted; nothing if no excerpt closes the gap."""

    model_config = ConfigDict(extra="forbid")

    insertions: list[Insertion] = Field(max_length=4)


@dataclass(frozen=True)
class ModelIntegrator:
    """Integrates findings with a model."""

    model: Model
    meaning: Meaning

    def integrate(
        self, document: ReportDocument, issue: Issue, expansion: Expansion, refused: Sequence[Message]
    ) -> Integration | None:
        """See `SupervisionContext.integrate`. Sentences without a verified quotation are dropped."""
        section = self._section(document, issue)
        pieces = pieces_of(section.body, document.language)
        excerpts = {f"e{number}": one for number, one in enumerate(expansion.findings, start=1)}
        numbered = enumerate((plain(piece.text).strip() for piece in pieces), start=1)
        problems = "\n".join(f"- {say(problem)}" for problem in refused)
        user = INTEGRATE_USER.format(
            title=document.title,
            language=document.language,
            topic=issue.topic,
            why=issue.rationale,
            guidance=issue.integration_guidance or "Where it fits best.",
            excerpts="\n".join(_shown(name, finding, expansion) for name, finding in excerpts.items()),
            heading=section.heading,
            section="\n".join(f"({number}) {text}" for number, text in numbered),
            others="; ".join(one.heading for one in document.sections if one.key != section.key) or "(none)",
            refused=REFUSED.format(problems=problems) if problems else "",
        )
        revision, _ = self.model.ask(INTEGRATE_SYSTEM, user, Revision, purpose="integrate_content")
        if not revision.insertions:
            return None
        asked = Asked(document.title, ReportType.NARRATIVE, document.language, year=0)
        book = claim_book(revision, expansion.findings)
        checker = Checker(asked, Sources(expansion.sources), book)
        within, after = dict[int, str](), document
        for insertion in revision.insertions:
            text, heading = _published(insertion.sentences, checker, excerpts), unmarked(insertion.heading)
            place = min(insertion.after, len(pieces))
            if text and place == 0 and heading:
                after = with_section(after, section.key, heading, text)
            elif text:
                place = place or len(pieces)
                within[place] = f"{within[place]} {text}" if place in within else text
        after = with_insertions(after, section.key, pieces, within)
        return Integration(with_references(after, expansion), book.all)

    def _section(self, document: ReportDocument, issue: Issue) -> Section:
        """Return the issue's section, or the one nearest to it."""
        if own := next((one for one in document.sections if one.key == issue.section), None):
            return own
        sections = [one for one in document.sections if one.body.strip()] or list(document.sections)
        texts = [Text(f"{one.heading} {plain(one.body)}", document.language) for one in sections]
        return sections[order_by_nearness(f"{issue.topic} {issue.rationale}", texts, self.meaning)[0]]


def _published(sentences: Sequence[Sentence], checker: Checker, excerpts: Mapping[str, Finding]) -> str:
    """Return the sentences with their markers; one without quotations may only follow one that has some."""
    kept: list[str] = []
    for sentence in sentences:
        quotes = tuple(
            DraftQuote(excerpts[one.excerpt].source_key, one.words)
            for one in sentence.quotes
            if one.excerpt in excerpts
        )
        text = unmarked(sentence.text)
        if sentence.quotes:
            checked, _ = checker.check(DraftSentence(sentence.text, quotes), [*excerpts.values()])
            if checked:
                markers = dict.fromkeys(checker.book.marker(text, place) for place in checked.places)
                kept.append(f"{as_markdown(text)} {' '.join(markers)}")
        elif kept and text and not claims_something(text, checker.asked.language):
            kept.append(as_markdown(text))
    return " ".join(kept)


def _shown(name: str, finding: Finding, expansion: Expansion) -> str:
    """Return a finding as a model gets it, with its source and the sentence before it in the paragraph."""
    source = expansion.sources[finding.source_key]
    paragraph = source.text[max(0, finding.start_char - _BEFORE) : finding.start_char].rpartition("\n\n")[2]
    spans = split_sentences(paragraph, source.language)
    sentence = " ".join(paragraph[slice(*spans[-1])].split()) if spans else ""
    before = f"[before: {as_data(sentence)}] " if sentence else ""
    told = (source.reference.title, source.reference.publisher or source.domain, str(source.reference.year or ""))
    shown = re.sub(r'[<>"]', " ", ", ".join(one for one in told if one))
    return f'<{name} source="{shown}">{before}{as_data(" ".join(finding.quote.split()))}</{name}>'
