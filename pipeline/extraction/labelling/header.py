"""Read the header of an essay without a form with the labeller, and combine it with the reading by rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from statistics import median, median_low

from pipeline.extraction.freeform import HEADED
from pipeline.extraction.labelling.features import WordGap, is_telling, name_rank, school_kind, word_class
from pipeline.extraction.labelling.labeller import Labelled, Role, label_lines
from pipeline.extraction.readings import combined
from pipeline.extraction.tokens import PAGE_WIDTH, Line, Token, box_of, value_gap
from pipeline.extraction.values.fields import reading_of
from pipeline.extraction.values.names import has_school_word, without_room
from pipeline.extraction.values.text import plain_text, squeezed
from pipeline.profiles import FieldKind, field_kind
from pipeline.schema import FieldReading

# Two readings of a header, by rules and by the labeller.
#
# Values that both find are sure; values that differ are doubtful. A value that only the rules find counts only
# after a printed heading; one that only the labeller finds counts if the labeller is sure and the value's words
# fit the kind, else a person confirms it.


#: Highest confidence of a labelled value that the rules do not find: alone it completes no entry.
LABELLED_ALONE = 0.79
#: The labeller's least confidence for a value that the rules find only by its place, or not at all, to be sure.
_SURE = 0.95
#: Share (0-1) of its confidence that a reading keeps if the other reader finds another value.
_DISPUTED = 0.6
#: A labelled value of less confidence yields to one after a heading.
_UNSURE = 0.5


def agreed(ruled: Mapping[str, FieldReading], header: LabelledHeader) -> dict[str, FieldReading]:
    """Return one reading of each field that either has.

    If a word of the header is unexplained, its name, school and grade are not fully explained.
    """
    found = _both(ruled, header.readings)
    if header.unexplained:
        wanted = [name for name in READ_FIELDS if name in found]
        found |= {name: found[name].model_copy(update={"unaccounted": True}) for name in wanted}
    return found


def _both(ruled: Mapping[str, FieldReading], labelled: Mapping[str, FieldReading]) -> dict[str, FieldReading]:
    found: dict[str, FieldReading] = {}
    for name in dict.fromkeys([*ruled, *labelled]):
        rule, label = ruled.get(name), labelled.get(name)
        if label is None:
            if rule is not None and (name not in READ_FIELDS or _headed(rule)):
                found[name] = rule
        elif rule is None or not rule.value:
            known = is_of_kind(field_kind(name), label.value or "")
            found[name] = label if known and label.confidence >= _SURE else _at_most(label, LABELLED_ALONE)
        elif _is_same(field_kind(name), rule.value, label.value or ""):
            both = combined(field_kind(name), [label, rule]) or label
            sure = _headed(rule) or label.confidence >= _SURE
            found[name] = both if sure else _at_most(both, LABELLED_ALONE)
        else:
            found[name] = _disputed(rule, label)
    return found


def _is_same(kind: FieldKind, ruled: str, labelled: str) -> bool:
    """Whether the two have the same letters; the rules read a room that is joined to a school as part of it."""
    if kind is FieldKind.SCHOOL and squeezed(without_room(ruled)[0]) == squeezed(labelled):
        return True
    return squeezed(ruled) == squeezed(labelled)


def _at_most(reading: FieldReading, confidence: float) -> FieldReading:
    return reading.model_copy(update={"confidence": min(reading.confidence, confidence)})


def _headed(rule: FieldReading) -> bool:
    return not rule.value or (rule.method or "").startswith(HEADED)


def _disputed(rule: FieldReading, label: FieldReading) -> FieldReading:
    """The labeller's reading, unless it is unsure and the rules followed a heading; a person decides."""
    best, other = (rule, label) if _headed(rule) and label.confidence < _UNSURE else (label, rule)
    confidence = round(best.confidence * _DISPUTED, 4)
    return best.model_copy(update={"confidence": confidence, "disagrees_with": other.value})


# Read the header of an essay without a form with the labeller: values with their probabilities as confidence.


#: A value below this probability is dropped.
LEAST = 0.35
#: Lines at the top and at the foot of a later page that may repeat the header or sign the essay.
TOP_LINES, FOOT_LINES = 3, 6
#: Lines of a page that are labelled: a header and what is around it.
MOST_LINES = 40
#: A line of fewer characters was not wrapped, so no value continues on the next line.
SHORT_LINE = 50
METHOD = "labelled"
_OF_ESSAY = (Role.BODY, Role.PERSON)
READ_FIELDS = {
    "student_name": (Role.NAME, FieldKind.PERSON),
    "school_name": (Role.SCHOOL, FieldKind.SCHOOL),
    "grade": (Role.GRADE, FieldKind.GRADE),
}


@dataclass(slots=True)
class LabelledHeader:
    readings: dict[str, FieldReading] = field(default_factory=dict)
    #: Number of visual lines before the essay.
    lines: int = 0
    #: The words of all values, wherever they are.
    used: list[Token] = field(default_factory=list)
    #: Whether a word before the essay may be part of a name or a school but is part of no value.
    unexplained: bool = False


def read_labelled(lines: Sequence[Line]) -> LabelledHeader:
    """Read the fields from the visual lines of a page, top first."""
    page = header_text(lines[:MOST_LINES])
    labelled = label_lines(page.texts)
    header = LabelledHeader()
    end = header_end(labelled)
    header.lines = sum(bool(tokens) for tokens in page.tokens[:end])
    spans = _parted(page, {role: spans_of(labelled, role) for role, _ in READ_FIELDS.values()})
    for name, (role, kind) in READ_FIELDS.items():
        if (found := _best(page, spans[role], kind)) is not None:
            header.readings[name] = found
    header.used = _used(page, labelled)
    header.unexplained = _leaves_a_name(one for one in labelled if one.word.line < end)
    return header


def _leaves_a_name(header: Iterable[Labelled]) -> bool:
    """Whether a word could be a name by the lists but belongs neither to the pupil nor to a titled teacher."""
    named = [(one, plain_text(one.word.text)) for one in header]
    titled = {one.word.line for one, bare in named if word_class(bare) == "address"}
    return any(
        name_rank(bare) != "99" and not is_telling(bare)
        for one, bare in named
        if one.role in (Role.OTHER, Role.PERSON) or (one.role is Role.TEACHER and one.word.line not in titled)
    )


def _parted(page: PageText, spans: dict[Role, list[RoleSpan]]) -> dict[Role, list[RoleSpan]]:
    """Split a name or school that runs over the end of a short line if the other of the two is missing."""
    for role, other in ((Role.NAME, Role.SCHOOL), (Role.SCHOOL, Role.NAME)):
        for span in spans[role]:
            parts = parts_by_line(span)
            if spans[other] or len(parts) != 2 or len(page.texts[span.first_line]) > SHORT_LINE:
                continue
            name, school = parts
            if _says_school(page, name) and not _says_school(page, school):
                name, school = school, name
            return {**spans, Role.NAME: [name], Role.SCHOOL: [school]}
    return spans


def _says_school(page: PageText, span: RoleSpan) -> bool:
    """Whether the words name a school: they have a word for one, or do not begin with a given name."""
    text = span.text(page.texts)
    if has_school_word(text):
        return True
    return name_rank(plain_text(span.words[0].word.text)).startswith("9")


def read_edges(lines: Sequence[Line], wanted: Collection[str]) -> dict[str, FieldReading]:
    """Read the wanted fields from the first and the last lines of a later page."""
    if not wanted:
        return {}
    short = len(lines) <= TOP_LINES + FOOT_LINES
    edges = [lines] if short else [lines[:TOP_LINES], lines[-FOOT_LINES:]]
    found = {name: reading for edge in edges for name, reading in read_labelled(edge).readings.items()}
    return {name: found[name] for name in wanted if name in found}


def _best(page: PageText, spans: Sequence[RoleSpan], kind: FieldKind) -> FieldReading | None:
    """Return the most probable value; another value of nearly the same probability makes it doubtful."""
    found: list[tuple[float, FieldReading]] = []
    for span in spans:
        tokens = [t for place in span.places for t in page.tokens_at(*place)]
        reading = reading_of(kind, tokens, METHOD, span.probability) if span.probability >= LEAST else None
        if reading is not None and reading.value:
            found.append((span.probability, _as_sure_as(reading, kind, span.probability)))
    if not found:
        return None
    found.sort(key=lambda one: -one[0])
    best = found[0][1]
    rivals = [r for _, r in found[1:] if squeezed(r.value or "") != squeezed(best.value or "")]
    if rivals and kind is not FieldKind.GRADE:
        return best.model_copy(
            update={"confidence": round(best.confidence / 2, 4), "disagrees_with": rivals[0].value}
        )
    return best


def _as_sure_as(reading: FieldReading, kind: FieldKind, probability: float) -> FieldReading:
    """Keep the probability for a given name alone: half a name on a form, but all that this header has."""
    if kind is not FieldKind.PERSON or not is_known_given_name(reading.value or ""):
        return reading
    return reading.model_copy(update={"confidence": max(reading.confidence, round(probability, 4))})


def _used(page: PageText, labelled: Sequence[Labelled]) -> list[Token]:
    """Return the tokens of which no part belongs to the essay.

    A title has a line of its own: a seeming title within a line of the essay is its first sentence.
    """
    running = {one.word.line for one in labelled if one.role is Role.BODY}
    essay: set[tuple[int, int]] = set()
    others: dict[tuple[int, int], Token] = {}
    for one in labelled:
        for begin, token in page.tokens[one.word.line]:
            if begin < one.word.end and one.word.start < begin + len(token.text):
                key = one.word.line, begin
                if one.role in _OF_ESSAY or (one.role is Role.TITLE and one.word.line in running):
                    essay.add(key)
                else:
                    others[key] = token
    return [token for key, token in others.items() if key not in essay]


# Whether the words of a value are names of people or schools, wherever they are.


_NO_GIVEN_NAME = "9"
_NO_NAME = "99"


def is_known_given_name(text: str) -> bool:
    """Whether a text is one word that is a given name."""
    words = plain_text(text).split()
    return len(words) == 1 and name_rank(words[0])[0] != _NO_GIVEN_NAME and not word_class(words[0])


def is_of_kind(kind: FieldKind, text: str) -> bool:
    """Whether a value is recognisable as one of its kind by its words alone.

    A person by a name among the words, a school by a word for schools or by names and words that schools have; a
    word of kinship never names a school. Values of other kinds are recognisable by their form.
    """
    words = [word for part in plain_text(text).split() if (word := part.strip(".,'’-"))]
    if kind is FieldKind.PERSON:
        return any(name_rank(word) != _NO_NAME for word in words)
    if kind is FieldKind.SCHOOL:
        kin = any(word_class(word) == "kin" for word in words)
        return not kin and (
            has_school_word(text) or all(school_kind(word) or name_rank(word) != _NO_NAME for word in words)
        )
    return True


# The visual lines of a page as texts, with the spaces and blank lines of the page.


#: Lines farther apart than this multiple of the usual distance have a blank line between them.
_BLANK = 1.45
#: A line that begins beyond this share of the page's width is set at the right or in the middle.
_INDENTED = 0.3
_INDENT = " " * 20


@dataclass(slots=True)
class PageText:
    """Texts of lines, and for each line its tokens with their start positions; a blank line has none."""

    texts: list[str] = field(default_factory=list)
    tokens: list[list[tuple[int, Token]]] = field(default_factory=list)

    def tokens_at(self, line: int, start: int, end: int) -> list[Token]:
        """Return the tokens of a stretch of a text; a token that is partly outside is cut."""
        found = []
        for begin, token in self.tokens[line]:
            first, last = max(start - begin, 0), min(end - begin, len(token.text))
            if first < last:
                found.append(token if (first, last) == (0, len(token.text)) else token.part(first, last))
        return found


def header_text(lines: Sequence[Line]) -> PageText:
    """Return the texts of visual lines, top first."""
    found = PageText()
    boxes = [box_of(line) for line in lines]
    steps = [b.cy - a.cy for a, b in pairwise(boxes) if b.cy > a.cy]
    usual = median_low(steps) if steps else 0.0
    heights = median([box.height for box in boxes]) if boxes else 0.0
    for number, line in enumerate(lines):
        step = boxes[number].cy - boxes[number - 1].cy if number else 0.0
        if number and step > max(_BLANK * usual, 1.2 * heights):
            found.texts.append("")
            found.tokens.append([])
        _add(found, line)
    return found


def _add(found: PageText, line: Line) -> None:
    gap = value_gap(line)
    text = _INDENT if line[0].box.x0 > _INDENTED * PAGE_WIDTH else ""
    tokens: list[tuple[int, Token]] = []
    for before, token in zip([None, *line], line, strict=False):
        if before is not None:
            text += "\t" if token.box.x0 - before.box.x1 > gap else " "
        tokens.append((len(text), token))
        text += token.text
    found.texts.append(text)
    found.tokens.append(tokens)


# Join labelled words into values: the name, the school, the grade, each with its probability.


#: Signs that may end a value; any other is dropped.
_ENDINGS = (".", ")", '"', "”", "!")


@dataclass(frozen=True, slots=True)
class RoleSpan:
    """Consecutive words of one role."""

    role: Role
    words: tuple[Labelled, ...]
    #: The highest probability of the role for a word next to them.
    beside: float = 0.0

    @property
    def probability(self) -> float:
        """Probability (0-1) that the value is just these words, by the least sure of them and their neighbours."""
        return min(1 - self.beside, *(word.probability for word in self.words if word.role is self.role))

    @property
    def first_line(self) -> int:
        return self.words[0].word.line

    @property
    def places(self) -> list[tuple[int, int, int]]:
        """(line, start, end) of its text on each of its lines."""
        found: dict[int, tuple[int, int]] = {}
        for labelled in self.words:
            word = labelled.word
            start, _ = found.get(word.line, (word.start, word.end))
            found[word.line] = start, word.end
        return [(line, start, end) for line, (start, end) in found.items()]

    def text(self, lines: Sequence[str]) -> str:
        """Its text, the lines joined by spaces."""
        return " ".join(lines[line][start:end] for line, start, end in self.places)


def spans_of(labelled: Iterable[Labelled], *roles: Role) -> list[RoleSpan]:
    """Return the values of these roles in reading order, without the signs around them."""
    said = list(labelled)
    found: list[list[int]] = []
    for at, word in enumerate(said):
        if word.role not in roles:
            continue
        before = said[at - 1] if at else None
        if before is not None and before.role == word.role and not word.begins:
            found[-1].append(at)
        elif before is not None and _opens(before, word):
            found.append([at - 1, at])
        else:
            found.append([at])
    return [
        RoleSpan(said[places[-1]].role, tuple(bare), _beside(said, places))
        for places in found
        if (bare := _without_signs([said[at] for at in places]))
    ]


def _beside(said: Sequence[Labelled], places: Sequence[int]) -> float:
    """Return the highest probability of the value's role for the next words on both sides, signs skipped."""
    role = said[places[-1]].role
    sides = (reversed(said[: places[0]]), iter(said[places[-1] + 1 :]))
    next_words = [next((one for one in side if one.word.text[0].isalnum()), None) for side in sides]
    return max(
        (one.shares.get(role, 0.0) for one in next_words if one is not None and one.role is not role), default=0.0
    )


def _opens(before: Labelled, word: Labelled) -> bool:
    """Whether the word before a school ("Escuela", "Primaria"), without a colon, is the first of its name."""
    return (
        word.role is Role.SCHOOL
        and before.role is Role.LABEL
        and word.word.gap is WordGap.SPACE
        and before.word.text[0].isupper()
        and word_class(plain_text(before.word.text)) == "school"
    )


def _without_signs(words: list[Labelled]) -> list[Labelled]:
    """Drop the signs before the first word, and those after the last that do not end a value."""
    said = [at for at, one in enumerate(words) if one.word.text[0].isalnum()]
    if not said:
        return []
    end = said[-1] + 1
    # The point of "Jr." is part of it, the full stop of a sentence was labelled as another role.
    if end < len(words) and words[end].word.text.startswith(_ENDINGS):
        end += 1
    start = said[0]
    if start and words[start - 1].word.text in ("(", '"', "“") and words[end - 1].word.text in (")", '"', "”"):
        start -= 1
    return words[start:end]


def parts_by_line(span: RoleSpan) -> list[RoleSpan]:
    """Split a span into one span for each of its lines."""
    return [RoleSpan(span.role, tuple(words)) for _, words in groupby(span.words, lambda one: one.word.line)]


def header_end(labelled: Sequence[Labelled]) -> int:
    """Return the number of lines before the first one most of whose words belong to the essay."""
    counts: dict[int, list[int]] = {}
    for one in labelled:
        if one.word.text[0].isalnum():
            counts.setdefault(one.word.line, []).append(one.role is Role.BODY)
    essay = [line for line, body in counts.items() if 2 * sum(body) >= len(body)]
    return min(essay, default=max(counts, default=-1) + 1)
