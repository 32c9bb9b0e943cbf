"""Split a file into entries, by page roles, and by the print of forms that nobody knows.

An entry has no two copies of one form: a page that repeats the print of another one, and has other values, begins
an entry, whatever the labels say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pipeline.extraction.page_roles import Role, RoledPage
from pipeline.extraction.values.names import same_person
from pipeline.mupdf.plain import Mark
from pipeline.mupdf.whole_file.copies import Copy, compared
from pipeline.pages.page_model import Source

#: Entries before the last one whose first page may be another copy of a page's form.
_BEFORE = 6
#: Pages before an unfilled copy of a form among which a filled one is looked for, and how much less ink it has.
_NEAR, _LESS_INK = 4, 0.7


@dataclass(slots=True)
class Group:
    """The pages of one entry."""

    pages: list[RoledPage] = field(default_factory=list)
    #: Whether the print of its pages leaves it open where it begins or ends.
    is_doubtful: bool = False

    @property
    def first(self) -> RoledPage:
        """Its first page that is neither instructions nor empty."""
        told = [p for p in self.pages if p.role not in (Role.INSTRUCTIONS, Role.BLANK_SHEET)]
        return (told or self.pages)[0]

    @property
    def blank(self) -> bool:
        """Whether all of its pages are without writing."""
        return all(p.role in (Role.BLANK_FORM, Role.INSTRUCTIONS, Role.BLANK_SHEET) for p in self.pages)

    @property
    def waits_for_essay(self) -> bool:
        """Whether it is a header sheet whose essay has not followed yet."""
        told = [p for p in self.pages if p.role not in (Role.INSTRUCTIONS, Role.BLANK_SHEET)]
        return bool(told) and all(p.header_only for p in told)

    @property
    def waits_for_header(self) -> bool:
        """Whether it is an essay page whose header sheet has not followed yet (pages in reverse order)."""
        told = [p for p in self.pages if p.role not in (Role.INSTRUCTIONS, Role.BLANK_SHEET)]
        return bool(told) and all(p.role is Role.ESSAY_PAGE for p in told)


def split(pages: Sequence[RoledPage]) -> list[Group]:
    """Return the entries of a file, in page order. All blank forms form one.

    Blank sheets and cover sheets belong to no entry, unless there is nothing but cover sheets.

    More pages at the end change no group but the last.
    """
    groups: list[Group] = []
    lead: list[RoledPage] = []
    begins = False
    for page in pages:
        begins = begins or page.page.mark == Mark.BEGINS
        if page.role in (Role.BLANK_SHEET, Role.COVER_SHEET):
            continue
        if page.role is Role.INSTRUCTIONS:
            (groups[-1].pages if groups else lead).append(page)
        elif groups and not (begins or _begins(page, groups[-1])):
            if (repeated := _repeated(page, groups)) is None:
                groups[-1].pages.append(page)
            else:
                doubtful = _is_doubtful(page, groups[-1], repeated)
                groups[-1].is_doubtful |= doubtful
                groups.append(Group([page], doubtful))
        else:
            groups.append(Group([*lead, page]))
            lead, begins = [], False
    if lead:
        groups.append(Group(lead))
    if not groups:
        covers = [page for page in pages if page.role is Role.COVER_SHEET]
        return [Group(covers)] if covers else []
    return _blank_as_one(groups)


def _begins(page: RoledPage, current: Group) -> bool:
    """Whether a page begins an entry of its own."""
    if not current.pages or current.first.role is Role.INSTRUCTIONS:
        return False
    if page.role is Role.CONTINUATION:
        return False
    if page.role is Role.ESSAY_PAGE:
        return not _takes_essay_page(current, page)
    if page.role is Role.HEADER and page.header_only and current.waits_for_header:
        return _other_entrant(current, page)
    if page.role is Role.HEADER and not page.is_form:
        return not (current.waits_for_essay or _same_entrant(current, page)) and _named(current)
    return True


def unfilled(pages: Sequence[RoledPage]) -> dict[int, Role]:
    """Return the roles of unfilled copies of forms that nobody knows, by their place among the pages of a file.

    They are no entry. Where there is as much ink as on a filled copy, there may be writing that nobody could read.
    """
    found: dict[int, Role] = {}
    for place in reversed(range(len(pages))):
        filled = _filled_copy(place, pages, found)
        if filled is not None:
            ink = pages[place].page.ink
            is_sure = ink == 0 or ink < _LESS_INK * filled.page.ink
            found[place] = Role.COVER_SHEET if is_sure else Role.BLANK_FORM
    return found


def _filled_copy(place: int, pages: Sequence[RoledPage], found: dict[int, Role]) -> RoledPage | None:
    """Return a page near to this one that is a filled copy of it, or None."""
    page = pages[place]
    if not page.print:
        return None
    after = next((other for at, other in enumerate(pages[place + 1 :], place + 1) if at not in found), None)
    if after is not None and copy_of(page, after) is Copy.FILLED:
        return after
    before = pages[max(0, place - _NEAR) : place]
    return next((other for other in reversed(before) if copy_of(other, page) is Copy.UNFILLED), None)


class _Repeated(NamedTuple):
    """The page of which another one is a copy."""

    page: RoledPage
    likeness: Copy


def _repeated(page: RoledPage, groups: Sequence[Group]) -> _Repeated | None:
    """Return what a page repeats of the current entry, or of the first pages of those before."""
    if not page.print:
        return None
    candidates = [*reversed(groups[-1].pages), *(group.first for group in reversed(groups[-1 - _BEFORE : -1]))]
    found = [_Repeated(other, copy_of(other, page)) for other in candidates]
    copies = [repeated for repeated in found if repeated.likeness in (Copy.SURE, Copy.FILLED, Copy.LIKELY)]
    return min(copies, key=lambda repeated: repeated.likeness is Copy.LIKELY, default=None)


def copy_of(one: RoledPage, other: RoledPage) -> Copy:
    """Return what the second page is to the first, by their print."""
    if not (one.print and other.print):
        return Copy.NONE
    return compared(one.print, other.print, Source.OCR in (one.page.source, other.page.source))


def _is_doubtful(page: RoledPage, current: Group, repeated: _Repeated) -> bool:
    """Whether a person has to look if an entry begins with this page, which repeats another one.

    It may be a second sheet of the same child where it gives no other name, though the first one is named. Where
    pages stand before the first copy, essays may come before their sheets.
    """
    first = Group([repeated.page])
    if repeated.likeness is Copy.LIKELY or (_named(first) and not _other_entrant(first, page)):
        return True
    is_within = any(other is repeated.page for other in current.pages)
    if is_within and current.first is not repeated.page:
        return True
    return current.is_doubtful and current.pages[-1] is not repeated.page


def _takes_essay_page(current: Group, page: RoledPage) -> bool:
    if any(p.role is Role.ESSAY_PAGE for p in current.pages):
        return False
    return current.waits_for_essay or _same_entrant(current, page)


def _named(group: Group) -> bool:
    return any(p.name and p.name.value for p in group.pages)


def _same_entrant(group: Group, page: RoledPage) -> bool:
    if not (page.name and page.name.value):
        return False
    return any(p.name and p.name.value and same_person(p.name.value, page.name.value) for p in group.pages)


def _other_entrant(group: Group, page: RoledPage) -> bool:
    """Whether both give a name, and not the same."""
    return _named(group) and bool(page.name and page.name.value) and not _same_entrant(group, page)


def _blank_as_one(groups: list[Group]) -> list[Group]:
    if groups and all(group.blank for group in groups):
        return [Group([page for group in groups for page in group.pages])]
    return groups
