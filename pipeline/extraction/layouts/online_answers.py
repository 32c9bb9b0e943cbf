"""Answers to an online form, and headers of mails, as a browser or a mail program prints them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile

from pipeline.extraction.freeform import is_prose
from pipeline.extraction.labelling.features import is_telling, name_rank
from pipeline.extraction.labelling.header import read_labelled
from pipeline.extraction.layouts.columns import in_columns
from pipeline.extraction.layouts.labelled_sheet import TEXTS, LabelledSheet, read_later_sheet, read_sheet
from pipeline.extraction.layouts.labels import LABEL_WORDS, Label
from pipeline.extraction.page_reading import PageReading
from pipeline.extraction.reflowed_values import marked
from pipeline.extraction.tokens import Line, Token, box_of, token_text, visual_lines
from pipeline.extraction.values.text import plain_text
from pipeline.pages.page_model import Source, recalled
from pipeline.profiles import FieldKind
from pipeline.schema import FieldReading

# Sheets of labels and values: a school's own forms, answers to an online form as a browser or a mail prints
# them.
#
# `labelled_sheet` decides where the values are. The essay is what follows its label, or the longest text that is
# left. Lists of options are not values: a print does not say which one was chosen.


#: Least words of a possible essay.
_ESSAY_WORDS = 30
#: Least distance (heights of a line) of a page's foot from the text.
_FOOT_APART = 4.0
#: A number or stamp has fewer words, and the lower margin begins here (points of a letter page).
_STAMP, _MARGIN = 5, 750.0
_PROGRAM = re.compile(
    r"^(?:submit|submitted|clear form|edit (?:this |your )?response|google forms|microsoft forms|jotform"
    r"|this (?:form|content) (?:was|is)\b.*"
    r"|this (?:message|e-?mail|entry) (?:was|is) (?:sent|submitted|generated)\b.*"
    r"|este (?:mensaje|correo|formulario) (?:fue|ha sido) enviado\b.*"
    r"|never submit passwords.*|report abuse.*|powered by\b.*"
    r"|does this form look suspicious.*)$"
)


@dataclass(slots=True)
class Answers:
    readings: dict[str, FieldReading] = field(default_factory=dict)
    #: Lines before the first label of a later page, which continue the text that the previous page ended in.
    lead: list[Line] = field(default_factory=list)
    essay: list[Line] = field(default_factory=list)
    reaction: list[Line] = field(default_factory=list)
    #: Whether the page ends within the reaction rather than the essay; None if it has neither's label.
    in_reaction: bool | None = None
    #: Whether another text may be the essay, or a part of it.
    unsure: bool = False


@recalled
def read_answers(reading: PageReading) -> Answers | None:
    """Read a page of labels and values; None for any other page."""
    sheet = read_sheet(reading)
    if sheet is None:
        return None
    answers, rows = Answers(sheet.readings, unsure=sheet.has_more), _rows_left(sheet)
    if texts := _text_labels(sheet, rows):
        _add_behind_labels(answers, sheet, texts, rows)
    else:
        _add_longest(answers, sheet, rows)
    answers.readings = marked(answers.readings, _names_left(answers, sheet, rows))
    return answers


@recalled
def read_more_answers(reading: PageReading) -> Answers | None:
    """Read a later page of the same sheet; None if it has no labels."""
    sheet = read_later_sheet(reading)
    if sheet is None:
        return None
    answers, rows = Answers(sheet.readings), _rows_left(sheet)
    top = min(label.box.y0 for label in sheet.labels)
    answers.lead = [row for row in rows if box_of(row).cy < top]
    texts = [label for label in sheet.labels if label.kind in TEXTS]
    _add_behind_labels(answers, sheet, texts, rows)
    return answers


def _rows_left(sheet: LabelledSheet) -> list[Line]:
    """Return the lines of a sheet without labels, values, and what programs print around them."""
    used = {id(token) for token in sheet.used}
    left = [token for token in sheet.tokens if id(token) not in used]
    columns = in_columns(visual_lines(left))
    rows, _ = without_mail(visual_lines(columns or left))
    return _without_foot([row for row in rows if not _PROGRAM.match(plain_text(token_text(row)).rstrip("."))])


def _without_foot(rows: list[Line]) -> list[Line]:
    """Drop lines far below the rest, in other type or stamped in the margin."""
    for at in range(len(rows) - 1, 0, -1):
        first, above, box = rows[at][0], rows[at - 1][0], box_of(rows[at])
        if box.y0 - box_of(rows[at - 1]).y1 > _FOOT_APART * box.height:
            other_type = first.source is Source.TEXT_LAYER and first.size != above.size
            most = _ESSAY_WORDS if other_type else _STAMP if box.y0 > _MARGIN else 0
            return rows[:at] if _words(rows[at:]) < most else rows
    return rows


def _words(rows: Iterable[Line]) -> int:
    return sum(map(len, rows))


def _text_labels(sheet: LabelledSheet, rows: Sequence[Line]) -> list[Label]:
    """Return the labels of the essay and the reaction, from the top; none if a long text precedes the first."""
    texts = sorted((label for label in sheet.labels if label.kind in TEXTS), key=lambda label: label.box.cy)
    before = [row for row in rows if texts and box_of(row).y1 < texts[0].box.y0]
    return texts if sum(is_prose(token_text(row)) for row in before) < 3 else []


def _add_behind_labels(
    answers: Answers, sheet: LabelledSheet, texts: Iterable[Label], rows: Iterable[Line]
) -> None:
    """Add the text after the label of the essay, and that of the reaction, up to the next label."""
    others = [label for label in sheet.labels if label.kind not in TEXTS]
    marks = sorted([*texts, *others], key=lambda label: label.box.y0)
    for row in rows:
        above = [label for label in marks if label.box.y0 <= box_of(row).cy]
        if above and above[-1].kind in TEXTS:
            answers.in_reaction = above[-1].kind is FieldKind.REACTION
            (answers.reaction if answers.in_reaction else answers.essay).append(row)


def _add_longest(answers: Answers, sheet: LabelledSheet, rows: Sequence[Line]) -> None:
    """Add the longest text below, between or beside the labels, else the text above them."""
    above, *texts = _texts_between(sheet, rows)
    longest = max(texts, key=_words)
    if _words(longest) >= _ESSAY_WORDS:
        answers.essay += _untitled(longest)
        answers.unsure |= any(_words(text) >= _ESSAY_WORDS for text in texts if text is not longest)
    else:
        answers.essay += [*dropwhile(lambda row: not is_prose(token_text(row)), above), *texts[-1]]


def _texts_between(sheet: LabelledSheet, rows: Iterable[Line]) -> list[list[Line]]:
    """Return the lines above all labels and values, between each two of them, and below or beside all."""
    area = sheet.area
    middles = sorted({token.box.cy for token in sheet.used})
    texts: list[list[Line]] = [[] for _ in range(len(middles) + 1)]
    for row in rows:
        box = box_of(row)
        at = len(middles) if box.x0 >= area.x1 or box.x1 <= area.x0 else sum(middle < box.cy for middle in middles)
        texts[at].append(row)
    return texts


def _names_left(answers: Answers, sheet: LabelledSheet, rows: Iterable[Line]) -> list[Token]:
    """Return the words between the labels that may be a person's name and belong to no value or text."""
    area = sheet.area
    texts = {id(row) for row in (*answers.essay, *answers.reaction)}
    between = [row for row in rows if id(row) not in texts and area.y0 <= box_of(row).cy <= area.y1]
    words = [(token, plain_text(token.text).strip(".,")) for row in between for token in row]
    return [token for token, bare in words if name_rank(bare) != "99" and not is_telling(bare)]


def _untitled(rows: Sequence[Line]) -> list[Line]:
    """Return an essay without the question or the title above it."""
    asked = len(rows[0]) <= LABEL_WORDS and token_text(rows[0]).endswith("?")
    titles = {id(token) for token in read_labelled(rows).used}
    return list(rows[1:] if asked or all(id(token) in titles for token in rows[0]) else rows)


# The header of a printed mail: who sent it to whom, when, about what. None of it is of the entry.


#: Lines from the top that are searched for the header of a mail, and of a forwarded one.
_TOP, _FORWARDED = 14, 40
#: Most lines above a header ("Gmail", the subject, the mailbox) and between two lines of one.
_ABOVE, _BETWEEN = 5, 3

_SENDER, _RECIPIENT, _SUBJECT, _DATE, _OTHER = "sender", "recipient", "subject", "date", "other"
_LINES = {
    _SENDER: re.compile(r"^(?:from|de|remitente)\s*:"),
    _RECIPIENT: re.compile(r"^(?:to|para|a|destinatario)\s*:"),
    _SUBJECT: re.compile(r"^(?:subject|asunto|re|fwd?)\s*:"),
    _DATE: re.compile(r"^(?:date|sent|fecha|enviado(?: el)?)\s*:"),
    _OTHER: re.compile(r"^(?:b?cc|cco|reply-to|attachments?|adjuntos|datos adjuntos|importance|importancia)\s*:"),
}
_ADDRESS = re.compile(r"[^\s@<]@[^\s@>]+\.\w")
_TIME = re.compile(r"\b\d{1,2}:\d{2}\b")
_FORWARD = re.compile(
    r"^\W*(?:begin )?forwarded message\b|^\W*mensaje reenviado\b|^\W*original message\b|^\W*mensaje original\b"
)
_FOOT = re.compile(
    r"^(?:sent from (?:my|mail|outlook|yahoo)\b|get outlook for\b"
    r"|enviado desde (?:mi|el)\b|obtener outlook para\b)"
)


def without_mail(lines: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """Return the lines of a page that are the message, and those that a mail program put around it.

    The second are none where no mail is printed on the page.
    """
    if not any(":" in token.text for line in lines[:_FORWARDED] for token in line[:2]):
        return list(lines), []
    texts = [plain_text(token_text(line)) for line in lines[:_FORWARDED]]
    end = _header_end(texts, 0, _TOP)
    for at, text in enumerate(texts):
        if _FORWARD.match(text):
            end = max(end, _header_end(texts, at, _FORWARDED))
    if not end:
        return list(lines), []
    message, around = list(lines[end:]), list(lines[:end])
    while message and _FOOT.match(plain_text(token_text(message[-1]))):
        around.append(message.pop())
    return message, around


def _header_end(texts: Sequence[str], start: int, most: int) -> int:
    """Return the index after the header that begins within `most` lines; 0 if none does."""
    kinds: dict[str, int] = {}
    last = -1
    for at in range(start, min(len(texts), most)):
        kind = _kind(texts[at])
        if kind is None:
            if last >= 0 and at - last > _BETWEEN:
                break
            continue
        if last < 0 and at - start > _ABOVE:
            break
        kinds.setdefault(kind, at)
        last = at
    of_mail = any(_ADDRESS.search(text) or _TIME.search(text) for text in texts[start : last + 1])
    named = kinds.keys() & {_SENDER, _RECIPIENT}
    return last + 1 if named and of_mail and len(kinds.keys() - {_OTHER}) >= 2 else 0


def _kind(text: str) -> str | None:
    """Return the kind of a mail header's line; in some programs the sender's line has no word before it."""
    found = next((kind for kind, pattern in _LINES.items() if pattern.match(text)), None)
    if found is None and _ADDRESS.search(text) and (_TIME.search(text) or "<" in text):
        return _SENDER
    return found
