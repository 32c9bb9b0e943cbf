"""Files that no row names go when they are older than a day; all others stay."""

from __future__ import annotations

import os
import uuid

from services.context import Context
from services.erasure.purge import purge_expired, remove_strays
from services.exports.contents import scratch, scratch_of
from tests.support import factories

_DAY = 24 * 3600


def stored(context: Context, key: str, age: float = _DAY + 60) -> str:
    context.store.put(key, b"x")
    path = context.settings.var_dir / "files" / key
    then = path.stat().st_mtime - age
    os.utime(path, (then, then))
    return key


def test_what_rows_name_stays(context: Context) -> None:
    with context.database.session() as session:
        upload = factories.make_upload(session, pdf_key=f"derived/{uuid.uuid4()}.pdf")
        run = factories.make_run(session, factories.make_submission(session, upload))
    named = [
        stored(context, upload.storage_key),
        stored(context, upload.pdf_key),
        stored(context, f"artifacts/{run.submission_id}/1/text.txt"),
        stored(context, "cache/ocr/x"),
        stored(context, f"originals/{uuid.uuid4()}", age=_DAY - 60),
    ]
    strays = [
        stored(context, f"originals/{uuid.uuid4()}/{uuid.uuid4()}"),
        stored(context, f"library/{uuid.uuid4()}"),
        stored(context, f"artifacts/{run.submission_id}/2/text.txt"),
    ]
    assert purge_expired(context).strays == 3
    assert [context.store.exists(key) for key in named] == [True] * 5
    assert not any(context.store.exists(key) for key in strays)


def test_what_was_left_half_written_goes(context: Context) -> None:
    stored(context, "cache/x")
    half = context.settings.var_dir / "files" / ".incoming" / uuid.uuid4().hex
    half.write_bytes(b"x")
    assert remove_strays(context) == 0
    then = half.stat().st_mtime - _DAY - 60
    os.utime(half, (then, then))
    assert remove_strays(context) == 1
    assert not half.exists()


def test_what_a_killed_export_left_goes_at_once_and_what_is_being_made_stays(context: Context) -> None:
    with scratch(context) as used:
        (used / "file.rows").write_text("names of children")
        left = scratch_of(context) / "left"
        left.mkdir()
        (left / "file.rows").write_text("names of children")
        assert remove_strays(context) == 1
        assert (used / "file.rows").exists() and not left.exists()
    assert list(scratch_of(context).iterdir()) == []
