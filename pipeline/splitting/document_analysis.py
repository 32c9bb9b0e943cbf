"""The analysis of a file: its entries, each with its pages, and its structure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from pydantic import BaseModel, Field

from core.config import Settings
from pipeline.extraction.page_roles import PageRole, RoledPage
from pipeline.files.content_type import FileNote, codes_of
from pipeline.pages.page_model import PageContent
from pipeline.profiles import ANY_FORM, Forms, freeform_profile
from pipeline.reason_codes import ReasonCode
from pipeline.schema import DocClass, DocFormat, Structure
from pipeline.splitting.outlines import AnalysedPage, PageOutline, outlines_of
from pipeline.splitting.segment import Group, doubtful_groups, split, unfilled, unsettled


class Chunk(BaseModel):
    """One entry: a run of pages, both ends included, counted from 1."""

    index: int
    page_start: int
    page_end: int
    doc_class: DocClass
    profile: str
    #: One for each page from `page_start` to `page_end`.
    roles: list[PageRole] = Field(default_factory=list)
    #: Keys of the profiles that its pages may be matched with, see `read_page`; given by a person or the season.
    forms: Forms = ANY_FORM
    #: Keys of reasons, from the file's notes and the split, why the entry needs a person regardless of its values.
    doubts: list[str] = Field(default_factory=list)


class DocumentAnalysis(BaseModel):
    format: DocFormat
    structure: Structure
    doc_class: DocClass
    pages: list[AnalysedPage]
    chunks: list[Chunk]


def analyse_document(
    pages: Iterable[PageContent],
    settings: Settings,
    *,
    one_entry: bool = False,
    page_counts: Sequence[int] | None = None,
    notes: Sequence[FileNote] = (),
) -> DocumentAnalysis:
    """Classify each page and split the file into entries.

    `one_entry`: a person stated that the file is a single entry. `page_counts`: the number of pages of each
    entry as a person stated it; they add up to all pages. `notes`: what the file holds besides these pages.

    Only outlines of the pages are kept, so that an iterator over a long file does not fill the memory.
    """
    return analyse_outlines(outlines_of(pages), one_entry=one_entry, page_counts=page_counts, notes=notes)


def analyse_outlines(
    pages: Sequence[PageOutline],
    *,
    one_entry: bool = False,
    page_counts: Sequence[int] | None = None,
    whole: bool = True,
    notes: Sequence[FileNote] = (),
) -> DocumentAnalysis:
    """Split a file by the outlines of its pages; see `analyse_document`.

    If `whole` is false, more pages follow: the result has only chunks that no later page can change, and describes
    only these pages.
    """
    if page_counts is None and not one_entry:
        pages = _without_unfilled(pages)
    roled = [page.roled() for page in pages]
    if page_counts is not None:
        groups = _counted(roled, page_counts)
    else:
        groups = [Group(roled)] if one_entry and roled else split(roled)
    doc_format = _format(pages)
    settled = len(groups) if whole else len(groups) - max(1, unsettled(groups, pages))
    chunks = [_chunk(index, group, pages) for index, group in enumerate(groups[: max(settled, 0)])]
    doubts = set() if page_counts is not None or one_entry else doubtful_groups(groups, pages)
    for chunk in chunks:
        chunk.doubts = _doubts(chunk, pages, notes, chunk.index in doubts)
    return DocumentAnalysis(
        format=doc_format,
        structure=_structure(groups),
        doc_class=_file_class(chunks, doc_format),
        pages=list(pages),
        chunks=chunks,
    )


def _without_unfilled(pages: Sequence[PageOutline]) -> Sequence[PageOutline]:
    """Return the pages, with unfilled copies of a form that other pages have filled marked as no entry's."""
    roles = unfilled([page.roled() for page in pages])
    return [page.model_copy(update={"role": roles.get(at, page.role)}) for at, page in enumerate(pages)]


def _doubts(chunk: Chunk, pages: Sequence[PageOutline], notes: Sequence[FileNote], doubtful: bool) -> list[str]:
    codes = codes_of(notes)
    if doubtful:
        codes.append(ReasonCode.SPLIT_UNCERTAIN.value)
    if any(page.is_double for page in pages if chunk.page_start <= page.page_no <= chunk.page_end):
        codes.append(ReasonCode.MORE_IN_FILE.value)
    return list(dict.fromkeys(codes))


def _counted(roled: list[RoledPage], page_counts: Sequence[int]) -> list[Group]:
    ends = list(accumulate(page_counts))
    return [Group(roled[end - count : end]) for end, count in zip(ends, page_counts, strict=True)]


def _format(pages: Sequence[PageOutline]) -> DocFormat:
    kinds = {page.native for page in pages if page.source is not None or page.has_widgets}
    if kinds == {False}:
        return DocFormat.IMAGE_ONLY
    return DocFormat.HYBRID if len(kinds) == 2 else DocFormat.NATIVE_TEXT


def _structure(groups: list[Group]) -> Structure:
    if groups and all(g.blank for g in groups):
        return Structure.TEMPLATE
    return Structure.MULTI if len(groups) > 1 else Structure.SINGLE


def _chunk(index: int, group: Group, pages: Sequence[PageOutline]) -> Chunk:
    first, last = group.pages[0].page.number, group.pages[-1].page.number
    within = [page for page in pages if first <= page.page_no <= last]
    profile = next((p.profile for p in group.pages if p.profile), None) or freeform_profile()
    return Chunk(
        index=index,
        page_start=first,
        page_end=last,
        doc_class=_entry_class(within),
        profile=profile.key,
        roles=[page.role for page in within],
    )


def _entry_class(pages: Sequence[PageOutline]) -> DocClass:
    if len(pages) > 1:
        return DocClass.MULTI_PAGE_SINGLE
    return DocClass.SINGLE_TYPED if pages[0].native else DocClass.SINGLE_SCANNED


def _file_class(chunks: list[Chunk], doc_format: DocFormat) -> DocClass:
    if len(chunks) > 1:
        return DocClass.MULTI_ENTRY_PARENT if doc_format is DocFormat.NATIVE_TEXT else DocClass.BULK_SCANNED_BATCH
    return chunks[0].doc_class if chunks else DocClass.SINGLE_SCANNED
