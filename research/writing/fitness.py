"""Decide which sentences can be quoted outside their page."""

from __future__ import annotations

import re

from research.writing.evidence import Sentence

MIN_WORDS, MAX_WORDS = 6, 60

_ENDS = re.compile(r"[.!][\"'”’»)\]]*$")
_STARTS = re.compile(r"[\"'“‘«(¿¡]*[\dA-ZÁÉÍÓÚÜÑÀÈÇÖÄ]")
_WORD = re.compile(r"[^\W\d_]+")
_FURNITURE = (
    r"\bcookies?\b|©|\ball rights reserved\b|\bsubscribe\b|\bclick here\b|\bnewsletter\b|\bsign (?:up|in)\b",
    r"\blog ?in\b|\bread more\b|\bshare this\b|\bprivacy policy\b|\bterms of (?:use|service)\b|\bcontact us\b",
    r"\bfollow us\b|\bdownload (?:the|our|this)\b|\bdonate (?:now|today)\b|\bjavascript\b",
    r"\bthis (?:page|website|site)\b|\bISSN\b|\badvertisement\b|\bsee also\b|\bpage last (?:updated|modified)\b",
    r"\btable of contents\b|\bíndice de contenidos\b",
    r"\btodos los derechos reservados\b|\bsuscr[íi]b\w*|\bha(?:ga|z) clic\b|\bboletín\b",
    r"\binici(?:ar|e|a) sesión\b|\bleer más\b|\bcompart(?:ir|e) (?:en|est[ae])\b",
    r"\bpolítica de privacidad\b|\btérminos de (?:uso|servicio)\b",
    r"\bcont[áa]ct[ae]nos\b|\bs[íi]g[au]e?nos\b|\bdescarg(?:ue|a) (?:el|la|nuestr[oa])\b",
    r"\bdon[ea] (?:ahora|hoy)\b|\best[ae] (?:página|sitio)\b|\bpublicidad\b|\bvéase\b|\búltima actualización\b",
)
_UNFIT = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # The source's own reference numbers.
        r"\[\s*+\d[\d\s,;–-]*+\]",
        # Addresses and telephone numbers.
        r"https?://|www\.|\b[\w.+-]+@[\w-]+\.\w+|\bdoi:|\(?\b\d{3}\)?[ .-]\d{3}[ .-]\d{4}\b",
        # An entry of a list of references: volume and pages.
        r"\b\d+\s?\(\d+\)[,:]\s?\d+[–-]\d+|\bpp?\.\s?\d+[–-]\d+",
        # Captions.
        r"^(?:fig(?:ure|ura)?|table|tabla|chart|cuadro|gráfic[oa]|box|recuadro|source|fuente)\b\.?\s*[\d:(]",
        "|".join(_FURNITURE),
    )
)
#: An entry of a list of references: surname, initials, year.
_ENTRY = re.compile(r"^[A-ZÁÉÍÓÚÑ][\w'’-]++,\s++(?>(?:[A-Z]\.\s*+)+).{0,1000}\(\d{4}[a-z]?\)")
_RUBBLE = ("|", "@", "\t", "…", "...", "{", "}", "<", ">")
_PAIRS = (("“", "”"), ("«", "»"), ("(", ")"), ("[", "]"))


def is_fit(sentence: Sentence) -> bool:
    """Return whether the sentence can be quoted by itself."""
    return is_statement(sentence.text, ended=sentence.cut)


def is_statement(text: str, *, ended: bool = False) -> bool:
    """Return whether a text is a complete statement.

    Headings, questions, captions, addresses, table rows and navigation or boilerplate lines are not.

    `ended`: its end is known although there is no full stop.
    """
    words = _WORD.findall(text)
    if not MIN_WORDS <= len(words) <= MAX_WORDS or not _STARTS.match(text) or not (ended or _ENDS.search(text)):
        return False
    if _shouted(words) or _letters(text) < 0.7 or not _balanced(text) or any(mark in text for mark in _RUBBLE):
        return False
    return not _ENTRY.search(text) and not any(pattern.search(text) for pattern in _UNFIT)


def _shouted(words: list[str]) -> bool:
    capitals = sum(word[0].isupper() for word in words)
    return capitals > 0.6 * len(words) or sum(len(word) > 3 and word.isupper() for word in words) > 3


def _letters(text: str) -> float:
    return sum(char.isalpha() or char.isspace() for char in text) / max(1, len(text))


def _balanced(text: str) -> bool:
    return all(text.count(left) == text.count(right) for left, right in _PAIRS) and text.count('"') % 2 == 0
