"""Collect the sentences that a writer may quote, with their positions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from research.citations import verify_quote
from research.markdown_text import without_marks
from research.material import ReportMaterial, SourceText
from research.memo.worker_result import Finding
from research.text import content_stems, split_sentences
from research.text.dictionaries import is_word

_BLOCK = re.compile(r"[^\n]+(?:\n(?!\s*\n|\s*(?:[-*•·▪–]\s|#{1,6}\s|\d{1,2}[.)]\s|\|))[^\n]+)*")
_BULLET = re.compile(r"\s*(?:[-*•·▪–]|\d{1,2}[.)]|>+)\s+")
_SOFT_HYPHEN = re.compile(r"\b(\w++)[-\u00ad‐][^\S\n]*+\n\s*+(\w++)")
#: A source's own reference numbers after a sentence's last word.
_OWN_NUMBERS = re.compile(
    r"(?>(?:(?<!\s)\s++)?)[\[(]\s*+\d{1,3}(?>(?:\s*+[,;–-]\s*+\d{1,3})*)\s*+[\])]\s*+([.!?]?)$"
)


@dataclass(frozen=True)
class Sentence:
    """A sentence of a source: `source text[start:end]`."""

    key: str
    domain: str
    start: int
    end: int
    #: As displayed: white space collapsed, words divided at a line's end rejoined.
    text: str
    #: Verbatim.
    quote: str
    stems: frozenset[str]
    language: str
    page_no: int | None = None
    #: The best score of a finding that contains it; 0 for neighbouring sentences.
    finding: float = 0.0
    #: Questions of the tasks whose findings contain it.
    questions: frozenset[str] = field(default_factory=frozenset)
    #: Index of its block (paragraph) in the source.
    block: int = 0
    #: It ends before the source's own reference numbers, without a full stop.
    cut: bool = False


def sentences_of(key: str, source: SourceText) -> list[Sentence]:
    """Return every sentence of a source in order, including headings and fragments, which callers filter."""
    text, found = source.text, []
    for block, (start, end) in enumerate(_blocks(text)):
        for first, last in split_sentences(text[start:end], source.language):
            if sentence := _sentence(key, source, text, start + first, start + last, block):
                found.append(sentence)
    return found


def found_sentences(material: ReportMaterial) -> dict[str, list[Sentence]]:
    """Return, by source key, the sentences of every passage that contains a finding."""
    findings = _findings(material)
    return {key: _near(sentences_of(key, material.sources[key]), findings[key], material) for key in findings}


def page_of(source: SourceText, start: int) -> int | None:
    """Return the number of the page that contains the character, or None."""
    return next((p.page_no for p in source.passages if p.start_char <= start < p.end_char), None)


def texts_of(sources: Mapping[str, SourceText]) -> dict[str, str]:
    """Return the texts in which quotations are verified, by source key."""
    return {key: source.text for key, source in sources.items()}


@dataclass(frozen=True)
class _Found:
    start: int
    end: int
    score: float
    question: str


def _findings(material: ReportMaterial) -> dict[str, list[_Found]]:
    """Return, by source key, every finding whose quotation occurs in the source."""
    texts, found = texts_of(material.sources), dict[str, list[_Found]]()
    for result in material.results:
        for finding in result.findings:
            if place := _place(finding, texts):
                key, start, end = place
                found.setdefault(key, []).append(_Found(start, end, finding.score, result.question))
    return found


def _place(finding: Finding, texts: Mapping[str, str]) -> tuple[str, int, int] | None:
    text = texts.get(finding.source_key, "")
    if finding.quote and text[finding.start_char : finding.end_char] == finding.quote:
        return finding.source_key, finding.start_char, finding.end_char
    verdict = verify_quote(finding.quote, finding.source_key, texts)
    if verdict.source_id is None or verdict.start is None or verdict.end is None:
        return None
    return verdict.source_id, verdict.start, verdict.end


def _near(sentences: list[Sentence], findings: list[_Found], material: ReportMaterial) -> list[Sentence]:
    passages = material.sources[sentences[0].key].passages if sentences else ()
    spans = [
        (p.start_char, p.end_char)
        for p in passages
        if any(found.start < p.end_char and p.start_char < found.end for found in findings)
    ]
    near = [s for s in sentences if any(start <= s.start < end for start, end in spans)]
    return [_with_findings(sentence, findings) for sentence in near]


def _with_findings(sentence: Sentence, findings: list[_Found]) -> Sentence:
    length = max(1, sentence.end - sentence.start)
    held = [f for f in findings if min(f.end, sentence.end) - max(f.start, sentence.start) > length * 0.5]
    if not held:
        return sentence
    questions = frozenset(f.question for f in held)
    # A finding of many sentences is weaker evidence for each; one without a score still counts a little.
    score = max(max(f.score * min(1.0, 2 * length / (f.end - f.start)) for f in held), 0.1)
    return replace(sentence, finding=score, questions=questions)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    for block in _BLOCK.finditer(text):
        bullet = _BULLET.match(block[0])
        yield block.start() + (bullet.end() if bullet else 0), block.end()


def _sentence(key: str, source: SourceText, text: str, start: int, end: int, block: int) -> Sentence | None:
    quote = text[start:end]
    start, end = start + len(quote) - len(quote.lstrip()), end - (len(quote) - len(quote.rstrip()))
    own = _OWN_NUMBERS.search(text[start:end])
    end = start + own.start() if own else end
    if end <= start:
        return None
    quote = text[start:end]
    stop = own[1] if own else ""
    shown = without_marks(" ".join(_SOFT_HYPHEN.sub(lambda found: _rejoined(found, text), quote).split())) + stop
    return Sentence(
        key=key,
        domain=source.domain,
        start=start,
        end=end,
        text=shown,
        quote=quote,
        stems=frozenset(content_stems(shown, source.language)),
        language=source.language,
        page_no=page_of(source, start),
        block=block,
        cut=own is not None,
    )


def _rejoined(found: re.Match[str], text: str) -> str:
    """Rejoin a word divided at a line's end.

    The hyphen stays if the hyphenated form occurs elsewhere, if the second part is capitalised, or if only the
    parts are words.
    """
    with_hyphen, without = f"{found[1]}-{found[2]}", found[1] + found[2]
    if with_hyphen in text or found[2][:1].isupper():
        return with_hyphen
    parted = is_word(found[1].lower()) and is_word(found[2].lower()) and not is_word(without.lower())
    return with_hyphen if parted else without
