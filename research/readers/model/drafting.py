"""Ask a model to write a section from evidence, and to mend sentences that cannot be published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import Field

from research.citations import verify_quote
from research.readers.model.asking import LANGUAGE_NAMES, Asking, Reply
from research.readers.model.passages import plain
from research.readers.model.reading_prompts import DATA
from research.readers.model.writing_prompts import MEND_SYSTEM, SECTION_SYSTEM, SUMMARY_SYSTEM
from research.readers.protocol import (
    Asked,
    Draft,
    DraftQuote,
    DraftSentence,
    Evidence,
    FaultySentence,
    SectionRequest,
)
from research.readers.shown import shown

#: Most words of the context of a piece of evidence, of its source's title, and of its publisher.
_CONTEXT, _TITLE, _PUBLISHER = 25, 16, 6


class WordsGiven(Reply):
    """Words of a piece of evidence, not yet verified."""

    id: str
    words: str


class SentenceGiven(Reply):
    """A sentence and the words that carry it."""

    text: str
    evidence: list[WordsGiven] = Field(default_factory=list)
    new_paragraph: bool = False


class SectionGiven(Reply):
    """The sentences of a section in order."""

    sentences: list[SentenceGiven] = Field(default_factory=list)


class MendedGiven(SentenceGiven):
    """A mended sentence by the id of the faulty one."""

    id: str


class AllMendedGiven(Reply):
    """Mended sentences in any order; those without an id of a faulty one are ignored."""

    sentences: list[MendedGiven] = Field(default_factory=list)


def draft_of(asking: Asking, request: SectionRequest) -> Draft | None:
    """Return the section as the model wrote it, or None if its reply cannot be used."""
    language = LANGUAGE_NAMES[request.asked.language]
    system = SUMMARY_SYSTEM if request.is_summary else SECTION_SYSTEM
    system = f"{system.format(language=language, most=request.most_sentences)}\n\n{DATA}"
    part = "summary" if request.is_summary else f"section: {request.section.heading}"
    purpose = "research.summary" if request.is_summary else "research.section"
    reply = asking.ask(part, system, _told(request), SectionGiven, purpose)
    if reply is None:
        return None
    keys = {one.evidence_id: one.finding.source_key for one in request.evidence}
    texts = {one.evidence_id: one.finding.quote for one in request.evidence}
    sentences = [_sentence(given, keys) for given in reply.sentences[: request.most_sentences]]
    if reply.sentences and not any(_stands(words, texts) for one in reply.sentences for words in one.evidence):
        asking.failed(part, "nothing_proven")
        return None
    return Draft(tuple(one for one in sentences if one.text))


def mended_of(asking: Asking, asked: Asked, faulty: Sequence[FaultySentence]) -> list[DraftSentence | None]:
    """Return each sentence as the model mended it, None for those that it left out."""
    system = f"{MEND_SYSTEM.format(language=LANGUAGE_NAMES[asked.language])}\n\n{DATA}"
    wanted = "\n".join(
        f"s{number}: {one.sentence.text}\nFaults: {'; '.join(one.faults)}\n"
        f"Evidence: {', '.join(piece.evidence_id for piece in one.evidence)}"
        for number, one in enumerate(faulty, start=1)
    )
    pieces = {piece.evidence_id: piece for one in faulty for piece in one.evidence}
    reply = asking.ask(
        "mended", system, f"{wanted}\n\n{listed(list(pieces.values()))}", AllMendedGiven, "research.mended"
    )
    if reply is None:
        return [None] * len(faulty)
    keys = {short: piece.finding.source_key for short, piece in pieces.items()}
    told = {given.id: _sentence(given, keys) for given in reply.sentences if given.text}
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
        lines += [f"Section: {request.section.heading}", f"Question: {request.section.question}"]
    if request.is_summary and request.others:
        lines += ["The report holds:", *(f"- {plain(one)}" for one in request.others)]
    elif request.others:
        lines.append(f"Other sections: {'; '.join(request.others)}")
    if request.disagreements:
        lines.append(f"These do not fit together: {'; '.join(' and '.join(one) for one in request.disagreements)}")
    return "\n".join(lines) + f"\n\n{listed(request.evidence)}"


def _sentence(given: SentenceGiven, keys: Mapping[str, str]) -> DraftSentence:
    quotes = tuple(DraftQuote(keys[one.id], one.words) for one in given.evidence if one.id in keys)
    return DraftSentence(given.text, quotes, given.new_paragraph)


def _stands(words: WordsGiven, texts: Mapping[str, str]) -> bool:
    return words.id in texts and verify_quote(words.words, words.id, texts).source_id is not None
