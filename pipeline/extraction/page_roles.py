"""Classify the pages of a file: header page, essay page, continuation, instructions, blank, of nobody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import takewhile

from pipeline.extraction.arranged.answers import read_answers
from pipeline.extraction.arranged.filled_notes import filled_in
from pipeline.extraction.arranged.mail import without_mail
from pipeline.extraction.arranged.placed import METHOD, is_unfilled
from pipeline.extraction.freeform import HEADED, Header, is_prose, read_header, with_choices
from pipeline.extraction.page_reading import PageReading, PrintAt, read_page, written_lines
from pipeline.extraction.printed import letters_of_print
from pipeline.extraction.reflowed.header import read_reflowed
from pipeline.extraction.sheets.cover_sheets import is_cover_sheet
from pipeline.extraction.tokens import text_of
from pipeline.extraction.values.text import tidy
from pipeline.extraction.widgets import profile_of_widgets, read_widgets, with_values_written
from pipeline.extraction.zones import read_zones
from pipeline.mupdf.whole_file.copies import Printed
from pipeline.pages.page_model import PageContent, Source
from pipeline.pages.recent import Recent
from pipeline.profiles import (
    ANY_FORM,
    ENTRANT,
    HEADER_KINDS,
    FieldKind,
    Forms,
    PrintedRole,
    Profile,
    ProfileKind,
    form_profiles,
    freeform_profile,
)
from pipeline.profiles.generation import generation
from pipeline.schema import FieldReading

#: With fewer written words in the essay's place the sheet is a header only.
ESSAY_WORDS = 15
#: A page is one of instructions from this share of rules among its letters on.
RULES_SHARE = 0.5
#: With less ink than this (share of the page) nothing was drawn on it either.
BLANK_INK = 0.004
#: Fields of which one stands beside a name at the head of an entry; lines at the foot of a page that may be one.
_BESIDE_NAME, _FOOT_LINES = ("school_name", "grade"), 6
#: Share of the letters of a prompt that is found at least where it is printed, also in two lines.
_MUCH = 0.35
#: Up to this number of written letters on a form are specks, not an entry.
SPECKS = 6


class Role(StrEnum):
    """Roles of a page."""

    HEADER = "header"
    ESSAY_PAGE = "essay_page"
    CONTINUATION = "continuation"
    INSTRUCTIONS = "instructions"
    BLANK_FORM = "blank_form"
    BLANK_SHEET = "blank_sheet"
    #: A sheet of no entry: a separator, a class list, a covering letter, a sheet that nobody filled in.
    COVER_SHEET = "cover_sheet"


@dataclass(slots=True)
class RoledPage:
    """A page with its role and the facts that splitting needs."""

    page: PageContent
    reading: PageReading
    role: Role
    profile: Profile | None
    #: The entrant's name, None where the page has none.
    name: FieldReading | None = None
    #: Other header fields that the page has.
    fields: int = 0
    #: Number of written words in the essay's place.
    essay_words: int = 0
    #: Whether an entry may begin with it, or with the page before, though it does not begin with a name: labels of
    #: a header stand on it, or the name stands below the essay.
    is_odd: bool = False
    #: What it has in print or writing, by which copies of a form that nobody knows are found; see `print_of`.
    print: tuple[Printed, ...] = ()

    @property
    def is_form(self) -> bool:
        """Whether a form is printed on it."""
        return self.profile is not None

    @property
    def header_only(self) -> bool:
        """Whether it is a header sheet whose essay is on another page."""
        sheet = self.role in (Role.HEADER, Role.BLANK_FORM) and self.profile is not None
        return sheet and _may_have_essay(self.profile) and self.essay_words < ESSAY_WORDS


def _may_have_essay(profile: Profile | None) -> bool:
    """Whether an essay belongs to the form: its own, or one on a page of another profile."""
    if profile is None or profile.has_essay:
        return profile is not None
    return any(other.kind is ProfileKind.ESSAY_PAGE and other.version for other in form_profiles())


#: Results by the page's identity; `read_pages` returns the same object when called again.
_RECENT: Recent[tuple[int, bool, Forms, str], RoledPage] = Recent(32)


def roles_of(pages: Sequence[PageContent], forms: Forms = ANY_FORM) -> list[RoledPage]:
    """Classify the pages of a file in order. `forms`: see `read_page`."""
    return list(each_role(pages, forms))


def each_role(
    pages: Iterable[PageContent], forms: Forms = ANY_FORM, after_rules: bool = False
) -> Iterator[RoledPage]:
    """Classify the pages of a file in order, lazily. `after_rules`: the page before the first ended with rules."""
    for page in pages:
        roled = role_of(page, after_rules, forms)
        after_rules = roled.reading.ends_in_rules
        yield roled


def role_of(page: PageContent, after_rules: bool = False, forms: Forms = ANY_FORM) -> RoledPage:
    """Classify one page. `after_rules`, `forms`: see `read_page`."""
    key = (id(page), after_rules, forms, generation())
    known = _RECENT.get(key)
    # The cached result keeps its page alive, so no other page can have its identity.
    if known is None or known.page is not page:
        known = _judged(page, after_rules, forms)
        _RECENT.keep(key, known)
    return known


def _judged(page: PageContent, after_rules: bool, forms: Forms) -> RoledPage:
    reading = read_page(page, after_rules, forms)
    if page.notes and (filled := filled_in(reading)) is not None:
        reading = read_page(filled, after_rules, forms)
    by_name = profile_of_widgets(page)
    if by_name is None and not reading.fixed and (written := with_values_written(reading.page)) is not None:
        reading = read_page(written, after_rules, forms)
    if _has_labels_only(reading) and (read_answers(reading) is not None or is_unfilled(reading)):
        reading = read_page(reading.page, after_rules, (freeform_profile().key,))
    if by_name is not None:
        return _live_form(page, reading, by_name)
    if _is_blank(page, reading):
        return RoledPage(page, reading, Role.BLANK_SHEET, None)
    if _is_instructions(reading):
        return RoledPage(page, reading, Role.INSTRUCTIONS, None)
    if reading.profile is None and _is_of_nobody(page, reading):
        return RoledPage(page, reading, Role.COVER_SHEET, None)
    if reading.profile is None:
        return _plain(page, reading)
    if _has_header(reading):
        return _form(page, reading)
    rest = _rest_of_form(page, reading)
    return rest if reading.fixed else _other_than_rest(rest, after_rules)


def _has_labels_only(reading: PageReading) -> bool:
    """Whether a page has labels of a form out of their places and no prompt: an online form may have the same."""
    if reading.profile is None or reading.fixed:
        return False
    return not any(_is_most_of(at) for at in reading.of_role(PrintedRole.PROMPT))


def _is_most_of(at: PrintAt) -> bool:
    """Whether much of a printed text was found: words of a label may be a part of a prompt."""
    letters = min(len(letters_of_print(text)) for text in at.printed.texts)
    return at.found.end - at.found.start >= _MUCH * letters


def _has_header(reading: PageReading) -> bool:
    """Whether the form's header is on this page; handwriting may make its first label unreadable."""
    labels = reading.labels()
    assert reading.profile is not None
    if reading.profile.entrant in labels or (reading.fixed and len(labels) >= 2):
        return True
    # Labels of people may have been deleted; what a re-flow scatters over later pages are other labels.
    short = [name for name in labels if reading.profile.fields[name].kind in HEADER_KINDS]
    return len(short) >= 2 and bool(reading.of_role(PrintedRole.PROMPT))


def _rest_of_form(page: PageContent, reading: PageReading) -> RoledPage:
    words = len(reading.written_tokens())
    return RoledPage(page, reading, Role.CONTINUATION, reading.profile, None, 0, words)


def _other_than_rest(rest: RoledPage, after_rules: bool) -> RoledPage:
    """Return a page as one without a form if it has a header of its own: print that is alike is not the form's."""
    plain = _plain(rest.page, read_page(rest.page, after_rules, (freeform_profile().key,)))
    if plain.role is Role.HEADER and plain.name is not None and plain.name.method == HEADED:
        return plain
    return replace(rest, is_odd=plain.is_odd)


def _live_form(page: PageContent, reading: PageReading, profile: Profile) -> RoledPage:
    values = read_widgets(page, profile, reading)
    essay = values.get(profile.field_of_kind(FieldKind.ESSAY) or "")
    words = len(essay.value.split()) if essay and essay.value else 0
    written = page.by_pen or (
        reading.profile is not None and _letters_written(reading) > SPECKS and page.source is Source.TEXT_LAYER
    )
    filled = any(v.value for v in values.values()) or written
    role = Role.HEADER if filled else Role.BLANK_FORM
    return RoledPage(page, reading, role, profile, values.get(profile.entrant or ""), len(values), words)


def _is_blank(page: PageContent, reading: PageReading) -> bool:
    letters = sum(len(line.text) for line in reading.lines)
    return (
        letters < 3
        and not page.by_pen
        and (page.ink < BLANK_INK or (page.source is not Source.TEXT_LAYER and page.ink < 5 * BLANK_INK))
    )


def _is_of_nobody(page: PageContent, reading: PageReading) -> bool:
    """Whether a page without a form is a sheet of no entry; one with labels that give a name is somebody's."""
    answers = read_answers(reading)
    if answers is not None and (name := answers.readings.get(ENTRANT)) is not None and name.value:
        return False
    return is_cover_sheet(page, reading.lines) or is_unfilled(reading)


def _is_instructions(reading: PageReading) -> bool:
    letters = sum(len(line.text) for line in reading.lines)
    rules = sum(len(reading.lines[n].text) for n in reading.rules)
    labels = reading.labels()
    told = reading.fixed and len(labels) > 1
    return (
        rules > RULES_SHARE * letters
        and not told
        and (reading.profile is None or reading.profile.entrant not in labels)
    )


def _letters_written(reading: PageReading) -> int:
    return sum(c.isalnum() for t in reading.written_tokens() for c in t.text)


def _form(page: PageContent, reading: PageReading) -> RoledPage:
    assert reading.profile is not None
    values = read_zones(reading) if reading.fixed else read_reflowed(reading).readings
    words = _essay_words(reading)
    given = [v for v in values.values() if v.value]
    role = Role.ESSAY_PAGE if reading.profile.kind is ProfileKind.ESSAY_PAGE else Role.HEADER
    if not given and words < ESSAY_WORDS and _letters_written(reading) <= SPECKS and not page.by_pen:
        role = Role.BLANK_FORM
    name = values.get(reading.profile.entrant or "")
    return RoledPage(page, reading, role, reading.profile, name, len(given), words)


def _essay_words(reading: PageReading) -> int:
    assert reading.profile is not None
    name = reading.profile.field_of_kind(FieldKind.ESSAY)
    if name is None:
        return 0
    zone = reading.profile.fields[name].zone
    if reading.fixed and zone is not None:
        return sum(zone.y0 <= t.box.cy <= zone.y1 and len(t.text) > 1 for t in reading.form_tokens())
    prompts = [at.found.box.y1 for at in reading.of_role(PrintedRole.PROMPT)]
    top = max(prompts, default=max(at.found.box.y1 for at in reading.labels().values()))
    return sum(t.box.cy > top for t in reading.written_tokens())


def plain_header(reading: PageReading) -> Header:
    """Read the header lines of a page without labels, or its answers where it is a sheet of them."""
    if (answers := read_answers(reading)) is not None:
        return Header(answers.readings)
    message, _ = without_mail(written_lines(reading))
    return read_header(with_choices(message))


def _plain(page: PageContent, reading: PageReading) -> RoledPage:
    header = plain_header(reading)
    words = len(reading.written_tokens())
    if _tells_whose(header):
        return RoledPage(page, reading, Role.HEADER, None, header.name, len(header.readings), words)
    foot = _foot_header(reading)
    if foot is not None:
        return RoledPage(page, reading, Role.HEADER, None, foot.name, len(foot.readings), words, is_odd=True)
    labelled = [name for name, found in header.readings.items() if found.method in (HEADED, METHOD)]
    is_odd = len({ENTRANT, *_BESIDE_NAME}.intersection(labelled)) > 1
    count = len(header.readings)
    return RoledPage(page, reading, Role.CONTINUATION, None, header.name, count, words, is_odd)


def _tells_whose(header: Header) -> bool:
    """Whether it gives a name, and a school or a grade, or at least two other values of a sheet of labels."""
    others = [found for name, found in header.readings.items() if name != ENTRANT and found.method == METHOD]
    beside = any(field in header.readings for field in _BESIDE_NAME) or len(others) > 1
    return bool(header.name and header.name.value) and beside


def _foot_header(reading: PageReading) -> Header | None:
    """Return the header that stands below an essay, as in the footer of a page, if it tells whose that is."""
    lines, _ = without_mail(written_lines(reading))
    foot = list(takewhile(lambda line: not is_prose(tidy(text_of(line))), reversed(lines[-_FOOT_LINES:])))
    if len(foot) == len(lines) or not foot:
        return None
    header = read_header(foot[::-1])
    return header if _tells_whose(header) else None
