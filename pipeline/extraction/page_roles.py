"""Classify the pages of a file: header page, essay page, instructions, sheets of no entry, a second header."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import takewhile
from statistics import median

from pipeline.extraction.freeform import HEADED, Header, is_prose, read_header, with_choices
from pipeline.extraction.layouts.labelled_sheet import METHOD, is_unfilled
from pipeline.extraction.layouts.online_answers import read_answers, without_mail
from pipeline.extraction.page_reading import PageReading, PrintAt, read_page, written_lines
from pipeline.extraction.printed import LineText, letters_of_print
from pipeline.extraction.reflowed_values import read_reflowed
from pipeline.extraction.tokens import Line, box_of, token_text, visual_lines
from pipeline.extraction.values.text import plain_text, tidied
from pipeline.extraction.widgets import profile_of_widgets, read_widgets, with_values_written
from pipeline.extraction.zones import read_zones, with_text_boxes
from pipeline.mupdf.copies import PlacedText
from pipeline.mupdf.page_data import PageMark
from pipeline.pages.page_model import PageContent, Recent, Source
from pipeline.profiles import (
    ANY_FORM,
    ENTRANT,
    HEADER_KINDS,
    FieldKind,
    Forms,
    FormSpec,
    PrintedRole,
    ProfileKind,
    form_profiles,
    freeform_profile,
)
from pipeline.profiles.catalogue import generation
from pipeline.schema import FieldReading

# Whether a page without a form holds a second entry: another header below the first one's essay.


#: Lines of an essay before another header can follow, and lines of a header.
_LEAST_PROSE, _HEADER = 3, 6
#: Height of the gap that separates two entries, in heights of a line.
_GAP = 2.5
_NAME, _OTHERS = "student_name", ("school_name", "grade")


def has_second_header(roled: RoledPage) -> bool:
    """Whether the name of another child, with a school or a grade, follows below an essay and a gap."""
    if roled.profile is not None:
        return False
    lines = written_lines(roled.reading)
    if len(lines) <= _LEAST_PROSE + 1:
        return False
    gap = _GAP * median(box_of(line).height for line in lines)
    begins = [
        at
        for at in range(_LEAST_PROSE, len(lines) - 1)
        if box_of(lines[at]).y0 - box_of(lines[at - 1]).y1 >= gap
        and sum(is_prose(tidied(token_text(line))) for line in lines[:at]) >= _LEAST_PROSE
        and any(is_prose(tidied(token_text(line))) for line in lines[at:])
    ]
    others = {_named(lines[at : at + _HEADER]) for at in begins} - {None}
    return bool(others) and others != {_named(lines)}


def _named(lines: Sequence[Line]) -> str | None:
    """Return the child's name, as plain text, if the lines give it with a school or a grade; else None."""
    values = {name: reading.value for name, reading in read_header(lines).readings.items() if reading.value}
    name = values.get(_NAME)
    return plain_text(name) if name and any(other in values for other in _OTHERS) else None


# Classify the pages of a file: header page, essay page, continuation, instructions, blank, of no entry.


#: With fewer written words in the essay's place the sheet is a header only.
ESSAY_WORDS = 15
#: Share of rules among a page's letters from which it is a page of instructions.
RULES_SHARE = 0.5
#: Share of ink on a page below which nothing was drawn on it either.
BLANK_INK = 0.004
#: Fields of which one is next to a name at the head of an entry, and lines of a header at the foot of a page.
_BESIDE_NAME, _FOOT_LINES = ("school_name", "grade"), 6
#: Least share of a prompt's letters that is found if it is printed, even in two lines.
_MUCH = 0.35
#: Up to this number of written letters on a form are specks, not an entry.
SPECKS = 6


class PageRole(StrEnum):
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
    page: PageContent
    reading: PageReading
    role: PageRole
    profile: FormSpec | None
    #: The entrant's name, None where the page has none.
    name: FieldReading | None = None
    #: Other header fields that the page has.
    fields: int = 0
    #: Number of written words in the essay's place.
    essay_words: int = 0
    #: Whether an entry may begin with it, or with the page before, though it does not begin with a name: it has
    #: labels of a header, or the name is below the essay.
    is_odd: bool = False
    #: Its words, by which copies of an unknown form are found; see `print_of`.
    print: tuple[PlacedText, ...] = ()

    @property
    def is_form(self) -> bool:
        return self.profile is not None

    @property
    def form(self) -> FormSpec:
        """The form of a page that has one."""
        assert self.profile is not None
        return self.profile

    @property
    def header_only(self) -> bool:
        """Whether it is a header sheet whose essay is on another page."""
        sheet = self.role in (PageRole.HEADER, PageRole.BLANK_FORM) and self.profile is not None
        return sheet and _may_have_essay(self.profile) and self.essay_words < ESSAY_WORDS


def _may_have_essay(profile: FormSpec | None) -> bool:
    """Whether an essay belongs to the form, on it or on a page of another profile."""
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
    if page.notes and (filled := with_text_boxes(reading)) is not None:
        reading = read_page(filled, after_rules, forms)
    by_name = profile_of_widgets(page)
    if by_name is None and not reading.fixed and (written := with_values_written(reading.page)) is not None:
        reading = read_page(written, after_rules, forms)
    if _has_labels_only(reading) and (read_answers(reading) is not None or is_unfilled(reading)):
        reading = read_page(reading.page, after_rules, (freeform_profile().key,))
    if by_name is not None:
        return _live_form(page, reading, by_name)
    if _is_blank(page, reading):
        return RoledPage(page, reading, PageRole.BLANK_SHEET, None)
    if _is_instructions(reading):
        return RoledPage(page, reading, PageRole.INSTRUCTIONS, None)
    if reading.profile is None and _is_of_nobody(page, reading):
        return RoledPage(page, reading, PageRole.COVER_SHEET, None)
    if reading.profile is None:
        return _plain(page, reading)
    if _has_header(reading):
        return _form(page, reading)
    rest = _rest_of_form(page, reading)
    return rest if reading.fixed else _other_than_rest(rest, after_rules)


def _has_labels_only(reading: PageReading) -> bool:
    """Whether a page has labels of a form out of place and no prompt: an online form may have the same labels."""
    if reading.profile is None or reading.fixed:
        return False
    return not any(_is_most_of(at) for at in reading.of_role(PrintedRole.PROMPT))


def _is_most_of(at: PrintAt) -> bool:
    """Whether most of a printed text was found: words of a label may be part of a prompt."""
    letters = min(len(letters_of_print(text)) for text in at.printed.texts)
    return at.found.end - at.found.start >= _MUCH * letters


def _has_header(reading: PageReading) -> bool:
    """Whether the form's header is on this page; handwriting may make its first label unreadable."""
    labels = reading.labels()
    if reading.form.entrant in labels or (reading.fixed and len(labels) >= 2):
        return True
    # Labels of people may have been deleted; what a re-flow scatters over later pages are other labels.
    short = [name for name in labels if reading.form.fields[name].kind in HEADER_KINDS]
    return len(short) >= 2 and bool(reading.of_role(PrintedRole.PROMPT))


def _rest_of_form(page: PageContent, reading: PageReading) -> RoledPage:
    words = len(reading.written_tokens())
    return RoledPage(page, reading, PageRole.CONTINUATION, reading.profile, None, 0, words)


def _other_than_rest(rest: RoledPage, after_rules: bool) -> RoledPage:
    """Return a page as one without a form if it has its own header: similar print is then not the form's."""
    plain = _plain(rest.page, read_page(rest.page, after_rules, (freeform_profile().key,)))
    if plain.role is PageRole.HEADER and plain.name is not None and plain.name.method == HEADED:
        return plain
    return replace(rest, is_odd=plain.is_odd)


def _live_form(page: PageContent, reading: PageReading, profile: FormSpec) -> RoledPage:
    values = read_widgets(page, profile, reading)
    essay = values.get(profile.field_of_kind(FieldKind.ESSAY) or "")
    words = len(essay.value.split()) if essay and essay.value else 0
    written = page.by_pen or (
        reading.profile is not None and _letters_written(reading) > SPECKS and page.source is Source.TEXT_LAYER
    )
    filled = any(v.value for v in values.values()) or written
    role = PageRole.HEADER if filled else PageRole.BLANK_FORM
    return RoledPage(page, reading, role, profile, values.get(profile.entrant or ""), len(values), words)


def _is_blank(page: PageContent, reading: PageReading) -> bool:
    letters = sum(len(line.text) for line in reading.lines)
    return (
        letters < 3
        and not page.by_pen
        and (page.ink < BLANK_INK or (page.source is not Source.TEXT_LAYER and page.ink < 5 * BLANK_INK))
    )


def _is_of_nobody(page: PageContent, reading: PageReading) -> bool:
    """Whether a page without a form belongs to no entry; a page whose labels give a name belongs to one."""
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
    values = read_zones(reading) if reading.fixed else read_reflowed(reading).readings
    words = _essay_words(reading)
    given = [v for v in values.values() if v.value]
    role = PageRole.ESSAY_PAGE if reading.form.kind is ProfileKind.ESSAY_PAGE else PageRole.HEADER
    if not given and words < ESSAY_WORDS and _letters_written(reading) <= SPECKS and not page.by_pen:
        role = PageRole.BLANK_FORM
    name = values.get(reading.form.entrant or "")
    return RoledPage(page, reading, role, reading.form, name, len(given), words)


def _essay_words(reading: PageReading) -> int:
    name = reading.form.field_of_kind(FieldKind.ESSAY)
    if name is None:
        return 0
    zone = reading.form.fields[name].zone
    if reading.fixed and zone is not None:
        return sum(zone.y0 <= t.box.cy <= zone.y1 and len(t.text) > 1 for t in reading.form_tokens())
    prompts = [at.found.box.y1 for at in reading.of_role(PrintedRole.PROMPT)]
    top = max(prompts, default=max(at.found.box.y1 for at in reading.labels().values()))
    return sum(t.box.cy > top for t in reading.written_tokens())


def plain_header(reading: PageReading) -> Header:
    """Read the header lines of a page without labels, or the answers of a sheet."""
    if (answers := read_answers(reading)) is not None:
        return Header(answers.readings)
    message, _ = without_mail(written_lines(reading))
    return read_header(with_choices(message))


def _plain(page: PageContent, reading: PageReading) -> RoledPage:
    header = plain_header(reading)
    words = len(reading.written_tokens())
    if _tells_whose(header):
        return RoledPage(page, reading, PageRole.HEADER, None, header.name, len(header.readings), words)
    foot = _foot_header(reading)
    if foot is not None:
        return RoledPage(page, reading, PageRole.HEADER, None, foot.name, len(foot.readings), words, is_odd=True)
    labelled = [name for name, found in header.readings.items() if found.method in (HEADED, METHOD)]
    is_odd = len({ENTRANT, *_BESIDE_NAME}.intersection(labelled)) > 1
    count = len(header.readings)
    return RoledPage(page, reading, PageRole.CONTINUATION, None, header.name, count, words, is_odd)


def _tells_whose(header: Header) -> bool:
    """Whether it gives a name with a school or a grade, or with at least two other values of a sheet."""
    others = [found for name, found in header.readings.items() if name != ENTRANT and found.method == METHOD]
    beside = any(field in header.readings for field in _BESIDE_NAME) or len(others) > 1
    return bool(header.name and header.name.value) and beside


def _foot_header(reading: PageReading) -> Header | None:
    """Return the header below an essay, as in a page's footer, if it names the entrant."""
    lines, _ = without_mail(written_lines(reading))
    foot = list(takewhile(lambda line: not is_prose(tidied(token_text(line))), reversed(lines[-_FOOT_LINES:])))
    if len(foot) == len(lines) or not foot:
        return None
    header = read_header(foot[::-1])
    return header if _tells_whose(header) else None


# Recognise sheets that belong to no entry: separators between documents, class lists, covering letters.
#
# Only pages without a form are examined. A page that is not certainly such a sheet is read: a superfluous entry
# waits for a person, but an entry that is taken for a separator is lost.


#: Texts of separators of scanners and document managers.
_SEPARATOR = re.compile(
    r"^\W*patch\W*$|\bpatch\s*-?\s*(?:code\b|[t1-6]\b)|\bpatch[t1-6]\b|\bseparat(?:or|ion)\b|\bslip\s?sheet\b"
    r"|\b(?:document|batch|page)\s+(?:break|separator|header|divider)\b"
    r"|\b(?:start|begin(?:ning)?|end) of (?:an? |the |this )?(?:new |next )?"
    r"(?:document|batch|scan|job|stack|bundle)\b"
    r"|\b(?:new|next) (?:document|batch)\b|\b(?:batch|scan|job) (?:end|ends|complete)\b"
    r"|\b(?:inicio|comienzo|fin|final) del? (?:lote|documento|escaneo)\b"
    r"|\bhoja (?:separadora|de separaci[oó]n)\b|\bseparador\b",
    re.IGNORECASE,
)
_WORDS_OF_SEPARATOR = 25
#: A code as it is printed below bars.
_CODE = re.compile(r"[*<(]?[A-Z0-9][A-Z0-9\-_./|:#]*[*>)]?")
_WORDS_OF_CODE = 5
_LIST_TITLE = re.compile(
    r"\b(?:class|student|pupil|name|entry|entrant|participant|sign[ -]?(?:in|up)|home\s?room|attendance)s?"
    r"\s+(?:list|roster|register|sheet)\b|\broster\b|\bclass register\b"
    r"|\blist of (?:the )?(?:students|pupils|names|entries|entrants|participants|essays|writers)\b"
    r"|\blista de (?:los )?(?:alumnos|estudiantes|la clase|clase|participantes|nombres|asistencia)\b",
    re.IGNORECASE,
)
_WHO = r"\b(?:student|name|nombre|alumno|alumna|pupil|child|writer|author|niño|niña)s?\b"
#: The head of a list: the rest of the line is searched only after the first of these words.
_LIST_HEAD = re.compile(
    rf"^(?>(?:(?!{_WHO}).)*){_WHO}.*\b(?:grade|grado|essay|room|teacher|class)\b", re.IGNORECASE | re.MULTILINE
)
#: A line of a list: its number, and what follows.
_LISTED = re.compile(r"^\W*+(?:(\d{1,3})\s*+(?:[.):\-]\s*+)?(?=[^\W\d_]))?(.*)$")
_ENDS_SENTENCE = re.compile(r"[a-zà-ÿ]{3}[.!?]\W*+$")
_LEAST_LISTED, _SHARE_LISTED = 4, 0.5
_TITLE_LINES = 4
_GREETING = re.compile(
    r"^\W*(?:dear|to|hello|hi|good (?:morning|afternoon)|estimad[oa]s?|querid[oa]s?|a quien)\b.*"
    r"\b(?:contest|committee|office|judges?|sir|sirs|madam|team|organi[sz]ers?|concern|coordinator|concurso|jurado"
    r"|comit[eé]|oficina|corresponda)\b",
    re.IGNORECASE,
)
_ATTACHED = re.compile(
    r"\battach(?:ed|ments?|ing)\b|\benclos(?:ed|ures?|ing)\b|\bplease find\b|\badjunt[oa]s?\b|\banexo\b",
    re.IGNORECASE,
)
_WORDS_OF_LETTER = 130
#: Most letters of a line that are examined.
_LONGEST_LINE = 300


def is_cover_sheet(page: PageContent, lines: Sequence[LineText]) -> bool:
    """Whether a page without a form belongs to no entry."""
    texts = [token_text(line).strip() for line in visual_lines(token for line in lines for token in line.tokens)]
    texts = [text[:_LONGEST_LINE] for text in texts if text]
    words = [word for text in texts for word in text.split()]
    if not words or page.widgets:
        return False
    return _is_separator(texts, words) or _is_list(texts) or _is_letter(page, texts, words)


def _is_separator(texts: Sequence[str], words: Sequence[str]) -> bool:
    if len(words) <= _WORDS_OF_SEPARATOR and any(_SEPARATOR.search(text) for text in texts):
        return not any(_ENDS_SENTENCE.search(text) and len(text.split()) > 8 for text in texts)
    letters = "".join(words)
    is_code = all(_CODE.fullmatch(word) for word in words) and sum(c.isdigit() for c in letters) >= 3
    return is_code and len(words) <= _WORDS_OF_CODE and len(letters) >= 5


def _is_list(texts: Sequence[str]) -> bool:
    """Whether most lines are names, and there is a title or a head of a list, or they are numbered from 1."""
    listed = [found for text in texts if (found := _LISTED.match(text)) and _is_named(found.group(2))]
    if _is_numbered_below_head(texts):
        return True
    if len(listed) < _LEAST_LISTED or len(listed) < _SHARE_LISTED * len(texts):
        return False
    if any(_LIST_TITLE.search(text) or _LIST_HEAD.search(text) for text in texts[:_TITLE_LINES]):
        return True
    numbers = [int(found.group(1)) for found in listed if found.group(1)]
    return len(numbers) >= _LEAST_LISTED + 1 and numbers == list(range(1, len(numbers) + 1))


def _is_numbered_below_head(texts: Sequence[str]) -> bool:
    """Whether all lines below the head of a table are names numbered from 1, however few."""
    at = next((at for at, text in enumerate(texts[:_TITLE_LINES]) if _LIST_HEAD.search(text)), len(texts))
    rows = [_LISTED.match(text) for text in texts[at + 1 :]]
    numbers = [int(row.group(1)) for row in rows if row and row.group(1) and _is_named(row.group(2))]
    return len(numbers) > 1 and numbers == list(range(1, len(rows) + 1)) and ":" not in texts[at]


def _is_named(text: str) -> bool:
    """Whether a line begins with two words like a name and is not a sentence."""
    words = text.split()
    first = [word for word in words[:2] if word[0].isupper() and len(word.strip(",.")) > 1]
    return len(first) == 2 and len(words) <= 12 and not _ENDS_SENTENCE.search(text)


def _is_letter(page: PageContent, texts: Sequence[str], words: Sequence[str]) -> bool:
    """Whether it is a short letter to the office that accompanies entries."""
    if len(words) > _WORDS_OF_LETTER or not any(_ATTACHED.search(text) for text in texts):
        return False
    return page.mark == PageMark.CARRIES or any(_GREETING.search(text) for text in texts[:_TITLE_LINES])
