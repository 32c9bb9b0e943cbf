"""Write the facts under which a run is counted, when the machine is done with it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.messages import Message
from core.models import Run, RunFact, School, SchoolAlias, Submission
from pipeline.extraction.values.text import plain
from services.stats.count import count_run


def note_run(
    session: Session,
    run: Run,
    submission: Submission,
    outcome: str,
    reason: Message,
    tools: Sequence[str],
    ocr_provider: str | None,
) -> None:
    """Write the facts of a run with which the machine is done, and count it; a second call changes nothing.

    `ocr_provider` is the one that recognised any of its pages, None if their text was taken as it is.
    """
    session.flush()
    written = session.scalar(
        insert(RunFact)
        .values(
            run_id=run.run_id,
            submission_id=submission.id,
            season_id=run.season_id,
            batch_id=submission.batch_id,
            outcome=outcome,
            reason=reason.code,
            fields=fields_named(reason),
            doubts=list(submission.review_reason_codes),
            tools=list(tools),
            profile=submission.profile,
            language=submission.language,
            ocr_provider=ocr_provider,
            school_id=_listed_school(session, submission),
        )
        .on_conflict_do_nothing()
        .returning(RunFact.run_id)
    )
    if written is not None:
        count_run(session, run.run_id)


def fields_named(reason: Message) -> list[str]:
    """Return the fields that a reason, or a reason within it, says are missing, weak or to be confirmed."""
    return list(dict.fromkeys(_fields_of(reason.params)))


def _fields_of(params: Any) -> list[str]:
    if isinstance(params, Message):
        return _fields_of(params.params)
    if isinstance(params, Mapping):
        named = params.get("fields")
        own = [str(name) for name in named] if isinstance(named, list | tuple) else []
        return own + [name for key, value in params.items() if key != "fields" for name in _fields_of(value)]
    if isinstance(params, list | tuple):
        return [name for value in params for name in _fields_of(value)]
    return []


def _listed_school(session: Session, submission: Submission) -> uuid.UUID | None:
    """Return the school of the season's list that the entry names, None if the list has no such name."""
    key = plain(submission.school_name or "")
    if not key:
        return None
    aliases = select(SchoolAlias.school_id).where(SchoolAlias.alias_key == key)
    return session.scalar(
        select(School.id)
        .where(School.season_id == submission.season_id, or_(School.name_key == key, School.id.in_(aliases)))
        .order_by(School.name_key != key, School.id)
        .limit(1)
    )
