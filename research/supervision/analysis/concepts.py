"""Find the concepts that sources rest on: terms that several of them use and everyday language does not.

A noun like "theory" marks one, and so does a phrase like "known as". Words are data, see the head of `words.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from pathlib import Path

from research.material import SourceText
from research.text import content_stems, split_sentences
from research.text.languages import per_million
from research.text.numbers import CARDINALS
from research.text.stems import stop_words

_FILE = Path(__file__).with_name("words.toml")
#: A hyphen separates words: "code-switching" and "code switching" are one term.
_HYPHEN = re.compile(r"(?<=\w)[-‐‑](?=\w)")
_SHORT_FORM = re.compile(r"\(([A-ZÁÉÍÓÚÑ]{2,6})s?\)")
#: Most characters of the words that an abbreviation stands for.
_SPELLED_OUT = 120
#: Most words with content in a term.
_MOST_WORDS = 4
#: Least sources and sentences of a concept. A marked one needs a source less, a word without mark a sentence more.
_LEAST_SOURCES, _LEAST_SENTENCES = 3, 3
#: Uses per million words of everyday speech above which a single word is no concept, if marked as one and if not.
_EVERYDAY, _RARE = 5.0, 0.05


class Words:
    """The words of one language. Theories and plain words are stems."""

    def __init__(self, language: str) -> None:
        given = tomllib.loads(_FILE.read_text(encoding="utf-8"))[language]
        self.theories = frozenset(content_stems(" ".join(given["theories"]), language))
        self.plain = frozenset(content_stems(given["plain"], language))
        self.joining = frozenset(given["joining"])
        joining, endings = "|".join(given["joining"]), "|".join(given["endings"])
        marks, articles = "|".join(given["introduces"]), "|".join(given["articles"])
        edges = "|".join(CARDINALS.keys() | stop_words(language) | set(given["edges"].split()))
        #: What no term goes beyond: marks, names and numbers, verbs, adverbs and words without content.
        self.breaks = re.compile(
            rf"[^\w\s'’‐‑-]+|(?<=\S )[^\W\da-zà-ÿ]\w+"
            rf"|(?<![\w'’])(?!(?:{joining})\b)(?i:{edges}|\d\w*|\w{{1,2}}|\w\w+(?:{endings}))(?:['’]s)?(?!\w)"
        )
        #: The word that a phrase introduces as a concept.
        self.introduces = re.compile(rf"\b(?:{marks})\W++(?>(?:(?:{articles})\s++)*)(\w++)", re.IGNORECASE)


words_of = cache(Words)


@dataclass
class Term:
    """A recurring stretch of words and where it is used."""

    #: Without "theory" and the like if others remain; equal for its different forms.
    stems: frozenset[str]
    forms: Counter[str] = field(default_factory=Counter)
    #: Citation key of the source of each sentence about it.
    sentences: dict[str, str] = field(default_factory=dict)

    @property
    def written(self) -> str:
        """Its most frequent form; of equally frequent ones the longer, such as the one with "theory"."""
        return max(self.forms, key=lambda form: (self.forms[form], len(form), form))

    @property
    def sources(self) -> set[str]:
        """Citation keys of the sources that use it."""
        return set(self.sentences.values())


def concepts_of(sources: Sequence[tuple[str, SourceText]], language: str) -> list[Term]:
    """Return the concepts of sources in one language; those that most sources use come first."""
    found: dict[frozenset[str], Term] = {}
    marked = set(words_of(language).theories)
    for sentence, key in _sentences(sources, language).items():
        marked.update(content_stems(" ".join(words_of(language).introduces.findall(sentence)), language))
        for form in _stretches(sentence, language):
            term = found.setdefault(stems := stems_of(form, language), Term(stems))
            term.forms[f"{form[:1].lower()}{form[1:]}"] += 1
            term.sentences[sentence] = key
    concepts = [term for term in found.values() if _is_concept(term, marked, language)]
    # Of terms in the same sentences the longest: "proximal development" is used within its zone.
    whole = [
        term
        for term in concepts
        if not any(term.stems < one.stems and len(one.sources) >= len(term.sources) for one in concepts)
    ]
    return sorted(whole, key=lambda term: (-len(term.sources), -len(term.sentences), term.written))


def planned_concepts(questions: Iterable[str], language: str) -> list[str]:
    """Return each theory that a plan's questions name: "attachment theory" in "What says attachment theory?"."""
    theories, found = words_of(language).theories, dict[str, None]()
    for question in questions:
        forms = [form for form in _stretches(question, language) if " " in form or "-" in form]
        named = [form for form in forms if _head(form, language) in theories]
        found.update((form, None) for form in named if not any(form != other and form in other for other in named))
    return list(found)


def stems_of(term: str, language: str) -> frozenset[str]:
    """Return the stems that identify a concept."""
    every = frozenset(content_stems(_split(term), language))
    return every - words_of(language).theories or every


def stems_by_sentence(text: str, language: str) -> list[frozenset[str]]:
    """Return the stems of each sentence, with hyphenated words split."""
    plain = _split(text)
    return [
        frozenset(content_stems(plain[start:end], language)) for start, end in split_sentences(plain, language)
    ]


def _sentences(sources: Sequence[tuple[str, SourceText]], language: str) -> dict[str, str]:
    """Return the sources' keys by sentence, abbreviations spelled out; what several have is the last one's."""
    texts = {key: source.text for key, source in sources}
    words = dict(pair for text in texts.values() for pair in _abbreviations(text))
    short = re.compile(rf"(?<!\()\b(?:{'|'.join(words) or '(?!)'})\b")
    plain = {key: short.sub(lambda found: words[found[0]], text) for key, text in texts.items()}
    return {
        " ".join(text[start:end].split()): key
        for key, text in plain.items()
        for start, end in split_sentences(text, language)
    }


def _abbreviations(text: str) -> Iterator[tuple[str, str]]:
    """Yield each abbreviation and its words: "zone of proximal development (ZPD)"."""
    for short in _SHORT_FORM.finditer(text):
        initials = r"\W+(?:\w{1,3}\W+)?".join(rf"{letter}\w*" for letter in short[1])
        before = text[max(0, short.start() - _SPELLED_OUT) : short.start()]
        if found := re.search(rf"\b({initials})\s$", before, re.IGNORECASE):
            yield short[1], found[1]


def _stretches(sentence: str, language: str) -> Iterator[str]:
    """Yield each stretch of one to four words with content, as written."""
    known = words_of(language)
    for between in known.breaks.split(sentence):
        words = between.split()
        for first, last in combinations(range(len(words) + 1), 2):
            content = [word not in known.joining for word in words[first:last]]
            if content[0] and content[-1] and sum(content) <= _MOST_WORDS:
                yield " ".join(words[first:last])


def _is_concept(term: Term, marked: Collection[str], language: str) -> bool:
    known, is_word = words_of(language), len(term.stems) == 1
    used = {stem for form in term.forms for stem in content_stems(_split(form), language)}
    is_marked = not known.theories.isdisjoint(used) or term.stems.issubset(marked)
    least_sentences = _LEAST_SENTENCES + (is_word and not is_marked)
    if len(term.sources) < _LEAST_SOURCES - is_marked or len(term.sentences) < least_sentences:
        return False
    if is_word and per_million(language, term.written) > (_EVERYDAY if is_marked else _RARE):
        return False
    return known.plain.isdisjoint(term.stems) and not term.stems <= known.theories


def _head(term: str, language: str) -> str:
    """Return the stem of a term's head noun: the first in Spanish; in English the last, or that before "of"."""
    words = _split(term).partition(" of ")[0].split()
    return next(iter(content_stems(words[0 if language == "es" else -1], language)), "")


def _split(text: str) -> str:
    """Return the text, as long as before, with a space in place of each hyphen within a word."""
    return _HYPHEN.sub(" ", text)
