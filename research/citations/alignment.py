"""Compare a quotation with its source in what folding dropped: case, spaces, dashes, apostrophes, references."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from research.citations.folding import APOSTROPHES, BULLETS, DASHES, FURNITURE, HYPHENS, INVISIBLE, MARKS, Folded

_LIST_MARK = re.compile(rf"\n[ \t]*[{DASHES}{BULLETS}+][ \t]+")
_REFERENCE = re.compile(r"\[\d{1,3}[^\]]{0,300}\]")
_FURNITURE = re.compile(FURNITURE, re.MULTILINE)
_MARKS = re.compile(f"[{MARKS}]")
_LINE_END_HYPHEN = re.compile(rf"^[{HYPHENS}]\s+$")
_SOFT_HYPHEN = re.compile(r"\u00ad(?!\s)")
_DASH = re.compile(f"[{DASHES}]")
_APOSTROPHE = re.compile(f"[{APOSTROPHES}]")
_OPTIONAL_SPACE = re.compile(f"[{INVISIBLE}]")
_LIGATURES = re.compile("[\ufb00-\ufb06]")


@dataclass(frozen=True, slots=True)
class Gap:
    """The features of a stretch that folding dropped between two letters."""

    space: bool
    dash: bool
    apostrophe: bool
    #: The stretch is a hyphen at a line's end, which may divide a word.
    cut_word: bool
    #: A zero-width space: may count as white space or as nothing.
    maybe_space: bool
    references: frozenset[str]


@lru_cache(maxsize=4096)
def gap_of(dropped: str) -> Gap:
    """Return the features of a dropped stretch."""
    references = frozenset(_REFERENCE.findall(dropped))
    rest = _LIST_MARK.sub("\n", _MARKS.sub("", _FURNITURE.sub("", dropped)))
    visible = _OPTIONAL_SPACE.sub("", _SOFT_HYPHEN.sub("", rest))
    return Gap(
        space=any(map(str.isspace, visible)),
        dash=bool(_DASH.search(visible)),
        apostrophe=bool(_APOSTROPHE.search(visible)),
        cut_word=bool(_LINE_END_HYPHEN.match(visible)),
        maybe_space="\u200b" in rest,
        references=references,
    )


def says_the_same(quote: Folded, source: Folded, begin: int, free_case: Collection[int]) -> bool:
    """Return whether the quotation agrees with the source from letter `begin` on, including what folding dropped.

    `free_case`: places in the quotation's original where the case of a letter may differ from the source.
    """
    for index in range(len(quote.letters)):
        if not _case_agrees(quote, source, begin, index, free_case):
            return False
        if index and not _gap_agrees(quote, source, begin, index):
            return False
    return True


def _case_agrees(quote: Folded, source: Folded, begin: int, index: int, free_case: Collection[int]) -> bool:
    place = quote.at[index]
    wanted, found = quote.original[place], source.original[source.at[begin + index]]
    return wanted == found or wanted.isupper() == found.isupper() or place in free_case


def _gap_agrees(quote: Folded, source: Folded, begin: int, index: int) -> bool:
    """Return whether what was dropped before letter `index` is equivalent in both texts."""
    wanted = quote.original[quote.at[index - 1] + 1 : quote.at[index]]
    found = source.original[source.at[begin + index - 1] + 1 : source.at[begin + index]]
    if wanted == found:
        return True
    before, after = quote.letters[index - 1], quote.letters[index]
    in_number = after.isdigit() and before in ".,:" and quote.letters[index - 2 : index - 1].isdigit()
    if not wanted and not found.strip() and not (before.isalnum() and after.isalnum()) and not in_number:
        return True
    ligature = bool(_LIGATURES.match(source.original[source.at[begin + index - 1]]))
    return _agree(gap_of(wanted), gap_of(found), before, after, spaced_as_it_is=in_number, ligature=ligature)


def _agree(wanted: Gap, found: Gap, before: str, after: str, *, spaced_as_it_is: bool, ligature: bool) -> bool:
    if not wanted.references <= found.references:
        return False
    if wanted.dash != found.dash:
        dashed, other = (wanted, found) if wanted.dash else (found, wanted)
        return dashed.cut_word and not other.space and before.isalpha() and after.isalpha()
    if wanted.dash:
        return True
    inside_word = before.isalnum() and after.isalnum()
    if wanted.space != found.space:
        free = wanted.maybe_space or found.maybe_space or ligature
        return free or not (inside_word or spaced_as_it_is)
    return wanted.apostrophe == found.apostrophe or wanted.space or not inside_word
