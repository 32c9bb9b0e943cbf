"""Read the header of an essay without a form with the labeller: values with their probabilities as confidence."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from pipeline.extraction.fields import reading_of
from pipeline.extraction.labelling.known import is_given_name
from pipeline.extraction.labelling.labeller import Labelled, label
from pipeline.extraction.labelling.lexicon import is_telling, name_rank, word_class
from pipeline.extraction.labelling.page_text import PageText, page_text
from pipeline.extraction.labelling.roles import Role
from pipeline.extraction.labelling.spans import Span, header_end, parts_by_line, spans_of
from pipeline.extraction.tokens import Line, Token
from pipeline.extraction.values.schools import has_school_word
from pipeline.extraction.values.text import plain, squeezed
from pipeline.profiles import FieldKind
from pipeline.schema import FieldReading

#: A value below this probability is no reading.
LEAST = 0.35
#: Lines at the top and at the foot of a later page that may repeat the header or sign the essay.
TOP_LINES, FOOT_LINES = 3, 6
#: Lines of a page that are labelled: a header and what is around it.
MOST_LINES = 40
#: A line of fewer characters ends where its writer ended it, so that no value goes on with the next line.
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
    """What the labeller read on a page."""

    readings: dict[str, FieldReading] = field(default_factory=dict)
    #: Number of visual lines in front of the essay.
    lines: int = 0
    #: The words of all values, wherever they are.
    used: list[Token] = field(default_factory=list)
    #: Whether a word in front of the essay may be part of a name or a school and is part of no value.
    unexplained: bool = False


def read_labelled(lines: Sequence[Line]) -> LabelledHeader:
    """Read the fields from the visual lines of a page, top first."""
    page = page_text(lines[:MOST_LINES])
    labelled = label(page.texts)
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
    """Whether a word could be a name by the lists and is neither the pupil's nor, with a title, a teacher's."""
    named = [(one, plain(one.word.text)) for one in header]
    titled = {one.word.line for one, bare in named if word_class(bare) == "address"}
    return any(
        name_rank(bare) != "99" and not is_telling(bare)
        for one, bare in named
        if one.role in (Role.OTHER, Role.PERSON) or (one.role is Role.TEACHER and one.word.line not in titled)
    )


def _parted(page: PageText, spans: dict[Role, list[Span]]) -> dict[Role, list[Span]]:
    """Part a name or school that runs from a short line into the next while the other of the two is missing."""
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


def _says_school(page: PageText, span: Span) -> bool:
    """Whether the words name a school: by a word for one, or by not beginning with a given name."""
    text = span.text(page.texts)
    if has_school_word(text):
        return True
    return name_rank(plain(span.words[0].word.text)).startswith("9")


def read_edges(lines: Sequence[Line], wanted: Collection[str]) -> dict[str, FieldReading]:
    """Read the wanted fields from the first and the last lines of a later page."""
    if not wanted:
        return {}
    short = len(lines) <= TOP_LINES + FOOT_LINES
    edges = [lines] if short else [lines[:TOP_LINES], lines[-FOOT_LINES:]]
    found = {name: reading for edge in edges for name, reading in read_labelled(edge).readings.items()}
    return {name: found[name] for name in wanted if name in found}


def _best(page: PageText, spans: Sequence[Span], kind: FieldKind) -> FieldReading | None:
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
    """A given name alone is half a name on a form; in a header that was read as a whole it is what was written."""
    if kind is not FieldKind.PERSON or not is_given_name(reading.value or ""):
        return reading
    return reading.model_copy(update={"confidence": max(reading.confidence, round(probability, 4))})


def _used(page: PageText, labelled: Sequence[Labelled]) -> list[Token]:
    """Return the whole tokens no part of which belongs to the essay.

    A title has its line to itself: what looks like one in a line of the essay is its first sentence.
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
