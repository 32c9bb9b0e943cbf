"""The phrases that a text names concepts in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from research.text.stems import stop_words

_WORD = r"[^\W\d_][\w'’‐‑-]*"
#: What comes behind a phrase that introduces a term: up to five words, cut at the first that cannot be of it.
_TERM = rf"(?P<term>{_WORD}(?:\s+{_WORD}){{0,4}})"
#: What comes before "theory": up to four words.
_BEFORE = rf"(?P<before>(?:{_WORD}\s+){{1,4}})"
_QUOTES = "\"'“”‘’«»*_"

_ENGLISH = (
    rf"{_BEFORE}(?P<head>theory|hypothesis|effect|paradigm|principle|theorem|framework|model)\b(?!\s+of\b)",
    rf"\b(?P<head>theory|hypothesis|law|principle|model|zone|logic|tragedy|economy)\s+of\s+(?:the\s+)?{_TERM}",
    rf"\b(?:concept|notion|construct|idea|phenomenon)\s+of\s+(?:the\s+|an?\s+)?[{_QUOTES}]*{_TERM}",
    rf"\b(?:known|described|referred\s+to)\s+as\s+(?:the\s+|an?\s+)?[{_QUOTES}]*{_TERM}",
    rf"\b(?:called|calls|call|termed|terms|named|coined(?:\s+the\s+term)?|the\s+term)\s+(?:it\s+|this\s+|the\s+)?[{_QUOTES}]*{_TERM}",
    rf"(?:^|[.;:]\s+)(?:The\s+)?[{_QUOTES}]*(?P<start>{_WORD}(?:\s+{_WORD}){{0,3}}?)[{_QUOTES}]*\s+"
    r"(?:is\s+defined\s+as|refers\s+to|is\s+the\s+(?:idea|notion|belief|tendency|process|degree|capacity|ability)\b)",
)
_SPANISH = (
    rf"\b(?P<head>teoría|hipótesis|efecto|paradigma|principio|teorema|marco|modelo|ley|zona|economía)\s+"
    rf"(?:de\s+los|de\s+las|de\s+la|del|de)\s+{_TERM}",
    rf"\b(?:concepto|noción|constructo|idea|fenómeno|término)\s+(?:de\s+los|de\s+las|de\s+la|del|de)?\s*[{_QUOTES}]*{_TERM}",
    rf"\b(?:conocid[oa]s?|descrit[oa]s?)\s+como\s+(?:el\s+|la\s+|los\s+|las\s+)?[{_QUOTES}]*{_TERM}",
    rf"\b(?:llamad[oa]s?|denominad[oa]s?|llama|denomina|llamó|denominó|se\s+entiende\s+por)\s+(?:el\s+|la\s+)?[{_QUOTES}]*{_TERM}",
    rf"(?:^|[.;:]\s+)(?:El\s+|La\s+|Los\s+|Las\s+)?[{_QUOTES}]*(?P<start>{_WORD}(?:\s+{_WORD}){{0,3}}?)[{_QUOTES}]*\s+"
    r"(?:se\s+define\s+como|se\s+refiere\s+a|consiste\s+en|es\s+la\s+(?:idea|creencia|tendencia|capacidad)\b)",
    rf"\b(?P<head>teoría|hipótesis|efecto|paradigma|modelo|enfoque)\s+(?P<adjective>{_WORD}(?:\s+{_WORD})?)",
)
_PATTERNS = {
    "en": [re.compile(pattern, re.MULTILINE | re.IGNORECASE) for pattern in _ENGLISH],
    "es": [re.compile(pattern, re.MULTILINE | re.IGNORECASE) for pattern in _SPANISH],
}
_PLAIN_ENGLISH = """
new old main first second third last current present proposed simple different same other general basic common
following two three several many most such own whole good better best large small strong weak clear positive
negative significant average overall direct indirect side special desired net full real early late recent
important key central single similar certain possible local national public price pricing business financial
logic mixed measured observed estimated causal treatment programme program statistical regression
"""
_PLAIN_SPANISH = """
nuevo nueva nuevos nuevas viejo principal primer primera segundo segunda último última actual mismo misma otro
otra otros otras general básico común siguiente dos tres varios muchos propio propia positivo positiva
negativo negativa significativo significativa directo indirecto especial importante clave central único
similar cierto posible público pública lógico mixto estadístico causal promedio
"""
#: Words that make no concept of what they stand with.
_PLAIN = {"en": frozenset(_PLAIN_ENGLISH.split()), "es": frozenset(_PLAIN_SPANISH.split())}
#: Words at which a term ends, besides stop words: what is then said of it.
_ENDS = {
    "en": re.compile(
        r"(?:\w+(?:s|ed|ing)ly|explains?|holds?|says?|predicts?|suggests?|describes?|shows?|states?|argues?|proposes?|"
        r"means?|helps?|makes?|became|becomes?|begins?|began|offers?|gives?|gave|remains?|rests?|links?|treats?|"
        r"captures?|names?|comes?|grew|entered|spread|works?)",
        re.IGNORECASE,
    ),
    "es": re.compile(
        r"(?:\w+mente|explica\w*|sostiene\w*|dice\w*|predice\w*|sugiere\w*|describe\w*|muestra\w*|afirma\w*|propone\w*|"
        r"significan?|ayuda\w*|hace\w*|permite\w*|ofrece\w*|nombra\w*|nació|surgió|tratan?|vincula\w*)",
        re.IGNORECASE,
    ),
}
_LONGEST = 4


def named_in(text: str, language: str) -> Iterator[str]:
    """Each term where the text names a concept, as it is written; a term may come more than once."""
    for pattern in _PATTERNS[language]:
        for found in pattern.finditer(text):
            term = _term(found, language)
            if term is not None:
                yield term


def _term(found: re.Match[str], language: str) -> str | None:
    groups = found.groupdict()
    if groups.get("before"):
        words = _tail(groups["before"].split(), language)
        return f"{' '.join(words)} {groups['head'].lower()}" if words else None
    words = _head((groups.get("term") or groups.get("start") or groups.get("adjective") or "").split(), language)
    if not words or (len(words) == 1 and len(words[0]) < 5):
        return None
    written = " ".join(words)
    head = groups.get("head")
    if head is None:
        return written
    between = found[0][len(head) : found.start("term") - found.start() if groups.get("term") else len(head) + 1]
    return f"{head.lower()}{re.sub(rf'[{re.escape(_QUOTES)}]', '', between)}{written}"


def _tail(words: list[str], language: str) -> list[str]:
    """The words right before a head noun that can be of the term; a possessive name is left out."""
    kept: list[str] = []
    for word in reversed(words):
        if _cannot_be(word, language) or word.casefold().endswith(("'s", "’s")):
            break
        kept.insert(0, _lower(word))
    return kept if any(word.casefold() not in _PLAIN[language] for word in kept) else []


def _head(words: list[str], language: str) -> list[str]:
    """The words of a term from its beginning, up to the first that cannot be of it."""
    kept: list[str] = []
    inner = {"of", "de", "del"}
    for word in words[: _LONGEST + 1]:
        if word.casefold() in inner and kept:
            kept.append(word)
        elif _cannot_be(word, language):
            break
        else:
            kept.append(_lower(word))
    while kept and kept[-1].casefold() in inner:
        kept.pop()
    plain = all(word.casefold() in _PLAIN[language] or word.casefold() in inner for word in kept)
    return [] if plain else kept[:_LONGEST]


def _cannot_be(word: str, language: str) -> bool:
    return word.casefold() in stop_words(language) or _ENDS[language].fullmatch(word) is not None


def _lower(word: str) -> str:
    return word if word[1:].lower() != word[1:] else word.lower()
