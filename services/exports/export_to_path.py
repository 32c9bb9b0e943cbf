"""Write an export into a file of this machine, for the command line."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from core.folders import create, opened, require_kept
from services.context import Context
from services.exports.columns import checked_columns
from services.exports.exported import read_submissions, submission_ids
from services.exports.kinds import checked_format
from services.exports.record_made import record_made
from services.exports.request_export import ExportRequest
from services.exports.stored import scratch
from services.exports.write_export import write_export
from services.seasons import season_called


def export_to_path(context: Context, path: Path, season_name: str, asked: ExportRequest) -> int:
    """Write the file, which must be new, and return the number of entries; the export is recorded.

    Raises NotFoundError for an unknown season, InvalidInputError for a format or column that there is not,
    FileExistsError, StorageError, OSError, and what `write_export` raises.
    """
    file_format, columns = checked_format(asked.kind, asked.format), checked_columns(asked.columns)
    with new_file(path) as file, scratch(context) as folder:
        with context.database.session() as session:
            season = season_called(session, season_name)
            ids = submission_ids(session, None, season.id, asked.wanted, asked.kind)
            record_made(session, None, f"{asked.kind.value}.{file_format.value}", len(ids), season, asked.wanted)
        # The writers name files, also ones beside it: in a folder that nobody else can enter.
        made = folder / "file"
        write_export(made, asked.kind, file_format, columns, read_submissions(context, ids), context.store)
        with made.open("rb") as written:
            shutil.copyfileobj(written, file)
    return len(ids)


def require_new(path: Path) -> None:
    """Raise OSError where a file at this path would not be this account's own.

    FileExistsError for what there is already, be it a link: it may be open in other hands. PermissionError in a
    folder where others could put another file in its place.
    """
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    require_kept(path.parent)


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """Give a new file that only its owner reads, to be written by the block; remove it where that raises.

    Raises OSError, and what `require_new` raises.
    """
    require_new(path)
    with opened(path.parent.resolve()) as folder, create(folder, path.name) as file:
        try:
            yield file
            file.flush()
        except BaseException:
            # Half a file would be taken for a whole one.
            with suppress(FileNotFoundError):
                os.unlink(path.name, dir_fd=folder)
            raise
