"""Numbers as people write them into a field of their own: "11", "1,200", "2.5", "11 years"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipeline.extraction.values.text import tidy

_NUMBER = re.compile(r"(?<![\w.,])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w])|(?<![\w.,])-?\d+(?:[.,]\d+)?(?!\d)")
#: Certainty of a number among words.
_AMONG_WORDS = 0.9


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """A number in plain digits, None where a text holds none or several, and how sure that is (0-1)."""

    value: str | None
    certainty: float = 1.0


def parse_number(text: str) -> WrittenNumber:
    """Return the only number of a text, a point before its decimals and no sign between thousands."""
    written = tidy(text)
    found = _NUMBER.findall(written)
    if len(found) != 1:
        return WrittenNumber(None, 0.0)
    number = found[0]
    thousands = re.fullmatch(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?", number) is not None
    plain = number.replace(",", "" if thousands else ".")
    head, dot, decimals = plain.partition(".")
    sign, digits = ("-", head[1:]) if head.startswith("-") else ("", head)
    value = sign + (digits.lstrip("0") or "0") + dot + decimals
    return WrittenNumber(value, 1.0 if written == number else _AMONG_WORDS)
