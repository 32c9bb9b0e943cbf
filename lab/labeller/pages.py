"""Drawn pages as numbers: the features of their words and their tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import Pool
from random import Random

import numpy as np
from numpy.typing import NDArray

from lab.headers.drawn import Header
from lab.headers.header import draw_header
from pipeline.extraction.labelling.features import features_of, split_lines
from pipeline.extraction.labelling.labeller import BEGINS, Role

#: Roles whose first word has a tag of its own.
VALUES = (Role.NAME, Role.SCHOOL, Role.GRADE, Role.ROOM, Role.TEACHER, Role.PERSON, Role.TITLE)
TAGS = (*(role.value for role in Role), *(f"{BEGINS}{role}" for role in VALUES))
#: Pages that one process draws at a time.
_PART = 500


@dataclass(frozen=True)
class NumberedPage:
    """The features of all words in a row, where each word's end, and for each word its line and its tag."""

    features: NDArray[np.uint16]
    ends: NDArray[np.int32]
    lines: NDArray[np.int32]
    tags: NDArray[np.int32]


def tagged(header: Header) -> tuple[list[list[str]], list[int], list[str]]:
    """The features, the line and the tag of each word of a header."""
    texts = ["".join(piece.text for piece in line) for line in header.lines]
    owner = [[piece.role for piece in line for _ in piece.text] for line in header.lines]
    split = split_lines(texts)
    tags: list[str] = []
    before = None
    words = [word for line in split for word in line.words]
    for word in words:
        role = Counter(owner[word.line][word.start : word.end]).most_common(1)[0][0]
        tags.append(f"{BEGINS}{role}" if role in VALUES and role != before else role.value)
        before = role
    return features_of(split), [word.line for word in words], tags


def drawn(seed: int, part: int, number: int) -> Iterator[Header]:
    """So many headers, those of one part of a seed's."""
    rng = Random(f"{seed} {part}")
    for _ in range(number):
        yield draw_header(rng)


def vocabulary(headers: Iterable[Header], least: int) -> list[str]:
    """The features that occur on at least so many words."""
    seen: Counter[str] = Counter()
    for header in headers:
        for features in tagged(header)[0]:
            seen.update(features)
    return sorted(name for name, count in seen.items() if count >= least)


def numbered(header: Header, known: Mapping[str, int]) -> NumberedPage:
    """A header's words with the numbers of their features."""
    features, lines, tags = tagged(header)
    numbers = [[known[name] for name in one if name in known] for one in features]
    return NumberedPage(
        np.array([number for one in numbers for number in one], np.uint16),
        np.cumsum([len(one) for one in numbers], dtype=np.int32),
        np.array(lines, np.int32),
        np.array([TAGS.index(tag) for tag in tags], np.int32),
    )


def numbered_pages(seed: int, number: int, features: Sequence[str], processes: int) -> list[NumberedPage]:
    """So many drawn pages, in an order that does not depend on the number of processes."""
    parts = [(seed, part, min(_PART, number - part * _PART)) for part in range(-(-number // _PART))]
    with Pool(processes, _know, (list(features),)) as pool:
        return [page for pages in pool.imap(_part, parts) for page in pages]


_known: dict[str, int] = {}


def _know(features: list[str]) -> None:
    _known.update((name, number) for number, name in enumerate(features))


def _part(which: tuple[int, int, int]) -> list[NumberedPage]:
    return [numbered(header, _known) for header in drawn(*which)]
