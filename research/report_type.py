"""Detect what a request asks for: a narrative or a catalog, the number of items, the fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

from core.messages import LabelledEnum
from research.questions.wording import (
    ARTICLES,
    ENDS,
    MARKS,
    QueryPart,
    catalog_common_fields,
    classes_of,
    common_key,
    kindred_key,
    plain_name,
    query_numbers,
    query_parts,
    query_tokens,
    shapes_of,
)
from research.text.language import LinearModel, amount, stored_models


class ReportType(LabelledEnum):
    """The two kinds of report."""

    NARRATIVE = "narrative", "Narrative"
    CATALOG = "catalog", "Catalog"


def detect_report_type(query: str, explicit: ReportType | str | None = None) -> ReportType:
    """Return CATALOG if the question seems to ask for items, else NARRATIVE.

    An explicit choice takes precedence. Raises ValueError, naming the choices, for an unknown type.
    """
    if explicit is None:
        return ReportType.CATALOG if read(query).wants_items else ReportType.NARRATIVE
    try:
        return ReportType(explicit)
    except ValueError:
        choices = ", ".join(kind.value for kind in ReportType)
        raise ValueError(f"The report type is one of {choices}; {explicit!r} is not.") from None


def target_items(query: str) -> int | None:
    """Return the number of requested items (the upper end of a range); None without a number."""
    return read(query).count


# Read a request with trained models.


#: Written by `lab/questions/train.py`.
FILE = Path(__file__).with_name("request_models.json.gz")


@cache
def models() -> Mapping[str, LinearModel]:
    """Return the models "kind", "count" and "field"."""
    return stored_models(FILE)


@dataclass(frozen=True, slots=True)
class RequestedField:
    """A field that a request names, with its place in the request."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RequestReading:
    """What a request seems to ask for."""

    wants_items: bool
    #: Number of items; None if none is named or a text is asked for.
    count: int | None
    fields: tuple[RequestedField, ...]


@lru_cache(maxsize=256)
def read(query: str) -> RequestReading:
    """Return what a request asks for, in English or Spanish."""
    return read_with(models(), RequestWording(query))


def read_with(trained: Mapping[str, LinearModel], wording: RequestWording) -> RequestReading:
    """Return what a request asks for by these models."""
    counts = chances(trained["count"], wording, "count")
    fields = chances(trained["field"], wording, "field")
    features = kind_features(wording, max(counts, default=0.0), fields)
    if trained["kind"].probability(features) < trained["kind"].threshold:
        return RequestReading(False, None, ())
    named = [
        at for at, chance in enumerate(fields) if chance >= _least(wording.parts[at], trained["field"].threshold)
    ]
    return RequestReading(True, _count(wording, counts, trained["count"].threshold), _fields(wording, named))


def chances(model: LinearModel, wording: RequestWording, what: str) -> list[float]:
    """Return the probability of each number to be the count, or of each part to name a field."""
    if what == "count":
        return [model.probability(number_features(wording, at)) for at in range(len(wording.numbers))]
    return [model.probability(part_features(wording, at)) for at in range(len(wording.parts))]


def _count(wording: RequestWording, counts: list[float], threshold: float) -> int | None:
    best = max(range(len(counts)), key=counts.__getitem__, default=None)
    return wording.numbers[best].value if best is not None and counts[best] >= threshold else None


def _least(part: QueryPart, threshold: float) -> float:
    """Return the least probability at which a part names a field: half as much for the name of a common one."""
    return threshold / 2 if common_key(plain_name(" ".join(part.words))) else threshold


def _fields(wording: RequestWording, named: list[int]) -> tuple[RequestedField, ...]:
    found: dict[str, RequestedField] = {}
    for part in (wording.parts[at] for at in named):
        words = [at for at in range(part.start, part.end) if wording.tokens[at].word not in ARTICLES]
        if not words:
            continue
        start, end = wording.tokens[words[0]].start, wording.tokens[part.end - 1].end
        text = " ".join(wording.text[start:end].split())
        found.setdefault(text.casefold(), RequestedField(text, start, end))
    return tuple(found.values())


# Features of a request, its numbers and its parts, with which the models are trained.
#
# A feature is a short text; a model has a weight for each that it knows. After a change here the models must be
# trained again: `make questions`.


#: Words on either side of a number, and parts on either side of a part, that its features include.
_BESIDE, _PARTS_BESIDE = 4, 2
_SHORT_PART = 4
#: Most numbers and parts of a request that are read, because each is compared with all others.
_MOST_NUMBERS, _MOST_PARTS = 60, 120


class RequestWording:
    """A request, parsed once for all features."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = query_tokens(text)
        self.numbers = query_numbers(self.tokens)[:_MOST_NUMBERS]
        self.parts = query_parts(self.tokens)[:_MOST_PARTS]
        shapes = list(shapes_of(self.tokens, self.numbers))
        #: Words with a class in place of each number, and the index of each token among them.
        self.shapes = [shape for shape, _ in shapes]
        self.index = {token: at for at, (_, token) in enumerate(shapes)}

    def shape(self, at: int) -> str:
        """Return a word by index; "^" before the text, "$" after it."""
        if at < 0:
            return "^"
        return self.shapes[at] if at < len(self.shapes) else "$"


def part_features(wording: RequestWording, at: int) -> set[str]:
    """Return the features of a part, for whether it names a field that items should have."""
    parts, part = wording.parts, wording.parts[at]
    sentence = [other for other in parts if other.sentence == part.sentence]
    short = sum(len(other.words) <= _SHORT_PART for other in sentence)
    found = {
        f"parts after {amount(len(parts) - 1 - at)}",
        f"parts before {amount(at)}",
        f"first sentence {part.sentence == 0}",
        f"sentences after {amount(parts[-1].sentence - part.sentence)}",
        f"sentence {sentence[0].words[0]}",
        f"sentence begins {amount(len(sentence[0].words))}",
        f"short {amount(short)}",
        f"long {amount(len(sentence) - short)}",
        *(f"pair {a} {b}" for a, b in pairwise(part.words)),
    }
    for other in parts:
        where = {0: "sentence", 1: "sentence before"}.get(part.sentence - other.sentence, "request")
        found |= {f"{at} is {name}" for name in _classes(other.words) for at in ("request", where)}
    for step in range(-_PARTS_BESIDE, _PARTS_BESIDE + 1):
        beside = parts[at + step] if 0 <= at + step < len(parts) else None
        found.update(_of_part(beside, step, beside.sentence == part.sentence) if beside else [f"{step} none"])
    return found


def _of_part(part: QueryPart, step: int, same: bool) -> Iterator[str]:
    """Yield the features of a part `step` parts away, in the `same` sentence or not; of the part itself for 0."""
    words, length, where = part.words, amount(len(part.words)), f"{step} {same}" if step else ""
    yield from (f"{step} opens {part.opens}", f"{step} closes {part.closes}")
    yield from (f"{step} between {part.opens} {part.closes}", f"{where} opens {part.opens} {length}")
    yield from (f"{where} length {length}", f"{where} last {words[-1]}")
    yield from (f"{where} first {' '.join(words[:most])}" for most in ((1,) if step else (1, 2, 3)))
    for place, word in enumerate(words[:3]):
        yield from (f"{where} first {place} is {name}" for name in classes_of(word))
    plain = plain_name(" ".join(words))
    if common_key(plain):
        yield f"{step} common field"
    if key := kindred_key(plain):
        yield from (f"{step} akin to {catalog_common_fields()[key].group or key}", f"{step} akin")
    if not step:
        yield from (f"stem {word[:4]}" for word in words if len(word) > 4)
        yield from (f"is {name}" for name in _classes(words))
        yield from (f"last is {name}" for name in classes_of(words[-1]))
    if not step or len(words) < _SHORT_PART:
        yield from (f"{(step > 0) - (step < 0)} word {word}" for word in words)


def number_features(wording: RequestWording, nth: int) -> set[str]:
    """Return the features of a number, for whether it is the number of items that are asked for."""
    number, tokens, shape = wording.numbers[nth], wording.tokens, wording.shape
    at = wording.index[number.start]
    begin, end = _reach(wording, at, ENDS)
    left, right = _reach(wording, at, MARKS)
    found = {
        f"size {shape(at)}",
        f"value {number.value if number.value <= 30 else 'large'}",
        f"said {tokens[number.start].word}",
        f"range {number.is_range}",
        f"nth {min(nth, 3)}",
        f"of {min(len(wording.numbers), 4)}",
        f"same {sum(other.value == number.value for other in wording.numbers)}",
        f"before {shape(at - 3)} {shape(at - 2)} {shape(at - 1)}",
        f"around {shape(at - 1)} {shape(at + 1)}",
        f"sentence {shape(begin)}",
        f"sentence {shape(begin)} {shape(begin + 1)}",
        f"sentence words {amount(end - begin)} before {amount(at - begin)}",
        f"sentence ends {shape(end + 1)}",
        f"first sentence {begin == 0}",
        f"clause {shape(left)}",
        f"clause between {shape(left - 1)} {shape(right + 1)}",
        f"clause before {amount(at - left)}",
        f"clause after {amount(right - at)}",
        *(f"sentence is {name}" for name in classes_of(shape(begin))),
    }
    for place in [*range(at - _BESIDE, at), *range(at + 1, at + _BESIDE + 1)]:
        word, side = shape(place), "before" if place < at else "after"
        found |= {f"{place - at} {word}", f"near {side} {word}", f"{place - at} ending {word[-2:]}"}
        found |= {f"{place - at} is {name}" for name in classes_of(word)}
        found.add(f"{place - at} pair {word} {shape(place + 1)}")
    found |= {f"clause {place < at} {shape(place)}" for place in range(left, right + 1) if place != at}
    # Written next to it without a space: "5%", "$5", "3rd".
    for one, other in ((number.start - 1, number.start), (number.end - 1, number.end)):
        if one >= 0 and other < len(tokens) and tokens[one].end == tokens[other].start:
            found.add(f"joined {tokens[one].word if other == number.start else tokens[other].word}")
    return found


def _reach(wording: RequestWording, at: int, marks: frozenset[str]) -> tuple[int, int]:
    """Return the first and the last word around a place, up to such marks."""
    shapes = wording.shapes
    begin = next((place + 1 for place in range(at - 1, -1, -1) if shapes[place] in marks), 0)
    end = next((place - 1 for place in range(at + 1, len(shapes)) if shapes[place] in marks), len(shapes) - 1)
    return begin, end


def kind_features(wording: RequestWording, count: float, fields: Sequence[float]) -> set[str]:
    """Return the features of a request, for whether it asks for items.

    `count`: probability that a number of items is named, 0 to 1. `fields`: for each part, that it names a field.
    """
    shapes = wording.shapes
    words = [shape for shape in shapes if shape not in MARKS]
    found = {f"word {shape}" for shape in shapes}
    found |= {f"pair {a} {b}" for a, b in pairwise(shapes)}
    found |= {f"skip {a} {b}" for a, b in zip(shapes, shapes[2:], strict=False)}
    found |= {f"stem {word[:5]}" for word in words if len(word) > 5}
    found |= {f"ending {word[-3:]}" for word in words if len(word) > 5}
    found |= {f"is {name}" for name in _classes(words)}
    named = [(shape,) if shape in MARKS else classes_of(shape) for shape in shapes]
    for at, first in enumerate(named):
        beside = named[at + 1 : at + _BESIDE]
        found |= {f"near {one} {other}" for second in beside for one in first for other in second}
    starts = [at for at, x in enumerate(shapes) if x not in MARKS and wording.shape(at - 1) in _AHEAD]
    for length in (1, 2, 3):
        found |= {"sentence " + " ".join(shapes[at : at + length]) for at in starts}
        found |= {"first " + " ".join(words[:length]), "last " + " ".join(words[-length:])}
    found |= {
        f"words {min(6, len(shapes).bit_length())}",
        *(f"{mark} {min(4, shapes.count(mark))}" for mark in ("?", ",", "\n")),
        f"sentences {amount(len(starts))}",
        f"short parts {min(sum(len(part.words) < _SHORT_PART for part in wording.parts), 6)}",
        f"ends {shapes[-1] if shapes and shapes[-1] in MARKS else 'word'}",
        f"fields {min(sum(chance > 0.5 for chance in fields), 4)}",
    }
    surest = max(fields, default=0.0)
    found |= {f"count above {bound}" for bound in (0.1, 0.3, 0.5, 0.7, 0.9) if count > bound}
    found |= {f"field above {bound}" for bound in (0.2, 0.4, 0.6, 0.8) if surest > bound}
    return found | ({"count and field"} if count > 0.5 and surest > 0.5 else set())


_AHEAD = ENDS | {"¿", "¡", "^"}


def _classes(words: Iterable[str]) -> frozenset[str]:
    return frozenset(name for word in words for name in classes_of(word))
