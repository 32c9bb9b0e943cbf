"""Where the split of a file into entries is doubtful, so that a person has to look."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.extraction.page_roles import Role
from pipeline.mupdf.plain import Mark
from pipeline.records.outlines import PageOutline
from pipeline.segment import Group

#: Pages with nothing to be read of an entry.
_SILENT = (Role.INSTRUCTIONS, Role.BLANK_SHEET, Role.COVER_SHEET)


def doubtful(groups: Sequence[Group], pages: Sequence[PageOutline]) -> set[int]:
    """Return the places of the groups whose pages may belong to another, by the outlines of the file's pages."""
    by_number = {page.page_no: page for page in pages}
    spans = _spans(groups, pages)
    found = {place for place, group in enumerate(groups) if group.is_doubtful or _is_odd(group, by_number)}
    for place in range(len(groups)):
        found |= _fronts_before_backs(place, groups, spans, by_number)
        found |= _headers_before_essays(place, groups, spans)
        found |= _begun_unseen(place, groups, by_number)
    return found


def unsettled(groups: Sequence[Group], pages: Sequence[PageOutline]) -> int:
    """Return the number of the last groups that later pages may make doubtful: fronts whose backs may follow."""
    by_number = {page.page_no: page for page in pages}
    run = 0
    for group in reversed(groups[:-1]):
        if len(_told(group)) != 1:
            break
        run += 1
    fronts = groups[len(groups) - 1 - run : -1]
    pages_of_fronts = [by_number[_told(group)[0]] for group in fronts]
    return run + 1 if any(page.runs_over or page.is_full for page in pages_of_fronts) else 0


def _told(group: Group) -> list[int]:
    """Return the numbers of a group's pages that say something."""
    return [roled.page.number for roled in group.pages if roled.role not in _SILENT]


def _spans(groups: Sequence[Group], pages: Sequence[PageOutline]) -> list[int]:
    """Return for each group the number of pages from its first on, blank ones included, cover sheets not."""
    firsts = [group.first.page.number for group in groups]
    ends = [*firsts[1:], pages[-1].page_no + 1] if groups else []
    return [
        sum(
            first <= page.page_no < end and page.role not in (Role.COVER_SHEET, Role.INSTRUCTIONS)
            for page in pages
        )
        for first, end in zip(firsts, ends, strict=True)
    ]


def _is_odd(group: Group, by_number: dict[int, PageOutline]) -> bool:
    """Whether a group is a document without a header, or one with others attached, or has a cover sheet within."""
    told = _told(group)
    if not told:
        return True
    first = by_number[told[0]]
    if first.mark == Mark.CARRIES or (first.mark == Mark.BEGINS and first.role is not Role.HEADER):
        return True
    between = range(told[0], told[-1])
    return any(number in by_number and by_number[number].role is Role.COVER_SHEET for number in between)


def _fronts_before_backs(
    place: int, groups: Sequence[Group], spans: Sequence[int], by_number: dict[int, PageOutline]
) -> set[int]:
    """Return the groups up to this one if they may be first pages, which the second ones follow all at once.

    As many pages without a name follow as there are entries, or so many that empty backs were left out.
    """
    told = _told(groups[place])
    backs = spans[place] - 1
    if backs < 1 or any(by_number[number].role is not Role.CONTINUATION for number in told[1:]):
        return set()
    begin = place
    while begin > 0 and spans[begin - 1] == 1 and by_number[_told(groups[begin - 1])[0]].role is Role.HEADER:
        begin -= 1
    fronts = place - begin + 1
    if fronts < 2 or backs > fronts:
        return set()
    unfinished = [by_number[_told(group)[0]] for group in groups[begin:place]]
    goes_on = any(page.runs_over for page in unfinished)
    goes_on = goes_on or (backs >= max(2, fronts // 2) and any(page.is_full for page in unfinished))
    return set(range(begin, place + 1)) if backs == fronts or goes_on else set()


def _headers_before_essays(place: int, groups: Sequence[Group], spans: Sequence[int]) -> set[int]:
    """Return the groups around this one if several header sheets come first and then their essays."""
    group = groups[place]
    if not any(roled.role is Role.ESSAY_PAGE and not _is_named(roled.name) for roled in group.pages[1:]):
        return set()
    begin, end = place, place + 1
    while begin > 0 and groups[begin - 1].waits_for_essay:
        begin -= 1
    while end < len(groups) and groups[end].waits_for_header:
        end += 1
    blanks = spans[place] - len(_told(group))
    return set(range(begin, end)) if begin < place and (end > place + 1 or blanks > 0) else set()


def _begun_unseen(place: int, groups: Sequence[Group], by_number: dict[int, PageOutline]) -> set[int]:
    """Return the groups between which the border may be another one: this one, and maybe the one before.

    A later page has labels of a header but no name, or the name stands at the foot of the group's first page, so
    that the page without a name before it may be another child's.
    """
    told = [by_number[number] for number in _told(groups[place])]
    found = {place} if any(page.is_odd and page.role is Role.CONTINUATION for page in told[1:]) else set()
    if place > 0 and told and told[0].is_odd and told[0].role is Role.HEADER:
        before = _told(groups[place - 1])
        if before and _may_go_on(by_number[before[-1]], len(before)):
            found |= {place - 1, place}
    return found


def _may_go_on(page: PageOutline, number: int) -> bool:
    """Whether the last of so many pages of a group may be the first of what follows, or that its rest."""
    is_nameless = number > 1 and page.role is Role.CONTINUATION
    return not page.is_odd and (is_nameless or page.runs_over or page.is_full)


def _is_named(name: object) -> bool:
    return bool(getattr(name, "value", None))
