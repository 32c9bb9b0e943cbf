"""Ask a model to arrange evidence into sections, to write them, and to mend sentences that cannot be published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import Field

from research.citations import verify_quote
from research.readers.assignment import assigned
from research.readers.model.asking import LANGUAGE_NAMES, Asking, Reply, or_passages
from research.readers.model.passages import plain
from research.readers.model.reading_prompts import DATA
from research.readers.model.writing_prompts import MEND_SYSTEM, OUTLINE_SYSTEM, SECTION_SYSTEM, SUMMARY_SYSTEM
from research.readers.protocol import (
    Asked,
    DraftQuote,
    DraftSentence,
    Evidence,
    FaultySentence,
    Outline,
    Plan,
    SectionOutline,
    SectionRequest,
)
from research.readers.shown import shown

#: Most sections, most evidence of one, and most phrases for what is missing.
_SECTIONS, _EVIDENCE, _MISSING = 8, 12, 5
#: Most words of the context of a piece of evidence, of its source's title, and of its publisher.
_CONTEXT, _TITLE, _PUBLISHER = 25, 16, 6


class SectionGiven(Reply):
    """A section as a model gives it."""

    heading: str
    question: str = ""
    aspects: list[str] = Field(default_factory=list)
    evidence: list[str] = Field(default_factory=list)


class OutlineGiven(Reply):
    """The sections in order, evidence that answers nothing, and what no evidence answers."""

    sections: list[SectionGiven] = Field(default_factory=list)
    left_out: list[str] = Field(default_factory=list)
    missing: list[str] = Field(default_factory=list)


class WordsGiven(Reply):
    """Words of a piece of evidence, not yet verified."""

    id: str
    words: str


class SentenceGiven(Reply):
    """A sentence and the words that carry it."""

    text: str
    evidence: list[WordsGiven] = Field(default_factory=list)
    new_paragraph: bool = False


class DraftGiven(Reply):
    """The sentences of a section in order."""

    sentences: list[SentenceGiven] = Field(default_factory=list)


class MendedGiven(SentenceGiven):
    """A mended sentence by the id of the faulty one."""

    id: str


class AllMendedGiven(Reply):
    """Mended sentences in any order; those without an id of a faulty one are ignored."""

    sentences: list[MendedGiven] = Field(default_factory=list)


class Drafting(Asking):
    """Writes narratives and summaries."""

    @or_passages
    def outline(self, asked: Asked, plan: Plan, evidence: Sequence[Evidence]) -> Outline:
        """See `Reader.outline`; what the model neither placed nor left out goes to the nearest section."""
        told = "\n".join(f"a{n}: {aspect}" for n, aspect in enumerate(plan.aspects or plan.questions, start=1))
        user = f"Request: {asked.query}\n\nAspects:\n{told}\n\n{listed(evidence, context=False)}"
        system = OUTLINE_SYSTEM.format(language=LANGUAGE_NAMES[asked.language], most=_SECTIONS)
        reply = self.ask("outline", f"{system}\n\n{DATA}", user, OutlineGiven)
        known = {one.evidence_id for one in evidence}
        found = [
            SectionOutline(
                given.heading,
                given.question or given.heading,
                tuple(one for one in given.evidence if one in known)[:_EVIDENCE],
            )
            for given in reply.sections[:_SECTIONS]
        ]
        found = [section for section in found if section.evidence_ids]
        if not found:
            raise self.unusable("outline", "nothing_known")
        placed = {one for section in found for one in section.evidence_ids} | {*reply.left_out}
        left = [one for one in evidence if one.evidence_id not in placed]
        more = assigned([section.question for section in found], left, self.meaning, _EVIDENCE)
        sections = (
            replace(section, evidence_ids=(*section.evidence_ids, *(one.evidence_id for one in of_it))[:_EVIDENCE])
            for section, of_it in zip(found, more, strict=True)
        )
        return Outline(tuple(sections), tuple(reply.missing[:_MISSING]))

    @or_passages
    def draft(self, request: SectionRequest) -> list[DraftSentence]:
        """See `Reader.draft`."""
        system, purpose, part = SECTION_SYSTEM, "section", f"section: {request.heading}"
        if request.is_summary:
            system, purpose, part = SUMMARY_SYSTEM, "summary", "summary"
        system = system.format(language=LANGUAGE_NAMES[request.asked.language], most=request.most_sentences)
        reply = self.ask(purpose, f"{system}\n\n{DATA}", _told(request), DraftGiven, part=part)
        texts = {one.evidence_id: one.finding.quote for one in request.evidence}
        if reply.sentences and not any(_stands(words, texts) for one in reply.sentences for words in one.evidence):
            raise self.unusable(part, "nothing_proven")
        given = (one for one in reply.sentences[: request.most_sentences] if one.text)
        return [_sentence(one, request.evidence) for one in given]

    @or_passages
    def mended(self, asked: Asked, faulty: Sequence[FaultySentence]) -> list[DraftSentence | None]:
        """See `Reader.mended`."""
        system = f"{MEND_SYSTEM.format(language=LANGUAGE_NAMES[asked.language])}\n\n{DATA}"
        wanted = "\n".join(
            f"s{number}: {one.sentence.text}\nFaults: {'; '.join(one.faults)}\n"
            f"Evidence: {', '.join(piece.evidence_id for piece in one.evidence)}"
            for number, one in enumerate(faulty, start=1)
        )
        pieces = list({piece.evidence_id: piece for one in faulty for piece in one.evidence}.values())
        reply = self.ask("mended", system, f"{wanted}\n\n{listed(pieces)}", AllMendedGiven)
        told = {given.id: _sentence(given, pieces) for given in reply.sentences if given.text}
        return [told.get(f"s{number}") for number in range(1, len(faulty) + 1)]


def listed(evidence: Sequence[Evidence], *, context: bool = True) -> str:
    """Return the evidence as a prompt shows it: by source in the order of their best pieces, each with its id.

    `context`: whether each piece has the sentence before it, unless that stands in the piece above.
    """
    by_source: dict[str, list[Evidence]] = {}
    for one in evidence:
        by_source.setdefault(one.finding.source_key, []).append(one)
    lines = []
    for pieces in by_source.values():
        lines.append(_opening(pieces[0]))
        above = ""
        for one in sorted(pieces, key=lambda piece: piece.finding.start_char):
            text = plain(shown(one.finding.quote))
            if context and one.before and one.before not in above:
                lines.append(f"before: {plain(' '.join(one.before.split()[-_CONTEXT:]))}")
            lines.append(f"<{one.evidence_id}>{text}</{one.evidence_id}>")
            above = text
        lines.append("</source>")
    return "\n".join(lines)


def _opening(one: Evidence) -> str:
    by = " ".join(filter(None, (_attribute(one.publisher, _PUBLISHER), str(one.year or ""))))
    return f'<source kind="{one.strength}" title="{_attribute(one.title, _TITLE)}" by="{by}">'


def _attribute(text: str, words: int) -> str:
    return " ".join(text.replace('"', "'").replace("<", " ").replace(">", " ").split()[:words])


def _told(request: SectionRequest) -> str:
    lines = [f"Request: {request.asked.query}"]
    if not request.is_summary:
        lines += [f"Section: {request.heading}", f"Question: {request.question}"]
    if request.is_summary and request.others:
        lines += ["The report holds:", *(f"- {plain(one)}" for one in request.others)]
    elif request.others:
        lines.append(f"Other sections: {'; '.join(request.others)}")
    if request.disagreements:
        lines.append(f"These do not fit together: {'; '.join(' and '.join(one) for one in request.disagreements)}")
    return "\n".join(lines) + f"\n\n{listed(request.evidence)}"


def _sentence(given: SentenceGiven, evidence: Sequence[Evidence]) -> DraftSentence:
    keys = {one.evidence_id: one.finding.source_key for one in evidence}
    quotes = tuple(DraftQuote(keys[one.id], one.words) for one in given.evidence if one.id in keys)
    return DraftSentence(given.text, quotes, given.new_paragraph)


def _stands(words: WordsGiven, texts: Mapping[str, str]) -> bool:
    return words.id in texts and verify_quote(words.words, words.id, texts).source_id is not None
