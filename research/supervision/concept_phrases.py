"""Phrases that mark a term as a concept: "the concept of …", "known as …", "… theory", "se entiende por …"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from research.supervision.term_tokens import Stretch, Token
from research.text import content_stems

_QUOTES = "\"'“”‘’«»*_ "
_ARTICLE = {"en": r"(?:the\s+|an?\s+|it\s+|this\s+)?", "es": r"(?:el\s+|la\s+|los\s+|las\s+|un[ao]?\s+)?"}
#: Phrases directly followed by a term.
_BEFORE = {
    "en": r"(?:concept|notion|construct|theory|phenomenon|principle|hypothesis|paradigm|doctrine|law)s?\s+of|"
    r"(?:known|described|referred\s+to|theori[sz]ed|framed)\s+(?:\w+\s+)?as|so-called|call(?:s|ed)?|term(?:s|ed)|"
    r"coined(?:\s+the\s+term)?|the\s+terms?|defines?|in\s+the\s+language\s+of|through\s+the\s+lens\s+of",
    "es": r"(?:conceptos?|noción|constructo|fenómeno|principio|hipótesis|paradigma|doctrina|teoría|término)"
    r"(?:\s+(?:de|del))?|(?:conocid|descrit|entendid|denominad)[oa]s?\s+como|llamad[oa]s?|denominad[oa]s?|"
    r"(?:se\s+|lo\s+|los\s+|la\s+|las\s+)?(?:llaman?|denominan?|llamó|denominó|llamamos)|se\s+entiende\s+por|"
    r"se\s+conoce\s+como|hablar\s+de|hablan?\s+de",
}
#: Phrases directly preceded by a term.
_BEHIND = {
    "en": r"\s{1,9}(?:(?:is|are)\s+defined\s+as|refers?\s+to|means\s+that|"
    r"(?:is|are)\s+the\s+(?:idea|notion|belief|tendency|process|degree|capacity|ability|"
    r"view|claim|assumption|sense|extent|ratio)|(?:theory|theorists)\b)|,\s+(?:a|the)\s+(?:term|concept|notion)\b|"
    r",?\s{1,9}(?:as\s+)?(?:proposed|coined|introduced|developed|formulated)\s+by|\s{0,9}\([A-Z]{2,6}s?\)",
    "es": r"\s{1,9}(?:se\s+define|se\s+refiere\s+a|consiste\s+en|se\s+entiende\s+como|"
    r"es\s+(?:el|la)\s+(?:idea|noción|creencia|tendencia|capacidad|proceso|grado|confianza|sensación|"
    r"proporción))|,\s+(?:un\s+|el\s+)?(?:concepto|término)\b|,\s+(?:una\s+|la\s+)?noción\b|"
    r",?\s{1,9}(?:propuest|acuñad|introducid|formulad|desarrollad)[oa]s?\s+por|\s{0,9}\([A-Z]{2,6}s?\)",
}
#: Verbs of theories and of people alike: "a provider says that" names no concept.
_SAYS = {
    "en": r"\s{1,9}(?:describes?|(?:holds|says)\s+that|predicts|posits|expects|explains)\b",
    "es": r"\s{1,9}(?:sostiene\s+que|predice|explica|describe)\b",
}
_ONE_OF_MANY = frozenset({"a", "an", "un", "una"})
#: Nouns that mark a term as a theory; those of `_KIND` also occur in other phrases ("fixed effects").
_THEORY = {
    "en": "theory theories hypothesis paradigm principle theorem law",
    "es": "teoría teorías hipótesis paradigma principio teorema ley",
}
_KIND = {"en": "effect model framework approach", "es": "efecto modelo marco enfoque"}

_STARTS = {
    code: re.compile(rf"\b(?:{_BEFORE[code]})\s+{_ARTICLE[code]}[{_QUOTES}]*", re.IGNORECASE)
    for code in ("en", "es")
}
_ENDS = {code: re.compile(rf"(?={_BEHIND[code]})") for code in ("en", "es")}
_SAYING = {code: re.compile(rf"(?={_SAYS[code]})") for code in ("en", "es")}
_MARKED = re.compile(r"[“«\"*]{1,2}(?P<term>[^“”«»\"*.;:]{4,60})[”»\"*]{1,2}")


class Cues:
    """The positions in a sentence where terms marked as concepts begin or end."""

    def __init__(self, sentence: str, language: str) -> None:
        self._starts = {match.end() for match in _STARTS[language].finditer(sentence)}
        self._ends = {match.end() for match in _ENDS[language].finditer(sentence)}
        self._speaking = {match.end() for match in _SAYING[language].finditer(sentence)}
        for match in _MARKED.finditer(sentence):
            # The term is all the text between the marks.
            self._starts.add(match.start("term"))
            self._ends.add(match.end("term"))

    def name(self, stretch: Stretch, tokens: Sequence[Token]) -> bool:
        """Return whether such a phrase precedes or follows a stretch and marks it as a concept."""
        first, last = tokens[stretch.first], tokens[stretch.last]
        opens = stretch.first == 0 or not tokens[stretch.first].joins or tokens[stretch.first - 1].stem is None
        if first.start in self._starts or (opens and last.end in self._ends):
            return True
        of_many = stretch.first > 0 and tokens[stretch.first - 1].small in _ONE_OF_MANY
        return opens and not of_many and last.end in self._speaking


def has_theory(stems: Sequence[str], language: str) -> bool:
    """Return whether a term contains "theory", "hypothesis", "principle" or the like."""
    return not _stems(_THEORY[language], language).isdisjoint(stems)


def is_head(stem: str, language: str) -> bool:
    """Return whether a word only names the kind of concept."""
    return stem in _stems(f"{_THEORY[language]} {_KIND[language]}", language)


def without_heads(stems: Sequence[str], language: str) -> tuple[str, ...]:
    """Return the stems of a term without "theory", "model" and the like, unless nothing else remains."""
    bare = tuple(stem for stem in stems if not is_head(stem, language))
    return bare or tuple(stems)


def abbreviations(text: str) -> Iterator[tuple[str, str]]:
    """Yield each abbreviation and its words: "zone of proximal development (ZPD)"."""
    for match in _ABBREVIATED.finditer(text):
        words = _PARTS.findall(match["words"])
        for count in range(2, len(words) + 1):
            some = words[-count:]
            initials = "".join(word[0] for word in some if word[0].isalpha() and word.casefold() not in _SMALL)
            every = "".join(word[0] for word in some)
            if match["short"].casefold() in {initials.casefold(), every.casefold()} and (
                some[0].casefold() not in _SMALL
            ):
                yield match["short"], " ".join(some)
                break


_PARTS = re.compile(r"[^\s-]+")
_SMALL = frozenset({"of", "the", "and", "for", "in", "de", "del", "la", "las", "los", "el", "y", "en"})
_ABBREVIATED = re.compile(
    r"(?<![\w'’])(?P<words>(?:[^\W\d_][\w'’]*+[ \n-]++){2,7})\((?P<short>[A-ZÁÉÍÓÚÑ]{2,6})s?\)"
)


@cache
def _stems(words: str, language: str) -> frozenset[str]:
    return frozenset(content_stems(words, language))
