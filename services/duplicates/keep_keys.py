"""Keep what an entry is found by: its keys, and the maps of its pages."""

from __future__ import annotations

from sqlalchemy import ARRAY, BigInteger, bindparam, delete, insert, text
from sqlalchemy.orm import Session

from core.models import PageFingerprint, Submission
from services.duplicates.prepare import Prepared

_KEYS = bindparam("keys", type_=ARRAY(BigInteger))
_FORGET = text("delete from duplicate_keys where submission_id = :submission and key <> all (:keys)").bindparams(
    _KEYS
)
_ADD = text(
    "insert into duplicate_keys (season_id, key, submission_id)"
    " select :season, unnest(:keys), :submission on conflict do nothing"
).bindparams(_KEYS)


def keep_keys(session: Session, submission: Submission, prepared: Prepared) -> None:
    """Replace what the entry is found by."""
    parameters = {"submission": submission.id, "season": submission.season_id, "keys": prepared.keys}
    session.execute(_FORGET, parameters)
    session.execute(_ADD, parameters)
    session.execute(delete(PageFingerprint).where(PageFingerprint.submission_id == submission.id))
    if prepared.subject.pages:
        maps = enumerate(prepared.subject.pages, start=1)
        session.execute(
            insert(PageFingerprint),
            [{"submission_id": submission.id, "position": place, "ink": ink} for place, ink in maps],
        )
