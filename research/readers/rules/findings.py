"""Find the sentences of sources that best answer a question, verbatim and with their positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from research.citations.quantities import quantities_in
from research.material import SourceText
from research.meaning import Meaning, NoMeaning, Text, covering, rank_texts
from research.memo.worker_result import Finding
from research.questions.asking import asking_parts
from research.readers.rules.leaving_out import speaks_to_machines
from research.readers.rules.statements import is_statement
from research.readers.shown import shown
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
    return [_finding(question, scores[one], one, sources[one.key]) for one in chosen[:MOST_OF_A_TASK]]


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
    """Yield the sentences that have words of the question, or are near it, with their scores."""
    for language in dict.fromkeys(source.language for source in sources.values()):
        own = {key: source for key, source in sources.items() if source.language == language}
        sentences = [one for key, source in own.items() for one in _sentences(key, source)]
        near = _near(question, sentences, own, language, meaning)
        asked = set(content_stems(question, language))
        # Ranked over all sources together, so that scores are comparable.
        ranked = rank_sentences(question, [one.text for one in sentences], language)
        for score, one in zip(ranked, sentences, strict=True):
            shared = asked.intersection(content_stems(one.text, language))
            told = score if score >= LEAST_SCORE and len(shared) >= min(LEAST_SHARED, len(asked)) else 0.0
            if told or one in near:
                yield one, max(told, near.get(one, 0.0))


def _near(
    question: str,
    sentences: Sequence[_Sentence],
    sources: Mapping[str, SourceText],
    language: str,
    meaning: Meaning,
) -> dict[_Sentence, float]:
    """Return the sentences nearest to the question by meaning with their scores; empty without an embedder.

    Only those of the nearest passages are compared, because passages have vectors already.
    """
    asked = meaning.of_questions([question])
    passages = [(key, one) for key, source in sources.items() for one in source.passages]
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
    ranked = [place for place in (-(near @ asked[0])).argsort(kind="stable") if place in answering]
    return {within[place]: _NEAREST - _STEP * rank for rank, place in enumerate(ranked[:NEAR_SENTENCES])}


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


def _finding(question: str, score: float, sentence: _Sentence, source: SourceText) -> Finding:
    asked = set(content_stems(question, source.language))
    # Topics are words in the order of the sentence, not stems, because people read them.
    words = dict.fromkeys(word.casefold().strip(".,;:!?()\"'“”«»¿¡") for word in sentence.text.split())
    topics = [word for word in words if word and asked.intersection(content_stems(word, source.language))]
    page = source.page_at(sentence.start)
    return Finding(sentence.key, sentence.text, sentence.start, sentence.end, page, topics, round(score, 4))
