"""A person corrects the split of files into entries. The correction's row is the outbox of its work."""

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
from core.messages import Message
from core.models import SplitStatus, Upload, UploadSplit, UploadStatus
from services.context import Context
from services.messages.event import EventReason
from services.messages.refused import SplitRefused
from services.recovery.kinds import UPLOADS
from services.recovery.work import enqueue
from services.uploads.entries_seen import lock_entries, require_free, require_seen, require_standing
from services.uploads.live_entries import live_entries, placed_pages, standing_splits
from services.uploads.split_plan import (
    Changes,
    PlannedEntry,
    changes_of,
    entries_from_json,
    entries_to_json,
    require_sound,
)
from services.uploads.supersede import supersede

_LONGEST_NAME = 255


@dataclass(frozen=True)
class Resplit:
    """Result of a split correction."""

    split_id: uuid.UUID
    #: Ids of the new entries, which exist once the background work is done.
    submission_ids: list[uuid.UUID]
    #: Ids of the superseded entries.
    superseded: list[uuid.UUID]


def resplit_upload(
    context: Context,
    actor_id: uuid.UUID,
    upload_ids: Sequence[uuid.UUID],
    versions: Mapping[uuid.UUID, int],
    plan: Sequence[PlannedEntry],
) -> Resplit:
    """Divide the files' pages into the planned entries.

    `versions` has the version seen of each entry of these files. An entry whose pages are planned unchanged is
    kept. The others are superseded, and new ones are made in the background from a derived file. Pages in no
    planned entry are left out. Raises ConflictError if an entry concerned has changed since its version, HeldError
    if another person holds it, InvalidInputError for a plan that is invalid or changes nothing, and NotFoundError.
    """
    with context.database.session() as session:
        uploads = _lock_uploads(session, upload_ids)
        if len({upload.batch_id for upload in uploads}) > 1:
            raise InvalidInputError(SplitRefused.NOT_ONE_UPLOAD)
        split = _divide(session, context.settings, actor_id, uploads, versions, plan, EventReason.SPLIT_CORRECTED)
    if split.made_upload_id is not None:
        enqueue(context, UPLOADS, split.made_upload_id)
    ids = [key for key, _ in entries_from_json(split.plan)]
    return Resplit(split.id, ids, [uuid.UUID(stood["submission_id"]) for stood in split.superseded])


def join_submissions(
    session: Session,
    settings: Settings,
    actor_id: uuid.UUID,
    upload_ids: Sequence[uuid.UUID],
    ids: Sequence[uuid.UUID],
) -> uuid.UUID:
    """Replace entries of these files by one with all of their pages, in this order, in the caller's transaction.

    The other entries of the files stay. Returns the id of the derived file, which the caller queues. Raises as
    `resplit_upload` does; the files may be of several batches, of which the new entry is in the first one's.
    """
    uploads = _lock_uploads(session, upload_ids)
    live = {entry.submission_id: entry for entry in live_entries(session, upload_ids)}
    entries = lock_entries(session, ids)
    require_standing(session, ids)
    joined = PlannedEntry(tuple(page for key in ids for page in live[key].as_planned.pages))
    plan = [joined, *(entry.as_planned for key, entry in live.items() if key not in ids)]
    versions = {key: entry.version for key, entry in entries.items()}
    split = _divide(session, settings, actor_id, uploads, versions, plan, EventReason.JOINED)
    assert split.made_upload_id is not None
    return split.made_upload_id


def _divide(
    session: Session,
    settings: Settings,
    actor_id: uuid.UUID,
    uploads: Sequence[Upload],
    versions: Mapping[uuid.UUID, int],
    plan: Sequence[PlannedEntry],
    why: EventReason,
) -> UploadSplit:
    """Supersede what the plan changes of the locked files; write the correction and its derived file."""
    require_standing(session, versions)
    changes = _changes(session, settings, uploads, plan)
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
        plan=entries_to_json(changes.made, [uuid.uuid4() for _ in changes.made]),
        superseded=supersede(session, actor_id, entries, Message.of(why)),
        status=(SplitStatus.PENDING if changes.made else SplitStatus.DONE).value,
    )
    session.add(split)
    session.flush()
    if changes.made:
        made = _derived(split, uploads, changes)
        session.add(made)
        session.flush()
        split.made_upload_id = made.id
    return split


def _lock_uploads(session: Session, upload_ids: Sequence[uuid.UUID]) -> list[Upload]:
    """Lock the files, so that corrections of one file wait for each other; return them in the order given."""
    rows = session.scalars(
        select(Upload).where(Upload.id.in_(upload_ids)).order_by(Upload.id).with_for_update()
    ).all()
    found = {row.id: row for row in rows}
    if not upload_ids or len(found) != len(set(upload_ids)):
        raise NotFoundError("no such file")
    if any(row.status != UploadStatus.SPLIT.value for row in rows):
        raise InvalidInputError(SplitRefused.FILE_NOT_READ)
    return [found[upload_id] for upload_id in dict.fromkeys(upload_ids)]


def _changes(
    session: Session, settings: Settings, uploads: Sequence[Upload], plan: Sequence[PlannedEntry]
) -> Changes:
    ids = [upload.id for upload in uploads]
    taken = placed_pages(standing_splits(session, ids))
    require_sound(plan, {upload.id: upload.page_count or 0 for upload in uploads}, taken)
    changes = changes_of(live_entries(session, ids), plan)
    if not changes.any:
        raise InvalidInputError(SplitRefused.NOTHING_CHANGED)
    if sum(len(entry.pages) for entry in changes.made) > settings.max_pages:
        raise InvalidInputError(SplitRefused.TOO_MANY_PAGES_AT_ONCE, limit=settings.max_pages)
    return changes


def _derived(split: UploadSplit, uploads: Sequence[Upload], changes: Changes) -> Upload:
    """Return the row of the derived file; its bytes are written in the background."""
    used = {page.upload_id for entry in changes.made for page in entry.pages}
    sources = [upload for upload in uploads if upload.id in used]
    made_id = uuid.uuid4()
    return Upload(
        id=made_id,
        season_id=split.season_id,
        batch_id=split.batch_id,
        # The new entries keep their owner.
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
    """Return a file name made of the sources' names and a mark that it is a correction."""
    mark = " (corrected)"
    stems = [PurePosixPath(upload.original_filename).stem.removesuffix(mark) for upload in sources]
    return " + ".join(dict.fromkeys(stems))[: _LONGEST_NAME - len(mark) - 4] + mark + ".pdf"
