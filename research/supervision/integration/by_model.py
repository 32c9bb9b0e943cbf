"""Integration by a model: it inserts sentences into one section, each held by quotations that are verified."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from core.llm import Model
from core.messages import Message
from core.saying import say
from research.citations import claims_something
from research.document import ReportDocument, Section
from research.markdown_text import as_markdown
from research.markdown_text.printable import clean
from research.meaning import Meaning, Text, order_by_nearness
from research.supervision.integration.claims import RevisionClaims
from research.supervision.integration.excerpts import Excerpt, excerpts_of, shown
from research.supervision.integration.placing import (
    Piece,
    pieces_of,
    with_insertions,
    with_references,
    with_section,
)
from research.supervision.loop.context import Expansion, Integration
from research.supervision.plain_text import plain
from research.supervision.prompts import INTEGRATE_SYSTEM, INTEGRATE_USER, REFUSED
from research.supervision.types import Issue
from research.writing.support import faults_of

#: What no sentence may bring along: markers and notes in brackets, marks of Markdown.
_BRACKETED = re.compile(r"(?>(?:(?<!\s)\s++)?)\[[^\]\n]{0,80}\]|[*_`#|<>]")


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
    """See `Integrator`."""

    model: Model
    meaning: Meaning

    def integrate(
        self, document: ReportDocument, issue: Issue, expansion: Expansion, refused: Sequence[Message]
    ) -> Integration | None:
        """See `Integrator.integrate`. Sentences without a verified quotation are dropped."""
        section = self._section(document, issue)
        pieces = pieces_of(section.body, document.language)
        excerpts = excerpts_of(expansion)
        user = INTEGRATE_USER.format(
            title=document.title,
            language=document.language,
            topic=issue.topic,
            why=issue.rationale,
            guidance=issue.integration_guidance or "Where it fits best.",
            excerpts="\n".join(shown(excerpt) for excerpt in excerpts),
            heading=section.heading,
            section=_numbered(pieces),
            others="; ".join(one.heading for one in document.sections if one.key != section.key) or "(none)",
            refused=_refused(refused),
        )
        revision, _ = self.model.ask(INTEGRATE_SYSTEM, user, Revision, purpose="integrate_content")
        if not revision.insertions:
            return None
        writing = _Writing(document, RevisionClaims(expansion), {one.name: one for one in excerpts})
        after = writing.revised(section, pieces, revision)
        return Integration(with_references(after, expansion), writing.claims.all)

    def _section(self, document: ReportDocument, issue: Issue) -> Section:
        """Return the issue's section, or the one nearest to it."""
        sections = [one for one in document.sections if one.body.strip()] or list(document.sections)
        if own := next((one for one in document.sections if one.key == issue.section), None):
            return own
        texts = [Text(f"{one.heading} {plain(one.body)}", document.language) for one in sections]
        return sections[order_by_nearness(f"{issue.topic} {issue.rationale}", texts, self.meaning)[0]]


@dataclass(frozen=True)
class _Writing:
    """Turns the reply into text, sentence by sentence."""

    document: ReportDocument
    claims: RevisionClaims
    excerpts: dict[str, Excerpt]

    def revised(self, section: Section, pieces: Sequence[Piece], revision: Revision) -> ReportDocument:
        """Return the document with the sentences that may be published."""
        within: dict[int, str] = {}
        after = self.document
        for insertion in revision.insertions:
            text = self._text(insertion.sentences)
            heading = _plain_line(insertion.heading)
            place = min(insertion.after, len(pieces))
            if text and place == 0 and heading:
                after = with_section(after, section.key, heading, text)
            elif text:
                place = place or len(pieces)
                within[place] = f"{within[place]} {text}" if place in within else text
        return with_insertions(after, section.key, pieces, within)

    def _text(self, sentences: Sequence[Sentence]) -> str:
        """Return the sentences with their markers; one without quotations may only follow one that has some."""
        kept: list[str] = []
        for sentence in sentences:
            text = _plain_line(sentence.text)
            if sentence.quotes:
                kept += self._carried(text, sentence.quotes)
            elif kept and text and not claims_something(text, self.document.language):
                kept.append(as_markdown(text))
        return " ".join(kept)

    def _carried(self, text: str, quotes: Sequence[Quoted]) -> list[str]:
        """Return the sentence with its markers; nothing if its quotations do not stand or do not carry it."""
        given = [(one.words, self.excerpts[one.excerpt]) for one in quotes if one.excerpt in self.excerpts]
        found = [claim for words, excerpt in given if (claim := self.claims.verified(words, excerpt.key))]
        language = self.document.language
        same = all(self.claims.expansion.sources[one.source_key or ""].language == language for one in found)
        known = " ".join([self.document.title, *(excerpt.source for _, excerpt in given)])
        if not text or faults_of(text, [claim.quote for claim in found], known, language if same else None):
            return []
        markers = dict.fromkeys(self.claims.publish(claim, text) for claim in found)
        return [f"{as_markdown(text)} {' '.join(markers)}"]


def _numbered(pieces: Sequence[Piece]) -> str:
    return "\n".join(f"({number}) {plain(piece.text).strip()}" for number, piece in enumerate(pieces, start=1))


def _plain_line(text: str) -> str:
    return " ".join(_BRACKETED.sub("", clean(text)).split())


def _refused(problems: Sequence[Message]) -> str:
    listed = "\n".join(f"- {say(problem)}" for problem in problems)
    return REFUSED.format(problems=listed) if problems else ""
