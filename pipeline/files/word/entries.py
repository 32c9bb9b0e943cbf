"""Entries that stand one below the other in a Word file, without a page break between them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape, unescape
from itertools import pairwise
from typing import Any

from lxml import etree, html

from pipeline.profiles.declared import known_heads

#: Fields whose labels head an entry: the pupil's name, and at least one of the others.
_NAME, _OTHERS = "student_name", ("school_name", "grade")
#: Words that an entry has at least before the next one begins.
_LEAST_WORDS = 40
#: Paragraphs before and after the name in which the other labels stand.
_NEAR = 4
#: Labels of two entries.
_LEAST_LABELS = 4
_TAGS = re.compile(r"<[^<>]*+>")
_LINE_END = re.compile(r"<br[^<>]*+>|</(?:p|td|th|li)>")


def parted(page: str) -> list[str]:
    """Return the HTML of a page in parts: each begins with the labels of another pupil.

    A page with the labels of one is returned as it is.
    """
    labels = _labels()
    if len(labels.findall(_TAGS.sub("\n", page))) < _LEAST_LABELS:
        return [page]
    blocks = _blocks(page)
    texts = [_text(block) for block in blocks]
    starts = _starts(texts, labels)
    if not starts:
        return [page]
    bounds = [0, *starts, len(blocks)]
    return ["".join(map(_written, blocks[a:b])) for a, b in pairwise(bounds)]


def _labels() -> re.Pattern[str]:
    """Labels as people type them, with the field in the group of its name."""
    heads = known_heads()
    either = "|".join(
        f"(?P<{name}>{'|'.join(re.escape(head) for head in sorted(heads[name][1], key=len, reverse=True))})"
        for name in (_NAME, *_OTHERS)
    )
    return re.compile(rf"(?:^|(?<=[\s,;|]))(?:{either})\s*[:=]", re.IGNORECASE | re.MULTILINE)


def _starts(texts: Sequence[str], labels: re.Pattern[str]) -> list[int]:
    """The blocks, all but the first, with which the labels of another pupil begin."""
    found = [{hit.lastgroup or "": _value(text, hit, labels) for hit in labels.finditer(text)} for text in texts]
    starts: list[int] = []
    pupil, words = "", 0
    for at, of_block in enumerate(found):
        name, begin = of_block.get(_NAME, ""), at
        # Labels that stand above the name belong to it.
        while name and begin and found[begin - 1] and at - begin < _NEAR:
            begin -= 1
        around = {field for near in found[begin : at + _NEAR + 1] for field in near}
        if name and around & set(_OTHERS) and name.casefold() != pupil.casefold():
            if pupil and words >= _LEAST_WORDS:
                starts.append(begin)
            pupil, words = name, 0
        words += 0 if of_block else len(texts[at].split())
    return starts


def _value(text: str, hit: re.Match[str], labels: re.Pattern[str]) -> str:
    rest = text[hit.end() :].split("\n", 1)[0]
    following = labels.search(rest)
    return " ".join(rest[: following.start() if following else len(rest)].split())


def _blocks(page: str) -> list[Any]:
    """The elements and texts that the page is made of, looking into those that only hold others."""
    found: list[Any] = []
    for block in html.fragments_fromstring(page):
        inner = [block] if isinstance(block, str) or block.tag != "div" else [block.text or "", *block]
        found += [part for part in inner if not isinstance(part, str) or part.strip()]
    return found


def _text(block: Any) -> str:
    if isinstance(block, str):
        return block
    return "\n".join(
        unescape(_TAGS.sub("", line)) for line in re.split(r"<br[^<>]*+>|</(?:p|td|th|li)>", _written(block))
    )


def _written(block: Any) -> str:
    if isinstance(block, str):
        return escape(block)
    return str(etree.tostring(block, encoding="unicode", method="html"))
