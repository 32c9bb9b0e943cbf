"""Find the concepts that sources rest on: terms that several use, marked as concepts or built like one.

A term is marked by a phrase ("the concept of social capital", "known as scaffolding", "teoría del apego"); without
one it needs more sources and mentions, and words that rarely occur without each other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from research.material import SourceText
from research.supervision.analysis.terms import head_of, split_hyphens, stem_of, stretches, words_of
from research.text import content_stems, split_sentences
from research.text.languages import per_million

#: Least sources and mentions of a concept that is marked, and of one that is not.
_LEAST_MARKED, _LEAST = (2, 3), (3, 4)
#: Least share of the sources, and least share of the mentions of its commonest word, of one that is not marked.
_FEW, _TOGETHER = 0.25, 0.4
#: Uses per million words of everyday speech above which a single word is no concept, if marked as one and if not.
_EVERYDAY, _RARE = 5.0, 0.05
#: Share of a term's mentions within a longer term from which the longer one replaces it.
_WITHIN = 0.6
_SHORT_FORM = re.compile(r"\(([A-ZÁÉÍÓÚÑ]{2,6})s?\)")


@dataclass
class Term:
    """A recurring stretch of words and where it is used."""

    #: Without "theory", "model" and the like if others remain; equal for its different forms.
    stems: frozenset[str]
    forms: Counter[str] = field(default_factory=Counter)
    #: Citation keys of the sources with a sentence about it, and of those that mark it as a concept.
    sources: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    #: Number of sentences about it, and of those that write it with a capital.
    mentions: int = 0
    capitals: int = 0

    @property
    def written(self) -> str:
        """Its most frequent form; of equally frequent ones the longer, such as the one with "theory"."""
        return max(self.forms, key=lambda form: (self.forms[form], len(form), form))

    @property
    def weight(self) -> float:
        """The evidence that the sources rest on it."""
        return len(self.sources) + 1.5 * min(len(self.named), 2)


def concepts_of(sources: Sequence[tuple[str, SourceText]], language: str) -> list[Term]:
    """Return the concepts of sources in one language, highest weight first."""
    found: dict[frozenset[str], Term] = {}
    words: Counter[str] = Counter()
    for key, sentence in _sentences(sources, language):
        words.update(set(content_stems(split_hyphens(sentence), language)))
        here: set[frozenset[str]] = set()
        for form, stems, is_named, is_capital in stretches(sentence, language):
            term = found.setdefault(identity := _identity(stems, language), Term(identity))
            term.forms[form if form[1:2].isupper() else f"{form[:1].lower()}{form[1:]}"] += 1
            term.sources.add(key)
            term.named |= {key} if is_named else set()
            if identity not in here:
                here.add(identity)
                term.mentions += 1
                term.capitals += is_capital
    concepts = [term for term in found.values() if _is_concept(term, words, len(sources), language)]
    # "Proximal development" is mostly used within its zone.
    whole = [
        term
        for term in concepts
        if not any(term.stems < one.stems and one.mentions >= _WITHIN * term.mentions for one in concepts)
    ]
    return sorted(whole, key=lambda term: (-term.weight, -term.mentions, term.written))


def stems_of(term: str, language: str) -> frozenset[str]:
    """Return the stems that identify a concept."""
    return _identity(content_stems(split_hyphens(term), language), language)


def stems_by_sentence(text: str, language: str) -> list[frozenset[str]]:
    """Return the stems of each sentence, with hyphenated words split."""
    plain = split_hyphens(text)
    return [
        frozenset(content_stems(plain[start:end], language)) for start, end in split_sentences(plain, language)
    ]


def planned_concepts(questions: Iterable[str], language: str) -> list[str]:
    """Return each theory that a plan's questions name: "attachment theory" in "What says attachment theory?"."""
    theories, found = words_of(language).theories, dict[str, None]()
    for question in questions:
        named = [one.form for one in stretches(question, language) if len(one.stems) > 1]
        named = [form for form in named if head_of(form, language) in theories]
        found.update((form, None) for form in named if not any(form != other and form in other for other in named))
    return list(found)


def _identity(stems: Iterable[str], language: str) -> frozenset[str]:
    every = frozenset(stems)
    return every - words_of(language).heads or every


def _sentences(sources: Sequence[tuple[str, SourceText]], language: str) -> Iterator[tuple[str, str]]:
    """Yield each sentence once with its source's key, abbreviations spelled out; copies of others are left out."""
    texts = {key: source.text for key, source in sources}
    known = dict(pair for text in texts.values() for pair in _abbreviations(text, language))
    seen: set[str] = set()
    for key, text in texts.items():
        for short, words in known.items():
            text = re.sub(rf"(?<!\()\b{short}\b", words, text)
        for start, end in split_sentences(text, language):
            sentence = " ".join(text[start:end].split())
            if sentence not in seen:
                seen.add(sentence)
                yield key, sentence


def _abbreviations(text: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield each abbreviation and its words: "zone of proximal development (ZPD)"."""
    for match in _SHORT_FORM.finditer(text):
        words = re.split(r"[\s-]+", text[max(0, match.start() - 120) : match.start()].strip())
        for count in range(2, min(len(words), 7) + 1):
            initials = [word[0] if stem_of(word.casefold(), language) else "" for word in words[-count:]]
            if initials[0] and "".join(initials).casefold() == match[1].casefold():
                yield match[1], " ".join(words[-count:])
                break


def _is_concept(term: Term, words: Counter[str], total: int, language: str) -> bool:
    least_sources, least_mentions = _LEAST_MARKED if term.named else _LEAST
    if len(term.sources) < least_sources or term.mentions < least_mentions or 2 * term.capitals > term.mentions:
        return False
    known, written = words_of(language), term.written
    if known.plain | known.heads >= term.stems:
        return False
    if len(term.stems) == 1 and per_million(language, written) > (_EVERYDAY if term.named else _RARE):
        return False
    if term.named:
        # Of terms headed by a plain noun, long ones that several sources mark: "zone of proximal development".
        return head_of(written, language) not in known.plain or (len(term.named) > 1 and len(term.stems) > 2)
    together = term.mentions / max(words[stem] for stem in term.stems)
    return known.plain.isdisjoint(term.stems) and len(term.sources) >= _FEW * total and together >= _TOGETHER
