"""A person corrects where entries begin and end; the row of the correction is the outbox of its work."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.config import Settings
from core.errors import InvalidInputError, NotFoundError
from core.models import SplitStatus, Upload, UploadSplit, UploadStatus
from services.context import Context
from services.recovery.kinds import UPLOADS
from services.recovery.work import enqueue
from services.uploads.entries_seen import lock_entries, require_free, require_seen, require_standing
from services.uploads.live_entries import live_entries, placed_pages, standing_splits
from services.uploads.split_plan import Changes, PlannedEntry, changes_of, entries_to_json, require_sound
from services.uploads.supersede import supersede

#: Why entries are superseded, in their audit trail.
REASON = "The split of the file was corrected."
_LONGEST_NAME = 255


@dataclass(frozen=True)
class Resplit:
    """What a correction came to."""

    split_id: uuid.UUID
    #: The entries that are made; they are there once the work behind the correction is done.
    submission_ids: list[uuid.UUID]
    #: The entries that are superseded.
    superseded: list[uuid.UUID]


def resplit_upload(
    context: Context,
    actor_id: uuid.UUID,
    upload_ids: Sequence[uuid.UUID],
    versions: Mapping[uuid.UUID, int],
    plan: Sequence[PlannedEntry],
) -> Resplit:
    """Have the files' pages make up the planned entries, and no other.

    `versions`: the version seen of each entry of these files. An entry that is planned as it stands is left alone;
    the others are superseded, and new ones made of a file derived for them, in the background. Pages in no planned
    entry are left out. Raises ConflictError when an entry concerned has changed since it was seen, HeldError when
    somebody else has it open, InvalidInputError for a plan that cannot be carried out or changes nothing, and
    NotFoundError.
    """
    with context.database.session() as session:
        uploads = _lock_uploads(session, upload_ids)
        require_standing(session, versions)
        changes = _changes(session, context.settings, uploads, plan)
        locked = lock_entries(session, changes.superseded)
        entries = [locked[found] for found in changes.superseded]
        require_seen(session, entries, versions)
        require_free(session, actor_id, changes.superseded)
        split = UploadSplit(
            id=uuid.uuid4(),
            season_id=uploads[0].season_id,
            batch_id=uploads[0].batch_id,
            actor_id=actor_id,
            upload_ids=[upload.id for upload in uploads],
            plan=entries_to_json(changes.made, ids := [uuid.uuid4() for _ in changes.made]),
            superseded=supersede(session, actor_id, entries, REASON),
            status=(SplitStatus.PENDING if changes.made else SplitStatus.DONE).value,
        )
        session.add(split)
        session.flush()
        if changes.made:
            made = _derived(split, uploads, changes)
            session.add(made)
            session.flush()
            split.made_upload_id = made.id
    if split.made_upload_id is not None:
        enqueue(context, UPLOADS, split.made_upload_id)
    return Resplit(split.id, ids, changes.superseded)


def _lock_uploads(session: Session, upload_ids: Sequence[uuid.UUID]) -> list[Upload]:
    """The files in the order given; corrections of one file wait for each other."""
    rows = session.scalars(
        select(Upload).where(Upload.id.in_(upload_ids)).order_by(Upload.id).with_for_update()
    ).all()
    found = {row.id: row for row in rows}
    if not upload_ids or len(found) != len(set(upload_ids)):
        raise NotFoundError("no such file")
    if len({row.batch_id for row in rows}) > 1:
        raise InvalidInputError("these files are not of one upload")
    if any(row.status != UploadStatus.SPLIT.value for row in rows):
        raise InvalidInputError("one of these files has not been read, or its entries were superseded")
    return [found[upload_id] for upload_id in dict.fromkeys(upload_ids)]


def _changes(
    session: Session, settings: Settings, uploads: Sequence[Upload], plan: Sequence[PlannedEntry]
) -> Changes:
    ids = [upload.id for upload in uploads]
    taken = placed_pages(standing_splits(session, ids))
    require_sound(plan, {upload.id: upload.page_count or 0 for upload in uploads}, taken)
    changes = changes_of(live_entries(session, ids), plan)
    if not changes.any:
        raise InvalidInputError("nothing was changed")
    if sum(len(entry.pages) for entry in changes.made) > settings.max_pages:
        raise InvalidInputError(f"at most {settings.max_pages} pages can be split anew at a time")
    return changes


def _derived(split: UploadSplit, uploads: Sequence[Upload], changes: Changes) -> Upload:
    """The file that the planned pages are put into; its bytes come with the work in the background."""
    used = {page.upload_id for entry in changes.made for page in entry.pages}
    sources = [upload for upload in uploads if upload.id in used]
    made_id = uuid.uuid4()
    return Upload(
        id=made_id,
        season_id=split.season_id,
        batch_id=split.batch_id,
        # The entries stay with whom they belong to.
        uploaded_by=sources[0].uploaded_by,
        position=sources[0].position,
        original_filename=_name(sources),
        byte_size=0,
        sha256=hashlib.sha256(json.dumps(split.plan, sort_keys=True).encode()).hexdigest(),
        storage_key=f"derived/{split.season_id}/{made_id}.pdf",
        status=UploadStatus.STORED.value,
        split_id=split.id,
    )


def _name(sources: Sequence[Upload]) -> str:
    """The sources' names without their endings, and that it is a correction."""
    mark = " (corrected)"
    stems = [PurePosixPath(upload.original_filename).stem.removesuffix(mark) for upload in sources]
    return " + ".join(dict.fromkeys(stems))[: _LONGEST_NAME - len(mark) - 4] + mark + ".pdf"
