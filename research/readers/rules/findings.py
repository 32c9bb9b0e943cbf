"""Find the sentences of sources that best answer a question, verbatim and with their positions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class _Sentence:
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
    scored = _answering(question, sources, meaning)
    nearest = nearest_sources(question, sources, meaning)
    for part in asking_parts(question):
        scored += _answering(part, nearest, meaning)
    scored += _with_figures(question, nearest, meaning)
    best: dict[_Sentence, tuple[float, _Sentence, str]] = {}
    for item in scored:
        best[item[1]] = max(item, best.get(item[1], item), key=lambda one: one[0])
    chosen = _shared_out(sorted(best.values(), key=lambda item: (-item[0], item[1].key, item[1].start)))
    return [_finding(question, score, sentence, language, sources) for score, sentence, language in chosen]


def _answering(
    question: str, sources: Mapping[str, SourceText], meaning: Meaning
) -> list[tuple[float, _Sentence, str]]:
    """Return the sentences that have words of the question, or are near it, with score and language."""
    by_language: dict[str, list[_Sentence]] = defaultdict(list)
    for key, source in sources.items():
        by_language[source.language].extend(_sentences(key, source))
    scored = []
    for language, sentences in by_language.items():
        near = _near(question, sentences, language, sources, meaning)
        # Ranked over all sources together, so that scores are comparable.
        scores = rank_sentences(question, [sentence.text for sentence in sentences], language)
        for by_words, sentence in zip(scores, sentences, strict=True):
            told = by_words >= LEAST_SCORE and _shares_words(question, sentence.text, language)
            if told or sentence in near:
                scored.append((max(by_words if told else 0, near.get(sentence, 0)), sentence, language))
    return scored


def nearest_sources(question: str, sources: Mapping[str, SourceText], meaning: Meaning) -> dict[str, SourceText]:
    """Return the sources whose best passage, by its words or by meaning, is not far below the best of all."""
    found: set[str] = set()
    told = [(key, Text(one.text, source.language)) for key, source in sources.items() for one in source.passages]
    texts = [text for _, text in told]
    by_words, by_meaning = rank_texts(question, texts, NoMeaning()), rank_texts(question, texts, meaning)
    for scores, share in ((by_words, _SHARE_OF_WORDS), (by_meaning, _SHARE_OF_MEANING)):
        least = share * max(scores, default=0.0)
        found |= {key for (key, _), score in zip(told, scores, strict=True) if score >= least > 0}
    return {key: source for key, source in sources.items() if key in found}


def _with_figures(
    question: str, sources: Mapping[str, SourceText], meaning: Meaning
) -> list[tuple[float, _Sentence, str]]:
    """Return statements with figures, the best of each source, ranked with their paragraphs for the question."""
    # A narrow question names what it asks for; a request of several parts names no more than their heads.
    found, is_wide = [], bool(asking_parts(question))
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
        texts = [Text(_paragraph_of(one, source), source.language) for one in stated]
        scores = rank_texts(question, texts, meaning)
        most = max(scores, default=0.0) or 1.0
        found += [
            (_FIGURE * score / most, one, source.language) for score, one in zip(scores, stated, strict=True)
        ]
    return found


def _paragraph_of(sentence: _Sentence, source: SourceText) -> str:
    text = source.text
    start = text.rfind("\n\n", 0, sentence.start)
    end = text.find("\n\n", sentence.end)
    return text[max(0, start) : end if end >= 0 else len(text)]


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
        page_no=sources[sentence.key].page_at(sentence.start),
        topics=topics,
        score=round(score, 4),
    )
