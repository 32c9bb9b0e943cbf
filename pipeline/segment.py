"""Split a file into entries, by page roles alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.extraction.page_roles import Role, RoledPage
from pipeline.extraction.values.names import same_person
from pipeline.mupdf.plain import Mark


@dataclass(slots=True)
class Group:
    """The pages of one entry."""

    pages: list[RoledPage] = field(default_factory=list)

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
            groups[-1].pages.append(page)
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
