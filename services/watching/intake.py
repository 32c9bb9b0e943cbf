"""Take files out of a watched folder once they are complete."""

from __future__ import annotations

import errno
import json
import os
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import select

from core.clock import utcnow
from core.errors import AppError, InvalidInputError, NotADocumentError
from core.folders import file_status, replace_file
from core.messages import Message, say
from core.models import UploadBatch
from core.tracing.log import get_logger
from pipeline.files.content_type import content_type
from services.batches.default_values import SaidOfBatch
from services.context import Context
from services.messages.entries import WatchRefused
from services.uploads.submit import IncomingFile, submit_files
from services.watching.places import OWN, REFUSED, TAKEN, FolderListing, FoundFile, WatchedFolder, read_own_text

# The journal of a watcher: files that it is about to upload, noted before that and kept until they are moved.
#
# The database tells, by the batch's id in the journal, whether the batch was recorded. So a watcher that was
# killed in between uploads nothing twice.


log = get_logger(__name__)
_NAME = "journal.json"


class Journal:
    """Batches with files that are still in the folder, by id."""

    def __init__(self, folder: WatchedFolder) -> None:
        """Read the journal; one that is unreadable, or has names that lead out of the folder, is deleted.

        Raises InvalidInputError if that fails.
        """
        self._folder = folder
        self._batches: dict[uuid.UUID, list[FoundFile]] = {}
        with folder.place(OWN) as own:
            if file_status(own, _NAME) is None:
                return
            try:
                kept = json.loads(read_own_text(own, _NAME))
                self._batches = {uuid.UUID(key): [_named(one) for one in files] for key, files in kept.items()}
            except (OSError, ValueError, TypeError, AttributeError, RecursionError):
                # The season knows bytes that were uploaded: they become duplicates, which are not read.
                log.warning("journal_unreadable")
                _delete(own)

    @property
    def batches(self) -> dict[uuid.UUID, list[FoundFile]]:
        """Files that may have been uploaded and are not moved yet."""
        return {key: list(files) for key, files in self._batches.items()}

    def intend(self, batch_id: uuid.UUID, files: Sequence[FoundFile]) -> None:
        """Note a batch before it is uploaded. Raises OSError; then it must not be uploaded."""
        self._write({**self._batches, batch_id: list(files)})

    def keep(self, batch_id: uuid.UUID, files: Sequence[FoundFile]) -> None:
        """Note which files of a batch are still to be moved; none: it is finished. Raises OSError."""
        others = {key: kept for key, kept in self._batches.items() if key != batch_id}
        self._write({**others, batch_id: list(files)} if files else others)

    def _write(self, batches: dict[uuid.UUID, list[FoundFile]]) -> None:
        text = json.dumps({str(key): [asdict(one) for one in files] for key, files in batches.items()})
        with self._folder.place(OWN) as own:
            replace_file(own, _NAME, text)
        self._batches = batches


def _delete(own: int) -> None:
    # It is not kept: an erasure would not find the names of files in it.
    try:
        os.unlink(_NAME, dir_fd=own)
    except OSError as exc:
        # It is a folder, for instance.
        params = {"journal": f"{OWN}/{_NAME}", "technical": exc.strerror or ""}
        raise InvalidInputError(WatchRefused.JOURNAL_STAYS, **params) from exc


def _named(kept: Mapping[str, Any]) -> FoundFile:
    """Return a file of the journal. Raises ValueError for a name that leads out of the folder, and TypeError."""
    found = FoundFile(**kept)
    if "/" in found.name or "\0" in found.name or found.name in ("", ".", ".."):
        raise ValueError("no name of a file")
    return found


#: Most bytes of one batch, all of which is in memory for a moment.
MOST_BYTES = 256 * 1024 * 1024
#: Seconds after which a failed step is tried again.
AGAIN = 30.0
#: Seconds after which a file without read permission is refused. Until then another program may have it open:
#: some network file systems report that as missing permission.
CLOSED_FOR = 900.0
#: Seconds for which a taken file is checked for changes, as scanners may add pages to it.
GROWS_FOR = 900.0
_NO_PERMISSION = (errno.EACCES, errno.EPERM)


@dataclass
class Memory:
    """What a running watcher knows about the files in the folder."""

    #: Files that could not be opened or moved aside, and when to try again.
    put_off: dict[FoundFile, float] = field(default_factory=dict)
    #: Files that could not be opened, and since when.
    closed: dict[FoundFile, float] = field(default_factory=dict)
    #: Paths in the folder of taken files, and until when they are checked for changes.
    taken: dict[Path, tuple[FoundFile, float]] = field(default_factory=dict)
    #: Whether it is recorded that the folder is watched.
    placed: bool = False
    #: When those were checked last.
    looked: float = float("-inf")
    #: (name, subject) of messages that were sent, so that each is sent once.
    reported: set[tuple[str, str]] = field(default_factory=set)

    def keep(self, listed: FolderListing) -> None:
        """Forget files and names that are no longer in the folder."""
        names = {*listed.folders, *listed.unseen, *(one.name for one in listed.files)}
        self.reported = {one for one in self.reported if one[0] in names}
        there = set(listed.files)
        self.put_off = {one: until for one, until in self.put_off.items() if one in there}
        self.closed = {one: since for one, since in self.closed.items() if one in there}


@dataclass(frozen=True)
class Watch:
    """The inputs of one round of a watcher."""

    context: Context
    folder: WatchedFolder
    journal: Journal
    person_id: uuid.UUID
    said: SaidOfBatch
    #: Reports the fate of each file to who started the watcher. The log has no file names: they may name children.
    tell: Callable[[str], None]
    #: Seconds of a clock that only goes forward.
    now: float = 0.0
    memory: Memory = field(default_factory=Memory)

    def tell_once(self, name: str, subject: str, sentence: str) -> bool:
        """Report on the file of this name, unless that was reported before; return whether it was new."""
        if (name, subject) in self.memory.reported:
            return False
        self.memory.reported.add((name, subject))
        self.tell(sentence)
        return True


def take_files(watch: Watch, files: Sequence[FoundFile]) -> uuid.UUID | None:
    """Upload the complete ones of these files as one batch, and move them; return its id, None without any.

    Files that can never be read are refused. Raises AppError, SQLAlchemyError or OSError if nothing could be
    uploaded now, or if that is unknown: the journal has the batch, and `move_taken` finds out.
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
    """Move the journal's files of recorded batches; drop other batches from it: their files are taken again.

    A file that cannot be moved stays in the journal, so that it is not uploaded again. Raises SQLAlchemyError,
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
    """Have files taken again that were written to after they were taken: the later pages were not read.

    The later version becomes another entry, which is found to be a duplicate.
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


def move_aside(watch: Watch, found: FoundFile, why: Message) -> None:
    """Move a file aside, with the reason; if that fails, as on a full disk, it stays and is tried later."""
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
    """Leave a file that cannot be opened for later: another program has it, or the network folder is away.

    It is refused only after read permission has been missing for long.
    """
    if problem.errno == errno.ENOENT:
        return
    why = problem.strerror or type(problem).__name__
    since = watch.memory.closed.setdefault(found, watch.now)
    if problem.errno in _NO_PERMISSION and watch.now - since >= CLOSED_FOR:
        move_aside(watch, found, Message.of(WatchRefused.UNREADABLE, technical=why))
        return
    watch.memory.put_off[found] = watch.now + AGAIN
    sentence = f"{found.name} could not be opened: {why}. It stays in the folder and is tried again."
    if watch.tell_once(found.name, "closed", sentence):
        log.warning("file_not_opened", problem=problem.strerror)


def _leave_kept(watch: Watch, found: FoundFile) -> None:
    """Leave a file that this account may read but not move: it would survive the erasure of its entry."""
    watch.memory.put_off[found] = watch.now + AGAIN
    sentence = (
        f"{found.name} cannot be moved or deleted by this account, so it is not taken. It stays in the folder and "
        "is tried again. In a folder with the sticky bit, only the owner of the file or of the folder may move it."
    )
    if watch.tell_once(found.name, "kept", sentence):
        log.warning("file_not_movable")


def _whole(watch: Watch, found: FoundFile) -> bytes | None:
    """Return the bytes of a file to upload; None for one that is left or refused, or still being written."""
    try:
        if not watch.folder.can_be_moved(found):
            _leave_kept(watch, found)
            return None
    except OSError as exc:
        _leave_closed(watch, found, exc)
        return None
    limit = watch.context.settings.max_upload_bytes
    if found.size > limit:
        move_aside(watch, found, Message.of(WatchRefused.TOO_LARGE, limit=limit))
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
        move_aside(watch, found, Message.of(WatchRefused.NOT_A_DOCUMENT))
        return None
    except AppError:
        # Damaged or locked: a person sees it in the batch, and can type the entry in.
        pass
    return data


def _is_recorded(context: Context, batch_id: uuid.UUID) -> bool:
    return context.database.scalar(select(UploadBatch.id).where(UploadBatch.id == batch_id)) is not None


# Which files of a folder are complete: those that have not changed for a while. Callers pass the time.


#: Seconds after which files are uploaded even if more are still coming.
LONGEST_WAIT = 300.0
#: Seconds that a file may stay empty: scanners make it before they write.
EMPTY_FOR = 900.0
#: Seconds after which an unchanged file is taken even if it is reported as open for writing: some network file
#: systems report that for every file.
OPEN_FOR = 900.0


@dataclass(frozen=True)
class Pace:
    """How long to wait, in seconds."""

    #: A file is complete when its size and time have not changed for so long.
    settle: float = 5.0
    #: Files are uploaded together when nothing has come or changed for so long.
    quiet: float = 20.0


class Settling:
    """The files in the folder, and since when each is unchanged."""

    def __init__(self, pace: Pace) -> None:
        """Begin without files."""
        self._pace = pace
        self._since: dict[FoundFile, float] = {}
        self._found: dict[FoundFile, float] = {}
        self._changed = float("-inf")

    def note(self, files: Collection[FoundFile], now: float) -> None:
        """Note the files that are in the folder at this moment."""
        since = {one: self._since.get(one, now) for one in files}
        if since.keys() - self._since.keys():
            self._changed = now
        self._since = since
        self._found = {one: self._found.get(one, now) for one in files}

    def renew(self, one: FoundFile, now: float) -> None:
        """Treat a file as changed at this moment; one that was found long ago is not affected."""
        if now - self._found[one] < OPEN_FOR:
            self._since[one] = self._changed = now

    def odd(self) -> list[FoundFile]:
        """Return links, devices and the like."""
        return [one for one in self._since if not one.ordinary]

    def empty(self, now: float) -> list[FoundFile]:
        """Return files that have been empty for too long."""
        return [one for one, at in self._since.items() if one.ordinary and not one.size and now - at >= EMPTY_FOR]

    def ready(self, now: float, most: int) -> list[FoundFile]:
        """Return the files to upload now, at most so many; none while more may be coming."""
        whole = [one for one, at in self._since.items() if self._is_whole(one, now - at)]
        if not whole:
            return []
        waits = now - min(self._since[one] for one in whole)
        if now - self._changed < self._pace.quiet and len(whole) < most and waits < LONGEST_WAIT:
            return []
        return whole[:most]

    def _is_whole(self, one: FoundFile, unchanged: float) -> bool:
        return one.ordinary and one.size > 0 and not one.unfinished and unchanged >= self._pace.settle
