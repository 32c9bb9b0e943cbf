"""A source of a report, with a quotation highlighted in the passage that contains it."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import quote

from sqlalchemy import and_, false, func, or_, select
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
    title: str
    authors: tuple[str, ...]
    year: int | None
    publisher: str | None
    url: str | None
    doi: str | None
    isbn: str | None
    #: "read", "failed", or "listed": a reference of an uploaded document that is known only by its list entry.
    status: str
    provider: str = ""
    domain: str = ""
    language: str | None = None
    #: None also if the document was removed from the library since.
    library_document_id: uuid.UUID | None = None
    #: Whether that document's pages can be shown as pictures.
    has_pictures: bool = False
    error_code: str | None = None
    #: None if it was never fetched.
    retrieved_at: datetime | None = None
    #: All claims that quote this source, in the order of its text.
    claims: tuple[ReportClaim, ...] = ()
    #: The requested claim.
    claim: ReportClaim | None = None
    excerpt: Excerpt | None = None
    page_no: int | None = None
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
    panel = next(iter(source_panels(context, report_id, [(key, claim_id)], around, revision_id)), None)
    if panel is None or (claim_id is not None and panel.claim is None):
        raise NotFoundError("no such source of this report, or no such claim of this source")
    return replace(panel, also=tuple(one for one in panel.claims if one.claim_id in also))


def source_panels(
    context: Context,
    report_id: uuid.UUID,
    wanted: Sequence[tuple[str, str | None]],
    around: int,
    revision_id: uuid.UUID | None = None,
) -> list[SourcePanel]:
    """Return the sources of `wanted`, pairs of key and claim, each with the passage around the claim's quotation.

    Sources that the report does not have are left out; a claim that the source does not have is None in its panel.
    """
    keys = {key for key, _ in wanted}
    with context.database.reading() as session:
        sources = _sources(session, report_id, keys)
        claims = _claims(session, report_id, keys, revision_id)
        shown = [_Shown(key, claims[key], claim_id, around) for key, claim_id in wanted]
        passages = _passages(session, report_id, [one for one in shown if one.key in sources])
        listed = _listed(session, report_id, keys - sources.keys())
    return [
        _panel(sources[one.key], one, [passage for passage in passages[one.key] if one.touches(passage)])
        if one.key in sources
        else listed[one.key]
        for one in shown
        if one.key in sources or one.key in listed
    ]


class _Shown:
    """What is shown of one source: a claim, and the place of its quotation in the source's text."""

    def __init__(self, key: str, claims: list[ReportClaim], claim_id: str | None, around: int) -> None:
        self.key, self.claims = key, claims
        self.claim = claim = next((one for one in claims if one.claim_id == claim_id), None)
        #: Start and end of the quotation; (0, 0) without one.
        self.start, self.end = 0, 0
        if claim is not None and claim.start_char is not None and claim.end_char is not None:
            self.start, self.end = claim.start_char, claim.end_char
        self.around = around if self.end else BEGINNING
        self.first, self.last = max(0, self.start - around), (self.end or BEGINNING) + around

    def touches(self, passage: Passage) -> bool:
        return passage.end_char > self.first and passage.start_char < self.last


def _panel(row: Any, shown: _Shown, passages: Sequence[Passage]) -> SourcePanel:
    claim = shown.claim
    return built(
        SourcePanel,
        row.ReportSource,
        authors=tuple(row.ReportSource.authors),
        library_document_id=row.document_id,
        has_pictures=row.content_type == "application/pdf",
        claims=tuple(shown.claims),
        claim=claim,
        excerpt=excerpt_of(passages, shown.start, shown.end, row.length or 0, shown.around),
        page_no=claim.page_no if claim and claim.page_no else _page_at(passages, shown.start),
        also=(),
    )


def _listed(session: Session, report_id: uuid.UUID, keys: Collection[str]) -> dict[str, SourcePanel]:
    """Return sources that were never read, from the references of the report's newest version, by key."""
    found = load_version(session, report_id, None) if keys else None
    references = found[1].references if found else ()
    return {
        entry.key: SourcePanel(
            report_id=report_id,
            key=entry.key,
            kind=entry.kind,
            title=entry.as_written or entry.title,
            authors=() if entry.as_written else entry.authors,
            year=None if entry.as_written else entry.year,
            publisher=None if entry.as_written else entry.publisher,
            url=entry.url,
            doi=entry.doi,
            isbn=entry.isbn,
            status="listed",
        )
        for entry in references
        if entry.key in keys
    }


def _sources(session: Session, report_id: uuid.UUID, keys: Collection[str]) -> dict[str, Any]:
    """Return rows of sources by key, with the length of their text and what is in the library of them."""
    length = select(func.max(ReportPassage.end_char)).where(
        ReportPassage.report_id == ReportSource.report_id, ReportPassage.source_key == ReportSource.key
    )
    in_library = LibraryDocument.id == ReportSource.library_document_id
    rows = session.execute(
        select(
            ReportSource,
            length.scalar_subquery().label("length"),
            LibraryDocument.id.label("document_id"),
            LibraryDocument.content_type,
        )
        .outerjoin(LibraryDocument, and_(in_library, LibraryDocument.status != LibraryStatus.REMOVED))
        .where(ReportSource.report_id == report_id, ReportSource.key.in_(keys))
    )
    return {row.ReportSource.key: row for row in rows}


def _claims(
    session: Session, report_id: uuid.UUID, keys: Collection[str], revision_id: uuid.UUID | None
) -> defaultdict[str | None, list[ReportClaim]]:
    """Return the claims by source, after them those of a revision that has not become a version."""
    query = select(ReportClaim).where(ReportClaim.report_id == report_id, ReportClaim.source_key.in_(keys))
    claims = list(session.scalars(query.order_by(ReportClaim.start_char, ReportClaim.claim_id)))
    if revision_id is not None:
        revision = select(ReportRevision.claims).where(
            ReportRevision.id == revision_id,
            ReportRevision.report_id == report_id,
            ReportRevision.made_version.is_(None),
        )
        claims += [ReportClaim(**claim) for claim in session.scalar(revision) or ()]
    found = defaultdict[str | None, list[ReportClaim]](list)
    for claim in claims:
        found[claim.source_key].append(claim)
    return found


def _passages(session: Session, report_id: uuid.UUID, shown: Collection[_Shown]) -> dict[str, list[Passage]]:
    """Return the passages that any of these touch, by source."""
    touched = (
        and_(
            ReportPassage.source_key == one.key,
            ReportPassage.end_char > one.first,
            ReportPassage.start_char < one.last,
        )
        for one in shown
    )
    rows = session.execute(
        select(
            ReportPassage.source_key,
            ReportPassage.text,
            ReportPassage.start_char,
            ReportPassage.end_char,
            ReportPassage.page_no,
        )
        .where(ReportPassage.report_id == report_id, or_(false(), *touched))
        .order_by(ReportPassage.position)
    )
    found: dict[str, list[Passage]] = {one.key: [] for one in shown}
    for row in rows:
        found[row.source_key].append(Passage(row.text, row.start_char, row.end_char, row.page_no))
    return found


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
