"""What sources say to a question: their best sentences, verbatim, with the place where they stand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from research.material import SourceText
from research.text import content_stems, rank_sentences, split_sentences
from research.worker_result import Finding

#: Of one source, and of one task.
MOST_OF_A_SOURCE, MOST_OF_A_TASK = 6, 30
#: A sentence that scores less, or shares fewer words, says nothing to the question; 1 holds every word of it.
LEAST_SCORE, LEAST_SHARED = 0.12, 2
#: Words of a sentence that can stand by itself.
_SHORTEST, _LONGEST = 6, 90


@dataclass(frozen=True, slots=True)
class _Sentence:
    key: str
    start: int
    end: int
    text: str


def read_for(question: str, sources: Mapping[str, SourceText]) -> list[Finding]:
    """The sentences that answer the question best; no source has all of them. Same sources, same findings."""
    by_language: dict[str, list[_Sentence]] = defaultdict(list)
    for key, source in sources.items():
        by_language[source.language].extend(_sentences(key, source))
    scored = [
        (score, sentence, language)
        for language, sentences in by_language.items()
        for score, sentence in zip(
            # Over all sources at once: only so can their scores be compared.
            rank_sentences(question, [sentence.text for sentence in sentences], language),
            sentences,
            strict=True,
        )
        if score >= LEAST_SCORE and _shares_words(question, sentence.text, language)
    ]
    scored.sort(key=lambda item: (-item[0], item[1].key, item[1].start))
    chosen = _shared_out(scored)
    return [_finding(question, score, sentence, language, sources) for score, sentence, language in chosen]


def _sentences(key: str, source: SourceText) -> list[_Sentence]:
    text = source.text
    return [
        _Sentence(key, start, end, text[start:end])
        for start, end in split_sentences(text, source.language)
        if _SHORTEST <= len(text[start:end].split()) <= _LONGEST
    ]


def _shares_words(question: str, sentence: str, language: str) -> bool:
    asked = set(content_stems(question, language))
    return len(asked.intersection(content_stems(sentence, language))) >= min(LEAST_SHARED, len(asked))


def _shared_out(scored: Sequence[tuple[float, _Sentence, str]]) -> list[tuple[float, _Sentence, str]]:
    taken: dict[str, int] = defaultdict(int)
    chosen: list[tuple[float, _Sentence, str]] = []
    for item in scored:
        if taken[item[1].key] < MOST_OF_A_SOURCE and len(chosen) < MOST_OF_A_TASK:
            taken[item[1].key] += 1
            chosen.append(item)
    return chosen


def _finding(
    question: str, score: float, sentence: _Sentence, language: str, sources: Mapping[str, SourceText]
) -> Finding:
    asked = set(content_stems(question, language))
    # In the order of the sentence: words, not stems, are what a person reads.
    words = {word.casefold().strip(".,;:!?()\"'“”«»¿¡"): None for word in sentence.text.split()}
    topics = [word for word in words if word and asked.intersection(content_stems(word, language))]
    return Finding(
        source_key=sentence.key,
        quote=sentence.text,
        start_char=sentence.start,
        end_char=sentence.end,
        page_no=_page_at(sources[sentence.key], sentence.start),
        topics=topics,
        score=round(score, 4),
    )


def _page_at(source: SourceText, position: int) -> int | None:
    return next(
        (passage.page_no for passage in source.passages if passage.start_char <= position < passage.end_char), None
    )
