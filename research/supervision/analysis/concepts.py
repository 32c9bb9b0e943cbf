"""Find the concepts that sources rest on: terms that several use, best those that one marks as a concept.

What marks one is a phrase ("the concept of social capital"), a noun like "theory", or an abbreviation behind it; a
term without a mark needs more sources and mentions. Words and phrases are data, see the head of `words.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from research.material import SourceText
from research.text import content_stems, split_sentences
from research.text.languages import per_million
from research.text.numbers import CARDINALS
from research.text.stems import stop_words

_FILE = Path(__file__).with_name("words.toml")
#: A hyphen separates words: "code-switching" and "code switching" are one term.
_HYPHEN = re.compile(r"(?<=\w)[-‐‑](?=\w)")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SHORT_FORM = re.compile(r"\(([A-ZÁÉÍÓÚÑ]{2,6})s?\)")
#: Most characters of the words that an abbreviation stands for.
_SPELLED_OUT = 120
#: Most words with content in a term.
_MOST_WORDS = 4
#: Least sources and mentions of a concept that is marked, and of one that is not.
_LEAST_MARKED, _LEAST = (2, 3), (3, 4)
#: Least share of the sources of one that is not marked.
_FEW = 0.25
#: Uses per million words of everyday speech above which a single word is no concept, if marked as one and if not.
_EVERYDAY, _RARE = 5.0, 0.05
#: Share of a term's mentions within a longer term from which the longer one replaces it.
_WITHIN = 0.6


class Words:
    """The words of one language. Theories and plain words are stems."""

    def __init__(self, language: str) -> None:
        given = tomllib.loads(_FILE.read_text(encoding="utf-8"))[language]
        self.theories = frozenset(content_stems(" ".join(given["theories"]), language))
        self.plain = frozenset(content_stems(given["plain"], language))
        #: Words with which no term begins or ends.
        self.edges = CARDINALS.keys() | stop_words(language) | set(given["edges"].split())
        self.joining = frozenset(given["joining"])
        self.endings = tuple(given["endings"])
        marks = "|".join(given["introduces"])
        articles = "|".join(given["articles"])
        follows = "|".join(given["follows"])
        self.introduces = re.compile(rf"\b(?:{marks})\W++(?>(?:(?:{articles})\s++)*)", re.IGNORECASE)
        self.follows = re.compile(rf"(?<=\w)\W++(?:{follows})\b", re.IGNORECASE)


words_of = cache(Words)


@dataclass
class Term:
    """A recurring stretch of words and where it is used."""

    #: Without "theory" and the like if others remain; equal for its different forms.
    stems: frozenset[str]
    forms: Counter[str] = field(default_factory=Counter)
    #: Citation key of the source of each sentence about it.
    sentences: dict[str, str] = field(default_factory=dict)
    #: Citation keys of the sources that mark it as a concept.
    marking: set[str] = field(default_factory=set)

    @property
    def written(self) -> str:
        """Its most frequent form; of equally frequent ones the longer, such as the one with "theory"."""
        return max(self.forms, key=lambda form: (self.forms[form], len(form), form))

    @property
    def sources(self) -> set[str]:
        """Citation keys of the sources that use it."""
        return set(self.sentences.values())


def concepts_of(sources: Sequence[tuple[str, SourceText]], language: str) -> list[Term]:
    """Return the concepts of sources in one language; those that most sources use and mark come first."""
    found: dict[frozenset[str], Term] = {}
    for sentence, key in _sentences(sources, language).items():
        for form, is_marked in _stretches(sentence, language):
            identity = stems_of(form, language)
            term = found.setdefault(identity, Term(identity))
            term.forms[f"{form[:1].lower()}{form[1:]}"] += 1
            term.sentences[sentence] = key
            term.marking |= {key} if is_marked else set()
    concepts = [term for term in found.values() if _is_concept(term, len(sources), language)]
    # "Proximal development" is mostly used within its zone.
    whole = [
        term
        for term in concepts
        if not any(
            term.stems < one.stems and len(one.sentences) >= _WITHIN * len(term.sentences) for one in concepts
        )
    ]
    return sorted(whole, key=lambda term: (-len(term.sources) - len(term.marking), term.written))


def planned_concepts(questions: Iterable[str], language: str) -> list[str]:
    """Return each theory that a plan's questions name: "attachment theory" in "What says attachment theory?"."""
    theories, found = words_of(language).theories, dict[str, None]()
    for question in questions:
        forms = [form for form, _ in _stretches(question, language) if " " in form or "-" in form]
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


def _stretches(sentence: str, language: str) -> Iterator[tuple[str, bool]]:
    """Yield each stretch of one to four words with content, as written, and whether the sentence marks it."""
    known, plain = words_of(language), _split(sentence)
    words = [*_WORD.finditer(plain)]
    usable = [_may_be_of_a_term(word[0], known, is_first=at == 0) for at, word in enumerate(words)]
    introduced = {found.end() for found in known.introduces.finditer(plain)}
    for first, word in enumerate(words):
        count = 0
        for last in range(first, len(words) if usable[first] else first):
            if last > first and not plain[words[last - 1].end() : words[last].start()].isspace():
                break
            count += usable[last]
            if count > _MOST_WORDS or not (usable[last] or words[last][0] in known.joining):
                break
            if usable[last]:
                form = sentence[word.start() : words[last].end()]
                is_followed = not (first and usable[first - 1]) and known.follows.match(plain, words[last].end())
                has_short_form = _SHORT_FORM.match(sentence, words[last].end() + 1)
                is_theory = not known.theories.isdisjoint(content_stems(form, language))
                yield form, bool(is_theory or word.start() in introduced or is_followed or has_short_form)


def _may_be_of_a_term(word: str, known: Words, *, is_first: bool) -> bool:
    """Return whether a term may begin or end with it: no name, number, verb, adverb or word without content."""
    small = word.casefold().replace("’", "'").removesuffix("'s")
    is_name, is_inflected = word[0].isupper() and not is_first, len(small) > 3 and small.endswith(known.endings)
    return not (is_name or is_inflected or len(small) < 3 or small in known.edges)


def _is_concept(term: Term, total: int, language: str) -> bool:
    least_sources, least_mentions = _LEAST_MARKED if term.marking else _LEAST
    if len(term.sources) < least_sources or len(term.sentences) < least_mentions:
        return False
    if not term.marking and len(term.sources) < _FEW * total:
        return False
    if len(term.stems) == 1 and per_million(language, term.written) > (_EVERYDAY if term.marking else _RARE):
        return False
    return words_of(language).plain.isdisjoint(term.stems) and not term.stems <= words_of(language).theories


def _head(term: str, language: str) -> str:
    """Return the stem of a term's head noun: the first in Spanish; in English the last, or that before "of"."""
    words = _split(term).partition(" of ")[0].split()
    return next(iter(content_stems(words[0 if language == "es" else -1], language)), "")


def _split(text: str) -> str:
    """Return the text, as long as before, with a space in place of each hyphen within a word."""
    return _HYPHEN.sub(" ", text)
