"""Passages that answer the aspects of a request, by words and by meaning."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.llm.embeddings import Vectors
from research.citations.claims import quantities_in
from research.memo import Finding
from research.questions.asking import asked_of_essays, question_on, subject_of_all
from research.readers.findings import speaks_to_machines, states
from research.readers.protocol import Asked, SourceText
from research.sources.base import Passage
from research.text.language import content_stems, detect_language, rank_sentences, split_sentences
from research.text.meaning import (
    Languages,
    Meaning,
    Text,
    Vector,
    fused,
    nearness_of,
    rank_by_words,
    without_languages,
)

#: Most passages on one aspect: the reading list shows five, of all rounds.
MOST_OF_AN_ASPECT = 15
#: Most passages of a ranking by words or by meaning, and most passages that are read closely.
_LISTED, _TWICE = 50, 50
#: Weight of words relative to meaning, and bonus for a fact of the requested kind.
_WORDS, _STATED = 0.2, 0.15
#: Least nearness, or least share of the aspect's words, of a relevant passage.
_NEAR, _SHARED = 0.15, 0.5
#: Ends of lines that are not headings, and most words of a heading that is not the title.
_ENDS, _HEADING = re.compile(r"[.!?:;,…][\"'»”’)\]]*$"), 12
#: Fewest content words of a question that is clear by itself: "What do they do about it?" has none.
_OWN = 2
#: Most and fewest words of an excerpt.
_LONGEST, _SHORTEST = 90, 6


@dataclass(frozen=True)
class Aspect:
    """A question in the words of the request, and its subject."""

    question: str
    subject: str
    #: The other aspects of the request; words shared with them do not show that a passage answers this one.
    others: str = ""


def passages_on(
    aspects: Sequence[str],
    asked: Asked,
    sources: Mapping[str, SourceText],
    meaning: Meaning,
    *,
    asks_essays: bool = False,
) -> list[Finding]:
    """Return the passages on each aspect of a request, best first, with the aspect as their topic.

    `asks_essays`: whether the request names the essays as its source; essays do not contain these words.
    """
    shelf, subject = PassageShelf(sources, meaning), subject_of_all(asked.query, asked.language)
    found: list[Finding] = []
    wanted = {aspect: question_on(aspect, asked.query) for aspect in aspects or (asked.query,)}
    for aspect, question in wanted.items():
        others = " ".join(other for name, other in wanted.items() if name != aspect)
        # Removing the words for the essays leaves an incomplete sentence, so take the aspect.
        full = Aspect(_aspect_text(asked_of_essays(aspect) if asks_essays else question, subject), subject, others)
        found += [replace(one, topics=[aspect]) for one in shelf.on(full, MOST_OF_AN_ASPECT)]
    return found


def _aspect_text(question: str, subject: str) -> str:
    """Return the question, with the subject if it is not clear by itself."""
    is_whole = len(content_stems(question, detect_language(question))) >= _OWN
    return question if is_whole else f"{question} ({subject})"


@dataclass(frozen=True)
class PassageShelf:
    """The passages of sources, to be searched for several aspects."""

    sources: Mapping[str, SourceText]
    meaning: Meaning

    def on(self, aspect: Aspect, most: int) -> list[Finding]:
        """Return at most `most` passages on the aspect, the best first; deterministic for the same sources."""
        words = rank_by_words(f"{aspect.question} {aspect.subject}", self._texts)
        asked = self._asked(aspect)
        lists = [self._best(words, language) for language in self._languages]
        if asked is not None and self._vectors is not None:
            near = (self._vectors[0] @ asked).tolist()
            lists += [self._best(near, language) for language in self._languages]
        found = [self._read_closely(place, words[place], asked, aspect) for place in fused(lists)[:_TWICE]]
        return sorted(filter(None, found), key=lambda one: (-one.score, one.source_key, one.start_char))[:most]

    @cached_property
    def _passages(self) -> Sequence[tuple[str, Passage]]:
        return [(key, one) for key, source in self.sources.items() for one in source.passages]

    @cached_property
    def _texts(self) -> Sequence[Text]:
        """The passages with the titles of their sources, without instructions to programs."""
        return [
            Text(f"{self.sources[key].reference.title}. {self._said(key, one)}", self.sources[key].language)
            for key, one in self._passages
        ]

    def _said(self, key: str, passage: Passage) -> str:
        if not speaks_to_machines(passage.text):
            return passage.text.strip()
        spans = split_sentences(passage.text, self.sources[key].language)
        texts = (passage.text[start:end] for start, end in spans)
        return " ".join(one for one in texts if not speaks_to_machines(one))

    @cached_property
    def _languages(self) -> Sequence[str]:
        return sorted({text.language for text in self._texts})

    @cached_property
    def _vectors(self) -> tuple[Vectors, Languages] | None:
        return without_languages(self._texts, self.meaning) if self._texts else None

    def _best(self, scores: Sequence[float], language: str) -> list[int]:
        own = [place for place, text in enumerate(self._texts) if text.language == language and scores[place] > 0]
        return sorted(own, key=lambda place: -scores[place])[:_LISTED]

    def _asked(self, aspect: Aspect) -> Vector | None:
        """Return the vector of the aspect by itself and with its subject; None without an embedder."""
        both = (aspect.question, f"{aspect.question} ({aspect.subject})")
        vectors = self.meaning.of_questions(both) if self._vectors is not None else None
        if vectors is None or self._vectors is None:
            return None
        languages = self._vectors[1]
        asked = np.sum(
            [
                languages.question(vector, detect_language(text))
                for text, vector in zip(both, vectors, strict=True)
            ],
            axis=0,
        )
        return np.asarray(asked / (np.linalg.norm(asked) or 1), dtype=np.float32)

    def _read_closely(self, place: int, words: float, asked: Vector | None, aspect: Aspect) -> Finding | None:
        """Return the part of a passage on the aspect, around its nearest sentence; None without one."""
        key, passage = self._passages[place]
        language = self.sources[key].language
        spans = split_sentences(passage.text, language)
        texts = [passage.text[start:end] for start, end in spans]
        title = self.sources[key].reference.title
        fit = [at for at, one in enumerate(texts) if not speaks_to_machines(one) and not _is_heading(one, title)]
        nearness, near = self._nearness(place, texts, asked)
        if not fit or (nearness < _NEAR and not self._says(place, aspect)):
            return None
        own = rank_sentences(f"{aspect.question} {aspect.subject}", texts, language)
        best = max(fit, key=lambda at: (near[at] + _WORDS * own[at], -at))
        start, end = _around(best, spans, texts, set(fit))
        text, first = passage.text[start:end], passage.start_char + start
        if len(text.split()) < _SHORTEST:
            return None
        score = nearness + _WORDS * words
        score += _STATED * states(text, aspect.question)
        return Finding(key, text, first, first + len(text), passage.page_no, score=round(score, 4))

    def _says(self, place: int, aspect: Aspect) -> bool:
        """Return whether a passage has enough words of the aspect, and one that no other aspect has.

        Instead of the latter it may state a fact of the kind, such as an amount of money for "cost".
        """
        text = self._texts[place]
        asked, others, stems = (
            set(content_stems(one, text.language)) for one in (aspect.question, aspect.others, text.text)
        )
        own = asked - others
        is_own = not own or bool(own & stems) or states(text.text, aspect.question)
        return is_own and len(asked & stems) >= _SHARED * len(asked) > 0

    def _nearness(self, place: int, texts: Sequence[str], asked: Vector | None) -> tuple[float, Sequence[float]]:
        """Return how near a passage and each of its sentences are; 0 without an embedder."""
        vectors = None if asked is None or self._vectors is None else self.meaning.of_texts(texts)
        if vectors is None or asked is None or self._vectors is None:
            return 0.0, [0.0] * len(texts)
        whole, languages = self._vectors
        without_language = languages.without(vectors, [self._texts[place].language] * len(texts))
        return nearness_of(asked, whole[place], without_language), (without_language @ asked).tolist()


def _is_heading(text: str, title: str) -> bool:
    """Return whether a line of a source is its title or heads a part of its text."""
    plain = text.strip("#* \t")
    if _ENDS.search(plain) or not plain[:1].isupper():
        return False
    return plain in title or (len(plain.split()) <= _HEADING and "\t" not in plain and not quantities_in(plain))


def _around(best: int, spans: Sequence[tuple[int, int]], texts: Sequence[str], fit: set[int]) -> tuple[int, int]:
    """Return start and end of the sentence with its neighbours, following ones first, up to `_LONGEST` words."""
    first = last = best
    words = len(texts[best].split())
    grew = True
    while grew:
        grew = False
        for at in (last + 1, first - 1):
            if at in fit and words + len(texts[at].split()) <= _LONGEST:
                words += len(texts[at].split())
                first, last = min(first, at), max(last, at)
                grew = True
    return spans[first][0], spans[last][1]
