"""`flask watch` as a process of its own, on a folder with real files."""

from __future__ import annotations

import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest
from sqlalchemy import select

from commands.tending import _tell as tell
from core.config import Settings
from core.errors import ConflictError
from core.models import BatchDefault, Upload, UploadBatch
from services.batches.default_values import NOTHING_SAID
from services.context import Context
from services.watching.intake import Journal, Pace, Settling, Watch, move_taken, take_files
from services.watching.places import FoundFile, WatchedFolder
from tests.support.office import environment, wait_until
from tests.support.processes import PROCESSES
from tests.support.reading.entries import COMPLETE, acroform
from tests.support.site import person
from tests.support.watch_process import run_watch

PATIENCE = 60


@dataclass
class Watcher:
    """Starts the command on a folder, again and again."""

    settings: Settings
    folder: Path
    output: Path

    @contextmanager
    def running(self, *options: str) -> Iterator[ForkServerProcess]:
        """The process once it watches; it is killed at the end if it is still there."""
        before = self.said()
        pace = ["--settle", "0.3", "--quiet", "0.6"]
        arguments = [str(self.folder), "--user", "ana@example.org", *pace, *options]
        process = PROCESSES.Process(
            target=run_watch, args=(environment(self.settings), arguments, str(self.output))
        )
        process.start()
        try:
            wait_until(lambda: self.said() > before or not process.is_alive(), "the watcher", PATIENCE)
            assert process.is_alive()
            yield process
        finally:
            process.kill()
            process.join()

    def said(self) -> int:
        """How often it said that it watches."""
        return self.output.read_text().count("Watching") if self.output.exists() else 0


@pytest.fixture
def watcher(context: Context, tmp_path: Path) -> Watcher:
    """Of the folder `in`, for Ana."""
    person(context, "uploader", email="ana@example.org")
    (tmp_path / "in").mkdir()
    return Watcher(context.settings, tmp_path / "in", tmp_path / "output.txt")


def end(process: ForkServerProcess) -> None:
    """Have it end as a service manager does."""
    process.terminate()
    process.join(PATIENCE)
    assert process.exitcode == 0


def uploads(context: Context) -> Sequence[tuple[uuid.UUID, str, str]]:
    query = select(Upload.batch_id, Upload.original_filename, Upload.status)
    with context.database.session() as session:
        rows = session.execute(query.order_by(Upload.created_at, Upload.position)).all()
    return [(row[0], row[1], row[2]) for row in rows]


def entry(grade: str) -> bytes:
    return acroform({**COMPLETE, "Grade": grade})


def names(folder: Path) -> list[str]:
    return sorted(
        str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() or path.is_symlink()
    )


def test_what_comes_together_becomes_one_batch(context: Context, watcher: Watcher) -> None:
    folder = watcher.folder
    with watcher.running("--school", "Juniper Hills", "--grade", "4") as process:
        # One is written slowly, one under another name, one is kept open; none is taken before it is whole.
        data, other = entry("1"), entry("2")
        with (folder / "slow.pdf").open("wb") as slow:
            slow.write(data[:100])
            slow.flush()
            (folder / "b.pdf.tmp").write_bytes(other)
            (folder / "link.pdf").symlink_to("/etc/hostname")
            (folder / "Thumbs.db").write_bytes(b"not a page")
            (folder / "older").mkdir()
            (folder / "older" / "left.pdf").write_bytes(entry("9"))
            (folder / "empty.pdf").touch()
            time.sleep(1.5)
            assert uploads(context) == []
            slow.write(data[100:])
        (folder / "b.pdf.tmp").rename(folder / "b.pdf")
        wait_until(lambda: len(uploads(context)) == 2, "the batch", PATIENCE)
        wait_until(lambda: not (folder / "b.pdf").exists(), "the move", PATIENCE)
        first = uploads(context)
        assert {status for _, _, status in first} == {"stored"} and len({batch for batch, _, _ in first}) == 1
        # The very same bytes once more, under a name that was taken before.
        (folder / "b.pdf").write_bytes(other)
        wait_until(lambda: len(uploads(context)) == 3, "the second batch", PATIENCE)
        assert uploads(context)[2][1:] == ("b.pdf", "duplicate")
        wait_until(lambda: not (folder / "b.pdf").exists(), "the move", PATIENCE)

        with pytest.raises(ConflictError), WatchedFolder(folder).locked():
            pass
        end(process)
    (day,) = (folder / "taken").iterdir()
    assert names(day) == ["b-2.pdf", "b.pdf", "slow.pdf"]
    assert (day / "slow.pdf").read_bytes() == data
    assert names(folder / "refused") == ["Thumbs.db", "Thumbs.db.txt", "link.pdf", "link.pdf.txt"]
    assert "not a PDF" in (folder / "refused" / "Thumbs.db.txt").read_text()
    assert (folder / "older" / "left.pdf").exists() and (folder / "empty.pdf").exists()
    given = context.database.one(select(BatchDefault.given).where(BatchDefault.batch_id == first[0][0]))
    assert given == {"school_name": "Juniper Hills", "grade": "4"}
    told = watcher.output.read_text()
    assert told.count("older/ is a folder") == 1 and told.count("b.pdf.tmp is left until it is renamed") == 1
    assert "link.pdf was moved to refused/: This is a link" in told
    assert f"Taken as upload {first[0][0]}: b.pdf, slow.pdf." in told


def test_killed_between_handing_in_and_moving_it_hands_in_nothing_twice(
    context: Context, watcher: Watcher
) -> None:
    folder = watcher.folder
    # Nothing can be moved while a file has the folder's name.
    (folder / "taken").write_text("in the way")
    (folder / "one.pdf").write_bytes(entry("1"))
    journal = folder / ".second-reader" / "journal.json"
    with watcher.running() as process:
        wait_until(lambda: len(uploads(context)) == 1, "the batch", PATIENCE)
        assert (folder / "one.pdf").exists() and "one.pdf" in journal.read_text()
        process.kill()
        process.join()
    (folder / "taken").unlink()
    with watcher.running() as process:
        wait_until(lambda: not (folder / "one.pdf").exists(), "the move", PATIENCE)
        (folder / "two.pdf").write_bytes(entry("2"))
        wait_until(lambda: len(uploads(context)) == 2, "the next one", PATIENCE)
        end(process)
    assert [name for _, name, _ in uploads(context)] == ["one.pdf", "two.pdf"]
    assert len(context.database.scalars(select(UploadBatch.id))) == 2
    assert names(folder / "taken") == [
        f"{day.name}/{name}" for day in (folder / "taken").iterdir() for name in ("one.pdf", "two.pdf")
    ]


def test_waiting_for_more_has_an_end() -> None:
    settling = Settling(Pace(settle=5, quiet=20))
    slow, fast = FoundFile("slow.pdf", 10, 1), FoundFile("fast.pdf", 10, 1)
    settling.note([slow], 0)
    assert settling.ready(10, 100) == []
    assert settling.ready(20, 100) == [slow]
    for now in range(10, 400, 10):
        settling.note([slow, FoundFile("growing.pdf", now, now)], now)
    # Another one that changes without end does not hold it up for ever.
    assert settling.ready(391, 100) == [slow]
    settling.note([slow, fast], 400)
    assert settling.ready(406, 2) == [slow, fast]


def test_the_journal_comes_first(context: Context, tmp_path: Path) -> None:
    ana = person(context, "uploader", email="ana@example.org")
    folder = WatchedFolder(tmp_path)
    watch = Watch(context, folder, Journal(folder), ana.id, NOTHING_SAID, print)
    (tmp_path / "one.pdf").write_bytes(entry("1"))
    files = folder.found().files
    # Without room for the journal nothing is handed in.
    blocked = tmp_path / ".second-reader" / "journal.json.new"
    blocked.mkdir()
    with pytest.raises(OSError):
        take_files(watch, files)
    assert uploads(context) == [] and (tmp_path / "one.pdf").exists()
    blocked.rmdir()
    # Killed before it was handed in: the journal names a batch that was never recorded; the file is taken anew.
    watch.journal.intend(uuid.uuid4(), files)
    again = replace(watch, journal=Journal(folder))
    move_taken(again)
    assert again.journal.batches == {} and (tmp_path / "one.pdf").exists()
    assert take_files(again, files) is not None
    assert len(uploads(context)) == 1 and not (tmp_path / "one.pdf").exists()
    # While somebody writes into a file, the system says so; written anew, it is another file.
    with (tmp_path / "open.pdf").open("wb") as file:
        file.write(b"%PDF-")
        file.flush()
        (found,) = folder.found().files
        assert folder.is_being_written(found) == (sys.platform == "linux")
        file.write(b"1.7")
    assert not folder.is_being_written(found) and folder.read(found) is None


def test_what_is_said_is_one_line_of_characters(capsys: pytest.CaptureFixture[str]) -> None:
    tell("a\nb\udcf1.pdf was taken.")
    assert capsys.readouterr().out.endswith(" a?b?.pdf was taken.\n")
