"""Values as cells of a table that programs for spreadsheets open."""

from __future__ import annotations

import re

#: A cell that begins with one of these is taken for a formula (OWASP, "CSV Injection").
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
#: What XML 1.0 does not allow, so that no workbook can hold it.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
#: The most characters that Excel takes in a cell.
LONGEST = 32_767


def harmless(value: str) -> str:
    """Return the text with an apostrophe before it if a spreadsheet would take it for a formula."""
    return f"'{value}" if value.lstrip(" ").startswith(_FORMULA) else value


def for_workbook(value: str) -> str:
    """Return the text as a cell of a workbook can hold it: characters that XML lacks are replaced, the end of a
    text that is too long is cut off, marked by "…".
    """
    kept = _NOT_XML.sub("\ufffd", harmless(value))
    return kept if len(kept) <= LONGEST else f"{kept[: LONGEST - 1]}…"
