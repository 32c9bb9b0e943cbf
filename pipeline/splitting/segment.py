"""Split a file into entries by the roles and outlines of its pages, and find doubtful splits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pipeline.extraction.page_roles import PageRole, RoledPage
from pipeline.extraction.values.names import same_person
from pipeline.mupdf.copies import Copy, compare_printed
from pipeline.mupdf.page_data import PageMark
from pipeline.pages.page_model import Source
from pipeline.splitting.outlines import PageOutline

# Find doubtful splits of a file into entries, which a person has to check.


#: Roles of pages without content of an entry.
_SILENT = (PageRole.INSTRUCTIONS, PageRole.BLANK_SHEET, PageRole.COVER_SHEET)


def doubtful_groups(groups: Sequence[Group], pages: Sequence[PageOutline]) -> set[int]:
    """Return the indices of the groups whose pages may belong to another, by the outlines of the file's pages."""
    by_number = {page.page_no: page for page in pages}
    spans = _spans(groups, pages)
    found = {place for place, group in enumerate(groups) if group.is_doubtful or _is_odd(group, by_number)}
    for place in range(len(groups)):
        found |= _fronts_before_backs(place, groups, spans, by_number)
        found |= _headers_before_essays(place, groups, spans)
        found |= _begun_unseen(place, groups, by_number)
    return found


def unsettled(groups: Sequence[Group], pages: Sequence[PageOutline]) -> int:
    """Return how many of the last groups later pages may make doubtful: fronts whose backs may follow."""
    by_number = {page.page_no: page for page in pages}
    run = 0
    for group in reversed(groups[:-1]):
        if len(_content_pages(group)) != 1:
            break
        run += 1
    fronts = groups[len(groups) - 1 - run : -1]
    pages_of_fronts = [by_number[_content_pages(group)[0]] for group in fronts]
    return run + 1 if any(page.runs_over or page.is_full for page in pages_of_fronts) else 0


def _content_pages(group: Group) -> list[int]:
    """Return the numbers of a group's pages that have content."""
    return [roled.page.number for roled in group.pages if roled.role not in _SILENT]


def _spans(groups: Sequence[Group], pages: Sequence[PageOutline]) -> list[int]:
    """Return for each group its number of pages, including blank ones but not cover sheets."""
    firsts = [group.first.page.number for group in groups]
    ends = [*firsts[1:], pages[-1].page_no + 1] if groups else []
    return [
        sum(
            first <= page.page_no < end and page.role not in (PageRole.COVER_SHEET, PageRole.INSTRUCTIONS)
            for page in pages
        )
        for first, end in zip(firsts, ends, strict=True)
    ]


def _is_odd(group: Group, by_number: dict[int, PageOutline]) -> bool:
    """Whether a group is a document without a header or with attachments, or has a cover sheet within."""
    content = _content_pages(group)
    if not content:
        return True
    first = by_number[content[0]]
    if first.mark == PageMark.CARRIES or (first.mark == PageMark.BEGINS and first.role is not PageRole.HEADER):
        return True
    between = range(content[0], content[-1])
    return any(number in by_number and by_number[number].role is PageRole.COVER_SHEET for number in between)


def _fronts_before_backs(
    place: int, groups: Sequence[Group], spans: Sequence[int], by_number: dict[int, PageOutline]
) -> set[int]:
    """Return the groups up to this one if they may be first pages, followed by all second pages.

    As many pages without a name follow as there are entries, or slightly fewer if empty backs were left out.
    """
    content = _content_pages(groups[place])
    backs = spans[place] - 1
    if backs < 1 or any(by_number[number].role is not PageRole.CONTINUATION for number in content[1:]):
        return set()
    begin = place
    while (
        begin > 0
        and spans[begin - 1] == 1
        and by_number[_content_pages(groups[begin - 1])[0]].role is PageRole.HEADER
    ):
        begin -= 1
    fronts = place - begin + 1
    if fronts < 2 or backs > fronts:
        return set()
    unfinished = [by_number[_content_pages(group)[0]] for group in groups[begin:place]]
    goes_on = any(page.runs_over for page in unfinished)
    goes_on = goes_on or (backs >= max(2, fronts // 2) and any(page.is_full for page in unfinished))
    return set(range(begin, place + 1)) if backs == fronts or goes_on else set()


def _headers_before_essays(place: int, groups: Sequence[Group], spans: Sequence[int]) -> set[int]:
    """Return the groups around this one if several header sheets come first and then their essays."""
    group = groups[place]
    if not any(roled.role is PageRole.ESSAY_PAGE and not _is_named(roled.name) for roled in group.pages[1:]):
        return set()
    begin, end = place, place + 1
    while begin > 0 and groups[begin - 1].waits_for_essay:
        begin -= 1
    while end < len(groups) and groups[end].waits_for_header:
        end += 1
    blanks = spans[place] - len(_content_pages(group))
    return set(range(begin, end)) if begin < place and (end > place + 1 or blanks > 0) else set()


def _begun_unseen(place: int, groups: Sequence[Group], by_number: dict[int, PageOutline]) -> set[int]:
    """Return the groups whose border is doubtful: this one, and maybe the one before.

    A later page has labels of a header but no name, or the name is at the foot of the group's first page, so that
    the page without a name before it may be another child's.
    """
    content = [by_number[number] for number in _content_pages(groups[place])]
    found = {place} if any(page.is_odd and page.role is PageRole.CONTINUATION for page in content[1:]) else set()
    if place > 0 and content and content[0].is_odd and content[0].role is PageRole.HEADER:
        before = _content_pages(groups[place - 1])
        if before and _may_go_on(by_number[before[-1]], len(before)):
            found |= {place - 1, place}
    return found


def _may_go_on(page: PageOutline, number: int) -> bool:
    """Whether the last page of a group may begin the next one, or the next one may continue the group."""
    is_nameless = number > 1 and page.role is PageRole.CONTINUATION
    return not page.is_odd and (is_nameless or page.runs_over or page.is_full)


def _is_named(name: object) -> bool:
    return bool(getattr(name, "value", None))


# Split a file into entries by page roles and by the print of unknown forms.
#
# An entry does not have two copies of a form: a page that repeats the print of another one, with other values,
# begins an entry, whatever its labels say.


#: Number of earlier entries whose first pages are compared with a page.
_BEFORE = 6
#: Pages before an unfilled copy of a form that are searched for a filled one, and its greatest share of the ink.
_NEAR, _LESS_INK = 4, 0.7


@dataclass(slots=True)
class Group:
    """The pages of one entry."""

    pages: list[RoledPage] = field(default_factory=list)
    #: Whether the print of its pages leaves its beginning or end in doubt.
    is_doubtful: bool = False

    @property
    def first(self) -> RoledPage:
        """Its first page that is neither instructions nor empty."""
        content = [p for p in self.pages if p.role not in (PageRole.INSTRUCTIONS, PageRole.BLANK_SHEET)]
        return (content or self.pages)[0]

    @property
    def blank(self) -> bool:
        """Whether all of its pages are without writing."""
        return all(
            p.role in (PageRole.BLANK_FORM, PageRole.INSTRUCTIONS, PageRole.BLANK_SHEET) for p in self.pages
        )

    @property
    def waits_for_essay(self) -> bool:
        """Whether it is a header sheet whose essay has not followed yet."""
        content = [p for p in self.pages if p.role not in (PageRole.INSTRUCTIONS, PageRole.BLANK_SHEET)]
        return bool(content) and all(p.header_only for p in content)

    @property
    def waits_for_header(self) -> bool:
        """Whether it is an essay page whose header sheet has not followed yet (pages in reverse order)."""
        content = [p for p in self.pages if p.role not in (PageRole.INSTRUCTIONS, PageRole.BLANK_SHEET)]
        return bool(content) and all(p.role is PageRole.ESSAY_PAGE for p in content)


def split(pages: Sequence[RoledPage]) -> list[Group]:
    """Return the entries of a file, in page order. All blank forms are one entry.

    Blank sheets and cover sheets belong to no entry, unless there are only cover sheets.

    More pages at the end change no group but the last.
    """
    groups: list[Group] = []
    lead: list[RoledPage] = []
    begins = False
    for page in pages:
        begins = begins or page.page.mark == PageMark.BEGINS
        if page.role in (PageRole.BLANK_SHEET, PageRole.COVER_SHEET):
            continue
        if page.role is PageRole.INSTRUCTIONS:
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
        covers = [page for page in pages if page.role is PageRole.COVER_SHEET]
        return [Group(covers)] if covers else []
    return _blank_as_one(groups)


def _begins(page: RoledPage, current: Group) -> bool:
    """Whether a page begins a new entry."""
    if not current.pages or current.first.role is PageRole.INSTRUCTIONS:
        return False
    if page.role is PageRole.CONTINUATION:
        return False
    if page.role is PageRole.ESSAY_PAGE:
        return not _takes_essay_page(current, page)
    if page.role is PageRole.HEADER and page.header_only and current.waits_for_header:
        return _other_entrant(current, page)
    if page.role is PageRole.HEADER and not page.is_form:
        return not (current.waits_for_essay or _same_entrant(current, page)) and _named(current)
    return True


def unfilled(pages: Sequence[RoledPage]) -> dict[int, PageRole]:
    """Return the roles of unfilled copies of unknown forms, by their index among the pages of a file.

    They are not entries, unless they have as much ink as a filled copy, which may be unread writing.
    """
    found: dict[int, PageRole] = {}
    for place in reversed(range(len(pages))):
        filled = _filled_copy(place, pages, found)
        if filled is not None:
            ink = pages[place].page.ink
            is_sure = ink == 0 or ink < _LESS_INK * filled.page.ink
            found[place] = PageRole.COVER_SHEET if is_sure else PageRole.BLANK_FORM
    return found


def _filled_copy(place: int, pages: Sequence[RoledPage], found: dict[int, PageRole]) -> RoledPage | None:
    """Return a page near this one that is a filled copy of it, or None."""
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
    """Return the page that a page repeats: of the current entry, or the first page of an earlier one."""
    if not page.print:
        return None
    candidates = [*reversed(groups[-1].pages), *(group.first for group in reversed(groups[-1 - _BEFORE : -1]))]
    found = [_Repeated(other, copy_of(other, page)) for other in candidates]
    copies = [repeated for repeated in found if repeated.likeness in (Copy.SURE, Copy.FILLED, Copy.LIKELY)]
    return min(copies, key=lambda repeated: repeated.likeness is Copy.LIKELY, default=None)


def copy_of(one: RoledPage, other: RoledPage) -> Copy:
    """Return the relation of the second page to the first, by their print."""
    if not (one.print and other.print):
        return Copy.NONE
    return compare_printed(one.print, other.print, Source.OCR in (one.page.source, other.page.source))


def _is_doubtful(page: RoledPage, current: Group, repeated: _Repeated) -> bool:
    """Whether a person has to check that an entry begins with this page, which repeats another one.

    It may be a second sheet of the same child if it gives no other name although the first one is named. If pages
    precede the first copy, essays may come before their sheets.
    """
    first = Group([repeated.page])
    if repeated.likeness is Copy.LIKELY or (_named(first) and not _other_entrant(first, page)):
        return True
    is_within = any(other is repeated.page for other in current.pages)
    if is_within and current.first is not repeated.page:
        return True
    return current.is_doubtful and current.pages[-1] is not repeated.page


def _takes_essay_page(current: Group, page: RoledPage) -> bool:
    if any(p.role is PageRole.ESSAY_PAGE for p in current.pages):
        return False
    return current.waits_for_essay or _same_entrant(current, page)


def _named(group: Group) -> bool:
    return any(p.name and p.name.value for p in group.pages)


def _same_entrant(group: Group, page: RoledPage) -> bool:
    if not (page.name and page.name.value):
        return False
    return any(p.name and p.name.value and same_person(p.name.value, page.name.value) for p in group.pages)


def _other_entrant(group: Group, page: RoledPage) -> bool:
    """Whether both give names, and the names differ."""
    return _named(group) and bool(page.name and page.name.value) and not _same_entrant(group, page)


def _blank_as_one(groups: list[Group]) -> list[Group]:
    if groups and all(group.blank for group in groups):
        return [Group([page for group in groups for page in group.pages])]
    return groups
