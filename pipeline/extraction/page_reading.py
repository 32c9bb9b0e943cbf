"""One page seen through the form profiles: which form it is, where its prints stand, what was written on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from pipeline.extraction.placement import Placement, best_placement
from pipeline.extraction.printed import (
    DISTINCTIVE,
    Found,
    LineText,
    find_glued,
    find_texts,
    find_word,
    letters_of_print,
)
from pipeline.extraction.rules import rule_lines
from pipeline.extraction.tokens import Line, Token, box_of, page_lines, recognised_lines, tokens_of, visual_lines
from pipeline.pages.page_model import PageContent, Source
from pipeline.pages.recent import recalled
from pipeline.profiles import Printed, PrintedRole, Profile, ProfileKind, form_profiles, freeform_profile

#: Less evidence than this (see `placement`) and the page is no form.
FORM_SCORE = 2.5
#: A print of fewer letters may stand on any page.
_TELLING_LETTERS = 13
#: A short label must stand this near to where the form prints it.
NEAR_X, NEAR_Y = 30.0, 11.0


@dataclass(frozen=True, slots=True)
class PrintAt:
    """One print of the profile where it stands on the page."""

    printed: Printed
    found: Found


@dataclass(slots=True)
class PageReading:
    """What extraction and splitting know of a page."""

    page: PageContent
    #: The form that it is, None where nothing of a form stands on it.
    profile: Profile | None
    placement: Placement | None
    lines: list[LineText]
    prints: list[PrintAt]
    #: Lines of rules, by number.
    rules: set[int]
    #: Everything that no form printed, run by run.
    written: list[Line] = field(default_factory=list)

    @property
    def fixed(self) -> bool:
        """Whether the form stands in its own layout, so that its zones can be used."""
        return self.placement is not None and self.placement.fixed

    @property
    def ends_in_rules(self) -> bool:
        """Whether the rules may go on on the next page."""
        return bool(self.lines) and len(self.lines) - 1 in self.rules

    def of_role(self, *roles: PrintedRole) -> list[PrintAt]:
        """The prints with one of these roles."""
        return [p for p in self.prints if p.printed.role in roles]

    def labels(self) -> dict[str, PrintAt]:
        """The label of each field, the first where there are several."""
        found: dict[str, PrintAt] = {}
        for at in self.of_role(PrintedRole.LABEL):
            if at.printed.field and not at.printed.repeat:
                found.setdefault(at.printed.field, at)
        return found

    def written_tokens(self) -> list[Token]:
        """Everything that no form printed."""
        return [token for run in self.written for token in run]

    def form_tokens(self) -> list[Token]:
        """The same with boxes in points of the form. Needs a placement."""
        return _form_tokens(self)


@recalled
def _form_tokens(reading: PageReading) -> list[Token]:
    assert reading.placement is not None
    return [t.moved(reading.placement.box_to_form(t.box)) for t in reading.written_tokens()]


@recalled
def written_lines(reading: PageReading) -> list[Line]:
    """The visual lines of everything that no form printed."""
    return visual_lines(reading.written_tokens())


def lines_of(page: PageContent) -> list[LineText]:
    """Its lines: by geometry where boxes are exact, as recognised where the page may be skewed."""
    lines = recognised_lines(tokens_of(page)) if page.source is Source.OCR else page_lines(page)
    ordered = sorted(lines, key=lambda line: box_of(line).cy)
    return [LineText(line) for line in ordered]


def read_page(page: PageContent, after_rules: bool = False, read_as: str | None = None) -> PageReading:
    """Find the form on a page and take away what it prints.

    `after_rules`: the page before ended with rules. `read_as`: the form, where a person named it.
    """
    lines = lines_of(page)
    found = find_texts(lines, _printed_texts())
    rules = rule_lines(lines, after_rules)
    placement = best_placement(_candidates(read_as), found, picture=page.source is Source.OCR)
    fits = placement.score >= FORM_SCORE or _scattered(placement.profile, found)
    profile = placement.profile if fits and read_as != freeform_profile().key else None
    reading = PageReading(page, profile, placement if profile else None, lines, [], rules)
    if profile:
        reading.prints = list(_prints(reading, found))
    _take(reading, found)
    return reading


def _candidates(read_as: str | None) -> list[Profile]:
    """The profiles that a page may be of: where a form was named, no other form."""
    named = [p for p in form_profiles() if p.key == read_as]
    return form_profiles() if not named else named + [p for p in form_profiles() if p.kind is not ProfileKind.FORM]


@lru_cache(maxsize=1)
def _printed_texts() -> tuple[str, ...]:
    """What the forms print, less their rules."""
    printed = [p for profile in form_profiles() for p in profile.printed if p.role is not PrintedRole.RULE]
    return tuple(dict.fromkeys(text for p in printed for text in p.texts))


def _scattered(profile: Profile, found: dict[str, list[Found]]) -> bool:
    """Whether a re-flow has pushed some of the form's prints onto this page, though none to its place.

    Short prints say nothing: "School" and "Grade" stand above many an essay that has no form.
    """
    roles = (PrintedRole.LABEL, PrintedRole.OPTION, PrintedRole.LIMIT, PrintedRole.REACTION)
    telling = [
        [t for t in p.texts if len(letters_of_print(t)) >= _TELLING_LETTERS]
        for p in profile.printed
        if p.role in roles
    ]
    return sum(any(t in found for t in texts) for texts in telling) >= 2


def _prints(reading: PageReading, found: dict[str, list[Found]]) -> Iterable[PrintAt]:
    placement, profile = reading.placement, reading.profile
    assert placement is not None and profile is not None
    in_place = {id(a.printed): a.found for a in placement.anchors}
    for printed in profile.printed:
        if place := in_place.get(id(printed)):
            yield PrintAt(printed, place)
            continue
        place = _stray(reading, printed, found) or _short(reading, printed)
        if place:
            yield PrintAt(printed, place)


def _stray(reading: PageReading, printed: Printed, found: dict[str, list[Found]]) -> Found | None:
    """A print that stands elsewhere than the form has it: only a re-flow moves prints."""
    if reading.fixed and printed.at is not None:
        return None
    for text in printed.texts:
        places = [f for f in found.get(text, []) if f.line not in reading.rules]
        if places:
            return max(places, key=lambda f: f.likeness)
    return None


def _short(reading: PageReading, printed: Printed) -> Found | None:
    """A label too short to be found by likeness: as whole words, where the form prints it."""
    placement = reading.placement
    assert placement is not None
    if printed.role not in (PrintedRole.LABEL, PrintedRole.DEADLINE):
        return None
    band = [(n, line) for n, line in enumerate(reading.lines) if n not in reading.rules]
    for text in printed.texts:
        if len(letters_of_print(text)) >= DISTINCTIVE and not reading.fixed:
            continue
        places = find_word(band, text) or find_glued(band, text)
        if reading.fixed and printed.at is not None:
            x, y = placement.to_page(printed.at.x0, printed.at.cy)
            places = [f for f in places if abs(f.box.x0 - x) <= NEAR_X and abs(f.box.cy - y) <= NEAR_Y]
        else:
            places = [f for f in places if _in_header(reading, f)]
        if places:
            return max(places, key=lambda f: f.likeness)
    return None


def _in_header(reading: PageReading, place: Found) -> bool:
    """In a re-flow: above the essay's prompt and not in the midst of a sentence."""
    placement = reading.placement
    assert placement is not None
    prompts = [a.found.box.y0 for a in placement.anchors if a.printed.role is PrintedRole.PROMPT]
    below = min(prompts, default=300.0)
    line = reading.lines[place.line]
    return place.box.cy < below and (place.start == 0 or len(line.tokens) <= 8)


def _take(reading: PageReading, found: dict[str, list[Found]]) -> None:
    for number in reading.rules:
        reading.lines[number].take(0, len(reading.lines[number].text))
    if reading.profile:
        for places in found.values():
            for f in places:
                reading.lines[f.line].take(f.start, f.end)
        for at in reading.prints:
            line = reading.lines[at.found.line]
            line.take(at.found.start, len(line.text) if at.printed.whole_line else at.found.end)
            _take_tail(reading, at)
    reading.written = [
        run for n, line in enumerate(reading.lines) if n not in reading.rules for run in line.left()
    ]


def _take_tail(reading: PageReading, at: PrintAt) -> None:
    """The rest of a label that a narrow column has wrapped onto the line below, in front of the value."""
    whole = letters_of_print(at.found.text)
    line = reading.lines[at.found.line]
    # A label misread by some letters is whole; one cut short ends with its line.
    if at.found.end < len(line.text) or len(whole) - (at.found.end - at.found.start) < 3:
        return
    tail = whole[at.found.end - at.found.start :]
    for below in reading.lines[at.found.line + 1 : at.found.line + 4]:
        near = abs(box_of(below.tokens).x0 - at.found.box.x0) <= 12.0
        if near and below.text.startswith(tail) and not any(below.taken[: len(tail)]):
            below.take(0, len(tail))
            return
