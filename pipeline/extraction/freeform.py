"""The header of an essay without a form: one to four lines that name the entrant, the school, a room, a grade.

A line is classified by its own words (a heading word, an ordinal with "grade", the word school) before it is
classified by its position. Without a usable name the field stays empty.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile

from pipeline.extraction.tokens import Line, Token, runs_of, token_text, value_gap
from pipeline.extraction.values.fields import reading_of
from pipeline.extraction.values.kinds import ROOM, explicit_grades, find_email, find_phone
from pipeline.extraction.values.names import (
    counts_as_sentence,
    ends_in_room,
    has_school_word,
    is_print,
    is_sure_school,
    is_teacher,
    person_certainty,
)
from pipeline.extraction.values.text import plain_text, squeezed, tidied
from pipeline.profiles import ENTRANT, FieldKind, declared_fields, freeform_profile, known_heads
from pipeline.profiles.catalogue import by_generation
from pipeline.schema import FieldReading

#: No header has more lines than this.
MOST_LINES = 9
#: Method of readings that follow a printed heading ("School: …").
HEADED = "heading"
#: A line of more words is a sentence of the essay.
MOST_WORDS = 14
_SENTENCE_END = (".", "!", "?")
#: A line of so many words is a sentence if it ends like one; one of fewer words may be a part of a sentence.
_SENTENCE, _PHRASE = 8, 3
#: Number of words from which a school on one line with its grade may begin with the pupil's name.
_WITH_NAME = 4
#: Letters of an abbreviation with its point ("Prep.").
_ABBREVIATION = 6
#: Kinds whose labels on an answer sheet may begin an essay elsewhere.
_TEXTS = (FieldKind.ESSAY, FieldKind.REACTION)
#: Characters for empty and for marked boxes.
_EMPTY, _MARKED = "☐□▢❏❑◻○◯⬜", "☑☒✓✔✗✘●◉■⬤⦿🗹🗷"
_BOX = re.compile(f"[{_EMPTY}{_MARKED}]")
_SEPARATOR = re.compile(r"^[|•·/;–—-]+$")


@dataclass(slots=True)
class Header:
    """The header that was read from the first lines of a page."""

    readings: dict[str, FieldReading] = field(default_factory=dict)
    #: Number of lines that belong to the header (title included); the essay begins after them.
    lines: int = 0

    @property
    def name(self) -> FieldReading | None:
        return self.readings.get(ENTRANT)


@dataclass(slots=True)
class _Part:
    """One piece of a header line and its classification."""

    tokens: list[Token]
    line: int
    field: str | None = None
    #: Classified by the line's own words rather than by its position.
    sure: bool = False
    #: Classified by a heading word before it ("School: …").
    headed: bool = False

    @property
    def text(self) -> str:
        return tidied(token_text(self.tokens)).strip(" ,;")


@by_generation
def headings() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return the pattern of the words before a value ("School:"), slow to compile, and the field of each."""
    words = {
        plain_text(head): name
        for name, (kind, heads) in known_heads().items()
        if kind not in _TEXTS
        for head in heads
    }
    longest = sorted(words, key=len, reverse=True)
    alternatives = "|".join(re.escape(w).replace(r"\ ", r"\s+") for w in longest)
    # A dash follows a heading only at a line's start; elsewhere it separates values ("Juniper School - Grade 4").
    colon = rf"(?:^|(?<=[\s,;|(]))({alternatives})\s*(?:[:=]|\.{{2,}}|_+)\s*"
    return re.compile(rf"{colon}|^({alternatives})\s+[-–]\s+"), words


_BYLINE = re.compile(r"^(?:(?:written\s+)?by|(?:escrito\s+)?por|name|nombre|author|autora?|student)\s+(?=\S)")


def read_header(lines: Sequence[Line]) -> Header:
    """Read the header from the visual lines of a page, top first."""
    header = Header()
    parts: list[_Part] = []
    pending: str | None = None
    for number, line in enumerate(lines[:MOST_LINES]):
        found, pending = _parts_of(line, number, pending)
        if found is None:
            break
        parts += found
        header.lines = number + 1
    parts, header.lines = _without_stray_tail(parts, header.lines)
    _by_place(parts)
    _fill(header, parts)
    return header


def with_choices(lines: Sequence[Line]) -> list[Line]:
    """Return the lines; a heading with boxes for options keeps only the marked option, or none."""
    return [_chosen(line) for line in lines]


def _chosen(line: Line) -> Line:
    if not any(_BOX.search(token.text) for token in line):
        return line
    pieces = [piece for token in line for piece in _boxes_apart(token)]
    boxes = [at for at, piece in enumerate(pieces) if _BOX.fullmatch(piece.text)]
    if len(boxes) < 2:
        return line
    # Boxes come before their options, or after them if the line ends with a box.
    behind = boxes[-1] == len(pieces) - 1
    head = _heading(pieces[: boxes[0] - (1 if behind else 0)])
    if head is None:
        return line
    marked = [at for at in boxes if pieces[at].text in _MARKED]
    if len(marked) != 1:
        return head
    if behind:
        begin = max((at + 1 for at in boxes if at < marked[0]), default=boxes[0] - 1)
        return [*head, *pieces[begin : marked[0]]]
    end = min((at for at in boxes if at > marked[0]), default=len(pieces))
    return [*head, *pieces[marked[0] + 1 : end]]


def _boxes_apart(token: Token) -> list[Token]:
    cuts = sorted({0, len(token.text), *(at for hit in _BOX.finditer(token.text) for at in hit.span())})
    return [token.part(start, end) for start, end in pairwise(cuts)] if len(cuts) > 2 else [token]


def _heading(tokens: Line) -> Line | None:
    """Return the words of a heading with a colon, without those in brackets; None if it is not a heading."""
    kept = list(takewhile(lambda token: not token.text.startswith(("(", "[")), tokens))
    if plain_text(token_text(kept)).strip(" :") not in headings()[1]:
        return None
    return [*kept[:-1], kept[-1]._replace(text=kept[-1].text.rstrip(":") + ":")]


def _parts_of(line: Line, number: int, pending: str | None) -> tuple[list[_Part] | None, str | None]:
    """Return the pieces of a header line (None if it belongs to the essay) and a heading without a value yet."""
    text = tidied(token_text(line))
    headed, open_head = _headed(line, number)
    # A heading under an open one, or the essay: nothing was written beside or below the open one.
    begins_again = headed[0].headed if headed else open_head is not None
    if pending and not begins_again and not is_prose(text):
        return [_Part(list(line), number, pending, sure=True, headed=True)], None
    if headed or open_head:
        return headed, open_head
    if is_prose(text):
        return None, None
    return [_classified(part) for run in _pieces(line) for part in [_Part(run, number)]], None


def is_prose(text: str) -> bool:
    """Whether a line belongs to the essay rather than to a header."""
    words = [word for word in text.split() if not _SEPARATOR.match(word)]
    if len(words) > MOST_WORDS:
        return True
    if len(text.split()) - len(words) >= 2 and not text.endswith(_SENTENCE_END):
        return False
    if explicit_grades(text) and (has_school_word(text) or len(words) <= 9) and not text.endswith(_SENTENCE_END):
        return False
    return len(words) >= 8 and not has_school_word(text) and not ROOM.search(plain_text(text))


def is_running_text(text: str) -> bool:
    """Whether a line is prose, or a part of a sentence without a heading, a grade or a school."""
    words = len(text.split())
    if is_prose(text) or (words >= _SENTENCE and text.endswith(_SENTENCE_END)):
        return True
    plain = plain_text(text)
    headed = explicit_grades(text) or has_school_word(text) or _BYLINE.match(plain) or headings()[0].search(plain)
    return words >= _PHRASE and counts_as_sentence(text) and not headed


def _headed(line: Line, number: int) -> tuple[list[_Part], str | None]:
    """Return the pieces after heading words ("Name: … Grade: …"), and the last heading if it has no value yet.

    The value of such a heading is on the next line."""
    text, owner = _with_owner(line)
    pattern, words = headings()
    hits = list(pattern.finditer(text))
    byline = _BYLINE.match(text)
    if not hits and byline and person_certainty(token_text(line)[byline.end() :]) >= 0.7:
        hits = [byline]
    parts: list[_Part] = []
    for hit, following in zip(hits, [*hits[1:], None], strict=False):
        name = words.get(tidied(hit.group(1) or hit.group(2)) if hit is not byline else "", "") or "student_name"
        end = following.start() if following else len(text)
        tokens = _cut(line, owner, hit.end(), end)
        if tokens:
            parts.append(_Part(tokens, number, name, sure=True, headed=True))
        elif following is None:
            return parts, name
    if hits and hits[0].start() > 0 and (before := _cut(line, owner, 0, hits[0].start())):
        parts.insert(0, _classified(_Part(before, number)))
    return parts, None


def _with_owner(line: Line) -> tuple[str, list[tuple[int, int]]]:
    """Return the plain text of a line, and for each letter its token's index and its position in the token."""
    letters, owner = [], []
    for index, token in enumerate(line):
        if index:
            letters.append(" ")
            owner.append((index, 0))
        for at, char in enumerate(token.text):
            for letter in plain_text(char) or " ":
                letters.append(letter)
                owner.append((index, at))
    return "".join(letters), owner


def _cut(line: Line, owner: list[tuple[int, int]], start: int, end: int) -> list[Token]:
    spans: dict[int, tuple[int, int]] = {}
    text, _ = _with_owner(line)
    for i in range(start, end):
        if text[i] != " ":
            index, at = owner[i]
            first, _last = spans.get(index, (at, at))
            spans[index] = (first, at)
    pieces = []
    for index, (first, last) in spans.items():
        token = line[index]
        pieces.append(token if (first, last + 1) == (0, len(token.text)) else token.part(first, last + 1))
    return [t for t in pieces if any(c.isalnum() for c in t.text)]


def _pieces(line: Line) -> list[Line]:
    """Split a line at wide gaps, bars and commas between values."""
    pieces: list[Line] = []
    for run in runs_of(line, value_gap(line)):
        current: Line = []
        for token in run:
            if _SEPARATOR.match(token.text):
                pieces.append(current)
                current = []
                continue
            current.append(token)
            if token.text.endswith((",", ";")) and not token.text.lower().endswith((" jr,", "sr,")):
                pieces.append(current)
                current = []
        pieces.append(current)
    return _names_whole([p for p in pieces if p])


def _names_whole(pieces: list[Line]) -> list[Line]:
    """Rejoin "Lopez, Maria", which was split at its comma."""
    if len(pieces) >= 2 and len(pieces[0]) == 1 and 1 <= len(pieces[1]) <= 2:
        joined = [*pieces[0], *pieces[1]]
        if not any(has_school_word(t.text) or any(c.isdigit() for c in t.text) for t in joined):
            return [joined, *pieces[2:]]
    return pieces


def _classified(part: _Part) -> _Part:
    """Classify a piece by its own words, if they name a field."""
    text = part.text
    if find_email(text):
        part.field, part.sure = "email", True
    elif find_phone(text) and sum(c.isalpha() for c in text) < 6:
        part.field, part.sure = "phone", True
    elif is_teacher(text):
        part.field = "addressed"
    elif explicit_grades(text):
        # Before the labels: "Grade K" differs from one by a single letter.
        part.field, part.sure = "grade", True
    elif is_print(text):
        part.field = "title"
    elif is_sure_school(text) or (ends_in_room(text) and len(text.split()) <= 7):
        part.field, part.sure = "school_name", True
    elif ROOM.search(plain_text(text)) or squeezed(text).isdigit():
        part.field = "room"
    elif counts_as_sentence(text):
        part.field = "title"
    elif person_certainty(text) >= 0.7 and 2 <= len(text.split()) <= 5:
        part.field = "person"
    return part


def _without_stray_tail(parts: list[_Part], lines: int) -> tuple[list[_Part], int]:
    """Drop the lines after the last classified one, except a title: they belong to the essay."""
    telling = [p.line for p in parts if p.sure or p.field in ("person", "addressed", "room", "title")]
    if not telling:
        return [], 0
    last = max(telling)
    titles = {p.line for p in parts if p.line == last + 1}
    keep = last + (2 if titles and lines > last + 1 else 1)
    return [p for p in parts if p.line < keep], min(keep, lines)


def _by_place(parts: list[_Part]) -> None:
    """Split the pieces that hold more than one value."""
    for part in list(parts):
        if part.field in ("grade", "school_name") and part.sure and not part.headed:
            _split(parts, part)


def _split(parts: list[_Part], part: _Part) -> None:
    """Split "Maria Lopez Lincoln School 4th grade" as far as the words allow."""
    rest = _ungraded(part.tokens) if part.field == "grade" else part.tokens
    where = parts.index(part)
    if part.field == "grade" and rest and token_text(rest) != part.text:
        other = _classified(_Part(rest, part.line))
        if other.field == "school_name":
            parts.insert(where, other)
            part.tokens = [t for t in part.tokens if t not in rest] or part.tokens
            _split(parts, other)
            # The piece may hold the name too; then what resembles a name below is a title.
            before = [p for p in parts if p.field in ("person", "student_name") and p.line <= part.line]
            other.sure = other.sure and (bool(before) or len(other.tokens) < _WITH_NAME)
        elif other.field == "person":
            parts.insert(where, other)
            part.tokens = [t for t in part.tokens if t not in rest] or part.tokens
    elif (
        part.field == "school_name"
        and part.line <= 1
        and not any(p.field in ("person", "student_name") for p in parts)
    ):
        _name_before_school(parts, part)


def _ungraded(tokens: list[Token]) -> list[Token]:
    """Return the words of a line that are not part of a grade or a room."""
    kept: list[Token] = []
    for index, token in enumerate(tokens):
        around = token_text(tokens[max(0, index - 1) : index + 2])
        alone = plain_text(token.text).strip(".,:#")
        if alone in ("grade", "grado", "room", "rm", "salon", "kindergarten", "k", "kinder") or explicit_grades(
            token.text
        ):
            continue
        if (
            any(c.isdigit() for c in alone)
            and len(alone) <= 5
            and (explicit_grades(around) or ROOM.search(plain_text(around)))
        ):
            continue
        if alone.isdigit():
            continue
        kept.append(token)
    return kept


def _name_before_school(parts: list[_Part], part: _Part) -> None:
    """ "Maria Lopez LINCOLN SCHOOL": the school begins with the capitals. Else assume a name of two words."""
    if len(part.tokens) < 4:
        return
    capitals = [t.text.isupper() and len(t.text) > 2 for t in part.tokens]
    at = capitals.index(True) if True in capitals else 0
    sure = 2 <= at < len(capitals) - 1 and all(capitals[at:])
    at = at if sure else 2
    name = token_text(part.tokens[:at])
    if person_certainty(name) >= 0.9 and not has_school_word(name):
        first = _Part(part.tokens[:at], part.line, "person" if sure else "glued_person")
        part.tokens, part.sure = part.tokens[at:], sure
        parts.insert(parts.index(part), first)


def _unexplained(parts: list[_Part]) -> set[int]:
    """Return the lines with an unclassified piece, up to the last sure one, and the lines next to them."""
    told = [p.line for p in parts if p.sure]
    odd = {
        p.line
        for p in parts
        if p.field is None and told and p.line <= max(told) and any(c.isalpha() for c in p.text)
    }
    return odd | {n + 1 for n in odd} | {n - 1 for n in odd}


def _fill(header: Header, parts: list[_Part]) -> None:
    profile = freeform_profile()
    odd = _unexplained(parts)
    for part in parts:
        spec = profile.fields.get(part.field or "")
        if spec and part.field and spec.kind is not FieldKind.IGNORED and part.field not in header.readings:
            doubt = 0.6 if not part.sure else 0.7 if part.line in odd and spec.kind is not FieldKind.GRADE else 1.0
            found = reading_of(spec.kind, part.tokens, HEADED if part.headed else "header line", doubt)
            if found and found.value:
                header.readings[part.field] = found
    if "student_name" not in header.readings:
        _name_by_place(header, parts)
    contact = next((name for name, declared in declared_fields().items() if declared.contact), None)
    if contact and contact not in header.readings and (person := _contact_by_place(parts)):
        found = reading_of(FieldKind.PERSON, person.tokens, "header line", 0.6)
        if found and found.value:
            header.readings[contact] = found


def _name_by_place(header: Header, parts: list[_Part]) -> None:
    """Read the name from the first piece that can be one; doubtful where another piece could be a name too."""
    glued = [p for p in parts if p.field == "glued_person"]
    people = [p for p in parts if p.field == "person"] or glued
    if not people:
        return
    told = [p.line for p in parts if p.sure and p.field in ("school_name", "grade")]
    rivals = [p for p in people[1:] if not told or p.line <= max(told)]
    doubt = 0.6 if rivals or glued or not told else 0.95
    found = reading_of(FieldKind.PERSON, people[0].tokens, "header line", doubt)
    if found and found.value:
        header.readings["student_name"] = found
    if "school_name" not in header.readings and (place := _school_by_place(parts, people[0])):
        school = reading_of(FieldKind.SCHOOL, place.tokens, "header line", 0.6)
        if school and school.value:
            header.readings["school_name"] = school


def _contact_by_place(parts: list[_Part]) -> _Part | None:
    """Return the first person after another one that is followed at once by an e-mail address or number."""
    people = [p for p in parts if p.field in ("person", "student_name", "addressed")]
    for before, part in pairwise(people):
        behind = parts[parts.index(part) + 1 : parts.index(part) + 2]
        if any(p.field in ("email", "phone") for p in behind) and before.field != "addressed":
            return part
    return None


def _school_by_place(parts: list[_Part], name: _Part) -> _Part | None:
    """Return an unclassified piece after the name, within the block of grade and room, that can be a school."""
    block = [p.line for p in parts if p.field in ("grade", "room")]
    if not block:
        return None
    behind = parts[parts.index(name) + 1 :]
    near = [p for p in behind if p.field in (None, "person") and p.line <= max(block) + 1]
    return next((p for p in near if _can_be_school(p, name.line < p.line < max(block))), None)


def _can_be_school(part: _Part, between: bool) -> bool:
    """Whether it is capitalised like a name (or lies between name and grade) and is not a heading of the essay."""
    if not 1 <= len(part.tokens) <= 6 or _ends_sentence(part.text) or counts_as_sentence(part.text):
        return False
    small = ("of", "the", "de", "la", "del", "los", "las")
    return between or all(w[:1].isupper() or w.casefold() in small for w in part.text.split())


def _ends_sentence(text: str) -> bool:
    """Whether a text ends like a sentence; a short capitalised word with a point is an abbreviation."""
    last = text.split()[-1]
    return text.endswith(_SENTENCE_END) and not (
        last[0].isupper() and last.endswith(".") and len(last) <= _ABBREVIATION
    )
