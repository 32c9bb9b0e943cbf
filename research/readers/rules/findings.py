"""Find the sentences of sources that best answer a question, verbatim and with their positions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from research.material import SourceText
from research.memo.worker_result import Finding
from research.text import content_stems, rank_sentences, split_sentences

#: Most findings from one source, and of one task.
MOST_OF_A_SOURCE, MOST_OF_A_TASK = 6, 30
#: Least score and least number of shared stems of a finding; a sentence with every word scores about 1.
LEAST_SCORE, LEAST_SHARED = 0.12, 2
#: Fewest and most words of a sentence that can be quoted alone.
_SHORTEST, _LONGEST = 6, 90


@dataclass(frozen=True, slots=True)
class _Sentence:
    key: str
    start: int
    end: int
    text: str


def read_for(question: str, sources: Mapping[str, SourceText]) -> list[Finding]:
    """Return the sentences that answer the question best, at most `MOST_OF_A_SOURCE` per source.

    The result is deterministic for the same sources.
    """
    by_language: dict[str, list[_Sentence]] = defaultdict(list)
    for key, source in sources.items():
        by_language[source.language].extend(_sentences(key, source))
    scored = [
        (score, sentence, language)
        for language, sentences in by_language.items()
        for score, sentence in zip(
            # Ranked over all sources together, so that scores are comparable.
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
    # Topics are words in the order of the sentence, not stems, because people read them.
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
