"""A source of a report, with a quotation highlighted in the passage that contains it."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.errors import NotFoundError
from core.models import LibraryDocument, LibraryStatus, ReportClaim, ReportPassage, ReportRevision, ReportSource
from core.plain_data import built
from research.sources.base import Passage
from services.context import Context
from services.reports.versions import load_version

#: Characters shown on either side of a quotation.
AROUND = 900
#: Characters shown of a source if no quotation is requested.
BEGINNING = 3000


@dataclass(frozen=True)
class Excerpt:
    """An extract of the source's text; `lit` is the quotation."""

    before: str
    lit: str
    after: str
    #: Whether there is more of the source on that side.
    more_before: bool
    more_after: bool


@dataclass(frozen=True)
class SourcePanel:
    """The data shown to a reader who follows a citation marker."""

    report_id: uuid.UUID
    key: str
    kind: str
    provider: str
    title: str
    authors: tuple[str, ...]
    year: int | None
    publisher: str | None
    domain: str
    url: str | None
    doi: str | None
    isbn: str | None
    language: str | None
    #: None also if the document was removed from the library since.
    library_document_id: uuid.UUID | None
    #: Whether that document's pages can be shown as pictures.
    has_pictures: bool
    #: "read", "failed", or "listed": a reference of an uploaded document that is known only by its list entry.
    status: str
    error_code: str | None
    char_count: int
    #: None if it was never fetched.
    retrieved_at: datetime | None
    #: All claims that quote this source, in the order of its text.
    claims: tuple[ReportClaim, ...]
    #: The requested claim.
    claim: ReportClaim | None
    excerpt: Excerpt | None
    page_no: int | None
    #: Other claims of the same marker.
    also: tuple[ReportClaim, ...] = ()

    @property
    def web_address(self) -> str | None:
        """The http or https address of the source, else the address of its DOI."""
        if self.url and self.url.lower().startswith(("http://", "https://")):
            return self.url
        return f"https://doi.org/{quote(self.doi)}" if self.doi else None


def source_panel(
    context: Context,
    report_id: uuid.UUID,
    key: str,
    claim_id: str | None = None,
    around: int = AROUND,
    revision_id: uuid.UUID | None = None,
    also: Sequence[str] = (),
) -> SourcePanel:
    """Return one source of a report, with the passage around a claim's quotation.

    `around` is in characters. `also`: ids of further claims whose quotations are also given. With `revision_id`
    the claims of that proposed revision are included. Raises NotFoundError if the report has no such source, or
    the source no such claim.
    """
    with context.database.session() as session:
        source = session.get(ReportSource, (report_id, key))
        if source is None:
            return _listed(session, report_id, key, claim_id)
        rows = _claims(session, report_id, key) + _proposed(session, report_id, key, revision_id)
        asked = next((row for row in rows if row.claim_id == claim_id), None)
        if claim_id is not None and asked is None:
            raise NotFoundError("no such claim of this source")
        start, end = _place(asked)
        passages = _passages(session, report_id, key, start - around, (end or BEGINNING) + around)
        length = _length(session, report_id, key)
        content_type = _library_type(session, source.library_document_id)
    excerpt = excerpt_of(passages, start, end, length, around if end else BEGINNING)
    page_no = asked.page_no if asked and asked.page_no else _page_at(passages, start)
    return built(
        SourcePanel,
        source,
        authors=tuple(source.authors),
        library_document_id=None if content_type is None else source.library_document_id,
        has_pictures=content_type == "application/pdf",
        claims=tuple(rows),
        claim=asked,
        excerpt=excerpt,
        page_no=page_no,
        also=tuple(row for row in rows if row.claim_id in also),
    )


def _listed(session: Session, report_id: uuid.UUID, key: str, claim_id: str | None) -> SourcePanel:
    """Return a source that was never read, from the references of the report's newest version."""
    found = load_version(session, report_id, None)
    entry = next((one for one in found[1].references if one.key == key), None) if found else None
    if entry is None or claim_id is not None:
        raise NotFoundError("no such source of this report")
    return SourcePanel(
        report_id=report_id,
        key=key,
        kind=entry.kind,
        provider="",
        title=entry.as_written or entry.title,
        authors=() if entry.as_written else entry.authors,
        year=None if entry.as_written else entry.year,
        publisher=None if entry.as_written else entry.publisher,
        domain="",
        url=entry.url,
        doi=entry.doi,
        isbn=entry.isbn,
        language=None,
        library_document_id=None,
        has_pictures=False,
        status="listed",
        error_code=None,
        char_count=0,
        retrieved_at=None,
        claims=(),
        claim=None,
        excerpt=None,
        page_no=None,
    )


def _library_type(session: Session, document_id: uuid.UUID | None) -> str | None:
    """Return the content type of a library document, "" if unknown; None if it is not in the library."""
    document = session.get(LibraryDocument, document_id) if document_id else None
    if document is None or document.status == LibraryStatus.REMOVED:
        return None
    return document.content_type or ""


def _claims(session: Session, report_id: uuid.UUID, key: str) -> list[ReportClaim]:
    query = select(ReportClaim).where(ReportClaim.report_id == report_id, ReportClaim.source_key == key)
    return list(session.scalars(query.order_by(ReportClaim.start_char, ReportClaim.claim_id)))


def _proposed(
    session: Session, report_id: uuid.UUID, key: str, revision_id: uuid.UUID | None
) -> list[ReportClaim]:
    """Return the claims of a revision that has not become a version; those of versions are in `report_claims`."""
    revision = session.get(ReportRevision, revision_id) if revision_id else None
    if revision is None or revision.report_id != report_id or revision.made_version is not None:
        return []
    return [ReportClaim(**claim) for claim in revision.claims if claim["source_key"] == key]


def _place(claim: ReportClaim | None) -> tuple[int, int]:
    """Return the start and end of the quotation in the source's text; (0, 0) without one."""
    if claim is None or claim.start_char is None or claim.end_char is None:
        return 0, 0
    return claim.start_char, claim.end_char


def _passages(session: Session, report_id: uuid.UUID, key: str, start: int, end: int) -> list[Passage]:
    rows = session.execute(
        select(ReportPassage.text, ReportPassage.start_char, ReportPassage.end_char, ReportPassage.page_no)
        .where(
            ReportPassage.report_id == report_id,
            ReportPassage.source_key == key,
            ReportPassage.end_char > max(0, start),
            ReportPassage.start_char < end,
        )
        .order_by(ReportPassage.position)
    )
    return [Passage(*row) for row in rows]


def _length(session: Session, report_id: uuid.UUID, key: str) -> int:
    query = select(func.max(ReportPassage.end_char)).where(
        ReportPassage.report_id == report_id, ReportPassage.source_key == key
    )
    return session.scalar(query) or 0


def excerpt_of(passages: Sequence[Passage], start: int, end: int, length: int, around: int) -> Excerpt | None:
    """Return `start:end` with `around` characters on either side, cut between words; None without passages."""
    if not passages:
        return None
    text, offset = "".join(passage.text for passage in passages), passages[0].start_char
    first, last = max(start - around, offset), min(end + around, offset + len(text))
    before, after = text[first - offset : start - offset], text[end - offset : last - offset]
    if first > 0:
        before = before[before.find(" ") + 1 :] if " " in before else before
    if last < length:
        after = after[: after.rfind(" ")] if " " in after else after
    return Excerpt(before, text[start - offset : end - offset], after, first > 0, last < length)


def _page_at(passages: Sequence[Passage], start: int) -> int | None:
    return next((one.page_no for one in passages if one.start_char <= start < one.end_char), None)
