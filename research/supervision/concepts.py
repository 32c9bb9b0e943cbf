"""Concepts that texts name as such: theories, effects, principles, and terms that are introduced or defined.

A concept is recognised by how it is written about, in English and Spanish: "role identity theory", "the concept of
social capital", "known as scaffolding", "teoría del apego", "se entiende por capital social …".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from research.material import SourceText
from research.supervision.concept_phrases import named_in
from research.text import content_stems, split_sentences


@dataclass(frozen=True)
class Concept:
    """A concept with where it stands."""

    #: As it is written most often, in lower case but for names.
    term: str
    #: Its content stems, sorted; what two spellings of it share.
    stems: tuple[str, ...]
    language: str
    #: Citation keys of sources with a sentence about it.
    sources: tuple[str, ...]
    #: Of those, how many name it as a concept.
    named: int
    mentions: int


@dataclass
class _Found:
    terms: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    named: set[str] = field(default_factory=set)
    language: str = "en"


def concepts_of(sources: Sequence[tuple[str, SourceText]]) -> list[Concept]:
    """What the sources name as concepts, those that most of them write about first."""
    found: dict[tuple[str, ...], _Found] = defaultdict(_Found)
    sentences = {key: [*stems_by_sentence(source.text, source.language)] for key, source in sources}
    for key, source in sources:
        for term in named_in(source.text, source.language):
            stems = stems_of(term, source.language)
            if stems:
                one = found[stems]
                one.terms[term] += 1
                one.named.add(key)
                one.language = source.language
    return sorted(
        (_concept(stems, one, sentences) for stems, one in found.items()),
        key=lambda concept: (-len(concept.sources), -concept.named, -concept.mentions, concept.term),
    )


def mentions(stems: Sequence[str], sentences: Sequence[frozenset[str]]) -> int:
    """In how many sentences all stems of a concept stand together."""
    wanted = frozenset(stems)
    return sum(wanted <= sentence for sentence in sentences)


def stems_of(term: str, language: str) -> tuple[str, ...]:
    """The stems that a concept is known by: without "theory", "model" and the like where anything else is left."""
    stems = content_stems(term, language)
    bare = [stem for stem in stems if stem not in _heads(language)]
    return tuple(sorted(set(bare or stems)))


def stems_by_sentence(text: str, language: str) -> Iterator[frozenset[str]]:
    """The stems of each sentence, each word of a hyphenated one by itself."""
    for start, end in split_sentences(text, language):
        yield frozenset(content_stems(_HYPHEN.sub(" ", text[start:end]), language))


_HYPHEN = re.compile(r"(?<=\w)[-‐‑](?=\w)")
_HEADS = {
    "en": "theory theories model framework hypothesis principle paradigm effect law approach perspective concept",
    "es": "teoría modelo marco hipótesis principio paradigma efecto ley enfoque perspectiva concepto",
}


def _heads(language: str) -> frozenset[str]:
    return frozenset(content_stems(_HEADS.get(language, _HEADS["en"]), language))


def _concept(stems: tuple[str, ...], one: _Found, sentences: dict[str, list[frozenset[str]]]) -> Concept:
    counts = {key: mentions(stems, found) for key, found in sentences.items()}
    term = max(one.terms, key=lambda written: (one.terms[written], -len(written), written))
    return Concept(
        term=term,
        stems=stems,
        language=one.language,
        sources=tuple(key for key, count in counts.items() if count),
        named=len(one.named),
        mentions=sum(counts.values()),
    )
