"""Find sentences that need a citation, and those that have none."""

from __future__ import annotations

import re

from research.citations.cited_sentences import cited_sentences
from research.citations.names import has_name, names_within
from research.citations.quantities import has_figure
from research.config import Language
from research.document import ReportDocument
from research.text.numbers import spelled_numbers

_MONTH = re.compile(
    r"\b(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)\b"
)
_ENUMERATED = re.compile(r"\((?:\d|[ivx]+|[a-z])\)")


def uncited_claims(document: ReportDocument, above: int = 1) -> list[str]:
    """Return the sentences that claim something and have no marker in or right after them.

    Headings, questions and header rows of tables are not counted. `above`: as for `claims_something`.
    """
    sentences = cited_sentences(document)
    names = names_within(sentence.text for sentence in sentences)
    return [
        one.text
        for one in sentences
        if not one.markers and claims_something(one.text, document.language, names, above)
    ]


def claims_something(
    sentence: str, language: Language, names: frozenset[str] = frozenset(), above: int = 1
) -> bool:
    """Return whether a sentence holds a number, a date or a proper name; a question never counts.

    `names`: words known to be names. `above`: numbers in words up to this one claim nothing.
    """
    if sentence.rstrip("\"'\u201d\u2019\u00bb) ").endswith("?"):
        return False
    counted = without_enumeration(sentence)
    if has_figure(counted) or _MONTH.search(sentence) or any(spelled_numbers(counted, (language,), above)):
        return True
    return has_name(sentence, names)


def without_enumeration(sentence: str) -> str:
    """Return the sentence without "(a)", "(2)", "(iv)"."""
    return _ENUMERATED.sub("", sentence)
