"""The lines of a form that was transcribed without places: each label with its value, in one order.

Of such a page only the text and its order are known. One transcription joins two columns in each line, another
gives one column after the other, a third puts labels and values on lines of their own. All become the same: a row
for each label with its value, above the essay's prompt, at places that show the order and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pipeline.extraction.printed import DISTINCTIVE, FoundText, LineText, find_texts, find_word, letters_of_print
from pipeline.extraction.tokens import PAGE_HEIGHT, PAGE_WIDTH, Line, token_text
from pipeline.extraction.values.fields import parse_value
from pipeline.extraction.values.kinds import find_email, find_phone
from pipeline.extraction.values.text import squeezed
from pipeline.pages.page_model import Box
from pipeline.profiles import HEADER_KINDS, FieldKind, FormSpec, Printed, PrintedRole

#: A circle or box before an option, marked or not, or a part of one.
_SIGN = re.compile(r"[\[({]?[xXoO0✕✖✗✘×✓✔√☑☒☐●⬤⚫◉⦿■○◯⊗⊙◎□_]?[\])}]?")
#: Most lines between a label and the next print of the header that belong to the label, and most words of each.
_BETWEEN, _WORDS = 3, 6
#: Height of a row, and of its words, in points; width of a letter at most, and of the margin.
_ROW, _HIGH = 14.0, 0.6
_LETTER, _MARGIN = 5.0, 36.0
#: Kinds of fields whose labels follow another one on its line.
_SHARING = (FieldKind.EMAIL, FieldKind.PHONE)
#: Printed texts that stand in the header only.
_OF_HEADER = (PrintedRole.LABEL, PrintedRole.OPTION)
#: Printed texts above the header.
_HEAD = (PrintedRole.LOGO, PrintedRole.TITLE, PrintedRole.DEADLINE)


@dataclass(slots=True, eq=False)
class _Piece:
    """A stretch of a line: a printed text with what follows it, or words that follow no print."""

    tokens: Line
    printed: Printed | None = None
    #: Kind of the header's field that it is the label of.
    kind: FieldKind | None = None
    #: Whether it is a label without a value.
    is_empty: bool = False
    #: Whether it is a label or an option that could not be words of an essay.
    is_telling: bool = False
    #: Lines elsewhere that belong to its value.
    rest: list[Line] = field(default_factory=list)

    @property
    def text(self) -> str:
        return token_text(self.tokens)


def lines_by_label(lines: Sequence[LineText], form: FormSpec) -> list[LineText]:
    """Return the lines of a transcribed page of `form`, its header with a row for each label and its value.

    The words get new places; where they were is kept (`Token.place`).
    """
    header, body = _parted(_each_once([piece for line in lines for piece in _pieces(line, form)]))
    # The labels come last, because what is below them is the essay's.
    rows = sorted(_with_values(header), key=lambda piece: piece.kind is not None)
    placed = _placed([*rows, *body])
    head = _words_of_head(form)
    for piece, line in zip(rows, placed, strict=False):
        words = {word for word in map(squeezed, piece.text.split()) if not word.isdigit()}
        is_head = piece.printed is None and bool(words) and words <= head
        if is_head or (piece.printed and piece.printed.role is PrintedRole.OPTION):
            line.take(0, len(line.text))
    return placed


def _each_once(pieces: Sequence[_Piece]) -> list[_Piece]:
    """Return the pieces, without labels that are words of a value ("School" beside the label of the form)."""
    told = {piece.printed.field for piece in pieces if piece.printed and piece.is_telling}
    return [
        _Piece(piece.tokens)
        if piece.kind and piece.printed and not piece.is_telling and piece.printed.field in told
        else piece
        for piece in pieces
    ]


def _words_of_head(form: FormSpec) -> frozenset[str]:
    """Return the words of a form's logo, title and deadline, whose lines a transcription may join."""
    texts = (text for printed in form.printed if printed.role in _HEAD for text in printed.texts)
    return frozenset(word for text in texts for word in map(squeezed, text.split()))


def _pieces(line: LineText, form: FormSpec) -> Iterator[_Piece]:
    """Yield the stretches of a line, in order."""
    tokens, prints = line.tokens, _prints(line, form)
    if not any(printed.role in _OF_HEADER for _, printed in prints):
        yield _Piece(tokens, prints[0][1] if prints else None)
        return
    begins = [line.owner[found.start][0] for found, _ in prints]
    options = [n for n, (_, printed) in enumerate(prints) if printed.role is PrintedRole.OPTION]
    # Signs stand before all options of a line or after them.
    if options and _before_signs(tokens, begins[options[0]]) < begins[options[0]]:
        for n in options:
            begins[n] = _before_signs(tokens, begins[n])
    begins.append(len(tokens))
    if head := tokens[: begins[0]]:
        yield _Piece(head)
    for (found, printed), (begin, end) in zip(prints, pairwise(begins), strict=True):
        last = line.owner[found.end - 1][0] + 1
        kind = form.fields[printed.field].kind if printed.field and printed.role is PrintedRole.LABEL else None
        kind = kind if kind in HEADER_KINDS else None
        if printed.role is PrintedRole.OPTION:
            while last < end and _SIGN.fullmatch(tokens[last].text):
                last += 1
        whole = end if kind else last
        is_telling = printed.role in _OF_HEADER and len(letters_of_print(found.text)) >= DISTINCTIVE
        is_empty = bool(kind) and not any(c.isalnum() for token in tokens[last:end] for c in token.text)
        yield _Piece(tokens[begin:whole], printed, kind, is_empty, is_telling and found.likeness == 100.0)
        if whole < end:
            yield _Piece(tokens[whole:end])


def _before_signs(tokens: Line, at: int) -> int:
    """Return the index of the first of the signs that directly precede a token."""
    while at and _SIGN.fullmatch(tokens[at - 1].text):
        at -= 1
    return at


def _prints(line: LineText, form: FormSpec) -> list[tuple[FoundText, Printed]]:
    """Return the printed texts of a line from its beginning, the surest and longest of those that overlap."""
    of_text = {text: p for p in reversed(form.printed) if p.role is not PrintedRole.RULE for text in p.texts}
    found = [place for places in find_texts([line], of_text).values() for place in places]
    found.sort(key=lambda place: (place.likeness < 100.0, place.start - place.end))
    for text, printed in of_text.items():
        if printed.role is PrintedRole.LABEL and printed.field and len(letters_of_print(text)) < DISTINCTIVE:
            shares = bool(found) and form.fields[printed.field].kind in _SHARING
            found += [place for place in find_word([(0, line)], text) if shares or place.start == 0]
    taken: list[FoundText] = []
    for place in found:
        if not any(place.start < other.end and other.start < place.end for other in taken):
            taken.append(place)
    return [(place, of_text[place.text]) for place in sorted(taken, key=lambda place: place.start)]


def _parted(pieces: Sequence[_Piece]) -> tuple[list[_Piece], list[_Piece]]:
    """Return the pieces of the header and all others, both in order.

    A column beside the prompt may come after it: its labels and options belong to the header, with the few lines
    between them.
    """
    prompts = (n for n, piece in enumerate(pieces) if piece.printed and piece.printed.role is PrintedRole.PROMPT)
    first = next(prompts, 0)
    header, body = list(pieces[:first]), list[_Piece]()
    between: list[_Piece] = []
    # The label or option of the header that only words follow so far.
    before: _Piece | None = None
    for piece in pieces[first:]:
        if piece.is_telling or (piece.kind and before and not between):
            is_value = before is not None and before.kind is not None and len(between) <= _BETWEEN
            (header if is_value and all(map(_is_short, between)) else body).extend(between)
            header.append(piece)
            between, before = [], piece
        elif _is_short(piece) and before and before.is_empty and header[-1] is before:
            header.append(piece)
        elif piece.printed is None:
            between.append(piece)
        else:
            body += [*between, piece]
            between, before = [], None
    return header, [*body, *between]


def _is_short(piece: _Piece) -> bool:
    """Whether a piece may be a value on a line of its own."""
    return piece.printed is None and len(piece.tokens) <= _WORDS


def _with_values(header: Sequence[_Piece]) -> list[_Piece]:
    """Give each label the lines of its value; return the pieces without these lines."""
    left: list[_Piece] = []
    #: Labels without a value since the last one with a value, and the label that words may go on from.
    waiting: list[_Piece] = []
    label: _Piece | None = None
    for piece in header:
        if piece.printed is None:
            fitting = (n for n, one in enumerate(waiting) if one.kind and parse_value(one.kind, piece.text).text)
            if (at := next(fitting, None)) is not None:
                label, waiting = waiting[at], waiting[at + 1 :]
                label.rest.append(piece.tokens)
            elif label is not None and _goes_on(label, piece.text):
                label.rest.append(piece.tokens)
            else:
                left.append(piece)
                label = None
            continue
        left.append(piece)
        label = piece if piece.kind and not piece.is_empty else None
        if piece.kind:
            waiting = [*waiting, piece] if piece.is_empty else []
    return left


def _goes_on(label: _Piece, text: str) -> bool:
    """Whether a line may be the rest of a label's value: of a name, a school or an address."""
    if label.kind is FieldKind.EMAIL:
        return find_email("".join([label.text, *map(token_text, label.rest), text]).replace(" ", "")) is not None
    if find_email(text) or find_phone(text):
        return False
    return label.kind is FieldKind.SCHOOL or (label.kind is FieldKind.PERSON and len(text.split()) == 1)


def _placed(pieces: Sequence[_Piece]) -> list[LineText]:
    """Return the pieces as lines under each other; an address that goes on has a row for each of its lines."""
    cells = [_rows(piece) for piece in pieces]
    high = min(_ROW, PAGE_HEIGHT / (sum(map(len, cells)) + 1))
    lines, number = [], 0
    for rows in cells:
        placed: Line = []
        for row in rows:
            placed += _row(row, number * high, high * _HIGH)
            number += 1
        lines.append(LineText(placed))
    return lines


def _rows(piece: _Piece) -> list[Line]:
    if piece.kind is FieldKind.EMAIL:
        return [piece.tokens, *piece.rest]
    return [[*piece.tokens, *(token for line in piece.rest for token in line)]]


def _row(tokens: Line, top: float, high: float) -> Line:
    letters = sum(len(token.text) + 1 for token in tokens)
    wide = min(_LETTER, (PAGE_WIDTH - 2 * _MARGIN) / letters)
    placed, at = [], _MARGIN
    for token in tokens:
        placed.append(token.moved(Box(at, top, at + wide * len(token.text), top + high)))
        at += wide * (len(token.text) + 1)
    return placed
