"""Correct common misreadings of OCR without guessing at names.

Only text that thousands of entries share is corrected: kinds of school, ends of e-mail addresses, the space
between two names.
"""

from __future__ import annotations

import re

from rapidfuzz import fuzz, process

from pipeline.extraction.values.name_mending import mended_name
from pipeline.extraction.values.text import plain
from pipeline.profiles import FieldKind

_SCHOOL_WORDS = (
    "Elementary",
    "School",
    "Academy",
    "Middle",
    "Primary",
    "Charter",
    "Magnet",
    "Catholic",
    "Community",
    "Escuela",
    "Primaria",
    "Preparatory",
    "College",
    "Language",
)
_DOMAINS = [
    "gmail.com",
    "yahoo.com",
    "hotmail.com",
    "outlook.com",
    "icloud.com",
    "aol.com",
    "comcast.net",
    "sbcglobal.net",
    "att.net",
    "msn.com",
    "live.com",
    "verizon.net",
    "ymail.com",
    "me.com",
    "mac.com",
]
_ENDS = ("com", "org", "net", "edu", "gov")
#: A domain without any dot that ends in a top-level domain.
_GLUED_END = re.compile(rf"^([^.]{{2,}})({'|'.join(_ENDS)})$")
#: Characters that recognition returns for the dots of an address.
_AS_DOTS = str.maketrans(",:;·•", ".....")
#: A small letter directly followed by a capital, except after Mc, Mac, De, La, Di, Le, Du.
_GLUED = re.compile(
    r"(?<=[a-zà-ÿ])(?<!\bMc)(?<!\bMac)(?<!\bDe)(?<!\bLa)(?<!\bDi)(?<!\bLe)(?<!\bDu)(?=[A-ZÀ-Þ][a-zà-ÿ]{2,})"
)
#: A slash within a word is a misread l.
_SLASH = re.compile(r"(?<=[A-Za-z])/(?=[a-z])|(?<=\b[A-Z])/(?=[a-z])")
_SHORT = re.compile(r"\b(?:(A[ce]a[ld])|([El]?[el]em|E[a-z]?em))\b\.?$")
#: "High" misread as the last word of a school: "Hish", "Hlgh".
_HIGH = re.compile(r"(?<=\w )(?:H[il1|][a-z]h|H[a-z1|]gh)$")
_STRAY = re.compile(r"(?<=\w{3})[,;]+(?=\s)|^[^\w(]+|[^\w).]+$")
#: A single word of this many letters may be two words that recognition joined.
_TWO_WORDS = 10


_AS_DIGITS = str.maketrans("OoQDCIl|!iSsZzBGbgq", "0000011111552286699")
_ORDINALS = (
    (re.compile(r"\b[Il|!](?=\s?(?:st|ST|St)\b)"), "1"),
    (re.compile(r"(?<![A-Za-z])[|!Il](?=[0-2OQ](?:\b|th|\d?$))"), "1"),
    (re.compile(r"(?<=1)[OQo](?=\b|th)"), "0"),
    (re.compile(r"(?<=\d)\s?(?:tn|tr|ih|fh|ch|hh|1h|t)\b\.?", re.IGNORECASE), "th"),
    (re.compile(r"(?<=2)\s?(?:ud|na|nd)\b\.?", re.IGNORECASE), "nd"),
    (re.compile(r"(?<=\d)\s?(?:v0|Vo|V0)\b"), "vo"),
)


def mended(kind: FieldKind, text: str) -> str:
    """Return the recognised text with common misreadings corrected."""
    if kind is FieldKind.PERSON:
        return mended_name(_parted(_STRAY.sub("", text)))
    if kind is FieldKind.SCHOOL:
        spaced = _parted(_STRAY.sub("", text))
        words = _HIGH.sub("High", " ".join(_school_word(word) for word in spaced.split()))
        return _SHORT.sub(lambda m: ("Acad" if m[1] else "Elem") + ("." if m[0].endswith(".") else ""), words)
    if kind is FieldKind.EMAIL:
        return _address(text)
    if kind in (FieldKind.PHONE, FieldKind.DATE, FieldKind.NUMBER):
        return " ".join(_digits(word) for word in text.split())
    return _ordinal(text) if kind is FieldKind.GRADE else text


def _digits(word: str) -> str:
    """Correct a group of a telephone number: letters among more digits are misread digits."""
    digits, letters = sum(c.isdigit() for c in word), sum(c.isalpha() for c in word)
    return word.translate(_AS_DIGITS) if 0 < letters <= digits else word


def _ordinal(text: str) -> str:
    """Correct misread digits and endings of a grade: "Ist", "|st", "7tn", "IO"."""
    for pattern, right in _ORDINALS:
        text = pattern.sub(right, text)
    return text


def _parted(text: str) -> str:
    text = _SLASH.sub("l", text)
    return " ".join(_GLUED.sub(" ", word) if len(word) >= _TWO_WORDS else word for word in text.split())


def _school_word(word: str) -> str:
    if len(word) < 5:
        return word
    hit = process.extractOne(
        plain(word), [w.casefold() for w in _SCHOOL_WORDS], scorer=fuzz.ratio, score_cutoff=72
    )
    if hit is None:
        return word
    right = _SCHOOL_WORDS[hit[2]]
    return right.upper() if word.isupper() else right


def _address(text: str) -> str:
    local, at, domain = text.replace(" ", "").partition("@")
    if not at:
        return text
    local, domain = local.translate(_AS_DOTS), domain.translate(_AS_DOTS).lower().rstrip(".-")
    hit = process.extractOne(domain, _DOMAINS, scorer=fuzz.ratio, score_cutoff=82)
    if hit:
        return f"{local}@{hit[0]}"
    domain = _GLUED_END.sub(r"\1.\2", domain)
    head, dot, end = domain.rpartition(".")
    ending = process.extractOne(end.replace("0", "o"), _ENDS, scorer=fuzz.ratio, score_cutoff=60)
    return f"{local}@{head}.{ending[0]}" if dot and head and ending else f"{local}@{domain}"
