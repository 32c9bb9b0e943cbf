"""Write a section with a model, checking every sentence against its quotations."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.llm import Model
from research.citations import verify_quote
from research.markdown_text import as_markdown
from research.markdown_text.printable import clean
from research.material import ReportMaterial
from research.readers.model.prompts import REPAIR_SECTION_SYSTEM, WRITE_SECTION_SYSTEM
from research.text import count_tokens
from research.writing.claims import ClaimBook
from research.writing.evidence import page_of
from research.writing.relevance import Scored
from research.writing.replies import QuoteGiven, SectionGiven, SentenceGiven
from research.writing.support import MIN_QUOTE_WORDS, faults_of

#: Most tokens of excerpts in one request.
_MAX_TOKENS = 3500
_BRACKETED = re.compile(r"(?>(?:(?<!\s)\s++)?)(?:\[[^\]\n]{0,80}\]|【[^】\n]{0,80}】)|[*_`#|<>]")


@dataclass(frozen=True)
class _Carried:
    """A quotation located in a source."""

    quote: str
    claimed: str
    key: str
    start: int
    end: int


@dataclass
class _Draft:
    """The checked sentences of a reply: those kept, faulty ones with reasons, fabricated quotations."""

    kept: list[tuple[str, bool, list[_Carried]]] = field(default_factory=list)
    faults: list[dict[str, str]] = field(default_factory=list)
    fabricated: list[tuple[str, QuoteGiven]] = field(default_factory=list)


@dataclass(frozen=True)
class ModelSection:
    """The body, and the number of the model's sentences that were left out."""

    body: str
    left_out: int


def model_section(
    question: str, excerpts: Sequence[Scored], limit: int, material: ReportMaterial, model: Model, book: ClaimBook
) -> ModelSection | None:
    """Return the section's body, or None if no sentence can be published. Raises ModelError.

    Faulty sentences are returned to the model once for repair.
    """
    request = _request(question, excerpts, limit, material)
    reply = _ask(model, WRITE_SECTION_SYSTEM, request, "report.section")
    draft = _checked(reply, material)
    fabricated = list(draft.fabricated)
    if draft.faults:
        repair = {**request, "draft": reply.model_dump(), "faults": draft.faults}
        second = _checked(_ask(model, REPAIR_SECTION_SYSTEM, repair, "report.section.repair"), material)
        fabricated += second.fabricated
        draft = second if len(second.kept) >= len(draft.kept) else draft
    for sentence, given in fabricated:
        book.fabricated(sentence, given.quote, given.source_key)
    if not draft.kept:
        return None
    return ModelSection(_body(draft, material, book), len(draft.faults))


def _ask(model: Model, system: str, request: dict[str, object], purpose: str) -> SectionGiven:
    reply, _ = model.ask(system, json.dumps(request, ensure_ascii=False), SectionGiven, purpose=purpose)
    return reply


def _request(question: str, excerpts: Sequence[Scored], limit: int, material: ReportMaterial) -> dict[str, object]:
    """Build the request, with excerpts grouped by source up to `_MAX_TOKENS`."""
    held, spent = [], 0
    for item in excerpts:
        spent += count_tokens(item.sentence.text) + 20
        if spent > _MAX_TOKENS:
            break
        held.append(item.sentence)
    held.sort(key=lambda sentence: (sentence.key, sentence.start))
    found = [{"source_key": sentence.key, "text": sentence.text} for sentence in held]
    return {
        "question": question,
        "language": material.config.language,
        "sentences_at_most": limit,
        "excerpts": found,
    }


def _checked(reply: SectionGiven, material: ReportMaterial) -> _Draft:
    draft = _Draft()
    for given in reply.sentences:
        text = " ".join(_BRACKETED.sub("", clean(given.text)).split())
        if not text:
            continue
        carried = _carried(given, text, material, draft)
        quotes = [one.quote for one in carried]
        language = material.config.language
        same = all(material.sources[one.key].language[:2] == language for one in carried)
        if faults := faults_of(text, quotes, material.query, language if same else None):
            draft.faults.append({"sentence": text, "fault": "; ".join(faults)})
        else:
            draft.kept.append((text, given.new_paragraph, carried))
    return draft


def _carried(given: SentenceGiven, text: str, material: ReportMaterial, draft: _Draft) -> list[_Carried]:
    """Return the sentence's quotations that occur in a source; others are recorded as fabricated."""
    texts = {key: source.text for key, source in material.sources.items()}
    found: list[_Carried] = []
    for quote in given.quotes:
        verdict = verify_quote(quote.quote, quote.source_key, texts)
        key, start, end = verdict.source_id, verdict.start, verdict.end
        if key is None or start is None or end is None:
            draft.fabricated.append((text, quote))
        elif len(quote.quote.split()) >= MIN_QUOTE_WORDS:
            found.append(_Carried(texts[key][start:end], quote.source_key, key, start, end))
    return found


def _body(draft: _Draft, material: ReportMaterial, book: ClaimBook) -> str:
    paragraphs: list[list[str]] = []
    for text, begins, carried in draft.kept:
        if begins or not paragraphs:
            paragraphs.append([])
        markers = [
            book.carried(
                text, c.quote, c.claimed, c.key, c.start, c.end, page_of(material.sources[c.key], c.start)
            )
            for c in carried
        ]
        paragraphs[-1].append(f"{as_markdown(text)} {' '.join(dict.fromkeys(markers))}")
    return "\n\n".join(" ".join(sentences) for sentences in paragraphs)
