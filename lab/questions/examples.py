"""The labelled requests for training: those of the bench, those of strangers, and some written for it.

The strangers' requests that are kept aside are never read here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from research.questions.wording import ARTICLES, QueryPart, fold_words
from research.report_type import RequestWording

_HERE = Path(__file__).resolve().parent
_BENCH = _HERE.parent / "bench" / "research" / "data"
_WEIGHTS = {"bench": 1, "strangers": 3, "written": 2}
_WORD = re.compile(r"[^\W_]+")
_STEM = 5
#: Words of a label that do not tell one field from another.
_COMMON = ARTICLES.union(_WORD.findall("of de it they and y is are en in for to si if do does who que what how"))
_LONGEST_FIELD = 12


@dataclass(frozen=True)
class Example:
    """A request with what it asks for."""

    request: str
    is_catalog: bool
    count: int | None
    #: None if they are not labelled.
    fields: tuple[str, ...] | None
    source: str

    @property
    def weight(self) -> int:
        """How much it counts in training."""
        return _WEIGHTS[self.source]

    @cached_property
    def wording(self) -> RequestWording:
        """The request taken apart."""
        return RequestWording(self.request)

    @cached_property
    def numbers(self) -> list[bool]:
        """Whether each number is the count: the first with its value."""
        values = [number.value for number in self.wording.numbers]
        right = values.index(self.count) if self.count in values else None
        return [at == right for at in range(len(values))]

    @cached_property
    def parts(self) -> list[bool]:
        """Whether each part names a field."""
        parts = self.wording.parts
        right = {_best(parts, field) for field in self.fields or ()}
        return [at in right for at in range(len(parts))]


def examples() -> list[Example]:
    """Return all examples, in a fixed order."""
    return [*_bench(), *_strangers(), *_written()]


def _bench() -> Iterator[Example]:
    for name in ("queries_seen.tsv", "queries_unseen.tsv"):
        for line in (_BENCH / name).read_text(encoding="utf-8").splitlines():
            kind, count, _, request = line.split("\t")
            yield Example(request, kind == "catalog", None if count == "-" else int(count), None, "bench")


def _strangers() -> Iterator[Example]:
    for row in json.loads((_BENCH / "requests_strangers.json").read_text(encoding="utf-8")):
        fields = tuple(row["fields"])
        yield Example(row["request"], row["kind"] == "catalog", row["count"], fields, "strangers")


def _written() -> Iterator[Example]:
    """Yield the requests written for training: "c 5|…" or "n -|…", fields in brackets, "\\n" for a line break."""
    for name in ("requests_en.txt", "requests_es.txt"):
        for line in (_HERE / name).read_text(encoding="utf-8").splitlines():
            label, _, text = line.partition("|")
            kind, count = label.split()
            fields = tuple(re.findall(r"\[([^\]]+)\]", text))
            request = re.sub(r"[\[\]]", "", text).replace("\\n", "\n")
            yield Example(request, kind == "c", None if count == "-" else int(count), fields, "written")


def _best(parts: Sequence[QueryPart], field: str) -> int | None:
    """Return the part that names a field: the one with most of its words and fewest others; None below a half."""
    wanted = field_stems(field)
    ranked = []
    for at, part in enumerate(parts):
        shared = len(wanted & field_stems(" ".join(part.words))) / len(wanted)
        if shared >= 0.5 and len(part.words) <= _LONGEST_FIELD:
            ranked.append((shared, -abs(len(part.words) - len(wanted)), at))
    return max(ranked)[2] if ranked else None


def field_stems(text: str) -> set[str]:
    """Return the stems of the words that tell a field from others."""
    words = _WORD.findall(fold_words(text))
    return {word[:_STEM] for word in words if word not in _COMMON} or {word[:_STEM] for word in words}
