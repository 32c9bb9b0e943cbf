"""Decide whether a value may be shown for the words that a model gave as its evidence."""

from __future__ import annotations

import re

from research.citations.names import NAME_WITHIN
from research.citations.quantities import quantities_in
from research.text import content_stems
from research.text.stems import fold_accents

#: Most characters of a value, and most words of a quotation that is shown in place of a value.
_LONGEST, _SHORT_QUOTE = 160, 14
#: Least share of a value's words, numbers apart, that its quotation must have if both are in one language: a value
#: is said shorter than its source says it, and whether the words prove it is asked separately.
_SHARED = 0.25
#: "one" is no quantity in a text, but it says the 1 of a value.
_ONE = re.compile(r"\b(?:one|una?|uno)\b")


def value_of(value: str, quote: str, language: str | None) -> str | None:
    """Return the value to show: the model's, a short quotation in its place, or None.

    Numbers and names of the value must stand in the quotation. `language`: that of both; None if they differ, so
    that their words cannot be compared.
    """
    value = " ".join(value.split())
    may_be_shown = 0 < len(value) <= _LONGEST and _numbers_and_names(value, quote)
    if may_be_shown and (language is None or _speaks_of(value, quote, language)):
        return value
    short = " ".join(quote.split())
    return short if len(short.split()) <= _SHORT_QUOTE else None


def _numbers_and_names(value: str, quote: str) -> bool:
    told = quantities_in(quote)
    said = fold_accents(quote.casefold())
    one = bool(_ONE.search(said))
    return all(number.is_in(told) or (one and 1 in number.values) for number in quantities_in(value)) and all(
        fold_accents(name.casefold()) in said for name in NAME_WITHIN.findall(value)
    )


def _speaks_of(value: str, quote: str, language: str) -> bool:
    if quantities_in(value):
        # Its figures stand in the words; those beside them often stand in the head of a table.
        return True
    own, others = _words(value, language), _words(quote, language)
    return not own or len(own & others) >= max(1, _SHARED * len(own))


def _words(text: str, language: str) -> set[str]:
    return {stem for stem in content_stems(text, language) if not any(map(str.isdigit, stem))}
