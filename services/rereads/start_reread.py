"""Have entries read anew to compare, after a form or a provider has changed."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Select, func, literal, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.errors import InvalidInputError
from core.models import Reread, RereadItem, Submission
from services.accounts.person import Person
from services.context import Context
from services.entries.edit_record import EDITABLE
from services.entries.submission_filter import SubmissionFilter
from services.messages.lists import ListRefused
from services.recovery.kinds import REREADS
from services.recovery.work import enqueue
from services.review.read_again import options_of
from services.seasons import current_season
from services.visibility import visible_to

#: Limit of entries that are read anew at one time.
MOST = 5_000


def start_reread(
    context: Context,
    person: Person,
    ids: Collection[uuid.UUID] = (),
    wanted: SubmissionFilter | None = None,
    options: Mapping[str, Any] | None = None,
) -> uuid.UUID:
    """Record it, have each entry read, and return its id: the entries with these ids, else those of the filter.

    Only entries that are settled or wait for a person are read anew. `options`: `ocr_provider`, `profile`.
    Raises InvalidInputError for an option that is not available, and for no entry or too many of them.
    """
    given = options_of(context.settings, "read_again", options)
    wanted = wanted or SubmissionFilter()
    with context.database.session() as session:
        reread = Reread(
            season_id=current_season(session).id,
            requested_by=person.id,
            # Words that were searched for may be a child's name.
            filter=None if ids else {name: one for name, one in wanted.to_json().items() if name != "text"},
            options=given,
        )
        session.add(reread)
        session.flush()
        found = _found(session, person, reread, ids, wanted)
        count = session.scalar(select(func.count()).select_from(found.subquery())) or 0
        if not count:
            raise InvalidInputError(ListRefused.NO_ENTRIES)
        if count > MOST:
            raise InvalidInputError(ListRefused.TOO_MANY_ANEW, limit=MOST, count=count)
        chosen = found.with_only_columns(func.gen_random_uuid(), literal(reread.id), Submission.id)
        items = insert(RereadItem).from_select(["id", "reread_id", "submission_id"], chosen)
        keys = session.scalars(items.returning(RereadItem.id)).all()
        reread.items_total = count
        reread_id = reread.id
    enqueue(context, REREADS, *keys)
    return reread_id


def _found(
    session: Session, person: Person, reread: Reread, ids: Collection[uuid.UUID], wanted: SubmissionFilter
) -> Select[uuid.UUID]:
    query = select(Submission.id).where(
        Submission.season_id == reread.season_id,
        visible_to(person, Submission.owner_user_id),
        Submission.status.in_(EDITABLE),
    )
    return query.where(Submission.id.in_(ids)) if ids else query.where(*wanted.conditions(session))
