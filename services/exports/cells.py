"""Values as cells of tables for spreadsheet programs: nothing that somebody wrote is a formula there."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
from itertools import pairwise
from typing import TextIO

#: What begins a formula, in every form that NFKC turns into one of `=+-@`.
_FORMULA = re.compile("[=＝﹦⁼₌⩵⩶+＋﹢⁺₊﬩\\-－﹣@＠﹫]")
#: Where programs split rows. A file is written with commas, but where the comma is part of numbers it is split at
#: semicolons, and quotes that stand beside a comma protect nothing there.
_SEPARATORS = frozenset(",;|\t\n\r\x0b\x0c\x85\u2028\u2029")
#: What a program may drop from the beginning of a cell: quotes, spaces, marks without a letter, letters without a
#: shape; and whatever else cannot be printed, such as the marks of right-to-left writing.
_DROPPED = frozenset('"\u115f\u1160\u3164\uffa0\u2800')
_DROPPED_KINDS = frozenset({"Mn", "Me", "Zs"})
#: A cell that begins with one of these is marked in any case (OWASP, "CSV Injection").
_BLANKS = ("\t", "\r", "\n")
#: What XML 1.0 does not allow, so that no workbook can hold it.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
#: The most characters that Excel takes in a cell.
LONGEST = 32_767


class CsvTable:
    """Rows as CSV (RFC 4180): every text in quotes and harmless, numbers as they are."""

    def __init__(self, file: TextIO) -> None:
        self._writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)

    def write(self, cells: Iterable[str | int | float | Decimal | None]) -> None:
        """Write one row; None is an empty cell."""
        self._writer.writerow([harmless(cell) if isinstance(cell, str) else cell for cell in cells])


def harmless(value: str, mark: str = "'") -> str:
    """Return the text with a mark before everything that a spreadsheet would take for a formula: at the beginning,
    and after each character at which one or another program splits a row.
    """
    edges = [0, *sorted(_starts(value)), len(value)]
    return mark.join(value[start:end] for start, end in pairwise(edges))


def _starts(value: str) -> set[int]:
    """Return where a cell would begin that has to be marked, whichever separator is used."""
    starts = {0} if value.startswith(_BLANKS) else set()
    for found in _FORMULA.finditer(value):
        start = found.start()
        while start and _may_be_dropped(value[start - 1]):
            start -= 1
        if not start or value[start - 1] in _SEPARATORS:
            starts.add(start)
    return starts


def _may_be_dropped(character: str) -> bool:
    return character not in _SEPARATORS and (
        character in _DROPPED or not character.isprintable() or unicodedata.category(character) in _DROPPED_KINDS
    )


def for_workbook(value: str) -> str:
    """Return the text as a cell of a workbook can hold it: characters that XML lacks are replaced, the end of a
    text that is too long is cut off, marked by "…". Nothing splits such a cell, so only its beginning is marked:
    an essay whose lines begin with dashes stays as it is.
    """
    kept = _NOT_XML.sub("\ufffd", f"'{value}" if 0 in _starts(value) else value)
    return kept if len(kept) <= LONGEST else f"{kept[: LONGEST - 1]}…"
