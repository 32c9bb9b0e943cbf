"""Tell whether a sentence needs a citation: it has a number, a date or a proper name."""

from __future__ import annotations

import re
from functools import cache

from babel import Locale

from research.citations.quantities import quantities_in
from research.config import Language
from research.text.languages import is_word
from research.text.stems import fold_accents, stop_words

#: A capitalised word after the first of a text: a name, an acronym or a title.
NAME_WITHIN = re.compile(r"(?<=[\w,;:)] )[A-ZÁÉÍÓÚÑÜ][\w’'-]+")
_MONTH = re.compile(
    r"\b(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)\b"
)
_ENUMERATED = re.compile(r"\((?:\d|[ivx]+|[a-z])\)")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019.-][^\W\d_]+)*")
#: Text after which a sentence, or a sentence within one, begins.
_OPENING = re.compile(
    r"(?:^|(?<!\b[A-Z])(?<!\b[A-Z][a-z])(?<!Mrs)(?<!Dra)(?<!Sra)(?<!Prof)\.\s+"
    r"|[:!?\u2026;|\u2014\u2013]\s+|[\"'\u201c\u2018\u00ab(\[\u00bf\u00a1])\W*$"
)
#: Words behind a person's name.
_SPEAKS = re.compile(r"\s+(?:et\s+al|said|says|wrote|dijo|dice|escribi\u00f3)\b")
#: Endings of derived words; dictionaries lack many of these, as they lack names.
_DERIVED = re.compile(r"(?:s|ci[o\u00f3]n|si[o\u00f3]n|ismo|dad|[i\u00ed]a|mente|ly|ing|tion|ment|ness|ity|ed)$")
_PRONOUNS = frozenset({"I", "I'm", "I\u2019m", "I've", "I\u2019ve"})


def claims_something(sentence: str, language: Language) -> bool:
    """Return whether a sentence holds a number, a date or a proper name; "one" and a question never count."""
    if sentence.rstrip("\"'\u201d\u2019\u00bb) ").endswith("?"):
        return False
    numbers = quantities_in(without_enumeration(sentence), (language,))
    has_number = any(one.text[0].isdigit() or max(one.values) > 1 for one in numbers)
    return has_number or bool(_MONTH.search(sentence)) or _has_name(sentence)


def without_enumeration(sentence: str) -> str:
    """Return the sentence without "(a)", "(2)", "(iv)"."""
    return _ENUMERATED.sub("", sentence)


def _has_name(sentence: str) -> bool:
    """Return whether a word within the sentence is capitalised, or its first word is recognised as a name."""
    return any(
        not _OPENING.search(sentence[: match.start()]) or _is_name(match)
        for match in _WORD.finditer(sentence)
        if match[0][0].isupper() and match[0] not in _PRONOUNS
    )


def _is_name(word: re.Match[str]) -> bool:
    """Return whether the first word of a sentence has its capital for more than that."""
    bare = re.sub(r"['\u2019]s?$", "", word[0])
    small = bare.casefold()
    if small in stop_words("en") | stop_words("es"):
        return False
    is_acronym = len(bare) > 1 and bare.isupper() and not word.string.isupper()
    if is_acronym or _SPEAKS.match(word.string, word.end()):
        return True
    return fold_accents(small) in _countries() or not (is_word(bare) or _DERIVED.search(small))


@cache
def _countries() -> frozenset[str]:
    """Return the one-word names of countries in English and Spanish, in lower case, without accents."""
    names = [name for code in ("en", "es") for name in Locale(code).territories.values()]
    return frozenset(fold_accents(name).casefold() for name in names if name.isalpha())
