"""Remove files that no row names: a process was killed when it had stored the file and not yet written the row.

Nobody would find them when a child is to be erased.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence

from sqlalchemy import select, union
from sqlalchemy.orm import Session

from core.models import Export, FormDraft, FormSample, LibraryDocument, Run, Upload
from services.context import Context
from services.exports.stored import FOLDER, key_of, scratch_of
from services.form_studio.stored import FOLDER as FORMS
from services.form_studio.stored import named_in

#: The row of an older file never comes: requests and jobs are far shorter.
_SECONDS = 24 * 3600.0
#: How many keys are looked for at a time.
_AT_A_TIME = 1000
_ARTIFACTS = "artifacts"
#: Folders whose files have rows. What lies in `cache/` has none.
_FOLDERS = ("originals", "derived", "library", _ARTIFACTS, FOLDER, FORMS)


def remove_strays(context: Context) -> int:
    """Remove them where they are older than a day, with what was left half written; return how many there were."""
    removed = context.store.remove_unfinished(_SECONDS) + _unfinished_exports(context)
    for folder in _FOLDERS:
        keys = list(context.store.older_keys(folder, _SECONDS))
        for start in range(0, len(keys), _AT_A_TIME):
            for key in _unnamed(context, folder, keys[start : start + _AT_A_TIME]):
                context.store.delete(key)
                removed += 1
    return removed


def _unfinished_exports(context: Context) -> int:
    scratch = scratch_of(context)
    folders = list(scratch.iterdir()) if scratch.is_dir() else []
    left = [folder for folder in folders if folder.stat().st_mtime < time.time() - _SECONDS]
    for folder in left:
        shutil.rmtree(folder)
    return len(left)


def _unnamed(context: Context, folder: str, keys: Sequence[str]) -> list[str]:
    with context.database.session() as session:
        if folder == _ARTIFACTS:
            runs = _runs(session, [_run_id(key) for key in keys])
            return [key for key in keys if _run_id(key) not in runs]
        if folder == FOLDER:
            ids = set(session.scalars(select(Export.id)))
            return [key for key in keys if key not in {key_of(export_id) for export_id in ids}]
        if folder == FORMS:
            ids = set(session.scalars(union(select(FormDraft.id), select(FormSample.id))))
            return [key for key in keys if not named_in(key) <= {str(one) for one in ids}]
        named = _named(session, keys)
        return [key for key in keys if key not in named]


def _named(session: Session, keys: Sequence[str]) -> set[str | None]:
    columns = (Upload.storage_key, Upload.pdf_key, LibraryDocument.storage_key)
    return set(session.scalars(union(*(select(column).where(column.in_(keys)) for column in columns))))


def _runs(session: Session, run_ids: Sequence[str]) -> set[str]:
    return set(session.scalars(select(Run.run_id).where(Run.run_id.in_(run_ids))))


def _run_id(key: str) -> str:
    """Return the run that the artifact of this key is of: `artifacts/<submission>/<number>/<name>`."""
    return ":".join(key.split("/")[1:3])
