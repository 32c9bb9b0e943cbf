"""What splitting a file needs to know of a page's layout: where its text ends, and whether it is two pages."""

from __future__ import annotations

from pipeline.extraction.freeform import read_header
from pipeline.extraction.page_reading import written_lines
from pipeline.extraction.page_roles import Role, RoledPage
from pipeline.extraction.tokens import Line, box_of, text_of, tokens_of, visual_lines
from pipeline.extraction.values.names import same_person
from pipeline.mupdf.whole_file.copies import Printed, WordAt, holds_two, print_of
from pipeline.mupdf.whole_file.repeated_lines import gap, parted
from pipeline.pages.page_model import PageContent, Source
from pipeline.pages.recent import recalled
from pipeline.profiles import ENTRANT

#: A page is full from this share of its height on.
_FULL = 0.84
#: A last line of this share of the longest one does not end a paragraph by itself.
_LONG = 0.6
#: A page of fewer lines has no text that could go on.
_LEAST_LINES = 5
_ENDS = ".!?…:*"
_CLOSING = "\"'”’»)]"
#: Share of a page's height in which a heading over two columns stands.
_HEADING = 0.14
_TEXT_ROLES = (Role.HEADER, Role.ESSAY_PAGE, Role.CONTINUATION)


def runs_over(roled: RoledPage) -> bool:
    """Whether typed text of a page without a form ends within a sentence."""
    lines = _text_lines(roled)
    if roled.page.source is Source.OCR or not lines:
        return False
    boxes = [box_of(line) for line in lines]
    is_ended = text_of(lines[-1]).rstrip(_CLOSING + " ").endswith(tuple(_ENDS))
    return not is_ended and boxes[-1].width >= _LONG * max(box.width for box in boxes)


def is_full(roled: RoledPage) -> bool:
    """Whether the text of a page without a form goes down to its end."""
    lines = _text_lines(roled)
    return bool(lines) and box_of(lines[-1]).y1 > _FULL * roled.page.letter[1]


def print_on(roled: RoledPage) -> tuple[Printed, ...]:
    """Return what a page without a known form has in print or writing, in points of the upright page."""
    is_known = roled.profile is not None and (roled.role is not Role.CONTINUATION or roled.reading.fixed)
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
        for token in tokens_of(page)
    ]


def ink_beside_text(page: PageContent) -> float:
    """Return the share of a page that is ink, in which writing may be that nobody could read; 0 of text alone."""
    if page.source is Source.TEXT_LAYER:
        return float(page.by_pen or page.is_picture)
    return page.ink


def _size(page: PageContent) -> tuple[float, float]:
    """Return width and height of the upright page in points."""
    return (page.height, page.width) if page.turned in (90, 270) else (page.width, page.height)


def _text_lines(roled: RoledPage) -> list[Line]:
    """Return the lines of a page without a form from above down; none where there are too few."""
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
        or bool(parted(words, (0.0, 0.0, width, height), 1))
        or _has_two_headers(page, words)
    )


def _below_heading(page: PageContent, words: list[WordAt]) -> float:
    """Return where a heading ends that stands across the middle at the top of a page; 0 where none does."""
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
        half = [t for t in tokens_of(page) if (t.box.cx > middle) == is_right and t.box.y0 >= top]
        found = read_header(visual_lines(half)).readings
        name = found.get(ENTRANT)
        if name is None or not name.value or not ("school_name" in found or "grade" in found):
            return False
        names.append(name.value)
    return not same_person(*names)
