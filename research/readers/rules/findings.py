"""Find the sentences of sources that best answer a question, verbatim and with their positions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from research.material import SourceText
from research.meaning import Meaning, NoMeaning, Text, covering
from research.memo.worker_result import Finding
from research.text import content_stems, rank_sentences, split_sentences

#: Most findings from one source, and of one task.
MOST_OF_A_SOURCE, MOST_OF_A_TASK = 6, 30
#: Least score and least number of shared stems of a finding; a sentence with every word scores about 1.
LEAST_SCORE, LEAST_SHARED = 0.12, 2
#: Passages of a language whose sentences are compared with the question by meaning, and sentences taken of them.
NEAR_PASSAGES, NEAR_SENTENCES = 6, 5
#: Score of the sentence that is nearest by meaning, and how much less the next one has.
_NEAREST, _STEP = 0.5, 0.05
#: Fewest and most words of a sentence that can be quoted alone.
_SHORTEST, _LONGEST = 6, 90


@dataclass(frozen=True, slots=True)
class _Sentence:
    key: str
    start: int
    end: int
    text: str


def read_for(question: str, sources: Mapping[str, SourceText], meaning: Meaning | None = None) -> list[Finding]:
    """Return the sentences that answer the question best, at most `MOST_OF_A_SOURCE` per source.

    The result is deterministic for the same sources.
    """
    by_language: dict[str, list[_Sentence]] = defaultdict(list)
    for key, source in sources.items():
        by_language[source.language].extend(_sentences(key, source))
    scored = []
    for language, sentences in by_language.items():
        near = _near(question, sentences, language, sources, meaning or NoMeaning())
        # Ranked over all sources together, so that scores are comparable.
        scores = rank_sentences(question, [sentence.text for sentence in sentences], language)
        for by_words, sentence in zip(scores, sentences, strict=True):
            told = by_words >= LEAST_SCORE and _shares_words(question, sentence.text, language)
            if told or sentence in near:
                scored.append((max(by_words if told else 0, near.get(sentence, 0)), sentence, language))
    scored.sort(key=lambda item: (-item[0], item[1].key, item[1].start))
    chosen = _shared_out(scored)
    return [_finding(question, score, sentence, language, sources) for score, sentence, language in chosen]


def _near(
    question: str,
    sentences: Sequence[_Sentence],
    language: str,
    sources: Mapping[str, SourceText],
    meaning: Meaning,
) -> dict[_Sentence, float]:
    """Return the sentences nearest to the question by meaning with their scores; empty without an embedder.

    Only those of the nearest passages are compared, because passages have vectors already.
    """
    asked = meaning.of_questions([question])
    passages = [
        (key, one) for key, source in sources.items() if source.language == language for one in source.passages
    ]
    vectors = meaning.of_texts([one.text for _, one in passages]) if asked is not None and passages else None
    if asked is None or vectors is None:
        return {}
    nearest = [passages[place] for place in (-(vectors @ asked[0])).argsort(kind="stable")[:NEAR_PASSAGES]]
    within = [
        sentence
        for sentence in sentences
        if any(key == sentence.key and one.start_char <= sentence.start < one.end_char for key, one in nearest)
    ]
    near = meaning.of_texts([sentence.text for sentence in within]) if within else None
    if near is None:
        return {}
    answering = covering([question], [Text(sentence.text, language) for sentence in within], meaning)[0]
    ranked = (-(near @ asked[0])).argsort(kind="stable")
    places = [place for place in ranked if place in answering][:NEAR_SENTENCES]
    return {within[place]: _NEAREST - _STEP * rank for rank, place in enumerate(places)}


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
