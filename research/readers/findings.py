"""Find the sentences of sources that best answer a question, verbatim and with their positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from research.citations.quantities import quantities_in
from research.material import SourceText
from research.meaning import Meaning, NoMeaning, Text, covering, order_by_nearness, rank_texts
from research.memo.worker_result import Finding
from research.questions.asking import asking_parts
from research.readers.shown import shown
from research.readers.statements import is_statement, speaks_to_machines
from research.text import content_stems, rank_sentences, split_sentences

#: Most findings from one source, and of one task.
MOST_OF_A_SOURCE, MOST_OF_A_TASK = 6, 30
#: Least score and least number of shared stems of a finding; a sentence with every word scores about 1.
LEAST_SCORE, LEAST_SHARED = 0.12, 2
#: Passages of a language whose sentences are compared with the question by meaning, and sentences taken of them.
NEAR_PASSAGES, NEAR_SENTENCES = 6, 5
#: Score of the sentence that is nearest by meaning, and how much less the next one has.
_NEAREST, _STEP = 0.5, 0.05
#: Least score of a source's best passage, as a share of the best of all, for more of the source to be read.
_SHARE_OF_WORDS, _SHARE_OF_MEANING = 0.56, 0.42
#: Score of the best sentence with a figure of a source.
_FIGURE = 0.45
#: Fewest and most words of a sentence that can be quoted alone.
_SHORTEST, _LONGEST = 6, 90


class _Sentence(NamedTuple):
    key: str
    start: int
    end: int
    text: str


def read_for(question: str, sources: Mapping[str, SourceText], meaning: Meaning | None = None) -> list[Finding]:
    """Return the sentences that answer the question best, at most `MOST_OF_A_SOURCE` per source.

    Of the sources that are nearest to it, also those that answer one of its parts, and those with figures. The
    result is deterministic for the same sources.
    """
    meaning = meaning or NoMeaning()
    nearest = nearest_sources(question, sources, meaning)
    scores: dict[_Sentence, float] = {}
    for sentence, score in chain(
        _answering(question, sources, meaning),
        *(_answering(part, nearest, meaning) for part in asking_parts(question)),
        _with_figures(question, nearest, meaning),
    ):
        scores[sentence] = max(score, scores.get(sentence, 0.0))
    taken: Counter[str] = Counter()
    chosen: list[_Sentence] = []
    for sentence in sorted(scores, key=lambda one: (-scores[one], one.key, one.start)):
        taken[sentence.key] += 1
        if taken[sentence.key] <= MOST_OF_A_SOURCE:
            chosen.append(sentence)
    return [
        Finding(
            one.key, one.text, one.start, one.end, sources[one.key].page_at(one.start), score=round(scores[one], 4)
        )
        for one in chosen[:MOST_OF_A_TASK]
    ]


def nearest_sources(question: str, sources: Mapping[str, SourceText], meaning: Meaning) -> dict[str, SourceText]:
    """Return the sources whose best passage, by its words or by meaning, is not far below the best of all."""
    found: set[str] = set()
    told = [(key, Text(one.text, source.language)) for key, source in sources.items() for one in source.passages]
    for known, share in ((NoMeaning(), _SHARE_OF_WORDS), (meaning, _SHARE_OF_MEANING)):
        scores = rank_texts(question, [text for _, text in told], known)
        least = share * max(scores, default=0.0)
        found |= {key for (key, _), score in zip(told, scores, strict=True) if score >= least > 0}
    return {key: source for key, source in sources.items() if key in found}


def _answering(
    question: str, sources: Mapping[str, SourceText], meaning: Meaning
) -> Iterator[tuple[_Sentence, float]]:
    """Yield the sentences that have words of the question, and those that are near it, with their scores."""
    for language in dict.fromkeys(source.language for source in sources.values()):
        own = {key: source for key, source in sources.items() if source.language == language}
        sentences = [one for key, source in own.items() for one in _sentences(key, source)]
        asked = set(content_stems(question, language))
        # Ranked over all sources together, so that scores are comparable.
        ranked = rank_sentences(question, [one.text for one in sentences], language)
        for score, one in zip(ranked, sentences, strict=True):
            shared = asked.intersection(content_stems(one.text, language))
            if score >= LEAST_SCORE and len(shared) >= min(LEAST_SHARED, len(asked)):
                yield one, score
        yield from _near(question, sentences, own, meaning)


def _near(
    question: str, sentences: Sequence[_Sentence], sources: Mapping[str, SourceText], meaning: Meaning
) -> Iterator[tuple[_Sentence, float]]:
    """Yield the sentences of the nearest passages that are about the question, by rank.

    Only these are compared by meaning, because passages have vectors already.
    """
    passages = [(key, one) for key, source in sources.items() for one in source.passages]
    texts = [Text(one.text, sources[key].language) for key, one in passages]
    nearest = [passages[place] for place in order_by_nearness(question, texts, meaning)[:NEAR_PASSAGES]]
    within = [
        sentence
        for sentence in sentences
        if any(key == sentence.key and one.start_char <= sentence.start < one.end_char for key, one in nearest)
    ]
    told = [Text(one.text, sources[one.key].language) for one in within]
    about = set(covering([question], told, meaning)[0])
    ranked = [within[place] for place in order_by_nearness(question, told, meaning) if place in about]
    yield from ((one, _NEAREST - _STEP * rank) for rank, one in enumerate(ranked[:NEAR_SENTENCES]))


def _with_figures(
    question: str, sources: Mapping[str, SourceText], meaning: Meaning
) -> Iterator[tuple[_Sentence, float]]:
    """Yield statements with figures, the best of each source, ranked with their paragraphs for the question."""
    # A narrow question names what it asks for; a request of several parts names no more than their heads.
    is_wide = bool(asking_parts(question))
    for key, source in sources.items():
        asked = set(content_stems(question, source.language))
        stated = [
            one
            for one in _sentences(key, source)
            if quantities_in(one.text)
            and is_statement(shown(one.text))
            and not speaks_to_machines(one.text)
            and (is_wide or asked.intersection(content_stems(one.text, source.language)))
        ]
        scores = rank_texts(
            question, [Text(_paragraph_of(one, source.text), source.language) for one in stated], meaning
        )
        most = max(scores, default=0.0) or 1.0
        yield from ((one, _FIGURE * score / most) for one, score in zip(stated, scores, strict=True))


def _paragraph_of(sentence: _Sentence, text: str) -> str:
    start, end = text.rfind("\n\n", 0, sentence.start), text.find("\n\n", sentence.end)
    return text[max(0, start) : end if end >= 0 else len(text)]


def _sentences(key: str, source: SourceText) -> list[_Sentence]:
    text = source.text
    return [
        _Sentence(key, start, end, text[start:end])
        for start, end in split_sentences(text, source.language)
        if _SHORTEST <= len(text[start:end].split()) <= _LONGEST
    ]
