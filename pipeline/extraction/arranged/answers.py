"""Answers to an online form as a browser or a mail program prints them: each label above its value, or before it.

A page is read so where labels stand alone on their lines, for the entrant and for the school or the grade. What is
no value is the essay: what follows its label, or all that is left. Lists of options, of which a print does not say
which was chosen, are no value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import dropwhile, pairwise
from statistics import median

from pipeline.extraction.arranged.columns import column_tokens, in_columns
from pipeline.extraction.arranged.labels import LABEL_WORDS, first_words, meaning_of
from pipeline.extraction.arranged.mail import without_mail
from pipeline.extraction.arranged.placed import Placing, Sheet, read_sheet
from pipeline.extraction.fields import reading_of
from pipeline.extraction.freeform import is_prose
from pipeline.extraction.labelling.header import read_labelled
from pipeline.extraction.page_reading import PageReading
from pipeline.extraction.tokens import Line, Token, box_of, page_lines, runs_of, text_of, visual_lines
from pipeline.extraction.values.text import plain, squeezed
from pipeline.pages.page_model import Source
from pipeline.pages.recent import recalled
from pipeline.profiles import ENTRANT, FieldKind, PrintedRole, form_profiles
from pipeline.profiles.declared import known_heads
from pipeline.profiles.generation import by_generation
from pipeline.schema import FieldReading

METHOD = "answer"
#: Space (points) that parts a label from a value, or from another label, on one line.
_GAP = 9.0
#: How much farther than usual (times) a line of a value is from the one above.
_FARTHER = 1.4
#: Lines of a value; more are a list of options.
_MOST_LINES = {FieldKind.PERSON: 2, FieldKind.SCHOOL: 2}
#: Labels that stand above or beside their values without a colon, on a page that is read so; with colons.
_STACKED, _COLONS = 2, 3
#: Words of a label, and of one up to its colon.
_SHORT_LABEL = 4
#: Words of what may be an essay, and the lines after the last label among which its question is looked for.
_ESSAY_WORDS, _NEAR_ROWS = 30, 6
_TEXTS = (FieldKind.ESSAY, FieldKind.REACTION)
#: How far (points) the lines of one label begin from each other.
_ALIGNED = 3.0
_PROGRAM = re.compile(
    r"^(?:submit|submitted|clear form|edit (?:this |your )?response|google forms|microsoft forms|jotform"
    r"|this (?:form|content) (?:was|is)\b.*"
    r"|this (?:message|e-?mail|entry) (?:was|is) (?:sent|submitted|generated)\b.*"
    r"|este (?:mensaje|correo|formulario) (?:fue|ha sido) enviado\b.*"
    r"|never submit passwords.*|report abuse.*|powered by\b.*"
    r"|does this form look suspicious.*)$"
)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A label on the page, and what stands behind it on its line."""

    #: None for a label of something that no entry has.
    name: str | None
    kind: FieldKind | None
    tokens: Line
    behind: Line
    #: Whether a colon follows it.
    colon: bool = False
    #: The first or the last name, of one that is asked for in two.
    part: str = ""


@dataclass(slots=True)
class Answers:
    """What a page of answers gives."""

    readings: dict[str, FieldReading] = field(default_factory=dict)
    #: Lines in front of the first label of a later page: they go on with what the page before ended within.
    lead: list[Line] = field(default_factory=list)
    essay: list[Line] = field(default_factory=list)
    reaction: list[Line] = field(default_factory=list)
    #: Whether the page ends within the reaction rather than the essay; None where it has neither's label.
    in_reaction: bool | None = None


@recalled
def read_answers(reading: PageReading) -> Answers | None:
    """Read a page of answers, or of labels and values wherever these stand; None for any other page."""
    answers, sheet = _read_asked(reading), read_sheet(reading)
    if sheet is None:
        return answers
    around = _around_sheet(reading, sheet)
    around.readings = (answers.readings if answers and sheet.placing is not Placing.ABOVE else {}) | sheet.readings
    return around


def _read_asked(reading: PageReading) -> Answers | None:
    first = first_words()
    if not any(plain(token.text).strip(":*") in first for line in page_lines(reading.page) for token in line[:2]):
        return None
    rows, asked = _asked_on(reading)
    return _read(rows, _with_essay(rows, asked)) if _is_sheet(asked) else None


@recalled
def read_more_answers(reading: PageReading) -> Answers | None:
    """Read a later page of the same answers; None where it has no text of its own."""
    rows, asked = _asked_on(reading)
    return _read(rows, asked, later=True) if rows else None


def _around_sheet(reading: PageReading, sheet: Sheet) -> Answers:
    """Return the texts of a sheet: what stands behind their labels, else below or beside the others, else above."""
    used = {id(token) for token in sheet.used}
    left = [token for token in sheet.tokens if id(token) not in used]
    rows = visual_lines(left)
    rows, _ = without_mail(visual_lines(in_columns(rows) or left))
    rows = [row for row in rows if not _PROGRAM.match(plain(text_of(row)).rstrip("."))]
    answers, into, area = Answers(), None, sheet.area
    texts = sorted((label for label in sheet.labels if label.kind in _TEXTS), key=lambda label: label.box.cy)
    for row in rows if texts else ():
        while texts and texts[0].box.y0 <= box_of(row).cy:
            answers.in_reaction = texts.pop(0).kind is FieldKind.REACTION
            into = answers.reaction if answers.in_reaction else answers.essay
        if into is not None:
            into.append(row)
    if into is None:
        behind = [row for row in rows if box_of(row).y0 >= area.y1 - 2.0 or box_of(row).x0 >= area.x1]
        above = list(dropwhile(lambda row: not is_prose(text_of(row)), (r for r in rows if box_of(r).y1 <= area.y0 + 2.0)))
        answers.essay += _untitled(behind) if sum(map(len, behind)) >= _ESSAY_WORDS else [*above, *behind]
    return answers


def _untitled(rows: Sequence[Line]) -> list[Line]:
    """Return an essay without the question or the title above it."""
    asked = len(rows[0]) <= LABEL_WORDS and text_of(rows[0]).endswith("?")
    titles = {id(token) for token in read_labelled(rows).used}
    return list(rows[1:] if asked or all(id(token) in titles for token in rows[0]) else rows)


def _asked_on(reading: PageReading) -> tuple[list[Line], list[list[_Asked]]]:
    """Return the lines of a page without a mail program's, and the labels on each."""
    if reading.page.source is not Source.TEXT_LAYER:
        return [], []
    columns = column_tokens(reading.page)
    rows, _ = without_mail(page_lines(reading.page) if columns is None else visual_lines(columns))
    rows = [row for row in rows if not _PROGRAM.match(plain(text_of(row)).rstrip("."))]
    asked = [_labels_in(row) for row in rows]
    _join_wrapped(rows, asked)
    if not any(asked):
        return rows, asked
    return rows, _with_unknown(rows, _without_answers(rows, asked))


def _is_sheet(asked: Sequence[Sequence[_Asked]]) -> bool:
    labels = [one for row in asked for one in row if one.name]
    names = {one.name for one in labels}
    if ENTRANT not in names or not names & {"school_name", "grade"}:
        return False
    stacked = sum(not one.colon and one.kind not in _TEXTS for one in labels)
    essay = any(one.kind is FieldKind.ESSAY for one in labels)
    return stacked >= _STACKED or (essay and len(labels) > _COLONS)


def _labels_in(row: Line) -> list[_Asked]:
    """Return the labels of a line, each with the words behind it; none where the line does not begin with one."""
    found: list[_Asked] = []
    for piece in runs_of(row, _GAP):
        known = _known_label(piece)
        if known is not None:
            found.append(known)
        elif found:
            found[-1] = _behind(found[-1], piece)
        else:
            return []
    return found


def _join_wrapped(rows: list[Line], asked: list[list[_Asked]]) -> None:
    """Put labels together that take two lines of a table's cell, with what stands beside them."""
    for n in range(len(rows) - 1):
        if len(asked[n]) > 1 or not rows[n]:
            continue
        first, *behind = runs_of(rows[n], _GAP)
        rest, *below = runs_of(rows[n + 1], _GAP)
        if not behind or abs(first[0].box.x0 - rest[0].box.x0) > _ALIGNED:
            continue
        known = meaning_of(f"{text_of(first)} {text_of(rest)}")
        if (
            known
            and box_of(rest).x1 < behind[0][0].box.x0
            and all(one.name == known[0] for one in (*asked[n], *asked[n + 1]))
        ):
            beside = [token for piece in behind for token in piece]
            asked[n] = [_Asked(known[0], known[1], [*first, *rest], beside, part=known[2])]
            asked[n + 1] = []
            rows[n + 1] = [token for piece in below for token in piece]
    kept = [n for n, row in enumerate(rows) if row]
    rows[:], asked[:] = [rows[n] for n in kept], [asked[n] for n in kept]


def _behind(asked: _Asked, piece: Line) -> _Asked:
    return _Asked(asked.name, asked.kind, asked.tokens, [*asked.behind, *piece], asked.colon, asked.part)


def _known_label(piece: Line) -> _Asked | None:
    """Return the label that a piece of a line is, or begins with up to its colon."""
    if len(piece) <= LABEL_WORDS and (known := meaning_of(text_of(piece))) is not None:
        return _Asked(known[0], known[1], piece, [], text_of(piece).endswith(":"), known[2])
    for at, token in enumerate(piece[:LABEL_WORDS]):
        if token.text.endswith(":"):
            known = meaning_of(text_of(piece[: at + 1]))
            return _Asked(known[0], known[1], piece[: at + 1], piece[at + 1 :], True, known[2]) if known else None
    return None


def _without_answers(rows: Sequence[Line], asked: list[list[_Asked]]) -> list[list[_Asked]]:
    """Drop what stands where the value of the label above it does: what reads as a label may be an answer."""
    steps = _steps(rows)
    near = min(
        (steps[n] for n, row in enumerate(asked[:-1]) if _stands_alone(row) and not asked[n + 1]), default=0.0
    )
    found: list[list[_Asked]] = []
    for n, row in enumerate(asked):
        above = found[-1] if found else []
        is_value = (
            _stands_alone(above) and _stands_alone(row) and near > 0 and steps[n - 1] <= _FARTHER * near
        ) and not text_of(rows[n]).endswith(("*", ":"))
        found.append([] if is_value else row)
    return found


def _stands_alone(row: Sequence[_Asked]) -> bool:
    return bool(row) and not any(one.behind for one in row)


def _steps(rows: Sequence[Line]) -> list[float]:
    """Return the distance (points) from each line to the next."""
    return [box_of(below).cy - box_of(above).cy for above, below in pairwise(rows)]


def _with_unknown(rows: Sequence[Line], asked: list[list[_Asked]]) -> list[list[_Asked]]:
    """Add the labels of what no entry has: lines that end as labels do here, or are of the labels' own type."""
    known = [(rows[n], row) for n, row in enumerate(asked) if any(one.name for one in row)]
    if not known:
        return asked
    starred = any("*" in row[-1].text for row, _ in known)
    types = {_type(row[0].tokens) for _, row in known}
    plain_types = {_type(row) for n, row in enumerate(rows) if not asked[n]}
    of_labels = types - plain_types if len(types) == 1 else set()

    colons = all(row[0].colon for _, row in known)
    # Within an essay a colon may follow any word.
    essay = next((n for n, row in enumerate(asked) if row and row[0].kind is FieldKind.ESSAY), 0)

    def unknown(row: Line, number: int) -> bool:
        text = text_of(row)
        if colons and number < essay and any(token.text.endswith(":") for token in row[:_SHORT_LABEL]):
            return True
        if len(row) > LABEL_WORDS or not any(c.isalpha() for c in text):
            return False
        return (starred and text.endswith("*")) or _type(row) in of_labels

    first = next(n for n, row in enumerate(asked) if row)
    return [
        [_Asked(None, None, row, [])] if not asked[n] and n > first and unknown(row, n) else asked[n]
        for n, row in enumerate(rows)
    ]


def _with_essay(rows: Sequence[Line], asked: list[list[_Asked]]) -> list[list[_Asked]]:
    """Take a question that a long text follows for that of the essay, where no label says so."""
    if any(one.kind is FieldKind.ESSAY for row in asked for one in row):
        return asked
    last = max(n for n, row in enumerate(asked) if any(one.name for one in row))
    asks = [n for n, row in enumerate(asked) if row and row[0].name is None]
    asks += [
        n
        for n in range(last + 2, min(last + _NEAR_ROWS, len(rows)))
        if not asked[n] and len(rows[n]) <= LABEL_WORDS and text_of(rows[n]).endswith("?")
    ][:1]
    labels = sorted({*asks, *(n for n, row in enumerate(asked) if row)})
    words = {
        n: sum(map(len, rows[n + 1 : end]))
        for n, end in zip(labels, [*labels[1:], len(rows)], strict=True)
        if n in asks
    }
    longest = max(words, key=lambda n: words[n], default=None)
    if longest is None or words[longest] < _ESSAY_WORDS:
        return asked
    found = list(asked)
    found[longest] = [_Asked("essay_text", FieldKind.ESSAY, rows[longest], [])]
    return found


def _type(row: Line) -> tuple[float, bool]:
    return round(row[0].size, 1), all(token.bold for token in row)


def _read(rows: Sequence[Line], asked: Sequence[Sequence[_Asked]], *, later: bool = False) -> Answers:
    answers, steps = Answers(), _steps(rows)
    near = _usual_step(rows, asked, steps)
    parts: dict[str, dict[str, list[Token]]] = {}
    labels = [n for n, row in enumerate(asked) if row]
    has_essay = any(one.kind is FieldKind.ESSAY for row in asked for one in row)
    if later:
        answers.lead += rows[: labels[0]] if labels else rows
    if not labels:
        return answers
    for n, following in zip(labels, [*labels[1:], len(rows)], strict=True):
        block = list(rows[n + 1 : following])
        text = next((one for one in asked[n] if one.kind in _TEXTS), None)
        if text is not None:
            into = answers.essay if text.kind is FieldKind.ESSAY else answers.reaction
            into += [line for line in (text.behind, *block) if line]
            answers.in_reaction = text.kind is FieldKind.REACTION
            continue
        size = _value_lines(asked[n], steps[n : following - 1], near)
        for one, lines in zip(asked[n], _beneath(asked[n], block[:size]), strict=True):
            _take(answers, parts, one, lines)
        # What follows is the essay where nothing on the page is called so.
        answers.essay += [] if has_essay else block[size:]
    for name, given in parts.items():
        _add(answers, name, FieldKind.PERSON, [*given.get("first", []), *given.get("last", [])])
    return answers


def _usual_step(rows: Sequence[Line], asked: Sequence[Sequence[_Asked]], steps: Sequence[float]) -> float:
    """Return the usual distance (points) from a label to the value under it, or from one line to the next."""
    under = [steps[n] for n, row in enumerate(asked[:-1]) if _stands_alone(row) and not asked[n + 1]]
    return median(under) if under else median([box_of(row).height for row in rows])


def _value_lines(row: Sequence[_Asked], steps: Sequence[float], near: float) -> int:
    """Return how many of the lines after a label belong to its value."""
    count = 0
    for step in steps:
        if step > _FARTHER * near:
            break
        count += 1
    return count


def _beneath(row: Sequence[_Asked], lines: Sequence[Line]) -> list[list[Line]]:
    """Return for each of the labels of a line the words under it, line by line."""
    edges = [one.tokens[0].box.x0 - 4.0 for one in row[1:]]
    parted = []
    for left, right in zip([-1.0e9, *edges], [*edges, 1.0e9], strict=True):
        own = [[token for token in line if left <= token.box.x0 < right] for line in lines]
        parted.append([line for line in own if line])
    return parted


def _take(answers: Answers, parts: dict[str, dict[str, list[Token]]], one: _Asked, lines: Sequence[Line]) -> None:
    """Read the value of one label; a list of options, of which one was chosen, is none."""
    given = [line for line in (one.behind, *lines) if line]
    if one.name is None or one.kind is None or not given or len(given) > _MOST_LINES.get(one.kind, 1):
        return
    tokens = [token for line in given for token in line]
    if one.part:
        parts.setdefault(one.name, {}).setdefault(one.part, tokens)
    else:
        _add(answers, one.name, one.kind, tokens)


def _add(answers: Answers, name: str, kind: FieldKind, tokens: Sequence[Token]) -> None:
    if kind is FieldKind.IGNORED or name in answers.readings:
        return
    found = reading_of(kind, tokens, METHOD, field=name)
    if found is not None:
        answers.readings[name] = found
