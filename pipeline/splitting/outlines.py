"""The facts about each page that splitting needs, and where the text of a page ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import BaseModel

from pipeline.extraction.freeform import read_header
from pipeline.extraction.page_reading import PageReading, written_lines
from pipeline.extraction.page_roles import PageRole, RoledPage, each_role
from pipeline.extraction.tokens import Line, all_tokens, box_of, token_text, visual_lines
from pipeline.extraction.values.names import same_person
from pipeline.mupdf.copies import PlacedText, WordAt, holds_two, print_of
from pipeline.mupdf.repeated_lines import gap, sheets_on_page
from pipeline.pages.page_model import PageContent, Source, recalled
from pipeline.profiles import ANY_FORM, ENTRANT, Forms, known_profile
from pipeline.schema import FieldReading

# The facts about a page's layout that splitting needs: where its text ends, and whether it is two pages.


#: A page is full from this share of its height on.
_FULL = 0.84
#: A last line with this share of the longest one's length does not end a paragraph.
_LONG = 0.6
#: A page with fewer lines has no text that could continue.
_LEAST_LINES = 5
_ENDS = ".!?…:*"
_CLOSING = "\"'”’»)]"
#: Share of a page's height that a heading over two columns is in.
_HEADING = 0.14
_TEXT_ROLES = (PageRole.HEADER, PageRole.ESSAY_PAGE, PageRole.CONTINUATION)


def runs_over(roled: RoledPage) -> bool:
    """Whether typed text of a page without a form ends within a sentence."""
    lines = _text_lines(roled)
    if roled.page.source is Source.OCR or not lines:
        return False
    boxes = [box_of(line) for line in lines]
    is_ended = token_text(lines[-1]).rstrip(_CLOSING + " ").endswith(tuple(_ENDS))
    return not is_ended and boxes[-1].width >= _LONG * max(box.width for box in boxes)


def is_full(roled: RoledPage) -> bool:
    """Whether the text of a page without a form extends to the bottom."""
    lines = _text_lines(roled)
    return bool(lines) and box_of(lines[-1]).y1 > _FULL * roled.page.letter[1]


def print_on(roled: RoledPage) -> tuple[PlacedText, ...]:
    """Return the texts of a page without a known form, in points of the upright page."""
    is_known = roled.profile is not None and (roled.role is not PageRole.CONTINUATION or roled.reading.fixed)
    if is_known or roled.role not in _TEXT_ROLES:
        return ()
    return print_of(_words_on(roled.reading.page))


@recalled
def _words_on(page: PageContent) -> list[WordAt]:
    """Return the words of a page, with their places in points of the upright page."""
    width, height = _size(page)
    wide, high = width / page.letter[0], height / page.letter[1]
    return [
        WordAt(token.text, (token.box.x0 * wide, token.box.y0 * high, token.box.x1 * wide, token.box.y1 * high))
        for token in all_tokens(page)
    ]


def ink_beside_text(page: PageContent) -> float:
    """Return the share of a page that is ink and may hide unread writing; 0 for a page of text only."""
    if page.source is Source.TEXT_LAYER:
        return float(page.by_pen or page.is_picture)
    return page.ink


def _size(page: PageContent) -> tuple[float, float]:
    """Return width and height of the upright page in points."""
    return (page.height, page.width) if page.turned in (90, 270) else (page.width, page.height)


def _text_lines(roled: RoledPage) -> list[Line]:
    """Return the lines of a page without a form from the top; none if there are too few."""
    if roled.profile is not None or roled.role not in _TEXT_ROLES:
        return []
    lines = [line for line in written_lines(roled.reading) if sum(len(token.text) for token in line) > 3]
    return sorted(lines, key=lambda line: box_of(line).cy) if len(lines) >= _LEAST_LINES else []


def is_double(page: PageContent) -> bool:
    """Whether two entries may be on the page, side by side or one above the other."""
    words = _words_on(page)
    width, height = _size(page)
    return (
        holds_two(words, page.source is Source.OCR)
        or bool(sheets_on_page(words, (0.0, 0.0, width, height), 1))
        or _has_two_headers(page, words)
    )


def _below_heading(page: PageContent, words: list[WordAt]) -> float:
    """Return the bottom of a heading across the middle at the top of a page; 0 without one."""
    middle, most = _size(page)[0] / 2, _HEADING * _size(page)[1]
    across = (word.rect[3] for word in words if word.rect[0] < middle < word.rect[2])
    return max((bottom for bottom in across if bottom <= most), default=0.0)


def _has_two_headers(page: PageContent, words: list[WordAt]) -> bool:
    """Whether both halves of a page begin with a name and a school or a grade, perhaps below a heading."""
    top = _below_heading(page, words)
    cut = gap([word for word in words if word.rect[1] >= top], (0.0, 0.0, _size(page)[0], _size(page)[1]), 0)
    if cut is None:
        return False
    middle, top = cut / _size(page)[0] * page.letter[0], top / _size(page)[1] * page.letter[1]
    names = []
    for is_right in (False, True):
        half = [t for t in all_tokens(page) if (t.box.cx > middle) == is_right and t.box.y0 >= top]
        found = read_header(visual_lines(half)).readings
        name = found.get(ENTRANT)
        if name is None or not name.value or not ("school_name" in found or "grade" in found):
            return False
        names.append(name.value)
    return not same_person(*names)


# Outlines of pages: the facts that splitting needs, small enough to keep for every page.


class AnalysedPage(BaseModel):
    """One page of the file: its role and how it was read."""

    page_no: int
    role: PageRole
    #: The form profile that matched, None for a page without a form.
    profile: str | None = None
    #: Size of the displayed page in points.
    width: float
    height: float
    source: Source | None = None
    distrust: str | None = None
    ocr_confidence: float | None = None
    #: Clockwise degrees by which the page was turned to be read.
    turned: int = 0


class PageOutline(AnalysedPage):
    """A page with its role and the facts that splitting needs. In JSON, it may be stored."""

    #: Whether its content is text or form fields, not a picture.
    native: bool
    has_widgets: bool
    #: The entrant's name, None if the page has none.
    name: str | None = None
    essay_words: int = 0
    mark: str = ""
    #: Whether its text ends within a sentence.
    runs_over: bool = False
    #: Whether its text extends to the bottom of the page.
    is_full: bool = False
    #: Whether the same form is on it twice, so that only one of two entries may be read.
    is_double: bool = False
    is_odd: bool = False
    print: tuple[PlacedText, ...] = ()
    ink: float = 0.0
    #: Whether the rules of the contest may continue on the next page.
    ends_in_rules: bool = False

    def roled(self) -> RoledPage:
        """Return the page as `pipeline.splitting.segment` splits it, without words and lines."""
        page = PageContent(self.page_no, self.width, self.height, source=self.source, mark=self.mark, ink=self.ink)
        profile = known_profile(self.profile)
        name = FieldReading(value=self.name) if self.name else None
        reading = PageReading(page, profile, None, [], [], set())
        return RoledPage(
            page,
            reading,
            self.role,
            profile,
            name,
            essay_words=self.essay_words,
            is_odd=self.is_odd,
            print=self.print,
        )


class RangeOutlines(BaseModel):
    pages: list[PageOutline]
    #: The same if the page before the first ends with rules; None if that makes no difference.
    after_rules: list[PageOutline] | None = None


def outlines_of(
    pages: Iterable[PageContent], forms: Forms = ANY_FORM, after_rules: bool = False
) -> list[PageOutline]:
    """Outline the pages of a file in order. `after_rules`: the page before the first ended with rules."""
    return [_outline(roled) for roled in each_role(pages, forms, after_rules)]


def outline_range(pages: Sequence[PageContent], forms: Forms = ANY_FORM) -> RangeOutlines:
    """Outline consecutive pages of a file without those before them."""
    usual, other = outlines_of(pages, forms), outlines_of(pages, forms, after_rules=True)
    return RangeOutlines(pages=usual, after_rules=other if other != usual else None)


def join_outlines(ranges: Iterable[RangeOutlines]) -> list[PageOutline]:
    """Return the outlines of consecutive ranges, from the first page of the file on."""
    found: list[PageOutline] = []
    for outlines in ranges:
        follows_rules = bool(found) and found[-1].ends_in_rules
        found += (outlines.after_rules if follows_rules else None) or outlines.pages
    return found


def _outline(roled: RoledPage) -> PageOutline:
    page = roled.page
    return PageOutline(
        page_no=page.number,
        role=roled.role,
        profile=roled.profile.key if roled.profile else None,
        width=page.width,
        height=page.height,
        source=page.source,
        distrust=page.distrust,
        ocr_confidence=page.ocr_confidence,
        turned=page.turned,
        native=page.source is not Source.OCR or any(widget.value for widget in page.widgets),
        has_widgets=bool(page.widgets),
        name=roled.name.value if roled.name else None,
        essay_words=roled.essay_words,
        mark=page.mark,
        runs_over=runs_over(roled),
        is_full=is_full(roled),
        is_double=is_double(page),
        is_odd=roled.is_odd,
        print=print_on(roled),
        ink=ink_beside_text(page),
        ends_in_rules=roled.reading.ends_in_rules,
    )
