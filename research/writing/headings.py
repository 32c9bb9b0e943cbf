"""Make titles and headings from questions."""

from __future__ import annotations

import re

from research.config import Language
from research.text.stems import stop_words
from research.writing.wording import wording

_MAX = 90
#: Most words of a section's heading.
_WORDS = 6
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_ORDER = re.compile(
    r"^(?:please\s+)?(?:find(?:\s+out)?|identify|list|describe|explain|discuss|summari[sz]e|research|investigate|examine|compare|tell\s+me"
    r"|write\s+a\s+(?:short\s+)?report\s+(?:on|about)|give\s+(?:me\s+)?an\s+overview\s+of|what\s+is\s+known\s+about"
    r"|(?:por\s+favor,?\s+)?(?:identifi(?:que|ca|car)|enumer(?:e|a|ar)|describ(?:a|e|ir)|expli(?:que|ca|car)|resum(?:a|e|ir)|investig(?:ue|a|ar)|analic?e|analiza|analizar"
    r"|busque|busca|buscar|encuentre|encuentra|compar(?:e|a|ar)|qué\s+se\s+sabe\s+(?:de|sobre)))\s+",
    re.IGNORECASE,
)


def title_of(question: str) -> str:
    """Return a question's first sentence, without the imperative, cut at a word to at most `_MAX` characters."""
    text = " ".join(question.split())
    first = re.split(r"(?<=[?.!])\s+(?=[A-ZÁÉÍÓÚÑ¿¡])", text, maxsplit=1)[0].rstrip(".:; ")
    # The part after a dash names an angle of the question: "… — costs".
    for mark in (" — ", " – "):
        head, found, tail = first.rpartition(mark)
        if found and head and len(tail) > 3:
            first = tail
    ordered = _ORDER.sub("", first)
    if ordered != first and ordered:
        first = ordered.rstrip("?").strip(" ¿")
    first = first[:1].upper() + first[1:] if not first.startswith("¿") else f"¿{first[1:2].upper()}{first[2:]}"
    return _cut(first)


def _cut(text: str) -> str:
    if len(text) <= _MAX:
        return text
    short = text[: _MAX - 1].rsplit(" ", 1)[0].rstrip(" ,;:")
    return f"{short}…"


def short_heading(heading: str, question: str, language: Language) -> str:
    """Return the heading if it is short and no question, else the first telling words of the question."""
    plain = " ".join(heading.split()).rstrip(" .:;,")
    if 0 < len(plain.split()) <= _WORDS and not plain.endswith("?"):
        return plain[:1].upper() + plain[1:]
    words = _WORD.findall(plain or question)
    small = stop_words(language) | {"many", "much", "qué", "cómo", "cuánto", "cuánta", "cuál", "cuáles"}
    while words and words[0].casefold() in small:
        words = words[1:]
    words = words[: _WORDS - 1]
    while words and words[-1].casefold() in small:
        words = words[:-1]
    told = " ".join(words)
    return told[:1].upper() + told[1:] if told else wording(language).found
