"""Features of a request, of its numbers and of its parts: what the models of `reading` are trained with.

A feature is a short text; a model has a weight for each that it knows. After a change here the models must be
trained anew: `make questions`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from research.questions.field_names import common_fields, common_key, kindred_key, plain_name
from research.questions.wording import (
    ENDS,
    MARKS,
    Number,
    Part,
    classes_of,
    numbers_of,
    parts_of,
    shapes_of,
    tokens_of,
)

#: Words on either side of a number, and parts on either side of a part, that its features name.
_BESIDE = 4
_SHORT_PART = 4


class Wording:
    """A request, taken apart once for all features."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens_of(text)
        self.numbers: list[Number] = numbers_of(self.tokens)
        self.parts: list[Part] = parts_of(self.tokens)
        shapes = list(shapes_of(self.tokens, self.numbers))
        #: Words with a class in place of each number, and the index of each token among them.
        self.shapes = [shape for shape, _ in shapes]
        self.index = {token: at for at, (_, token) in enumerate(shapes)}

    @cached_property
    def sentence_starts(self) -> list[int]:
        """Indexes in `shapes` of the first words of sentences."""
        shapes = self.shapes
        ahead = ENDS | {"¿", "¡"}
        return [at for at, x in enumerate(shapes) if x not in MARKS and (not at or shapes[at - 1] in ahead)]

    @cached_property
    def classes(self) -> Mapping[int, frozenset[str]]:
        """Classes of the words of each sentence with parts, by its number."""
        found: dict[int, frozenset[str]] = defaultdict(frozenset)
        for part in self.parts:
            found[part.sentence] |= _classes(part.words)
        return found

    def shape(self, at: int) -> str:
        """Return a word by index; "^" before the text, "$" after it."""
        if at < 0:
            return "^"
        return self.shapes[at] if at < len(self.shapes) else "$"


def part_features(wording: Wording, at: int) -> set[str]:
    """Return the features of a part, for whether it names a field that items should have."""
    parts, part = wording.parts, wording.parts[at]
    words, length = part.words, _size(len(part.words))
    found = {
        f"opens {part.opens}",
        f"closes {part.closes}",
        f"between {part.opens} {part.closes}",
        f"opens {part.opens} {length}",
        *(f"first {' '.join(words[:most])}" for most in (1, 2, 3)),
        f"last {words[-1]}",
        f"parts after {_size(len(parts) - 1 - at)}",
        f"parts before {_size(at)}",
        f"first sentence {part.sentence == 0}",
        f"sentences after {_size(parts[-1].sentence - part.sentence)}",
    }
    found |= {f"word {word}" for word in words} | {f"stem {word[:4]}" for word in words if len(word) > 4}
    found |= {f"pair {a} {b}" for a, b in pairwise(words)}
    found |= {f"is {name}" for name in _classes(words)} | {f"last is {name}" for name in classes_of(words[-1])}
    found |= {f"first {at} is {name}" for at, word in enumerate(words[:3]) for name in classes_of(word)}
    found |= {f"request is {name}" for names in wording.classes.values() for name in names}
    for step, where in ((0, "sentence"), (-1, "sentence before")):
        found |= {f"{where} is {name}" for name in wording.classes.get(part.sentence + step, ())}
    found.update(_named("", part))
    for step in (-2, -1, 1, 2):
        found.update(_beside(parts, at, step))
    sentence = [other for other in parts if other.sentence == part.sentence]
    short = sum(len(other.words) <= _SHORT_PART for other in sentence)
    found |= {f"sentence {sentence[0].words[0]}", f"sentence begins {_size(len(sentence[0].words))}"}
    found |= {f"short {_size(short)}", f"long {_size(len(sentence) - short)}"}
    return found


def _beside(parts: Sequence[Part], at: int, step: int) -> Iterator[str]:
    if not 0 <= at + step < len(parts):
        yield f"{step} none"
        return
    other = parts[at + step]
    where = f"{step} same" if other.sentence == parts[at].sentence else f"{step} other"
    yield f"{where} length {_size(len(other.words))}"
    yield f"{where} first {other.words[0]}"
    yield from (f"{where} first is {name}" for name in classes_of(other.words[0]))
    yield f"{step} between {other.opens} {other.closes}"
    yield from _named(f"{step} ", other)
    if len(other.words) < _SHORT_PART:
        side = "after" if step > 0 else "before"
        yield from (f"{side} {word}" for word in other.words)


def _named(where: str, part: Part) -> Iterator[str]:
    """Yield whether a part is the name of a common field, or akin to one."""
    plain = plain_name(" ".join(part.words))
    if common_key(plain):
        yield f"{where}common field"
    if key := kindred_key(plain):
        yield f"{where}akin to {common_fields()[key].group or key}"
        yield f"{where}akin"


def number_features(wording: Wording, nth: int) -> set[str]:
    """Return the features of a number, for whether it is the number of items that are asked for."""
    number, tokens, shape = wording.numbers[nth], wording.tokens, wording.shape
    at = wording.index[number.start]
    before = [shape(at - step) for step in range(1, _BESIDE + 1)]
    after = [shape(at + step) for step in range(1, _BESIDE + 1)]
    found = {
        f"size {shape(at)}",
        f"value {number.value if number.value <= 30 else 'large'}",
        f"said {tokens[number.start].word}",
        f"range {number.is_range}",
        f"before {before[1]} {before[0]}",
        f"before {before[2]} {before[1]} {before[0]}",
        f"after {after[0]} {after[1]}",
        f"around {before[0]} {after[0]}",
        f"nth {min(nth, 3)}",
        f"of {min(len(wording.numbers), 4)}",
        f"same {sum(other.value == number.value for other in wording.numbers)}",
    }
    for side, words in (("before", before), ("after", after)):
        for step, word in enumerate(words, 1):
            found |= {f"{step} {side} {word}", f"near {side} {word}", f"{step} {side} ending {word[-2:]}"}
            found |= {f"{step} {side} is {name}" for name in classes_of(word)}
    found.update(_joined(wording, number))
    found.update(_clause(wording, at))
    return found


def _joined(wording: Wording, number: Number) -> Iterator[str]:
    """Yield what is written to a number without a space: "5%", "$5", "3rd"."""
    tokens = wording.tokens
    for where, left in (("before", number.start - 1), ("after", number.end - 1)):
        if 0 <= left < len(tokens) - 1 and tokens[left].end == tokens[left + 1].start:
            yield f"joined {where}"
            yield f"joined {where} {tokens[left if where == 'before' else left + 1].word}"


def _clause(wording: Wording, at: int) -> Iterator[str]:
    """Yield the features of the sentence around a number, and of the words between the nearest marks."""
    shape = wording.shape
    begin = _reach(wording, at, -1, ENDS)
    end = _reach(wording, at, 1, ENDS)
    left = _reach(wording, at, -1, MARKS)
    right = _reach(wording, at, 1, MARKS)
    yield f"sentence {shape(begin)}"
    yield f"sentence {shape(begin)} {shape(begin + 1)}"
    yield f"sentence words {_size(end - begin)} before {_size(at - begin)}"
    yield f"sentence ends {shape(end + 1)}"
    yield f"first sentence {begin == 0}"
    yield f"clause {shape(left)}"
    yield from (f"sentence is {name}" for name in classes_of(shape(begin)))
    yield f"clause between {shape(left - 1)} {shape(right + 1)}"
    yield f"clause before {_size(at - left)}"
    yield f"clause after {_size(right - at)}"
    yield from (f"clause before {shape(place)}" for place in range(left, at))
    yield from (f"clause after {shape(place)}" for place in range(at + 1, min(right, at + 2 * _BESIDE) + 1))


def _reach(wording: Wording, at: int, step: int, marks: frozenset[str]) -> int:
    while 0 <= at + step < len(wording.shapes) and wording.shapes[at + step] not in marks:
        at += step
    return at


def kind_features(wording: Wording, count: float, fields: Sequence[float]) -> set[str]:
    """Return the features of a request, for whether it asks for items.

    `count`: probability that a number of items is named, 0 to 1. `fields`: for each part, that it names a field.
    """
    shapes, starts = wording.shapes, wording.sentence_starts
    words = [shape for shape in shapes if shape not in MARKS]
    found = {f"word {shape}" for shape in shapes}
    found |= {f"pair {a} {b}" for a, b in pairwise(shapes)}
    found |= {f"skip {a} {b}" for a, b in zip(shapes, shapes[2:], strict=False)}
    found |= {f"stem {word[:5]}" for word in words if len(word) > 5}
    found |= {f"ending {word[-3:]}" for word in words if len(word) > 5}
    found |= {f"is {name}" for name in _classes(words)} | set(_class_pairs(shapes))
    for at in starts:
        for step in range(_BESIDE):
            for name in classes_of(wording.shape(at + step)):
                found |= {f"sentence {step} is {name}", f"sentence is {name}"}
                found.add(f"sentence {step} is {name}, {wording.shape(at + step + 1)}")
    found |= {f"first {at} is {name}" for at, word in enumerate(words[:_BESIDE]) for name in classes_of(word)}
    for length in (1, 2, 3):
        found |= {"sentence " + " ".join(shapes[at : at + length]) for at in starts}
        found |= {"first " + " ".join(words[:length]), "last " + " ".join(words[-length:])}
    short = sum(len(part.words) < _SHORT_PART for part in wording.parts)
    found |= {
        f"words {min(6, len(shapes).bit_length())}",
        f"questions {min(2, shapes.count('?'))}",
        f"commas {min(4, shapes.count(','))}",
        f"lines {min(3, shapes.count(chr(10)))}",
        f"sentences {_size(len(starts))}",
        f"short parts {min(short, 6)}",
        f"ends {shapes[-1] if shapes and shapes[-1] in MARKS else 'word'}",
        f"last part {_size(len(wording.parts[-1].words) if wording.parts else 0)}",
        f"fields {min(sum(chance > 0.5 for chance in fields), 4)}",
    }
    surest = max(fields, default=0.0)
    found |= {f"count above {bound}" for bound in (0.1, 0.3, 0.5, 0.7, 0.9) if count > bound}
    found |= {f"field above {bound}" for bound in (0.2, 0.4, 0.6, 0.8) if surest > bound}
    if count > 0.5 and surest > 0.5:
        found.add("count and field")
    return found


def _classes(words: Iterable[str]) -> frozenset[str]:
    return frozenset(name for word in words for name in classes_of(word))


def _class_pairs(shapes: Sequence[str]) -> Iterator[str]:
    """Yield the classes of two words that stand near each other, or of a word and a mark."""
    named = [(shape,) if shape in MARKS else classes_of(shape) for shape in shapes]
    for at, first in enumerate(named):
        for second in named[at + 1 : at + _BESIDE]:
            yield from (f"near {one} {other}" for one in first for other in second)


def _size(number: int) -> str:
    return str(number) if number < 5 else "5 to 7" if number < 8 else "8 or more"
