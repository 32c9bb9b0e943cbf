"""Hand in files of a watched folder as a batch, and move them out of the way."""

from __future__ import annotations

import errno
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

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
from services.watching.folder import REFUSED, TAKEN, FoundFile, Listed, WatchedFolder
from services.watching.journal import Journal

log = get_logger(__name__)

#: Bytes that one batch holds at most: all of it is in memory for a moment.
MOST_BYTES = 256 * 1024 * 1024
#: Seconds after which something that could not be done is tried again.
AGAIN = 30.0
#: Seconds after which a file that its permissions keep closed is refused. Until then it may be one that another
#: program has open: some network file systems report that as missing permission.
CLOSED_FOR = 900.0
#: Seconds for which a file that was taken is looked after, as scanners add pages to what they have written.
GROWS_FOR = 900.0
_NO_PERMISSION = (errno.EACCES, errno.EPERM)


@dataclass
class Memory:
    """What a watcher knows of the files, for as long as it runs and they lie there."""

    #: Files that could not be opened or moved aside, and when to try again.
    put_off: dict[FoundFile, float] = field(default_factory=dict)
    #: Files that could not be opened, and since when.
    closed: dict[FoundFile, float] = field(default_factory=dict)
    #: Where in the folder files lie that were taken, and until when they are looked after.
    taken: dict[Path, tuple[FoundFile, float]] = field(default_factory=dict)
    #: Whether it is recorded that the folder is watched.
    placed: bool = False
    #: When those were looked at last.
    looked: float = float("-inf")
    #: What was told about which name, so that it is said once.
    told: set[tuple[str, str]] = field(default_factory=set)

    def keep(self, listed: Listed) -> None:
        """Forget files and names that are no longer in the folder."""
        names = {*listed.folders, *listed.unseen, *(one.name for one in listed.files)}
        self.told = {one for one in self.told if one[0] in names}
        there = set(listed.files)
        self.put_off = {one: until for one, until in self.put_off.items() if one in there}
        self.closed = {one: since for one, since in self.closed.items() if one in there}


@dataclass(frozen=True)
class Watch:
    """What a watcher works with in one round."""

    context: Context
    folder: WatchedFolder
    journal: Journal
    person_id: uuid.UUID
    said: SaidOfBatch
    #: Tells who started it what became of which file. The log has no names of files: they may name children.
    tell: Callable[[str], None]
    #: Seconds of a clock that only goes forward.
    now: float = 0.0
    memory: Memory = field(default_factory=Memory)

    def tell_once(self, name: str, subject: str, sentence: str) -> bool:
        """Say something of what lies there under this name, unless that was said before; tell if it was new."""
        if (name, subject) in self.memory.told:
            return False
        self.memory.told.add((name, subject))
        self.tell(sentence)
        return True


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
                    moved = watch.folder.move_taken(found, day)
                    watch.memory.taken[moved] = found, watch.now + GROWS_FOR
            except OSError as exc:
                sentence = f"{found.name} was taken, but could not be moved to {TAKEN}/: {exc.strerror}."
                if watch.tell_once(found.name, "not_moved", sentence):
                    log.warning("file_not_moved", batch_id=str(batch_id), problem=exc.strerror)
                left.append(found)
        if left != files:
            watch.journal.keep(batch_id, left)


def put_back_changed(watch: Watch) -> None:
    """Have files taken anew that were written into after they were taken: the pages that came later were not read.

    The later version is an entry of its own, which is found to be sent twice.
    """
    memory = watch.memory
    if watch.now - memory.looked < AGAIN:
        return
    memory.looked = watch.now
    for moved, (found, until) in list(memory.taken.items()):
        try:
            name = watch.folder.put_back_changed(moved, found)
        except OSError:
            continue
        if name is not None:
            log.info("taken_file_changed")
            watch.tell(f"{found.name} was written into after it was taken. It is taken again as {name}.")
        if name is not None or watch.now >= until:
            del memory.taken[moved]


def refuse(watch: Watch, found: FoundFile, why: Message) -> None:
    """Move a file aside, with why; where that fails, as on a full disk, it stays and is tried later."""
    try:
        watch.folder.refuse(found, why)
        log.warning("file_refused", code=why.code)
        watch.tell(f"{found.name} was moved to {REFUSED}/: {say(why)}")
    except OSError as exc:
        watch.memory.put_off[found] = watch.now + AGAIN
        sentence = f"{found.name} could not be moved to {REFUSED}/: {exc.strerror}. It stays in the folder."
        if watch.tell_once(found.name, "not_refused", sentence):
            log.warning("file_not_moved", code=why.code, problem=exc.strerror)


def _leave_closed(watch: Watch, found: FoundFile, problem: OSError) -> None:
    """Leave a file that cannot be opened now for later: another program has it, or the network folder is away.

    It is refused only if its permissions have kept it closed for long.
    """
    if problem.errno == errno.ENOENT:
        return
    why = problem.strerror or type(problem).__name__
    since = watch.memory.closed.setdefault(found, watch.now)
    if problem.errno in _NO_PERMISSION and watch.now - since >= CLOSED_FOR:
        refuse(watch, found, Message.of(WatchRefused.UNREADABLE, technical=why))
        return
    watch.memory.put_off[found] = watch.now + AGAIN
    sentence = f"{found.name} could not be opened: {why}. It stays in the folder and is tried again."
    if watch.tell_once(found.name, "closed", sentence):
        log.warning("file_not_opened", problem=problem.strerror)


def _whole(watch: Watch, found: FoundFile) -> bytes | None:
    """Return the bytes of a file to hand in; None for one that is refused, or that somebody still writes."""
    limit = watch.context.settings.max_upload_bytes
    if found.size > limit:
        refuse(watch, found, Message.of(WatchRefused.TOO_LARGE, limit=limit))
        return None
    try:
        data = watch.folder.read(found)
    except OSError as exc:
        _leave_closed(watch, found, exc)
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
