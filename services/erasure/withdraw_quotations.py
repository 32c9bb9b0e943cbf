"""Take an essay out of the reports that were researched from it. The reports stay; the source is withdrawn."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Session
from sqlalchemy.types import String, TypeDecorator

from core.messages import Message
from core.models import (
    Base,
    LibraryPassage,
    Report,
    ReportCall,
    ReportClaim,
    ReportGap,
    ReportPassage,
    ReportRevision,
    ReportRound,
    ReportSource,
    ReportSupervision,
    ReportTask,
    ReportVersion,
    SubmissionField,
)
from pipeline.profiles.declared import text_fields
from research.readers.shown import shown
from services.erasure.scope import Scope
from services.erasure.word_runs import WITHDRAWN, WordRuns

#: Tables of a report in which a sentence of a source may stand, but for the passages.
_TABLES: tuple[type[Base], ...] = (
    Report,
    ReportRound,
    ReportTask,
    ReportGap,
    ReportClaim,
    ReportCall,
    ReportVersion,
    ReportSupervision,
    ReportRevision,
)


def withdraw_quotations(session: Session, scope: Scope) -> None:
    """Put "[withdrawn]" in place of what reports keep and quote of the essays; the citations stay listed."""
    sources = session.execute(
        select(ReportSource.report_id, ReportSource.key).where(
            ReportSource.library_document_id.in_(scope.documents)
        )
    ).all()
    if not sources:
        return
    runs = WordRuns(_texts(session, scope))
    for report_id in scope.reports:
        keys = {row.key for row in sources if row.report_id == report_id}
        for table in _TABLES:
            _rewrite(session, table, report_id, _Withdrawing(runs, keys))
        for key in keys:
            _empty_source(session, report_id, key)


def _texts(session: Session, scope: Scope) -> list[str]:
    """Return the texts of the entries, as they were read and as the library has them."""
    essays = session.scalars(
        select(SubmissionField.value).where(
            SubmissionField.submission_id.in_(scope.submissions),
            SubmissionField.name.in_(text_fields()),
            SubmissionField.value.is_not(None),
        )
    )
    passages = session.scalars(
        select(LibraryPassage.text)
        .where(LibraryPassage.document_id.in_(scope.documents))
        .order_by(LibraryPassage.document_id, LibraryPassage.position)
    )
    kept = session.scalars(
        select(ReportPassage.text)
        .join(
            ReportSource,
            (ReportSource.report_id == ReportPassage.report_id) & (ReportSource.key == ReportPassage.source_key),
        )
        .where(ReportSource.library_document_id.in_(scope.documents))
        .order_by(ReportPassage.report_id, ReportPassage.source_key, ReportPassage.position)
    )
    texts = [[str(essay) for essay in essays], list(passages), list(kept)]
    # Reports print what they quote without marks and numbers.
    return [" ".join(one(text) for text in of_one) for of_one in texts for one in (str, shown)]


class _Withdrawing:
    """What is put in place of the values of one report."""

    def __init__(self, runs: WordRuns, keys: set[str]) -> None:
        self._runs = runs
        self._keys = keys

    def value(self, given: Any) -> Any:
        """Return a value of a column, of any depth, without the copies in it."""
        if isinstance(given, str):
            return self._runs.without(given)
        if isinstance(given, list):
            return [self.value(one) for one in given]
        if isinstance(given, Message):
            return Message(given.code, self.value(dict(given.params)))
        if isinstance(given, dict):
            return {name: self.value(one) for name, one in self._reference(given).items()}
        return given

    def _reference(self, given: dict[str, Any]) -> dict[str, Any]:
        """Withdraw the title and the authors where this is an item of a list of references."""
        if given.get("key") not in self._keys or "title" not in given:
            return given
        return {**given, "title": WITHDRAWN, **({"authors": []} if "authors" in given else {})}


def _rewrite(session: Session, table: type[Base], report_id: uuid.UUID, withdrawing: _Withdrawing) -> None:
    of_report: Any = table.__mapper__.columns["id" if table is Report else "report_id"]
    names = _names(table)
    # No key is loaded that another worker waits for: the leases on all of it are ours.
    for row in session.scalars(select(table).where(of_report == report_id)):
        for name in names:
            before = getattr(row, name)
            after = withdrawing.value(before)
            if after != before:
                setattr(row, name, after)
    session.flush()


def _names(table: type[Base]) -> Sequence[str]:
    """Return the attributes of a table that hold text of any form and are no key."""
    return [
        attribute.key
        for attribute in table.__mapper__.column_attrs
        if _is_text(attribute.columns[0].type)
        and not attribute.columns[0].primary_key
        and not attribute.columns[0].foreign_keys
    ]


def _is_text(kind: Any) -> bool:
    if isinstance(kind, TypeDecorator):
        kind = kind.impl_instance
    return isinstance(kind, (JSONB, String, ARRAY))


def _empty_source(session: Session, report_id: uuid.UUID, key: str) -> None:
    """Leave one passage that says that the source is withdrawn, and let the claims quote that."""
    of_source = (ReportPassage.report_id == report_id, ReportPassage.source_key == key)
    session.execute(delete(ReportPassage).where(*of_source))
    session.add(
        ReportPassage(
            report_id=report_id, source_key=key, position=0, start_char=0, end_char=len(WITHDRAWN), text=WITHDRAWN
        )
    )
    session.execute(
        update(ReportSource)
        .where(ReportSource.report_id == report_id, ReportSource.key == key)
        .values(title=WITHDRAWN, authors=[], char_count=len(WITHDRAWN))
    )
    session.execute(
        update(ReportClaim)
        .where(ReportClaim.report_id == report_id, ReportClaim.source_key == key)
        .values(quote=WITHDRAWN, start_char=0, end_char=len(WITHDRAWN), page_no=None)
    )
