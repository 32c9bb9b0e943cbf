"""Match a page with the form profiles: find its form, its printed texts, and what was written on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from pipeline.extraction.layouts.columns import column_tokens
from pipeline.extraction.placement import Placement, best_placement
from pipeline.extraction.printed import (
    DISTINCTIVE,
    FoundText,
    LineText,
    find_glued,
    find_texts,
    find_word,
    letters_of_print,
    rule_lines,
)
from pipeline.extraction.reflowed_cells import fields_asked, header_bottom, likeliest_form, with_cells
from pipeline.extraction.tokens import (
    Line,
    Token,
    all_tokens,
    box_of,
    lines_by_source,
    page_lines,
    straight_tokens,
    visual_lines,
)
from pipeline.extraction.transcribed_lines import lines_by_label
from pipeline.pages.page_model import Box, PageContent, Source, recalled
from pipeline.profiles import (
    ANY_FORM,
    FieldKind,
    Forms,
    FormSpec,
    Printed,
    PrintedRole,
    ProfileKind,
    all_profiles,
    built_in_profiles,
    form_profiles,
    freeform_profile,
)
from pipeline.profiles.catalogue import by_generation

#: With less evidence than this (see `placement`) the page is not a form.
FORM_SCORE = 2.5
#: A printed text of fewer letters may occur on any page.
_TELLING_LETTERS = 13
#: A header before the prompt that asks for this many fields is the form's.
_HEADER_FIELDS = 4
#: A short label must be this near (points) to its place on the form.
NEAR_X, NEAR_Y = 30.0, 11.0
#: Kinds of fields whose values are short.
FIELD_KINDS = frozenset(FieldKind) - {FieldKind.ESSAY, FieldKind.REACTION, FieldKind.IGNORED}
#: Roles of printed texts of several lines, whose single words may go unrecognised.
_BLOCKS = (PrintedRole.RULE, PrintedRole.NOTE)
#: Kinds of fields whose labels share a line with another label.
_SHARING = (FieldKind.EMAIL, FieldKind.PHONE)


@dataclass(frozen=True, slots=True)
class PrintAt:
    """One printed text of the profile at its place on the page."""

    printed: Printed
    found: FoundText


@dataclass(slots=True)
class PageReading:
    """Result of matching a page, used by extraction and splitting."""

    page: PageContent
    #: The matching form, None where the page shows nothing of a form.
    profile: FormSpec | None
    placement: Placement | None
    lines: list[LineText]
    prints: list[PrintAt]
    #: Indices of the lines that are rules.
    rules: set[int]
    #: Text that no form printed, as runs of words.
    written: list[Line] = field(default_factory=list)
    #: Lower edge (points) of a re-flowed header whose lines are its cells, None for any other page.
    bottom: float | None = None
    #: For each of these runs its line, and the position of its first letter there.
    written_at: list[tuple[int, int]] = field(default_factory=list)

    @property
    def fixed(self) -> bool:
        """Whether the form keeps its layout, so that its zones can be used; never where places are estimates."""
        return self.placement is not None and self.placement.fixed and self.page.places_known

    @property
    def placed(self) -> Placement:
        """The placement of a page that has one."""
        assert self.placement is not None
        return self.placement

    @property
    def form(self) -> FormSpec:
        """The profile of a page that has one."""
        assert self.profile is not None
        return self.profile

    @property
    def ends_in_rules(self) -> bool:
        """Whether the rules may continue on the next page."""
        return bool(self.lines) and len(self.lines) - 1 in self.rules

    def of_role(self, *roles: PrintedRole) -> list[PrintAt]:
        return [p for p in self.prints if p.printed.role in roles]

    def labels(self) -> dict[str, PrintAt]:
        """Return the label of each field, the first where there are several."""
        found: dict[str, PrintAt] = {}
        for at in self.of_role(PrintedRole.LABEL):
            if at.printed.field and not at.printed.repeat:
                found.setdefault(at.printed.field, at)
        return found

    def written_tokens(self) -> list[Token]:
        """Return the words that no form printed."""
        return [token for run in self.written for token in run]

    def form_tokens(self) -> list[Token]:
        """Return the same words with boxes in points of the form. Requires a placement."""
        return _form_tokens(self)


@recalled
def _form_tokens(reading: PageReading) -> list[Token]:
    return [t.moved(reading.placed.box_to_form(t.box)) for t in reading.written_tokens()]


@recalled
def written_lines(reading: PageReading) -> list[Line]:
    """Return the visual lines of the words that no form printed."""
    return visual_lines(reading.written_tokens())


def reading_lines(page: PageContent, tokens: Sequence[Token] | None = None) -> list[LineText]:
    """Return a page's lines: by geometry where boxes are exact, as recognised where the page may be skewed.

    `tokens`: the page's words if they are in another order than on the page.
    """
    if page.source is Source.OCR:
        lines = lines_by_source(all_tokens(page) if tokens is None else tokens)
    else:
        lines = page_lines(page) if tokens is None else visual_lines(tokens)
    return [LineText(line) for line in sorted(lines, key=lambda line: box_of(line).cy)]


def read_page(page: PageContent, after_rules: bool = False, forms: Forms = ANY_FORM) -> PageReading:
    """Find the form on a page and remove its printed text.

    `after_rules`: the previous page ended with rules. `forms`: the profiles that it may be matched with, beside
    those of essay pages. Live fields identify their form themselves.
    """
    reading = _matched(page, reading_lines(page), after_rules, forms)
    if not page.places_known:
        return reading
    if not reading.fixed and (columns := column_tokens(page)) is not None:
        # A form that keeps its layout is found by the places of its print; only the essay's zone may have columns.
        return _matched(page, reading_lines(page, columns), after_rules, forms)
    if not reading.fixed and (straight := straight_tokens(page)) is not None:
        return _matched(page, reading_lines(page, straight), after_rules, forms)
    return reading


def _matched(page: PageContent, lines: list[LineText], after_rules: bool, forms: Forms) -> PageReading:
    found = find_texts(lines, _printed_texts())
    candidates, picture = _candidates(forms), page.source is Source.OCR
    placement = best_placement(candidates, found, picture, page.letter)
    bottom = None if placement.fixed and page.places_known else header_bottom(placement.profile, found)
    if bottom:
        lines = _relined(page, lines, bottom, likeliest_form(candidates, lines, found))
        found = find_texts(lines, _printed_texts())
        placement = best_placement([likeliest_form(candidates, lines, found)], found, picture, page.letter)
        bottom = bottom if page.places_known else header_bottom(placement.profile, found)
    rules = rule_lines(lines, after_rules)
    fits = placement.score >= FORM_SCORE or _scattered(placement.profile, found)
    fits = fits or (bottom is not None and _headed(placement.profile, lines, found))
    profile = placement.profile if fits and set(forms) != {freeform_profile().key} else None
    reading = PageReading(page, profile, placement if profile else None, lines, [], rules, bottom=bottom)
    if profile:
        found = {text: places for text, places in found.items() if text in _texts_beside(profile.key)}
        reading.rules = _beside_zones(reading)
        reading.prints = list(_prints(reading, found))
    _take(reading, found)
    return reading


def _relined(page: PageContent, lines: list[LineText], bottom: float, form: FormSpec) -> list[LineText]:
    """Return the lines of a page of `form` without its layout, with each cell of the header as one line."""
    return with_cells(lines, bottom) if page.places_known else lines_by_label(lines, form)


def _beside_zones(reading: PageReading) -> set[int]:
    """Return the lines of rules; on a page that keeps its layout, without those that cross a field.

    If rules are next to the fields, as in another column, a line of the page has words of both.
    """
    if not reading.fixed:
        return reading.rules
    to_form = reading.placed.box_to_form
    fields = [spec for spec in reading.form.fields.values() if spec.zone and spec.kind in FIELD_KINDS]
    return {
        number
        for number in reading.rules
        if not any(
            spec.zone and _is_inside(to_form(token.box), spec.zone)
            for token in reading.lines[number].tokens
            for spec in fields
        )
    }


def _is_inside(box: Box, zone: Box) -> bool:
    return zone.x0 <= box.cx <= zone.x1 and zone.y0 <= box.cy <= zone.y1


def _candidates(forms: Forms) -> list[FormSpec]:
    """Return the profiles that a page may match: those named and those of essay pages, or all."""
    named = [p for p in form_profiles() if p.key in forms]
    if not named:
        return form_profiles()
    return named + [p for p in form_profiles() if p.kind is not ProfileKind.FORM and p not in named]


@by_generation
def _printed_texts() -> tuple[str, ...]:
    """Return all printed texts of the forms except rules."""
    printed = [p for profile in form_profiles() for p in profile.printed if p.role is not PrintedRole.RULE]
    return tuple(dict.fromkeys(text for p in printed for text in p.texts))


@by_generation
def _texts_beside(key: str) -> frozenset[str]:
    """Return the texts that a page of this form may print: its own, or for a built-in form those of all of them.

    Another form's text may well be a sentence of somebody's essay.
    """
    kin = built_in_profiles() if key in built_in_profiles() else {key: all_profiles()[key]}
    return frozenset(text for profile in kin.values() for printed in profile.printed for text in printed.texts)


def _scattered(profile: FormSpec, found: dict[str, list[FoundText]]) -> bool:
    """Whether a re-flow has moved printed texts of the form onto this page, each away from its place.

    Short texts do not count: "School" and "Grade" are above many essays without a form.
    """
    roles = (PrintedRole.LABEL, PrintedRole.OPTION, PrintedRole.LIMIT, PrintedRole.REACTION)
    telling = [
        [t for t in p.texts if len(letters_of_print(t)) >= _TELLING_LETTERS]
        for p in profile.printed
        if p.role in roles
    ]
    taken: list[FoundText] = []
    for texts in telling:
        places = [place for text in texts for place in found.get(text, ())]
        # A line of the page that resembles two texts of the form is only one of them.
        if fresh := [f for f in places if not any(f.line == t.line and _overlap(f, t) for t in taken)]:
            taken.append(max(fresh, key=lambda place: place.likeness))
    return len(taken) >= 2


def _headed(profile: FormSpec, lines: list[LineText], found: dict[str, list[FoundText]]) -> bool:
    """Whether a page with the form's prompt asks for most of its header, though it has little else of the form."""
    prompts = [text for p in profile.printed if p.role is PrintedRole.PROMPT for text in p.texts]
    return any(text in found for text in prompts) and fields_asked([profile], lines, found)[0] >= _HEADER_FIELDS


def _prints(reading: PageReading, found: dict[str, list[FoundText]]) -> Iterable[PrintAt]:
    placement, profile = reading.placed, reading.form
    in_place = {id(a.printed): a.found for a in placement.anchors}
    for printed in profile.printed:
        if place := in_place.get(id(printed)):
            yield PrintAt(printed, place)
            continue
        place = _stray(reading, printed, found) or _short(reading, printed)
        if place:
            yield PrintAt(printed, place)


def _stray(reading: PageReading, printed: Printed, found: dict[str, list[FoundText]]) -> FoundText | None:
    """Find a printed text away from its place; None on a page that keeps the layout."""
    if reading.fixed and printed.at is not None:
        return None
    for text in printed.texts:
        places = [f for f in found.get(text, []) if f.line not in reading.rules]
        if places:
            return max(places, key=lambda f: f.likeness)
    return None


def _short(reading: PageReading, printed: Printed) -> FoundText | None:
    """Find a label or an option too short for fuzzy search: as whole words, near its place on the form."""
    if printed.role not in (PrintedRole.LABEL, PrintedRole.DEADLINE) and not (
        printed.role is PrintedRole.OPTION and reading.fixed
    ):
        return None
    band = [(n, line) for n, line in enumerate(reading.lines) if n not in reading.rules]
    texts = [t for t in printed.texts if reading.fixed or len(letters_of_print(t)) < DISTINCTIVE]
    for find in (find_word, find_glued):
        places = [place for text in texts for place in find(band, text) if _fits(reading, printed, place)]
        if places:
            return max(places, key=lambda f: (f.likeness, -f.line, -f.start))
    return None


def _fits(reading: PageReading, printed: Printed, place: FoundText) -> bool:
    """Whether a short label may be at this place: near its own on the form, or in a re-flowed header."""
    if reading.fixed and printed.at is not None:
        x, y = reading.placed.to_page(printed.at.x0, printed.at.cy)
        return abs(place.box.x0 - x) <= NEAR_X and abs(place.box.cy - y) <= NEAR_Y
    return _in_header(reading, printed, place)


def _in_header(reading: PageReading, printed: Printed, place: FoundText) -> bool:
    """Whether a place on a re-flowed page is above the essay's prompt and not within a sentence or a value."""
    prompts = [at.found.box.y0 for at in reading.prints if at.printed.role is PrintedRole.PROMPT]
    below = reading.bottom or min(prompts, default=300.0)
    starts = printed.role is PrintedRole.DEADLINE or place.start in reading.lines[place.line].line_starts
    kind = reading.form.fields[printed.field].kind if printed.field else None
    return place.box.cy < below and (starts or kind in _SHARING)


def _take(reading: PageReading, found: dict[str, list[FoundText]]) -> None:
    for number in reading.rules:
        reading.lines[number].take(0, len(reading.lines[number].text))
    if reading.profile:
        exact: dict[int, list[FoundText]] = {}
        for f in (f for places in found.values() for f in places if f.likeness == 100.0):
            exact.setdefault(f.line, []).append(f)
        for f in (f for places in found.values() for f in places):
            # Next to an exact match, the ends of a merely similar text may belong to a value.
            if f.likeness == 100.0 or not any(_overlap(f, other) for other in exact.get(f.line, ())):
                reading.lines[f.line].take(f.start, f.end)
        for at in reading.prints:
            line = reading.lines[at.found.line]
            line.take(at.found.start, len(line.text) if at.printed.whole_line else at.found.end)
            _take_tail(reading, at)
    printed = _printed_areas(reading)
    for n, line in enumerate(reading.lines):
        for start, run in line.left_at() if n not in reading.rules else ():
            if not printed or (run := [token for token in run if not printed(token.box)]):
                reading.written.append(run)
                reading.written_at.append((n, start))


def _printed_areas(reading: PageReading) -> Callable[[Box], bool] | None:
    """Return a test whether a box is where the form holds print only; None if no such part is known."""
    if reading.profile is None or reading.placement is None or not reading.fixed:
        return None
    areas = [part.zone for part in reading.profile.ignore]
    areas += [p.at for p in reading.profile.printed if p.role in _BLOCKS and p.at is not None]
    if not areas:
        return None
    to_form = reading.placement.box_to_form
    return lambda box: any(_is_inside(to_form(box), area) for area in areas)


def _overlap(found: FoundText, other: FoundText) -> bool:
    return found.start < other.end and other.start < found.end


def _take_tail(reading: PageReading, at: PrintAt) -> None:
    """Remove the rest of a label that wraps onto the line below, where it precedes the value."""
    whole = letters_of_print(at.found.text)
    line = reading.lines[at.found.line]
    # A label with some misread letters is complete; only one that ends with its line was cut.
    if at.found.end < len(line.text) or len(whole) - (at.found.end - at.found.start) < 3:
        return
    tail = whole[at.found.end - at.found.start :]
    for below in reading.lines[at.found.line + 1 : at.found.line + 4]:
        near = abs(box_of(below.tokens).x0 - at.found.box.x0) <= 12.0
        if near and below.text.startswith(tail) and not any(below.taken[: len(tail)]):
            below.take(0, len(tail))
            return
