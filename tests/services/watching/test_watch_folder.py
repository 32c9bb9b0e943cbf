"""Rounds of a watcher over files that other programs have open, and that grow after they were taken."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from sqlalchemy import select
from structlog.testing import capture_logs

from core.clock import utcnow
from core.confined.mupdf import pymupdf
from core.errors import AppError, InvalidInputError
from core.messages import say
from core.models import DuplicatePair, Submission, Upload
from services.batches.default_values import NOTHING_SAID
from services.context import Context
from services.runs.joint_pass import decide_together
from services.runs.run import run_submission
from services.uploads.submissions import analyse_upload
from services.watching.intake import AGAIN, CLOSED_FOR, OPEN_FOR, Journal, Pace, Settling, Watch
from services.watching.places import OWN, WatchedFolder, find_watched, record_place
from services.watching.watch_folder import one_round
from tests.services.duplicates.conftest import OTHER_ESSAY
from tests.support.reading.entries import COMPLETE, acroform
from tests.support.site import person

#: Seconds after which a file that does not change was certainly handed in.
LONG = 60.0
Refusing = Callable[..., None]


@dataclass
class Rounds:
    """A watcher whose time is turned by the test."""

    watch: Watch
    told: list[str]
    settling: Settling = field(default_factory=lambda: Settling(Pace()))

    @property
    def path(self) -> Path:
        return self.watch.folder.path

    def after(self, seconds: float) -> None:
        """A round at once, and one so much later."""
        for wait in (0.0, seconds):
            self.watch = replace(self.watch, now=self.watch.now + wait)
            one_round(self.watch, self.settling)

    def lies(self) -> list[str]:
        """What lies in the folder and its subfolders, without the day on which it was taken."""
        files = (path.relative_to(self.path) for path in self.path.rglob("*") if path.is_file())
        names = (f"{one.parts[0]}/{one.name}" if len(one.parts) > 1 else one.name for one in files)
        return sorted(name for name in names if not name.startswith(OWN))

    def said_of(self, name: str) -> int:
        return sum(sentence.startswith(name) for sentence in self.told)


@pytest.fixture
def rounds(context: Context, tmp_path: Path) -> Rounds:
    (tmp_path / "in").mkdir()
    folder, told = WatchedFolder(tmp_path / "in"), list[str]()
    ana = person(context, "uploader").id
    return Rounds(Watch(context, folder, Journal(folder), ana, NOTHING_SAID, told.append), told)


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Refusing:
    """Let a call of the system fail for files of one name, so many times."""

    def fail(call: str, name: str, number: int, times: int = 1_000) -> None:
        real, left = getattr(os, call), [times]

        def called(path: str | Path, *args: object, **kwargs: object) -> object:
            if Path(path).name == name and left[0] > 0 and ".second-reader" not in str(path):
                left[0] -= 1
                raise OSError(number, os.strerror(number))
            return real(path, *args, **kwargs)

        monkeypatch.setattr(os, call, called)

    return fail


def uploads(context: Context) -> Sequence[Upload]:
    return context.database.scalars(select(Upload).order_by(Upload.created_at))


def entries(context: Context) -> list[Submission]:
    """Read what was handed in and not read yet, and return all entries in the order in which they came."""
    for upload in uploads(context):
        if upload.status == "stored":
            for run_id in analyse_upload(context, upload.id):
                assert run_submission(context, run_id)
            for run_id in decide_together(context, upload.id):
                assert run_submission(context, run_id)
    query = select(Submission).join(Upload, Upload.id == Submission.upload_id)
    return context.database.scalars(query.order_by(Upload.created_at, Submission.chunk_index))


@pytest.mark.parametrize("number", [errno.EBUSY, errno.ETXTBSY, errno.ESTALE, errno.EACCES, errno.EIO])
def test_a_file_that_is_in_use_for_a_moment_is_tried_again(
    context: Context, rounds: Rounds, failing: Refusing, number: int
) -> None:
    (rounds.path / "busy.pdf").write_bytes(acroform(COMPLETE))
    (rounds.path / "other.pdf").write_bytes(acroform({**COMPLETE, "Grade": "5"}))
    # Once as it is asked whether it is being written, and once as it is read.
    failing("open", "busy.pdf", number, times=2)
    rounds.after(LONG)
    assert rounds.lies() == ["busy.pdf", "taken/other.pdf"]
    rounds.after(AGAIN)
    rounds.after(LONG)
    assert rounds.lies() == ["taken/busy.pdf", "taken/other.pdf"]
    assert rounds.said_of("busy.pdf could not be opened") == 1
    assert len(uploads(context)) == 2


def test_only_permissions_that_stay_are_a_reason_to_refuse(
    context: Context, rounds: Rounds, failing: Refusing
) -> None:
    for name, number in (("closed.pdf", errno.EACCES), ("stale.pdf", errno.ESTALE)):
        (rounds.path / name).write_bytes(acroform(COMPLETE))
        failing("open", name, number)
    for _ in range(8):
        rounds.after(LONG)
    assert rounds.lies() == ["closed.pdf", "stale.pdf"]
    rounds.after(CLOSED_FOR)
    rounds.after(LONG)
    assert rounds.lies() == ["refused/closed.pdf", "refused/closed.pdf.txt", "stale.pdf"]
    assert uploads(context) == [] and rounds.said_of("stale.pdf") == rounds.said_of("closed.pdf could not") == 1


def test_one_name_that_cannot_be_looked_at_keeps_no_other(
    context: Context, rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    (rounds.path / "other.pdf").write_bytes(acroform(COMPLETE))
    (rounds.path / "stale.pdf").write_bytes(acroform(COMPLETE))
    real = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: _Listing(real(path), "stale.pdf"))
    rounds.after(LONG)
    rounds.after(LONG)
    assert rounds.lies() == ["stale.pdf", "taken/other.pdf"]
    assert rounds.said_of("stale.pdf cannot be looked at") == 1


def test_names_of_locks_and_of_unfinished_files_are_left_alone(context: Context, rounds: Rounds) -> None:
    left = ["~$trella.docx", ".~lock.estrella.docx#", "a.pdf.tmp", "a.pdf.part", "a.pdf.crdownload", "A.PDF.TMP"]
    for name in left:
        (rounds.path / name).write_bytes(b"whose it is")
    for _ in range(20):
        rounds.after(LONG)
    assert rounds.lies() == sorted(left) and uploads(context) == []
    assert rounds.said_of("~$") == 0 and rounds.said_of("a.pdf.tmp is left") == 1


def test_what_cannot_be_moved_is_said_once_and_leaves_nothing_behind(
    context: Context, rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    (rounds.path / "busy.pdf").write_bytes(acroform(COMPLETE))
    (rounds.path / "notes.xyz").write_bytes(b"not a page")
    real = os.rename

    def held(name: str, *given: str, **folders: int) -> None:
        if name in ("busy.pdf", "notes.xyz"):
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        real(name, *given, **folders)

    with monkeypatch.context() as while_held, capture_logs() as logged:
        while_held.setattr(os, "rename", held)
        for _ in range(10):
            rounds.after(LONG)
    assert rounds.lies() == ["busy.pdf", "notes.xyz"]
    assert rounds.said_of("busy.pdf was taken, but") == rounds.said_of("notes.xyz could not be moved") == 1
    assert [one["event"] for one in logged].count("file_not_moved") == 2
    assert len(uploads(context)) == 1
    for _ in range(3):
        rounds.after(LONG)
    assert rounds.lies() == ["refused/notes.xyz", "refused/notes.xyz.txt", "taken/busy.pdf"]
    assert len(uploads(context)) == 1


def test_where_every_file_is_said_to_be_open_files_are_taken_all_the_same(
    context: Context, rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WatchedFolder, "is_being_written", lambda *_: True)
    (rounds.path / "one.pdf").write_bytes(acroform(COMPLETE))
    rounds.after(OPEN_FOR / 2)
    rounds.after(OPEN_FOR / 4)
    assert uploads(context) == []
    rounds.after(OPEN_FOR)
    rounds.after(LONG)
    assert len(uploads(context)) == 1


@pytest.mark.parametrize("others", [[], [("Anselm Okoye", "completed")]], ids=["same_child", "next_child"])
def test_a_scanner_that_adds_pages_under_the_same_name(
    context: Context, rounds: Rounds, others: list[tuple[str, str]]
) -> None:
    first, scan = acroform({**COMPLETE, "School": "Lakeview"}), rounds.path / "scan0001.pdf"
    scan.write_bytes(first)
    rounds.after(LONG)
    assert [entry.status for entry in entries(context)] == ["completed"]
    # Minutes later the whole of it comes once more, with another page.
    more = other_child() if others else rest_of_essay()
    scan.write_bytes(appended(first, more))
    rounds.after(4 * LONG)
    found = entries(context)
    assert rounds.lies() == ["taken/scan0001-2.pdf", "taken/scan0001.pdf"]
    assert found[1].status == "escalated" and found[1].review_reason_codes == ["DUPLICATE_SUBMISSION"]
    assert [(entry.student_name, entry.status) for entry in found[2:]] == others
    (pair,) = context.database.scalars(select(DuplicatePair))
    assert (pair.first_id, pair.second_id) == (found[0].id, found[1].id)


def test_a_file_that_is_written_into_after_it_was_taken_is_taken_again(context: Context, rounds: Rounds) -> None:
    first = acroform(COMPLETE)
    (rounds.path / "scan.pdf").write_bytes(first)
    rounds.after(LONG)
    (taken,) = (rounds.path / "taken").rglob("scan.pdf")
    # The scanner has it open still, and goes on where it lies now.
    taken.write_bytes(appended(first, other_child()))
    rounds.after(AGAIN)
    rounds.after(LONG)
    assert rounds.lies() == ["taken/scan.pdf"] and len(uploads(context)) == 2
    assert [entry.student_name for entry in entries(context)] == ["Marisol Quintero"] * 2 + ["Anselm Okoye"]
    # What stays as it is is looked after for a while only.
    rounds.after(CLOSED_FOR)
    rounds.after(AGAIN)
    assert rounds.watch.memory.taken == {}


class _Listing:
    """A listing of a folder in which one name has gone stale."""

    def __init__(self, listed: os.ScandirIterator[str], stale: str) -> None:
        self.listed, self.stale = listed, stale

    def __enter__(self) -> _Listing:
        return self

    def __exit__(self, *_: object) -> None:
        self.listed.close()

    def __iter__(self) -> _Listing:
        return self

    def __next__(self) -> object:
        one = next(self.listed)
        return _Stale(one.name) if one.name == self.stale else one


@dataclass
class _Stale:
    name: str

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        return False

    def stat(self, *, follow_symlinks: bool) -> os.stat_result:
        raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))


def rest_of_essay() -> bytes:
    text = "On Sundays we bake at home, and I choose what it will be. He eats all that I burn."
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        page.insert_textbox(pymupdf.Rect(36, 72, 577, 700), text, fontsize=9)
        return bytes(document.tobytes())


def other_child() -> bytes:
    values = {"Student's Name": "Anselm Okoye", "Grade": "7", "School": "Pine Hollow"}
    return acroform(values, OTHER_ESSAY)


def appended(first: bytes, more: bytes) -> bytes:
    """Both as one file, with the fields made part of the page, as a scanner's driver prints them."""
    with pymupdf.open() as document:
        for data in (first, more):
            with pymupdf.open(stream=data) as part:
                part.bake()
                document.insert_pdf(part)
        return bytes(document.tobytes())


def test_an_error_of_the_whole_round_is_raised(rounds: Rounds, monkeypatch: pytest.MonkeyPatch) -> None:
    (rounds.path / "one.pdf").write_bytes(acroform(COMPLETE))

    def away(*_: object, **__: object) -> None:
        raise AppError

    monkeypatch.setattr("services.watching.intake.submit_files", away)
    with pytest.raises(AppError):
        rounds.after(LONG)
    assert rounds.lies() == ["one.pdf"]


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder that the owner of the watched one cannot write to, and the watcher can."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "kept.txt").write_text("as it was")
    return tmp_path / "elsewhere"


def unharmed(folder: Path) -> bool:
    return {path.name: path.read_text() for path in folder.iterdir()} == {"kept.txt": "as it was"}


@pytest.mark.parametrize("planted", ["taken", "day", "refused"])
def test_a_link_in_place_of_its_own_folders_leads_the_watcher_nowhere(
    context: Context, rounds: Rounds, elsewhere: Path, planted: str
) -> None:
    day = context.settings.office_day(utcnow()).isoformat()
    place = rounds.path / "taken" / day if planted == "day" else rounds.path / planted
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(elsewhere)
    (rounds.path / "one.pdf").write_bytes(acroform(COMPLETE))
    (rounds.path / "notes.xyz").write_bytes(b"not a page")
    rounds.after(LONG)
    rounds.after(LONG)
    stays = "notes.xyz" if planted == "refused" else "one.pdf"
    assert unharmed(elsewhere) and (rounds.path / stays).exists()
    (said,) = [one for one in rounds.told if one.startswith(stays)]
    assert "it is a link, or no folder" in said
    assert len(uploads(context)) == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives folders away")
def test_a_folder_of_another_account_in_place_of_its_own_is_not_used(
    context: Context, rounds: Rounds, elsewhere: Path
) -> None:
    elsewhere.rename(rounds.path / "taken")
    os.chown(rounds.path / "taken", 12345, -1)
    (rounds.path / "one.pdf").write_bytes(acroform(COMPLETE))
    rounds.after(LONG)
    assert unharmed(rounds.path / "taken") and (rounds.path / "one.pdf").exists()
    assert any("belongs to another account" in one for one in rounds.told)


def test_a_file_that_grows_without_end_before_it_is_read_is_not_read(rounds: Rounds) -> None:
    (rounds.path / "one.pdf").write_bytes(acroform(COMPLETE))
    (found,) = rounds.watch.folder.found().files
    os.truncate(rounds.path / "one.pdf", 1 << 42)
    assert rounds.watch.folder.read(found) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to others")
def test_a_file_that_this_account_may_not_move_is_left_and_said_to_be_out_of_reach(
    context: Context, rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a sticky folder of somebody else: where everybody may write, a file is its owner's to move."""
    record_place(context, rounds.watch.folder)
    for name, grade, owner in (("theirs.pdf", "4", 2345), ("own.pdf", "5", 12345)):
        (rounds.path / name).write_bytes(acroform({**COMPLETE, "Grade": grade}))
        os.chown(rounds.path / name, owner, -1)
    rounds.path.chmod(0o1777)
    os.chown(rounds.path, 3456, -1)
    os.chown(rounds.path / OWN, 12345, -1)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    day = rounds.path / "taken" / context.settings.office_day(utcnow()).isoformat()
    day.mkdir(parents=True)
    for place in (day, day.parent):
        os.chown(place, 12345, -1)
    with capture_logs() as logged:
        for _ in range(3):
            rounds.after(LONG)
    assert rounds.lies() == ["taken/own.pdf", "theirs.pdf"]
    assert [one.original_filename for one in uploads(context)] == ["own.pdf"]
    assert rounds.said_of("theirs.pdf cannot be moved or deleted") == 1
    assert [one["event"] for one in logged].count("file_not_movable") == 1
    # It may also have been handed in on a page: the erasure must see that it stays.
    (rounds.path / "theirs.pdf").write_bytes((day / "own.pdf").read_bytes())
    with context.database.session() as session:
        ids = session.scalars(select(Upload.id)).all()
        assert find_watched(session, ids, lambda _: False).not_reached == [str(rounds.path)]


@pytest.mark.parametrize("name", ["journal.json", "journal.json.new", "id", "lock"])
def test_a_link_in_place_of_its_own_files_is_not_written_through(
    context: Context, rounds: Rounds, elsewhere: Path, name: str
) -> None:
    planted = rounds.path / OWN / name
    planted.unlink(missing_ok=True)
    planted.symlink_to(elsewhere / ("new.txt" if name == "lock" else "kept.txt"))
    folder = WatchedFolder(rounds.path)
    with suppress(OSError), folder.locked():
        rounds.watch = replace(rounds.watch, folder=folder, journal=Journal(folder))
        (rounds.path / "one.pdf").write_bytes(acroform(COMPLETE))
        rounds.after(LONG)
    with suppress(OSError):
        assert folder.id == folder.id
    assert unharmed(elsewhere)
    assert rounds.lies() == {"id": ["one.pdf"], "lock": []}.get(name, ["taken/one.pdf"])


def test_a_link_in_place_of_the_hidden_folder_is_refused(tmp_path: Path, elsewhere: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / OWN).symlink_to(elsewhere)
    with pytest.raises(InvalidInputError, match="link"):
        WatchedFolder(tmp_path / "in")
    assert unharmed(elsewhere)


def test_a_journal_names_no_file_outside_the_folder(context: Context, rounds: Rounds, elsewhere: Path) -> None:
    (rounds.path / "one.pdf").write_bytes(acroform(COMPLETE))
    rounds.after(LONG)
    (upload,) = uploads(context)
    outside, seen = "../elsewhere/kept.txt", (elsewhere / "kept.txt").stat()
    forged = [{"name": outside, "size": seen.st_size, "mtime_ns": seen.st_mtime_ns}]
    (rounds.path / OWN / "journal.json").write_text(json.dumps({str(upload.batch_id): forged}))
    rounds.watch = replace(rounds.watch, journal=Journal(rounds.watch.folder))
    rounds.after(LONG)
    assert unharmed(elsewhere) and rounds.lies() == ["taken/one.pdf"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root is refused")
@pytest.mark.parametrize("open_to", ["owner", "group", "everybody", "above"])
def test_root_watches_no_folder_that_others_can_write_to(tmp_path: Path, open_to: str) -> None:
    folder = tmp_path / "above" / "in"
    folder.mkdir(parents=True)
    WatchedFolder(folder)
    if open_to == "group":
        os.chown(folder, -1, 12345)
    if open_to in ("owner", "above"):
        os.chown(folder if open_to == "owner" else folder.parent, 12345, -1)
    else:
        folder.chmod(0o770 if open_to == "group" else 0o777)
    with pytest.raises(InvalidInputError) as refused:
        WatchedFolder(folder)
    assert refused.value.message is not None and "as the account that the folder belongs to" in say(
        refused.value.told
    )


@pytest.mark.parametrize(
    "forged", [b"[" * 200_000, b"\xff\xfe", b"[" * 17_000_000], ids=["deep", "no text", "long"]
)
def test_a_journal_of_anything_is_deleted_for_it_may_name_a_child(rounds: Rounds, forged: bytes) -> None:
    own = rounds.path / OWN
    (own / "journal.json").write_bytes(forged)
    assert Journal(rounds.watch.folder).batches == {}
    assert not [path for path in own.iterdir() if path.name.startswith("journal")]


def test_a_journal_that_cannot_be_deleted_is_told(rounds: Rounds) -> None:
    (rounds.path / OWN / "journal.json").mkdir()
    with pytest.raises(InvalidInputError) as refused:
        Journal(rounds.watch.folder)
    assert ".second-reader/journal.json in the folder cannot be read and cannot be deleted" in say(
        refused.value.told
    )


def test_a_name_of_bytes_that_are_no_characters_is_taken_like_others(context: Context, rounds: Rounds) -> None:
    name = os.fsdecode(b"se\xf1or\n1.pdf")
    (rounds.path / name).write_bytes(acroform(COMPLETE))
    rounds.after(LONG)
    assert rounds.lies() == [f"taken/{name}"]
    assert [upload.original_filename for upload in uploads(context)] == ["seor1.pdf"]
