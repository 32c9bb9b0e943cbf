"""Analysis of a file: its pages and the entries that it holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from pydantic import BaseModel, Field

from core.config import Settings
from pipeline.extraction.page_roles import Role, RoledPage, each_role
from pipeline.pages.page_model import PageContent, Source
from pipeline.profiles import freeform_profile
from pipeline.schema import DocClass, DocFormat, Structure
from pipeline.segment import Group, split


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


class Chunk(BaseModel):
    """One entry: a run of pages, both ends included, counted from 1."""

    index: int
    page_start: int
    page_end: int
    doc_class: DocClass
    profile: str
    #: One for each page from `page_start` to `page_end`.
    roles: list[Role] = Field(default_factory=list)
    #: The profile that a person chose for a repeated reading, used instead of the best match.
    read_as: str | None = None


class DocumentAnalysis(BaseModel):
    """Analysis of a whole file."""

    format: DocFormat
    structure: Structure
    doc_class: DocClass
    pages: list[PageRole]
    chunks: list[Chunk]


def analyse_document(
    pages: Iterable[PageContent],
    settings: Settings,
    *,
    one_entry: bool = False,
    page_counts: Sequence[int] | None = None,
) -> DocumentAnalysis:
    """Classify each page and split the file into entries.

    `one_entry`: a person stated that the file is a single entry. `page_counts`: the number of pages of each
    entry as a person stated it; they add up to all pages.

    Of pages that come from an iterator only the roles are kept, so that a long file does not fill the memory.
    """
    roled = [page.outline() for page in each_role(pages)]
    if page_counts is not None:
        groups = _counted(roled, page_counts)
    else:
        groups = [Group(roled)] if one_entry and roled else split(roled)
    doc_format = _format([page.page for page in roled])
    chunks = [_chunk(index, group, roled) for index, group in enumerate(groups)]
    return DocumentAnalysis(
        format=doc_format,
        structure=_structure(groups),
        doc_class=_file_class(chunks, doc_format),
        pages=[_page_role(p) for p in roled],
        chunks=chunks,
    )


def _counted(roled: list[RoledPage], page_counts: Sequence[int]) -> list[Group]:
    ends = list(accumulate(page_counts))
    return [Group(roled[end - count : end]) for end, count in zip(ends, page_counts, strict=True)]


def _page_role(roled: RoledPage) -> PageRole:
    page = roled.page
    return PageRole(
        page_no=page.number,
        role=roled.role,
        profile=roled.profile.key if roled.profile else None,
        width=page.width,
        height=page.height,
        source=page.source,
        distrust=page.distrust,
        ocr_confidence=page.ocr_confidence,
    )


def _is_native(page: PageContent) -> bool:
    return page.source is not Source.OCR or any(w.value for w in page.widgets)


def _format(pages: Sequence[PageContent]) -> DocFormat:
    kinds = {_is_native(p) for p in pages if p.source is not None or p.widgets}
    if kinds == {False}:
        return DocFormat.IMAGE_ONLY
    return DocFormat.HYBRID if len(kinds) == 2 else DocFormat.NATIVE_TEXT


def _structure(groups: list[Group]) -> Structure:
    if groups and all(g.blank for g in groups):
        return Structure.TEMPLATE
    return Structure.MULTI if len(groups) > 1 else Structure.SINGLE


def _chunk(index: int, group: Group, roled: list[RoledPage]) -> Chunk:
    first, last = group.pages[0].page.number, group.pages[-1].page.number
    within = [p for p in roled if first <= p.page.number <= last]
    profile = next((p.profile for p in group.pages if p.profile), None) or freeform_profile()
    return Chunk(
        index=index,
        page_start=first,
        page_end=last,
        doc_class=_entry_class([p.page for p in within]),
        profile=profile.key,
        roles=[p.role for p in within],
    )


def _entry_class(pages: list[PageContent]) -> DocClass:
    if len(pages) > 1:
        return DocClass.MULTI_PAGE_SINGLE
    return DocClass.SINGLE_TYPED if _is_native(pages[0]) else DocClass.SINGLE_SCANNED


def _file_class(chunks: list[Chunk], doc_format: DocFormat) -> DocClass:
    if len(chunks) > 1:
        return DocClass.MULTI_ENTRY_PARENT if doc_format is DocFormat.NATIVE_TEXT else DocClass.BULK_SCANNED_BATCH
    return chunks[0].doc_class if chunks else DocClass.SINGLE_SCANNED
