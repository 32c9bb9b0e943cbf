"""The labelled requests for training: those of the bench, those of strangers, and some written for it.

The strangers' requests that are kept aside are never read here.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from research.questions.features import Wording, token_features
from research.questions.field_names import ARTICLES
from research.questions.wording import Part, fold, tokens_of
from research.text import detect_language

_HERE = Path(__file__).resolve().parent
_BENCH = _HERE.parent / "bench" / "research" / "data"
_WEIGHTS = {"bench": 1, "strangers": 3, "written": 2, "composed": 1}
_WORD = re.compile(r"[^\W_]+")
_STEM = 5
#: Words of a label that do not tell one field from another.
_COMMON = ARTICLES.union(_WORD.findall("of de it they and y is are en in for to si if do does who que what how"))
#: Share of composed requests on one line, and in small letters.
_SHARE = 0.3
#: Most words of a field, and of a subject.
_LONGEST_FIELD, _LONGEST_SUBJECT = 12, 14


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
    def wording(self) -> Wording:
        """The request taken apart."""
        return Wording(self.request)

    @cached_property
    def features(self) -> list[list[str]]:
        """Those of its tokens."""
        return token_features(self.wording)

    @cached_property
    def numbers(self) -> list[bool]:
        """Whether each number is the count: the first with its value."""
        values = [number.value for number in self.wording.numbers]
        right = values.index(self.count) if self.count in values else None
        return [at == right for at in range(len(values))]

    @cached_property
    def labels(self) -> list[int]:
        """What each token is: 1 begins a field, 2 goes on with it, 0 is none."""
        found = [0] * len(self.wording.tokens)
        for field in self.fields or ():
            first, end = _place(self.wording, field)
            if first < end and not any(found[first:end]):
                found[first:end] = [1] + [2] * (end - first - 1)
        return found


def examples() -> list[Example]:
    """Return all examples, in a fixed order."""
    return [*_bench(), *_strangers(), *_written()]


def composed(known: Sequence[Example], count: int) -> list[Example]:
    """Return `count` requests in the shapes of `shapes.txt`, with subjects and fields of known ones.

    A shape has one subject, "{s}", or a whole request, "{r}", and one list of fields, "{f}", with what stands
    between them and before the last one: "{f, | and }".
    """
    shapes = [line.split("|", 1) for line in (_HERE / "shapes.txt").read_text(encoding="utf-8").splitlines()]
    drawn, found = random.Random(0), list[Example]()
    of_language = {language: _Material.of(known, language) for language in ("en", "es")}
    while len(found) < count:
        language, shape = drawn.choice(shapes)
        found.append(of_language[language].composed(shape.replace("\\n", "\n"), drawn))
    return found


@dataclass(frozen=True)
class _Material:
    """Subjects, requests and fields of a language."""

    subjects: Sequence[str]
    requests: Sequence[str]
    fields: Sequence[str]

    @classmethod
    def of(cls, known: Sequence[Example], language: str) -> _Material:
        own = [one for one in known if one.is_catalog and detect_language(one.request) == language]
        plain = [one.request.strip() for one in own if one.fields == () and "\n" not in one.request]
        subjects = [one.rstrip(".?! ") for one in plain if len(one.split()) <= _LONGEST_SUBJECT and one[-1] != "?"]
        fields = [field for one in own for field in one.fields or () if len(field.split()) <= _LONGEST_FIELD]
        both = [line for line in _pairs() if detect_language(line) == language]
        return cls(subjects, plain, [*fields, *both * max(1, len(fields) // (12 * len(both)))])

    def composed(self, shape: str, drawn: random.Random) -> Example:
        fields = list(dict.fromkeys(drawn.choices(self.fields, k=drawn.choice((1, 2, 2, 3, 3, 4, 4, 5, 6, 7)))))
        before, form, after = re.split(r"\{f(.*?)\}", shape, maxsplit=1, flags=re.DOTALL)
        between, _, at_last = form.partition("|")
        if not between:
            fields = fields[:1]
        listed = (at_last or between).join(filter(None, (between.join(fields[:-1]), fields[-1])))
        subject = drawn.choice(self.subjects)
        whole = drawn.choice(self.requests)
        whole += "" if whole[-1] in ".?!" else "."
        text = "".join(part.replace("{s}", subject).replace("{r}", whole) for part in (before, "\0", after))
        if drawn.random() < _SHARE:
            # As a form sends it.
            text, listed = " ".join(text.split()), " ".join(listed.split())
        if drawn.random() < _SHARE:
            text, listed, fields = text.lower(), listed.lower(), [field.lower() for field in fields]
        return Example(text.replace("\0", listed), True, None, tuple(fields), "composed")


def _pairs() -> list[str]:
    """Return fields of two words that "and" joins."""
    return (_HERE / "pairs.txt").read_text(encoding="utf-8").splitlines()


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


def _place(wording: Wording, field: str) -> tuple[int, int]:
    """Return the tokens that name a field, first and end: its words as they stand, else the nearest part."""
    told, wanted = [token.word for token in wording.tokens], [token.word for token in tokens_of(field)]
    for first in range(len(told) - len(wanted) + 1):
        if told[first : first + len(wanted)] == wanted:
            return first, first + len(wanted)
    best = _best(wording.parts, field)
    return (0, 0) if best is None else (wording.parts[best].start, wording.parts[best].end)


def _best(parts: Sequence[Part], field: str) -> int | None:
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
    words = _WORD.findall(fold(text))
    return {word[:_STEM] for word in words if word not in _COMMON} or {word[:_STEM] for word in words}
