"""Hand in files of a watched folder as a batch, and move them out of the way."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import select

from core.clock import utcnow
from core.errors import AppError, NotADocumentError
from core.log import get_logger
from core.messages import Message
from core.models import UploadBatch
from core.saying import say
from pipeline.files.content_type import content_type
from services.batches.said import SaidOfBatch
from services.context import Context
from services.messages.watching import WatchRefused
from services.uploads.submit_files import IncomingFile, submit_files
from services.watching.folder import REFUSED, TAKEN, FoundFile, WatchedFolder
from services.watching.journal import Journal

log = get_logger(__name__)

#: Bytes that one batch holds at most: all of it is in memory for a moment.
MOST_BYTES = 256 * 1024 * 1024
#: Seconds after which something that could not be done is tried again.
AGAIN = 30.0


@dataclass(frozen=True)
class Watch:
    """What a watcher works with."""

    context: Context
    folder: WatchedFolder
    journal: Journal
    person_id: uuid.UUID
    said: SaidOfBatch
    #: Files that could not be moved aside, and when to try again.
    put_off: dict[FoundFile, float]
    #: Tells who started it what became of which file. The log has no names of files: they may name children.
    tell: Callable[[str], None]
    #: Names of what lies in the folder and was told about, so that it is said once.
    told: set[str] = field(default_factory=set)

    def tell_once(self, name: str, sentence: str) -> None:
        """Say something of what lies in the folder under this name, unless something was said already."""
        if name not in self.told:
            self.told.add(name)
            self.tell(sentence)


def take_files(watch: Watch, files: Sequence[FoundFile]) -> uuid.UUID | None:
    """Hand in those of the files that are whole, as one batch, and move them; return its id, None without any.

    Files that can never be read are refused. Raises AppError, SQLAlchemyError or OSError if nothing could be
    handed in now, or if that is not known: the journal has the batch, and `move_taken` finds out.
    """
    taken: list[tuple[FoundFile, bytes]] = []
    for found in files:
        if sum(len(data) for _, data in taken) + found.size > MOST_BYTES and taken:
            break
        data = _whole(watch, found)
        if data is not None:
            taken.append((found, data))
    if not taken:
        return None
    batch_id, kept = uuid.uuid4(), [found for found, _ in taken]
    watch.journal.intend(batch_id, kept)
    submit_files(
        watch.context,
        watch.person_id,
        [IncomingFile(found.name, data) for found, data in taken],
        said=watch.said,
        new_id=batch_id,
    )
    log.info("files_taken", batch_id=str(batch_id), files=len(taken))
    watch.tell(f"Taken as upload {batch_id}: {', '.join(found.name for found in kept)}.")
    move_taken(watch)
    return batch_id


def move_taken(watch: Watch) -> None:
    """Move what the journal names: of batches that were recorded. What was not is forgotten, and is taken anew.

    A file that cannot be moved stays in the journal, so that it is not handed in again. Raises SQLAlchemyError,
    OSError.
    """
    day = watch.context.settings.office_day(utcnow())
    for batch_id, files in watch.journal.batches.items():
        left = []
        for found in files if _is_recorded(watch.context, batch_id) else ():
            try:
                if watch.folder.is_there(found):
                    watch.folder.move_taken(found, day)
            except OSError as exc:
                log.warning("file_not_moved", batch_id=str(batch_id), problem=exc.strerror)
                sentence = f"{found.name} was taken, but could not be moved to {TAKEN}/: {exc.strerror}."
                watch.tell_once(found.name, sentence)
                left.append(found)
        if left != files:
            watch.journal.keep(batch_id, left)


def refuse(watch: Watch, found: FoundFile, why: Message) -> None:
    """Move a file aside, with why; where that fails, as on a full disk, it stays and is tried later."""
    try:
        watch.folder.refuse(found, why)
        log.warning("file_refused", code=why.code)
        watch.tell(f"{found.name} was moved to {REFUSED}/: {say(why)}")
    except OSError as exc:
        watch.put_off[found] = time.monotonic() + AGAIN
        log.warning("file_not_moved", code=why.code, problem=exc.strerror)
        watch.tell(f"{found.name} could not be moved to {REFUSED}/: {exc.strerror}. It stays in the folder.")


def _whole(watch: Watch, found: FoundFile) -> bytes | None:
    """Return the bytes of a file to hand in; None for one that is refused, or that somebody still writes."""
    limit = watch.context.settings.max_upload_bytes
    if found.size > limit:
        refuse(watch, found, Message.of(WatchRefused.TOO_LARGE, limit=limit))
        return None
    try:
        data = watch.folder.read(found)
    except OSError as exc:
        if watch.folder.is_there(found):
            refuse(watch, found, Message.of(WatchRefused.UNREADABLE, technical=exc.strerror or type(exc).__name__))
        return None
    if data is None:
        return None
    try:
        content_type(data)
    except NotADocumentError:
        refuse(watch, found, Message.of(WatchRefused.NOT_A_DOCUMENT))
        return None
    except AppError:
        # Damaged or locked: that is for a person to see in the batch, who can type it in.
        pass
    return data


def _is_recorded(context: Context, batch_id: uuid.UUID) -> bool:
    with context.database.session() as session:
        return session.scalar(select(UploadBatch.id).where(UploadBatch.id == batch_id)) is not None
