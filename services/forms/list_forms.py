"""The forms of the database with their versions."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from core.models import FormProfile, FormStatus, Submission
from services.context import Context
from services.forms.form_version import FormVersion, shown


@dataclass(frozen=True)
class ListedForm:
    """One form."""

    key: str
    #: Newest first; never empty.
    versions: tuple[FormVersion, ...]
    #: Entries that were read with it, whichever version.
    submissions: int

    @property
    def active(self) -> FormVersion | None:
        """The version in use; None for a form that is retired or a draft alone."""
        return next((one for one in self.versions if one.status is FormStatus.ACTIVE), None)

    @property
    def label(self) -> str:
        """The name of the version in use, else of the newest."""
        return (self.active or self.versions[0]).label


def list_forms(context: Context) -> list[ListedForm]:
    """Return the forms of the database, those changed last first; the forms of the files are none of them."""
    with context.database.session() as session:
        rows = session.scalars(select(FormProfile).order_by(FormProfile.version.desc())).all()
        keys = sorted({row.key for row in rows}, key=lambda key: max(r.status_at for r in rows if r.key == key))
        counts = session.execute(
            select(Submission.profile, func.count())
            .where(Submission.profile.in_(keys))
            .group_by(Submission.profile)
        )
        counted = {row[0]: row[1] for row in counts}
        return [
            ListedForm(key, tuple(shown(session, row) for row in rows if row.key == key), counted.get(key, 0))
            for key in reversed(keys)
        ]
