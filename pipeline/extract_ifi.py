"""Entry point of the extraction: read the fields of one entry, with its essay, from its pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from rapidfuzz import fuzz

from pipeline.extraction.freeform import read_header, with_choices
from pipeline.extraction.labelling.header import READ_FIELDS, agreed, read_edges, read_labelled
from pipeline.extraction.layouts.columns import in_columns, may_be_columns
from pipeline.extraction.layouts.online_answers import Answers, read_answers, read_more_answers, without_mail
from pipeline.extraction.model_fields import extract_missing_fields_only
from pipeline.extraction.page_reading import PageReading, written_lines
from pipeline.extraction.page_roles import ESSAY_WORDS, PageRole, RoledPage, roles_of
from pipeline.extraction.readings import RECOGNISED_ALONE, combined
from pipeline.extraction.reflowed_values import read_reflowed
from pipeline.extraction.tokens import PAGE_HEIGHT, Line, Token, box_of, token_text, visual_lines
from pipeline.extraction.values.fields import boxes_of
from pipeline.extraction.values.text import plain_text, squeezed, tidied, word_count
from pipeline.extraction.widgets import read_widgets
from pipeline.extraction.zones import read_zones
from pipeline.pages.page_model import PageContent, Source
from pipeline.profiles import (
    FieldKind,
    PrintedRole,
    all_profiles,
    declared_fields,
    field_kind,
    fields_of_kind,
    form_profiles,
)
from pipeline.profiles.catalogue import by_generation
from pipeline.schema import FIELD_NAMES, FieldReading
from pipeline.spelling.prior import letters
from pipeline.splitting.document_analysis import Chunk

__all__ = ["extract_ifi_submission", "extract_missing_fields_only"]


# The essay and the parent's reaction: the text that remains after removing printed text and header.


@dataclass(slots=True)
class Body:
    """Lines of the essay and of the reaction, over all pages of an entry."""

    essay: list[Line] = field(default_factory=list)
    reaction: list[Line] = field(default_factory=list)
    #: Whether the order of its lines is uncertain.
    unsure: bool = False
    #: Whether the last page ended within the reaction, so that the next page continues it.
    in_reaction: bool = False


def add_fixed(body: Body, reading: PageReading) -> None:
    """Add the text of a page that keeps the form's layout, by the zones of the profile."""
    tokens = reading.form_tokens()
    for kind, lines in ((FieldKind.ESSAY, body.essay), (FieldKind.REACTION, body.reaction)):
        name = reading.form.field_of_kind(kind)
        zone = reading.form.fields[name].zone if name else None
        if zone is not None:
            inside = [t for t in tokens if zone.y0 - 3 <= t.box.cy <= zone.y1 + 4 and t.box.x1 > zone.x0 - 20]
            rows = visual_lines(inside)
            columns = in_columns(rows)
            lines += [line for line in (visual_lines(columns) if columns else rows) if _says_something(line)]


def add_flowing(body: Body, reading: PageReading, top: float = 0.0, used: Iterable[Token] = ()) -> None:
    """Add the text of a page without zones: a prompt begins the essay, the reaction's label the reaction.

    A reaction goes on over the page only below an essay. Without one, a sheet of paper, or one without a reaction
    either, was a header and the essay follows; what is left of the printed options on it is no essay.
    """
    taken = {id(t) for t in used}
    marks = [
        (at.found.box.cy, at.printed.role) for at in reading.of_role(PrintedRole.PROMPT, PrintedRole.REACTION)
    ]
    for line in visual_lines(t for t in reading.written_tokens() if id(t) not in taken):
        cy = min(t.box.cy for t in line)
        for at, role in list(marks):
            if at <= cy:
                body.in_reaction = role is PrintedRole.REACTION
                marks.remove((at, role))
        if cy > top and _says_something(line):
            (body.reaction if body.in_reaction else body.essay).append(line)
    for _, role in sorted(marks):
        body.in_reaction = role is PrintedRole.REACTION
    sheet = reading.page.source is Source.OCR or not body.reaction
    if body.in_reaction and sheet and sum(map(len, body.essay)) < ESSAY_WORDS:
        body.in_reaction = False
        options = _option_words()
        body.essay = [line for line in body.essay if not all(squeezed(t.text) in options for t in line)]


@by_generation
def _option_words() -> frozenset[str]:
    """Return the words of the forms' options, and the signs before them, which recognition reads as letters."""
    printed = (p for form in form_profiles() for p in form.printed if p.role is PrintedRole.OPTION)
    return frozenset(
        ("", "o", "x", *(squeezed(word) for p in printed for text in p.texts for word in text.split()))
    )


def _says_something(line: Sequence[Token]) -> bool:
    return any(c.isalnum() for t in line for c in t.text)


def body_reading(lines: list[Line], method: str) -> FieldReading | None:
    """Return the text of lines, joined by line breaks, as one reading; None if it is empty."""
    tokens = [t for line in lines for t in line]
    text = "\n".join(tidied(token_text(line)) for line in lines).strip()
    if not text:
        return None
    confidence = sum(t.confidence * len(t.text) for t in tokens) / max(sum(len(t.text) for t in tokens), 1)
    sources = {t.source for t in tokens}
    source = Source.OCR if Source.OCR in sources else Source.TEXT_LAYER
    if len(sources) > 1:
        # Handwriting beside type may be the entrant's or a teacher's.
        confidence = min(confidence, RECOGNISED_ALONE)
    return FieldReading(
        value=text, confidence=round(confidence, 4), source=source, evidence=boxes_of(tokens), method=method
    )


# Read the fields of one entry from its pages.


#: Highest confidence of a text whose lines may be in the wrong order.
_UNSURE_ORDER = 0.75
_SILENT = (PageRole.INSTRUCTIONS, PageRole.BLANK_SHEET, PageRole.COVER_SHEET)


#: Type of functions that refine the readings of one page that was read by zones.
Improve = Callable[[RoledPage, dict[str, FieldReading]], dict[str, FieldReading]]


@dataclass(slots=True)
class _Entry:
    """The readings so far, by field, and the running text."""

    readings: dict[str, list[FieldReading]] = field(default_factory=dict)
    body: Body = field(default_factory=Body)
    #: How each page was read, for the report.
    ways: list[dict[str, Any]] = field(default_factory=list)
    #: Texts that are at the edge of several of its pages.
    titles: frozenset[str] = frozenset()
    #: Whether a page of it is a sheet of answers.
    answered: bool = False
    improve: Improve = field(default=lambda _, readings: readings)

    def add(self, given: dict[str, FieldReading]) -> None:
        for name, reading in given.items():
            self.readings.setdefault(name, []).append(reading)


def as_they_are(_: RoledPage, readings: dict[str, FieldReading]) -> dict[str, FieldReading]:
    """Return the readings unchanged: the `Improve` that does nothing."""
    return readings


def read_entry(
    pages: Sequence[PageContent], roled_pages: Sequence[RoledPage] | None = None, improve: Improve = as_they_are
) -> tuple[dict[str, FieldReading], dict[str, Any]]:
    """Return the fields found in an entry, and a report of how each page was read.

    `roled_pages` are the same pages, classified before. `improve` may refine the readings of a page that was
    read by zones.
    """
    entry = _Entry(improve=improve)
    roled_pages = roles_of(pages) if roled_pages is None else roled_pages
    entry.titles = running_titles(roled.reading for roled in roled_pages)
    for roled in roled_pages:
        way = "left out" if roled.role in _SILENT else _read_page(entry, roled)
        entry.ways.append(_way(roled, way))
    fields = {n: r for n, given in entry.readings.items() if (r := combined(field_kind(n), given)) is not None}
    fields = without_misread_mailbox(fields)
    _add_body(fields, entry.body)
    return {n: fields[n] for n in FIELD_NAMES if n in fields}, {"pages": entry.ways}


def _way(roled: RoledPage, way: str) -> dict[str, Any]:
    placement = roled.reading.placement
    return {
        "page": roled.page.number,
        "role": roled.role.value,
        "profile": roled.profile.key if roled.profile else None,
        "way": way,
        "form_score": round(placement.score, 2) if placement else None,
        "anchors": len(placement.anchors) if placement else 0,
    }


def _read_page(entry: _Entry, roled: RoledPage) -> str:
    reading = roled.reading
    if reading.page.widgets and roled.profile is not None:
        return _live(entry, roled)
    if roled.profile is not None and roled.role is PageRole.CONTINUATION:
        add_flowing(entry.body, reading)
        return "continuation"
    if roled.profile is not None and reading.fixed:
        entry.add(entry.improve(roled, read_zones(reading)))
        add_fixed(entry.body, reading)
        return "zones"
    if roled.profile is not None:
        flowed = read_reflowed(reading)
        entry.add(flowed.readings)
        add_flowing(entry.body, reading, flowed.bottom, flowed.used)
        return "labels"
    return _plain(entry, reading)


def _live(entry: _Entry, roled: RoledPage) -> str:
    given = read_widgets(roled.page, roled.form, roled.reading)
    entry.add(given)
    if roled.reading.fixed and roled.page.source is not None:
        entry.add({n: r for n, r in read_zones(roled.reading).items() if n not in given})
        if "essay_text" not in given:
            add_fixed(entry.body, roled.reading)
    return "widgets"


def _plain(entry: _Entry, reading: PageReading) -> str:
    """Read a page without labels: header lines on the first text page of an entry, then the essay's text.

    Returns the method for the report."""
    entry.body.unsure = entry.body.unsure or may_be_columns(reading.page)
    if (answers := (read_more_answers if entry.answered else read_answers)(reading)) is not None:
        return _add_answers(entry, answers)
    lines, mail = without_mail(written_lines(reading))
    around = [*(token for line in mail for token in line), *titles_on(reading, entry.titles)]
    if entry.body.in_reaction or (entry.body.essay and len(entry.body.essay) > 3):
        entry.add(read_edges(lines, [name for name in READ_FIELDS if name not in entry.readings]))
        add_flowing(entry.body, reading, used=around)
        return "continuation"
    prompts = [at.found.box.y0 for at in reading.of_role(PrintedRole.PROMPT)]
    above = [line for line in lines if not prompts or line[0].box.cy < min(prompts)]
    shown = with_choices(above if len(above) > 0 else lines)
    labelled = read_labelled(shown)
    entry.add(agreed(read_header(shown).readings, labelled))
    top = max((box_of(line).y1 for line in above[: labelled.lines]), default=1.0) - 1.0
    used = [*labelled.used, *around]
    add_flowing(entry.body, reading, min(top, 400.0) if labelled.used else 0.0, used)
    return "header lines"


def _add_answers(entry: _Entry, answers: Answers) -> str:
    entry.answered = True
    entry.add({name: found for name, found in answers.readings.items() if name not in entry.readings})
    body = entry.body
    (body.reaction if body.in_reaction else body.essay).extend(answers.lead)
    body.essay += answers.essay
    body.reaction += answers.reaction
    body.in_reaction = body.in_reaction if answers.in_reaction is None else answers.in_reaction
    body.unsure = body.unsure or answers.unsure
    return "answers"


def _add_body(fields: dict[str, FieldReading], body: Body) -> None:
    texts = [(name, body.essay) for name in fields_of_kind(FieldKind.ESSAY)]
    texts += [(name, body.reaction) for name in fields_of_kind(FieldKind.REACTION)]
    for name, lines in texts:
        found = body_reading(lines, "zone of the text")
        if found is None:
            continue
        if body.unsure:
            found = found.model_copy(update={"confidence": min(found.confidence, _UNSURE_ORDER)})
        live = fields.get(name)
        if live is not None and live.value:
            live = live.model_copy(
                update={"value": f"{live.value}\n{found.value}", "evidence": [*live.evidence, *found.evidence]}
            )
        fields[name] = live or found
    essay = fields.get("essay_text")
    if essay is not None and essay.value:
        fields["word_count"] = essay.model_copy(
            update={"value": str(word_count(essay.value)), "method": "counted"}
        )


# Entry point of the extraction. Everything specific to the contest's forms is in `pipeline/profiles/`.


def extract_ifi_submission(
    pages: Sequence[PageContent],
    chunk: Chunk | None = None,
    roled_pages: Sequence[RoledPage] | None = None,
    improve: Improve = as_they_are,
) -> tuple[dict[str, FieldReading], dict[str, Any]]:
    """Return the fields of one entry with their evidence, and a report of how each page was read.

    With a `chunk`, pages outside it are ignored. `roled_pages` are the same pages, classified before; `improve`
    may refine the readings of a page that was read by zones.
    """
    if roled_pages is not None:
        return read_entry(pages, roled_pages, improve)
    inside = [p for p in pages if chunk is None or chunk.page_start <= p.number <= chunk.page_end]
    return read_entry(inside, improve=improve)


# Whether words that were painted over may have been part of a value.


#: A number of at most these digits may be a grade, unless the form prints it after the same word ("March 19").
_GRADE_DIGITS = 2


def covers_values(page: PageContent) -> bool:
    """Whether covered words are not a form's own print: an office may paint over last year's date."""
    words = ["", *(squeezed(word.text) for word in page.covered)]
    return any(not _is_printed(before, word) for before, word in pairwise(words))


def _is_printed(before: str, word: str) -> bool:
    if word.isdigit() and len(word) <= _GRADE_DIGITS:
        return bool(before) and (before, word) in _printed_pairs()
    return not word or word in _printed_words()


@by_generation
def _printed_pairs() -> frozenset[tuple[str, str]]:
    """Return each word that a form prints, with the one before it."""
    texts = (text for profile in all_profiles().values() for printed in profile.printed for text in printed.texts)
    lines = (["", *map(squeezed, plain_text(text).replace("/", " ").split())] for text in texts)
    return frozenset(pair for line in lines for pair in pairwise(line))


@by_generation
def _printed_words() -> frozenset[str]:
    return frozenset(word for _, word in _printed_pairs())


# Running titles: lines at the edge of several pages of an entry, which are not part of its text.


#: Height (points) of the margins above and below, and words of a running title.
_MARGIN, _WORDS = 62.0, 14


def running_titles(readings: Iterable[PageReading]) -> frozenset[str]:
    """Return the texts, without digits, in the margins of at least two pages without a form."""
    pages = [reading for reading in readings if reading.profile is None]
    if len(pages) < 2:
        return frozenset()
    counts = Counter(text for reading in pages for text in {_bare(line) for line in _in_margins(reading)})
    return frozenset(text for text, count in counts.items() if count > 1 and text)


def titles_on(reading: PageReading, titles: frozenset[str]) -> list[Token]:
    """Return the words of a page that belong to one of these running titles."""
    return [token for line in _in_margins(reading) if _bare(line) in titles for token in line] if titles else []


def _in_margins(reading: PageReading) -> Sequence[Line]:
    lines = written_lines(reading)
    # The first and the last lines of a page printed to its edges are text: no more than two are looked at.
    edges = [*lines[:2], *lines[-2:]] if len(lines) > 4 else lines
    return [line for line in edges if len(line) <= _WORDS and _at_edge(line)]


def _at_edge(line: Line) -> bool:
    middle = box_of(line).cy
    return middle <= _MARGIN or middle >= PAGE_HEIGHT - _MARGIN


def _bare(line: Line) -> str:
    return "".join(c for c in squeezed(token_text(line)) if not c.isdigit())


# Compare e-mail addresses with the names of their entry: one that nearly contains a name was misread.


_EMAIL = "email"
#: Minimum letters of a name for which similarity is meaningful.
_TELLING = 4
#: A mailbox with a part this similar to a name (0-100) was meant to hold the name. In three corpora this held for
#: none of 44 addresses that were read right, and for 4 of 16 that were not.
_NEARLY = 70


def without_misread_mailbox(fields: Mapping[str, FieldReading]) -> dict[str, FieldReading]:
    """Return the fields without an e-mail address that was recognised once and misspells a name of the entry.

    A name counts only if it was read with more confidence: otherwise it may be the name that is misspelt. The
    evidence of the address stays, so that a person finds the place.
    """
    read = fields.get(_EMAIL)
    if read is None or read.value is None or read.source is not Source.OCR or read.confidence > RECOGNISED_ALONE:
        return dict(fields)
    mailbox = letters(read.value.partition("@")[0])
    spelled = [fields[name] for name in declared_fields()[_EMAIL].spells if name in fields]
    names = [name.value or "" for name in spelled if _score(name) > _score(read)]
    if not _nearly_holds(mailbox, _telling_words(names)):
        return dict(fields)
    doubted = {"value": None, "confidence": 0.0, "method": f"{read.method}: a name misspelt"}
    return {**fields, _EMAIL: read.model_copy(update=doubted)}


def _score(reading: FieldReading) -> float:
    """Return the recogniser's own confidence, before it was capped."""
    return reading.signals.get("score", reading.confidence)


def _telling_words(names: Iterable[str]) -> Iterator[str]:
    return (word for name in names for part in name.split() if len(word := letters(part)) >= _TELLING)


def _nearly_holds(mailbox: str, words: Iterable[str]) -> bool:
    return _NEARLY <= max((_likeness(mailbox, word) for word in words), default=0.0) < 100


def _likeness(mailbox: str, word: str) -> float:
    """Return the highest similarity (0-100) of the word to any part of the mailbox of the same length."""
    starts = range(max(len(mailbox) - len(word), 0) + 1)
    return max(fuzz.ratio(word, mailbox[at : at + len(word)]) for at in starts)
