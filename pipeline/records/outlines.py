"""Outlines of pages: what splitting a file needs to know of each, small enough to keep for every page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import BaseModel

from pipeline.extraction.page_reading import PageReading
from pipeline.extraction.page_roles import Role, RoledPage, each_role
from pipeline.extraction.sheets.page_ends import ink_beside_text, is_double, is_full, print_on, runs_over
from pipeline.mupdf.whole_file.copies import Printed
from pipeline.pages.page_model import PageContent, Source
from pipeline.profiles import ANY_FORM, Forms, known_profile
from pipeline.schema import FieldReading


class PageRole(BaseModel):
    """One page of the file: its role and how it was read."""

    page_no: int
    role: Role
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


class PageOutline(PageRole):
    """A page with its role and the facts that splitting needs. In JSON, it may be stored."""

    #: Whether what it says is text or form fields, not a picture.
    native: bool
    has_widgets: bool
    #: The entrant's name, None where the page has none.
    name: str | None = None
    #: Number of written words in the essay's place.
    essay_words: int = 0
    #: See `PageContent.mark`.
    mark: str = ""
    #: Whether its text ends within a sentence.
    runs_over: bool = False
    #: Whether its text goes down to the end of the page.
    is_full: bool = False
    #: Whether the same form is on it twice, so that one of two entries may be all that is read.
    is_double: bool = False
    #: See `RoledPage.is_odd`.
    is_odd: bool = False
    #: See `RoledPage.print`.
    print: tuple[Printed, ...] = ()
    #: See `ink_beside_text`.
    ink: float = 0.0
    #: Whether the rules of the contest may continue on the next page.
    ends_in_rules: bool = False

    def roled(self) -> RoledPage:
        """Return the page as `pipeline.segment` splits it, without words and lines."""
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
    """The outlines of consecutive pages."""

    pages: list[PageOutline]
    #: The same where the page before the first ends with rules; None if that makes no difference.
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


def joined(ranges: Iterable[RangeOutlines]) -> list[PageOutline]:
    """Return the outlines of ranges that follow one another, from the first page of the file on."""
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
