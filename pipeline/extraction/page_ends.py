"""What splitting a file needs to know of a page's layout: where its text ends, and whether it is two pages."""

from __future__ import annotations

from pipeline.extraction.freeform import read_header
from pipeline.extraction.page_reading import written_lines
from pipeline.extraction.page_roles import Role, RoledPage
from pipeline.extraction.tokens import box_of, text_of, tokens_of, visual_lines
from pipeline.extraction.values.names import same_person
from pipeline.mupdf.repeated_lines import WordAt, gap, may_be_two, parted
from pipeline.pages.page_model import PageContent, Source
from pipeline.profiles import ENTRANT

#: A page is full from this share of its height on.
_FULL = 0.84
#: A last line of this share of the longest one does not end a paragraph by itself.
_LONG = 0.6
_ENDS = ".!?…:*"
_CLOSING = "\"'”’»)]"
#: A page so much wider than high lies.
_LIES = 1.15
_TEXT_ROLES = (Role.HEADER, Role.ESSAY_PAGE, Role.CONTINUATION)


def runs_over(roled: RoledPage) -> bool:
    """Whether the text of a page without a form seems to go on: it ends low (recognised text) or in a sentence."""
    if roled.profile is not None or roled.role not in _TEXT_ROLES:
        return False
    lines = [line for line in written_lines(roled.reading) if sum(len(token.text) for token in line) > 3]
    if len(lines) < 5:
        return False
    boxes = [box_of(line) for line in lines]
    last = max(range(len(lines)), key=lambda place: boxes[place].cy)
    if roled.page.source is Source.OCR:
        return boxes[last].y1 > _FULL * roled.page.letter[1]
    is_ended = text_of(lines[last]).rstrip(_CLOSING + " ").endswith(tuple(_ENDS))
    return not is_ended and boxes[last].width >= _LONG * max(box.width for box in boxes)


def is_double(page: PageContent) -> bool:
    """Whether two entries may be on the page, side by side or one above the other."""
    width, height = page.width, page.height
    words = [
        WordAt(word.text, (word.box.x0 * width, word.box.y0 * height, word.box.x1 * width, word.box.y1 * height))
        for word in page.words
    ]
    sheet = (0.0, 0.0, width, height)
    if width <= _LIES * height:
        return bool(parted(words, sheet, 1))
    return may_be_two(words, sheet) or _has_two_headers(page, words)


def _has_two_headers(page: PageContent, words: list[WordAt]) -> bool:
    """Whether both halves of a lying page begin with a name and a school or a grade."""
    cut = gap(words, (0.0, 0.0, page.width, page.height), 0)
    if cut is None:
        return False
    middle = cut / page.width * page.letter[0]
    names = []
    for is_right in (False, True):
        half = [token for token in tokens_of(page) if (token.box.cx > middle) == is_right]
        found = read_header(visual_lines(half)).readings
        name = found.get(ENTRANT)
        if name is None or not name.value or not ("school_name" in found or "grade" in found):
            return False
        names.append(name.value)
    return not same_person(*names)
