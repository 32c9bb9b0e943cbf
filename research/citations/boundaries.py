"""Check where a quotation begins and ends in its source: it must not cut a word, a number or a negation."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

from research.citations.typography import APOSTROPHES, DASHES, HYPHENS, INVISIBLE, MARKS

_DATA = tomllib.loads(files(__package__).joinpath("boundaries.toml").read_text(encoding="utf-8"))
_NEGATION, _DOUBT, _CONDITION, _LIMIT = (
    "|".join(word for words in _DATA[name].values() for word in words)
    for name in ("negations", "doubts", "conditions", "limits")
)
_NEGATED_SENTENCE = re.compile(
    rf"(?:^|[.!?\u2026:;]['\"\u2019\u201d\u00bb)]*\s+|\n\s{{0,9}}\n\s{{0,9}}"
    rf"|[\u00bf\u00a1\u2018\u201c\u201e\u00ab\u2039\"(\u2014]\s*)(?:{_NEGATION})\s+\Z",
    re.IGNORECASE,
)
_NEGATION_BEFORE = re.compile(rf"(?<!\w)(?:{_NEGATION})[^\w.?!]*\Z", re.IGNORECASE)
_NEGATION_BEHIND = re.compile(rf"^[^\w.?!]*(?:{_NEGATION})(?!\w)", re.IGNORECASE)
_DOUBT_BEFORE = re.compile(
    rf"(?<!\w)(?:(?:{_DOUBT})\b[^.?!;:]{{0,80}}\s(?:that|que)|{_CONDITION})\s+\Z", re.IGNORECASE
)
_LIMIT_BEFORE = re.compile(
    rf"(?:[.!?\u2026]['\"\u2019\u201d\u00bb)]*\s+|\n\s{{0,9}}\n\s{{0,9}})(?:{_LIMIT})\s[^.?!;:]{{2,45}}\Z",
    re.IGNORECASE,
)
#: The beginning lies within a word (a letter or digit is before it, a hyphen at a line's end, an elided article),
#: after a prefix that changes the word's meaning, or within a number.
_BEGINS_WITHIN = re.compile(
    rf"(?:[^\W_][{MARKS}]*[{INVISIBLE}]*|[^\W_][{HYPHENS}{APOSTROPHES}])[^\W_]\Z"
    rf"|(?<![^\W_])(?:non|no|un|in|im|ir|anti|dis|mis|ex|des|sin)[{HYPHENS}]\s+[^\W_]\Z"
    rf"|(?:\d[.,:/\u00b7_*{DASHES}]|(?<![^\W_])[.\u00b1]|(?<![^\W_.,)])[{DASHES}]|[$\u20ac\u00a3\u00a5])\d\Z"
    r"|[^\W_][\W_]\Z",
    re.IGNORECASE,
)
_ENDS_WITHIN = re.compile(
    rf"[^\W_][{INVISIBLE}]*(?:[^\W_]|[{HYPHENS}]\s*[^\W\d_]|[{APOSTROPHES}][^\W\d_])"
    rf"|\d(?:[.,:/\u00b7_*{DASHES}]\d|[%\u2030\u00b0\u20ac])"
)
_LINE_END_HYPHEN = re.compile(rf"[{HYPHENS}](?=\s)")
#: A source's reference to its own bibliography: "[3]", "[3, p. 12]".
REFERENCE = r"\[\d{1,3}[^\]]{0,300}\]"
_ENDINGS = re.compile(rf"^(?:{REFERENCE}|[^\w.?!])*([.?!])")
#: Characters examined before and after a quotation.
REACH = 60
#: Longest omission, in words, that is searched for a hidden negation.
HIDING_WORDS = 8


def is_whole(text: str, start: int, end: int, tail: str = "") -> bool:
    """Return whether `text[start:end]` cuts no word or number, except where a line's end divides it.

    `tail`: the marks behind the quotation's last word; a cut word must keep its hyphen.
    """
    behind = text[end : end + REACH]
    if _BEGINS_WITHIN.search(text[max(0, start - REACH) : start + 1]):
        return False
    keeps_hyphen = _LINE_END_HYPHEN.match(behind) and tail[:1] == behind[:1]
    return bool(keeps_hyphen) or not _ENDS_WITHIN.match(text[end - 1] + behind)


def loses_its_opening(text: str, start: int, *, is_raised: bool, is_marked: bool) -> bool:
    """Return whether the quotation drops words right before `start` that deny, doubt or limit the rest.

    `is_raised`: it begins with a capital where the source has none. `is_marked`: in brackets, which show that
    something was left out: this permits a dropped limit ("In rural areas") but not a dropped "not".
    """
    before = text[max(0, start - REACH) : start]
    if is_raised and (_NEGATION_BEFORE.search(before) or _DOUBT_BEFORE.search(before)):
        return True
    if is_raised and not is_marked and _LIMIT_BEFORE.search(before if start > REACH else f"\n\n{before}"):
        return True
    return bool(_NEGATED_SENTENCE.search(before))


def hides_negation(omitted: str) -> bool:
    """Return whether an ellipsis replaces a negation of the words next to it.

    Only omissions of up to `HIDING_WORDS` words are searched: a negation in a longer one may concern other words.
    """
    if len(omitted.split()) > HIDING_WORDS:
        return False
    return bool(_NEGATION_BEFORE.search(omitted) or _NEGATION_BEHIND.search(omitted))


def ends_otherwise(tail: str, behind: str) -> bool:
    """Return whether the quotation's closing mark turns a question into a statement or the reverse."""
    closing, found = _ENDINGS.match(tail), _ENDINGS.match(behind)
    if closing is None:
        return False
    return (closing[1] == "?" or (found is not None and found[1] == "?")) and (
        found is None or found[1] != closing[1]
    )
