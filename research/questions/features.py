"""Features of a request, of its numbers and of its parts: what the models of `reading` are trained with.

A feature is a short text; a model has a weight for each that it knows. After a change here the models must be
trained anew: `make questions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from research.questions.field_names import common_fields, common_key, kindred_key, plain_name
from research.questions.wording import (
    ENDS,
    JOINING,
    LEADING_TO,
    MARKS,
    Token,
    classes_of,
    numbers_of,
    parts_of,
    shapes_of,
    tokens_of,
)
from research.text.linear_model import amount

#: Words on either side of a number, and parts on either side of a part, that its features name.
_BESIDE, _PARTS_BESIDE = 4, 2
_SHORT_PART = 4
#: Numbers of a request that are looked at, each beside all others; and parts and tokens among which fields are.
_MOST_NUMBERS, _MOST_PARTS, _MOST_TOKENS = 60, 120, 500


class Wording:
    """A request, taken apart once for all features."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens_of(text)
        self.numbers = numbers_of(self.tokens)[:_MOST_NUMBERS]
        self.parts = parts_of(self.tokens)[:_MOST_PARTS]
        shapes = list(shapes_of(self.tokens, self.numbers))
        #: Words with a class in place of each number, and the index of each token among them.
        self.shapes = [shape for shape, _ in shapes]
        self.index = {token: at for at, (_, token) in enumerate(shapes)}

    def shape(self, at: int) -> str:
        """Return a word by index; "^" before the text, "$" after it."""
        if at < 0:
            return "^"
        return self.shapes[at] if at < len(self.shapes) else "$"


def token_features(wording: Wording) -> list[list[str]]:
    """Return the features of each token, for whether it begins a field of items, or goes on with one."""
    tokens = wording.tokens[:_MOST_TOKENS]
    part_of = {at: nth for nth, part in enumerate(wording.parts) for at in range(part.start, part.end)}
    of_part = [list(_of_part(wording, nth)) for nth in range(len(wording.parts))]
    in_request = [f"request is {name}" for name in sorted(_classes(token.word for token in tokens))]
    found, start, cue, listed = [], 0, "^", 0
    for at, token in enumerate(tokens):
        if at and tokens[at - 1].word in ENDS:
            start, cue, listed = at, "^", 0
        own = [*in_request, *_of_token(tokens, at, start), f"cue {cue}", f"cue {cue} listed {min(listed, 3)}"]
        if (nth := part_of.get(at)) is not None:
            part = wording.parts[nth]
            place = "alone" if part.end - part.start == 1 else "first" if at == part.start else "within"
            own += [f"{place} {feature}" for feature in of_part[nth]] + of_part[nth]
            own += [f"left in part {amount(part.end - at)}", f"from part's begin {amount(at - part.start)}"]
        elif at:
            own += [f"joins {feature}" for feature in _joined(wording, part_of, at)]
        found.append(own)
        if token.word == ":" or token.word in LEADING_TO:
            cue, listed = token.word, 0
        listed += token.word in MARKS or token.word in JOINING
    return found


def _of_token(tokens: Sequence[Token], at: int, start: int) -> Iterator[str]:
    """Yield what stands at a token, around it, and at the begin of its sentence."""

    def word(place: int) -> str:
        return tokens[place].word if 0 <= place < len(tokens) else "^" if place < 0 else "$"

    yield from (f"{step} {word(at + step)}" for step in range(-3, 4))
    yield from (f"{step} {step + 1} {word(at + step)} {word(at + step + 1)}" for step in range(-2, 2))
    yield f"-1 1 {word(at - 1)} {word(at + 1)}"
    yield f"-3 -2 -1 {word(at - 3)} {word(at - 2)} {word(at - 1)}"
    for step in (-2, -1, 0, 1, 2):
        yield from (f"{step} is {name}" for name in classes_of(word(at + step)))
    yield from (f"stem {word(at)[:4]}", f"ending {word(at)[-3:]}", f"number {word(at)[0].isdigit()}")
    yield f"sentence {word(start)} {word(start + 1)}"
    yield f"sentence {word(start)}, from its begin {amount(at - start)}"
    yield f"first sentence {start == 0}"


def _joined(wording: Wording, part_of: Mapping[int, int], at: int) -> Iterator[str]:
    """Yield the parts on both sides of a word or mark between them: "pros and cons", "price, and hours"."""
    before, after = (part_of.get(at + step) for step in (-1, 1))
    word = wording.tokens[at].word
    sides = [wording.parts[nth] if nth is not None else None for nth in (before, after)]
    yield word + " " + " ".join(amount(len(part.words)) if part else "none" for part in sides)
    if sides[0] and sides[1]:
        yield f"{sides[0].words[-1]} {word} {sides[1].words[0]}"
        yield f"{sides[0].opens} {word} {sides[1].closes}"
        yield f"{sides[0].opens} {word} {sides[1].closes} {len(sides[0].words)} {len(sides[1].words)}"


def _of_part(wording: Wording, nth: int) -> Iterator[str]:
    """Yield the features of a part with those beside it."""
    parts, part = wording.parts, wording.parts[nth]
    sentence = [other for other in parts if other.sentence == part.sentence]
    short = sum(len(other.words) <= _SHORT_PART for other in sentence)
    yield f"parts after {amount(len(parts) - 1 - nth)}"
    yield f"parts before {amount(nth)}"
    yield f"sentences after {amount(parts[-1].sentence - part.sentence)}"
    yield f"sentence begins {amount(len(sentence[0].words))}"
    yield f"short {amount(short)} long {amount(len(sentence) - short)}"
    for step in range(-_PARTS_BESIDE, _PARTS_BESIDE + 1):
        beside = parts[nth + step] if 0 <= nth + step < len(parts) else None
        if beside is None:
            yield f"{step} none"
            continue
        words, same, length = beside.words, beside.sentence == part.sentence, amount(len(beside.words))
        yield f"{step} {same} between {beside.opens} {beside.closes}"
        yield f"{step} {same} opens {beside.opens} {length}"
        yield f"{step} {same} length {length}"
        yield f"{step} {same} first {words[0]}"
        yield f"{step} {same} last {words[-1]}"
        yield from (f"{step} {same} first is {name}" for name in classes_of(words[0]))
        plain = plain_name(" ".join(words))
        if common_key(plain):
            yield f"{step} common field"
        if key := kindred_key(plain):
            yield f"{step} akin to {common_fields()[key].group or key}"
            yield f"{step} akin"


def number_features(wording: Wording, nth: int) -> set[str]:
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
    # What is written to it without a space: "5%", "$5", "3rd".
    for one, other in ((number.start - 1, number.start), (number.end - 1, number.end)):
        if one >= 0 and other < len(tokens) and tokens[one].end == tokens[other].start:
            found.add(f"joined {tokens[one].word if other == number.start else tokens[other].word}")
    return found


def _reach(wording: Wording, at: int, marks: frozenset[str]) -> tuple[int, int]:
    """Return the first and the last word around a place, up to such marks."""
    shapes = wording.shapes
    begin = next((place + 1 for place in range(at - 1, -1, -1) if shapes[place] in marks), 0)
    end = next((place - 1 for place in range(at + 1, len(shapes)) if shapes[place] in marks), len(shapes) - 1)
    return begin, end


def kind_features(wording: Wording, count: float, fields: int) -> set[str]:
    """Return the features of a request, for whether it asks for items.

    `count`: probability that a number of items is named, 0 to 1. `fields`: how many fields seem to be named.
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
        f"fields {min(fields, 4)}",
    }
    found |= {f"count above {bound}" for bound in (0.1, 0.3, 0.5, 0.7, 0.9) if count > bound}
    found |= {f"field above {bound}" for bound in (0.2, 0.4, 0.6, 0.8) if fields}
    return found | ({"count and field"} if count > 0.5 and fields else set())


_AHEAD = ENDS | {"¿", "¡", "^"}


def _classes(words: Iterable[str]) -> frozenset[str]:
    return frozenset(name for word in words for name in classes_of(word))
