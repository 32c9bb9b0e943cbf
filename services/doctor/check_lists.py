"""Lists that are empty although the product leans on them."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from core.models import LibraryDocument, LibraryStatus, School, Season
from services.context import Context
from services.doctor.findings import DoctorCode, Finding, doubtful


def check_lists(context: Context) -> Iterator[Finding]:
    """Yield whether the school list of the season or the library is empty."""
    schools = select(School.id).join(Season, Season.id == School.season_id).where(Season.is_current).limit(1)
    documents = select(LibraryDocument.id).where(LibraryDocument.status == LibraryStatus.READY.value).limit(1)
    try:
        with context.database.session() as session:
            no_schools = session.scalar(schools) is None
            no_documents = session.scalar(documents) is None
    except SQLAlchemyError:
        # Said by the try of the database.
        return
    if no_schools:
        yield doubtful(DoctorCode.NO_SCHOOLS)
    if no_documents:
        yield doubtful(DoctorCode.NO_DOCUMENTS)
