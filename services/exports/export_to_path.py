"""Write an export into a file of this machine, for the command line."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.folders import keeps_way
from services.context import Context
from services.exports.columns import checked_columns
from services.exports.exported import read_submissions, submission_ids
from services.exports.kinds import checked_format
from services.exports.record_made import record_made
from services.exports.request_export import ExportRequest
from services.exports.write_export import write_export
from services.seasons import season_called

#: Readable by its owner alone.
_MODE = 0o600


def export_to_path(context: Context, path: Path, season_name: str, asked: ExportRequest) -> int:
    """Write the file, which must be new, and return the number of entries; the export is recorded.

    Raises NotFoundError for an unknown season, InvalidInputError for a format or column that there is not,
    FileExistsError, OSError, and what `write_export` raises.
    """
    file_format, columns = checked_format(asked.kind, asked.format), checked_columns(asked.columns)
    with new_file(path):
        with context.database.session() as session:
            season = season_called(session, season_name)
            ids = submission_ids(session, None, season.id, asked.wanted, asked.kind)
            record_made(session, None, f"{asked.kind.value}.{file_format.value}", len(ids), season, asked.wanted)
        write_export(path, asked.kind, file_format, columns, read_submissions(context, ids), context.store)
    return len(ids)


def require_new(path: Path) -> None:
    """Raise OSError where a file at this path would not be this account's own.

    FileExistsError for what there is already, be it a link: it may be open in other hands. PermissionError, as
    root, in a folder where others could put another file in its place.
    """
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    if os.geteuid() == 0 and not keeps_way(path):
        raise PermissionError(errno.EPERM, "other accounts can change its folder", str(path))


@contextmanager
def new_file(path: Path) -> Iterator[None]:
    """Make a file that only its owner reads, before it is written; remove it where the block raises.

    Raises OSError, and what `require_new` raises.
    """
    require_new(path)
    path.touch(mode=_MODE, exist_ok=False)
    try:
        yield
    except BaseException:
        # Half a file would be taken for a whole one.
        path.unlink(missing_ok=True)
        raise
