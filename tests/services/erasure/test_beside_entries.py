"""An erasure finds the child where no entry refers to: failed files, blank forms, a scanner's folder."""

from __future__ import annotations

import errno
import os
import uuid
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete, select

from core.clock import utcnow
from core.confined.mupdf import pymupdf
from core.errors import ConflictError, StorageError
from core.models import (
    DuplicatePair,
    Erasure,
    ErasureReason,
    FormDraft,
    FormProfile,
    Letter,
    LetterItem,
    OutgoingMail,
    PageFingerprint,
    SavedFilter,
    Submission,
    SubmissionField,
    Upload,
    UploadBatch,
    WatchedFolderPlace,
)
from pipeline.duplicates.pictures import DPI, fingerprint
from pipeline.profiles.form import Printed, PrintedRole
from pipeline.recognition.page_contents import render_page
from services.context import Context
from services.erasure.erase import erase_submissions
from services.erasure.held_export import erasure_receipt, find_held
from services.erasure.scope import HeldKind
from services.erasure.search import is_called_after
from services.form_studio.blank import read_blank
from services.form_studio.draft import begin_draft
from services.forms.versions import form_version, save_version
from services.watching import places
from services.watching.places import OWN, WatchedFolder, find_watched, record_place, remove_watched
from tests.support import factories
from tests.support.erasure import child
from tests.support.erasure.scan import where_found
from tests.support.office import make_person
from tests.support.reading.entries import acroform
from tests.support.small_form import PADDLE_DAY, files_alone_afterwards

BROKEN = b"what nobody can read"


@pytest.fixture(autouse=True)
def no_forms_left() -> Iterator[None]:
    with files_alone_afterwards():
        yield


def erase(context: Context, submission_id: uuid.UUID) -> uuid.UUID:
    return erase_submissions(context, [submission_id], make_person(context, "admin"), ErasureReason.ASKED)


def counts(context: Context, receipt_id: uuid.UUID) -> dict[str, int]:
    return context.database.get_one(Erasure, receipt_id).counts


@pytest.fixture
def entry(context: Context) -> Submission:
    """The child's, read."""
    child.hand_in(context, make_person(context), child.of_child())
    return child.named(context, child.NAME)


def failed(context: Context, entry: Submission, name: str, status: str = "failed") -> str:
    """Store a file of which no entry came; return its key."""
    with context.database.session() as session:
        batch = session.get_one(UploadBatch, entry.batch_id)
        error = {"error_code": "damaged_document"} if status == "failed" else {}
        upload = factories.make_upload(session, batch, position=7, original_filename=name, status=status, **error)
    context.store.put(upload.storage_key, BROKEN)
    return upload.storage_key


@pytest.mark.parametrize(
    ("filename", "is_it"),
    [
        ("Zebulon Quarrington.pdf", True),
        ("quarrington, 2zebulon.jpg", True),
        ("ZebulonQuarrington_page1.png", True),
        ("scan_zebulon_quarrington2.pdf", True),
        ("Zébulon  QUARRINGTON.tif", True),
        ("Zebulon.pdf", False),
        ("Quarrington twins.pdf", False),
        ("Zebulon Quarrington Marchetti.pdf", False),
        ("Tomas Quarrington and Zebulon Marchetti.pdf", False),
        ("scan 9.pdf", False),
        ("Zebulonia Quarringtons.pdf", False),
    ],
)
def test_which_files_are_called_after_a_child(filename: str, is_it: bool) -> None:
    assert is_called_after(filename, ["Zebulon A. Quarrington"]) is is_it


@pytest.mark.parametrize(
    ("filename", "child"),
    [
        ("Ren%C3%A9e%20Ib%C3%A1%C3%B1ez.pdf", "Renée Ibáñez"),
        ("Ren%25C3%25A9e+Ibanez.pdf", "Renée Ibáñez"),
        ("Renée Ibáñez.pdf".encode().decode("latin-1"), "Renée Ibáñez"),
        ("Renée Ibáñez.pdf".encode().decode("cp1252"), "Renée Ibáñez"),
        ("Renée Ibáñez/scan.pdf".encode().decode("cp437"), "Renée Ibáñez"),
        ("reneeibanez.pdf", "Renée Ibáñez"),
        ("IBANEZRENEE2.jpg", "Renée Ibáñez"),
        ("scanreneeibanezessay.pdf", "Renée Ibáñez"),
        ("Renée Ibáñez's essay.pdf", "Renée Ibáñez"),
        ("renee ibanezs essay.pdf", "Renée Ibáñez"),
        ("Renee Ibanez’s.png", "Renée Ibáñez"),
        ("Wladyslaw Lorenc.pdf", "Władysław Łorenc"),
        ("Soren Aaby.pdf", "Søren Aaby"),
        ("soeren_aaby.pdf", "Søren Åby"),
        ("Jürgen Weiß.pdf", "Juergen Weiss"),
        ("Juergen Weiss.pdf", "Jürgen Weiß"),
        ("Tariku.pdf", "Tariku"),
        ("scan 2 of Tariku's essay.pdf", "Tariku"),
        ("欧阳明.pdf", "欧阳明"),
        ("欧阳明的作文.pdf", "欧阳 明"),
        ("%E6%AC%A7%E9%98%B3%E6%98%8E.pdf", "欧阳明"),
        ("Ximena Oquendo.pdf", "Ximena Oquendo Tavira"),
        ("Tavira, Ximena.pdf", "Ximena Oquendo Tavira"),
        ("oquendo ximena essay 2.pdf", "Ximena Paz Oquendo Tavira"),
    ],
)
def test_a_childs_name_is_known_however_it_is_spelled(filename: str, child: str) -> None:
    assert is_called_after(filename, [child])


@pytest.mark.parametrize(
    ("filename", "child"),
    [
        ("analisis.pdf", "Ana Li"),
        ("Tariku Beyene.pdf", "Tariku"),
        ("Ximena Oquendo Baltar.pdf", "Ximena Oquendo Tavira"),
        ("Oquendo.pdf", "Ximena Oquendo Tavira"),
        ("作文.pdf", "欧阳明"),
        ("100% done.pdf", "Renée Ibáñez"),
    ],
)
def test_other_childrens_files_are_not_called_after_a_child(filename: str, child: str) -> None:
    assert not is_called_after(filename, [child])


def test_files_without_an_entry_that_are_called_after_the_child_go(context: Context, entry: Submission) -> None:
    gone = [
        failed(context, entry, "Quarrington_Zebulon-2.pdf"),
        failed(context, entry, "zebulon quarrington (again).png", status="split"),
    ]
    stay = [failed(context, entry, name) for name in ("scan 9.pdf", "Ines Calloway.pdf")]
    held = find_held(context, [entry.id])
    told = counts(context, erase(context, entry.id))
    assert told == {kind.value: number for kind, number in held.counts.items()}
    assert (told["unread_files"], told["staying_files"]) == (2, 2)
    assert set(context.database.scalars(select(Upload.storage_key))) == set(stay)
    assert [context.store.exists(key) for key in (*gone, *stay)] == [False, False, True, True]
    assert where_found(context, child.TRACES) == []


def drafted(context: Context, filename: str, blank: bytes) -> uuid.UUID:
    draft_id = begin_draft(context, make_person(context, "admin"), filename, blank)
    assert read_blank(context, draft_id)
    return draft_id


def pictured(pdf: bytes) -> bytes:
    """The first page as a scan."""
    with pymupdf.open("pdf", pdf) as source, pymupdf.open() as made:
        page = made.new_page(width=612, height=792)
        page.insert_image(page.rect, pixmap=source[0].get_pixmap(dpi=150))
        return bytes(made.tobytes())


def test_drafts_on_a_filled_page_go_and_the_same_form_without_the_child_stays(
    context: Context, entry: Submission
) -> None:
    sheet = fingerprint(render_page(pictured(child.of_child()), 1, DPI))
    with context.database.session() as session:
        session.add(PageFingerprint(submission_id=entry.id, position=1, ink=sheet))
    by_text = drafted(context, "blank.pdf", child.of_child())
    by_sheet = drafted(context, "scanned.pdf", pictured(child.of_child()))
    by_name = begin_draft(context, make_person(context, "admin"), f"{child.NAME}.pdf", BROKEN)
    others = {
        drafted(context, "empty.pdf", acroform({}, "")),
        drafted(context, "scanned empty.pdf", pictured(acroform({}, ""))),
        drafted(context, "another child's.pdf", child.form(child.OTHERS[0], child.OTHER_ESSAY)),
    }
    told = counts(context, erase(context, entry.id))
    assert told["drafts"] == 3
    assert set(context.database.scalars(select(FormDraft.id))) == others
    kept = (context.settings.var_dir / "files" / "form-drafts").iterdir()
    left = {uuid.UUID(path.name) for path in kept}
    assert left.isdisjoint({by_text, by_sheet, by_name}) and left == others
    assert where_found(context, child.TRACES) == []


def test_a_saved_form_loses_a_blank_that_shows_the_child_and_stays_in_use(
    context: Context, entry: Submission
) -> None:
    saved = save_version(context, None, PADDLE_DAY, child.of_child())
    other = save_version(context, None, PADDLE_DAY.model_copy(update={"key": "paddle_night"}), acroform({}, ""))
    told = counts(context, erase(context, entry.id))
    assert told["blanks"] == 1
    left = form_version(context, saved.key)
    assert (left.blank_key, left.status) == (None, "active")
    assert form_version(context, other.key).blank_key is not None
    assert where_found(context, child.TRACES) == []
    assert len(context.database.scalars(select(FormProfile))) == 2


@pytest.mark.parametrize(
    "texts", [["Entry of {0} {1} 2026"], ["Entry of\n{0}\t{1}"], ["Entry of {0}", "{1} 2026"]]
)
def test_a_form_whose_print_names_the_child_is_counted_in_preview_and_receipt(
    context: Context, entry: Submission, texts: list[str]
) -> None:
    first, last = child.NAME.split()
    notes = [Printed(role=PrintedRole.NOTE, texts=(text.format(first, last),)) for text in texts]
    save_version(context, None, PADDLE_DAY.model_copy(update={"printed": (*PADDLE_DAY.printed, *notes)}), None)
    save_version(context, None, PADDLE_DAY.model_copy(update={"key": "paddle_night"}), None)
    assert find_held(context, [entry.id]).counts[HeldKind.STAYING_FORMS] == 1
    assert counts(context, erase(context, entry.id))["staying_forms"] == 1


@pytest.fixture
def scans(context: Context, tmp_path: Path) -> Path:
    """A folder that is watched."""
    folder = tmp_path / "scans"
    folder.mkdir()
    record_place(context, WatchedFolder(folder))
    return folder


def put(path: Path, data: bytes = BROKEN) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def test_what_was_taken_from_a_watched_folder_and_refused_there_goes(
    context: Context, entry: Submission, scans: Path
) -> None:
    with context.database.session() as session:
        original = context.store.get(session.get_one(Upload, entry.upload_id).storage_key)
        other = factories.make_upload(session, sha256="0" * 64)
    context.store.put(other.storage_key, BROKEN)
    day = scans / "taken" / "2026-11-20"
    gone = [
        put(day / "scan0001.pdf", original),
        put(scans / "scan0001.pdf", original),
        put(day / "Zebulon Quarrington-2.pdf", b"longer, and taken anew"),
        put(scans / "refused" / "zebulon_quarrington.exe"),
        put(scans / "refused" / "zebulon_quarrington.exe.txt", b"why"),
    ]
    stay = [
        put(day / "scan0002.pdf", b"x" * len(original)),
        put(scans / "refused" / "notes.exe"),
        put(scans / "refused" / "notes.exe.txt", b"why"),
        put(scans / "Zebulon Quarrington new.pdf"),
    ]
    (day / "Zebulon Quarrington link.pdf").symlink_to(stay[0])
    held = find_held(context, [entry.id])
    done = erase(context, entry.id)
    assert [path.exists() for path in (*gone, *stay)] == [False] * 5 + [True] * 4
    assert counts(context, done) == {kind.value: number for kind, number in held.counts.items()}
    assert counts(context, done)["watched_files"] == 5
    assert erasure_receipt(context, done).not_reached == held.not_reached == []


def test_a_namesakes_file_in_a_watched_folder_stays(context: Context, entry: Submission, scans: Path) -> None:
    namesake = child.form(child.NAME, child.OTHER_ESSAY)
    child.hand_in(context, make_person(context), namesake)
    kept = put(scans / "taken" / "2026-11-20" / f"{child.NAME}.pdf", namesake)
    erase(context, entry.id)
    assert kept.exists()


@pytest.mark.parametrize("problem", ["gone", "another machine's", "no text", "endless", "read-only"])
def test_a_watched_folder_that_cannot_be_reached_is_named_in_the_receipt(
    context: Context, entry: Submission, scans: Path, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = context.store.get(context.database.get_one(Upload, entry.upload_id).storage_key)
    file = put(scans / "taken" / "2026-11-20" / "scan0001.pdf", original)
    if problem == "gone":
        scans.rename(scans.with_name("away"))
    elif problem == "another machine's":
        (scans / OWN / "id").write_text(str(uuid.uuid4()))
    elif problem == "no text":
        (scans / OWN / "id").write_bytes(b"\xff\xfe")
    elif problem == "endless":
        os.truncate(scans / OWN / "id", 1 << 40)
    else:
        real = os.access
        # Root may write everywhere.
        monkeypatch.setattr(os, "access", lambda path, mode, **given: path != "." and real(path, mode, **given))
    done = erasure_receipt(context, erase(context, entry.id))
    assert done.not_reached == [str(scans)]
    assert "watched_files" not in done.counts
    assert file.exists() or problem == "gone"


def test_a_folder_that_refuses_leaves_the_entry_whole_and_erasing_again_does_it(
    context: Context, entry: Submission, scans: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = context.database.get_one(Upload, entry.upload_id).storage_key
    before = set(stored_files(context))
    file = put(scans / "taken" / "2026-11-20" / "scan0001.pdf", context.store.get(key))

    def refused(folder: int, name: str) -> None:
        raise PermissionError(errno.EPERM, "not yours", name)

    with monkeypatch.context() as patch:
        # A sticky folder of somebody else's, which root may write into all the same.
        patch.setattr("services.watching.places._remove", refused)
        with pytest.raises(StorageError):
            erase(context, entry.id)
    assert file.exists() and set(stored_files(context)) == before
    assert child.named(context, child.NAME).id == entry.id
    erase(context, entry.id)
    assert not file.exists() and where_found(context, child.TRACES) == []


def stored_files(context: Context) -> list[Path]:
    return [path for path in (context.settings.var_dir / "files").rglob("*") if path.is_file()]


def test_a_file_larger_than_any_upload_is_removed_by_its_name_unread(
    context: Context, entry: Submission, scans: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = put(scans / "refused" / f"{child.NAME}.pdf")
    os.truncate(file, 1 << 36)
    monkeypatch.setattr(places._Digesting, "digest", lambda *_: pytest.fail("it was read"))
    erase(context, entry.id)
    assert not file.exists()


@pytest.mark.parametrize("planted", ["taken", "refused", OWN])
def test_an_erasure_follows_no_link_in_a_watched_folder(
    context: Context, entry: Submission, scans: Path, tmp_path: Path, planted: str
) -> None:
    original = context.store.get(context.database.get_one(Upload, entry.upload_id).storage_key)
    elsewhere = tmp_path / "elsewhere"
    kept = [put(elsewhere / "2026-11-20" / "scan0001.pdf", original), put(elsewhere / "scan0001.pdf", original)]
    put(elsewhere / "id", (scans / OWN / "id").read_bytes())
    if planted == OWN:
        (scans / OWN).rename(scans / "was")
    (scans / planted).symlink_to(elsewhere)
    done = erasure_receipt(context, erase(context, entry.id))
    assert all(path.exists() for path in kept)
    assert done.not_reached == [str(scans)]


def test_a_link_that_comes_before_the_removal_is_not_followed(
    context: Context, entry: Submission, scans: Path, tmp_path: Path
) -> None:
    file = put(scans / "taken" / "2026-11-20" / "Zebulon Quarrington.pdf")
    with context.database.session() as session:
        watched = find_watched(session, [entry.upload_id], lambda name: "Zebulon" in name)
    (scans / "taken").rename(tmp_path / "elsewhere")
    (scans / "taken").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageError):
        remove_watched(watched)
    assert (tmp_path / "elsewhere" / "2026-11-20" / file.name).exists()


def test_a_folder_of_too_many_large_files_is_not_searched_to_its_end(
    context: Context, entry: Submission, scans: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "_MOST_HASHED", 10_000)
    with context.database.session() as session:
        session.get_one(Upload, entry.upload_id).byte_size = 6_000
    for name in ("one.pdf", "two.pdf"):
        with (scans / name).open("wb") as file:
            file.truncate(6_000)
        expected = [] if name == "one.pdf" else [str(scans)]
        assert find_held(context, [entry.id]).not_reached == expected


def test_a_folder_is_one_place_however_often_it_is_watched(context: Context, scans: Path) -> None:
    record_place(context, WatchedFolder(scans))
    moved = scans.rename(scans.with_name("moved"))
    record_place(context, WatchedFolder(moved))
    assert context.database.scalars(select(WatchedFolderPlace.path)) == [str(moved)]


@pytest.mark.parametrize(
    ("wanted", "gone"),
    [
        ("zebulon", True),
        ("Zebulon Quarrington Marchetti", True),
        ("quarington zebulon 2026", True),
        ("Zebulun", True),
        ("Zebulon Lakeview 4", True),
        (child.PHONE, True),
        ("5550199377", True),
        (child.EMAIL, True),
        ("Barnabus Quarrington", True),
        ("quarry hill", False),
        ("Lakeview", False),
        ("Zebulon Marchetti", False),
        ("Helena Kowalczyk", False),
        ("example.org", False),
        ("Q", False),
        ("4", False),
    ],
)
def test_which_saved_filters_search_for_the_child(
    context: Context, entry: Submission, wanted: str, gone: bool
) -> None:
    with context.database.session() as session:
        for name, value in (
            ("phone", child.PHONE),
            ("email", child.EMAIL),
            ("father_figure_name", "Barnabus Quarrington"),
            ("teacher", "Helena Kowalczyk"),
        ):
            field = session.scalars(
                select(SubmissionField).where(
                    SubmissionField.submission_id == entry.id, SubmissionField.name == name
                )
            ).one_or_none()
            if field is None:
                session.add(
                    SubmissionField(
                        submission_id=entry.id, season_id=entry.season_id, name=name, value=value, source="person"
                    )
                )
            else:
                field.value = value
        owner = factories.make_profile(session, "reviewer")
        session.add(SavedFilter(person_id=owner.id, name="mine", filter={"text": wanted}))
    assert bool(find_held(context, [entry.id]).counts.get(HeldKind.SAVED_FILTERS)) is gone


def test_names_of_attached_files_go_with_the_pages(context: Context) -> None:
    child.hand_in(context, make_person(context), child.stack())
    entry = child.named(context, child.NAME)
    with context.database.session() as session:
        session.get_one(Upload, entry.upload_id).notes = [{"code": "ATTACHMENTS", "names": [f"{child.NAME}.txt"]}]
    erase(context, entry.id)
    assert where_found(context, child.TRACES) == []


def test_a_letter_that_was_not_sent_is_withdrawn_for_the_others_too(context: Context) -> None:
    child.hand_in(context, make_person(context), child.stack())
    entry, other = (child.named(context, name) for name in (child.NAME, child.OTHERS[0]))
    with context.database.session() as session:
        rows = [session.get_one(Submission, one.id) for one in (entry, other)]
        sent, waiting, printed = (factories.make_letter(session, *rows) for _ in range(3))
        for letter, state in ((sent, "sent"), (waiting, "waiting")):
            session.add(
                OutgoingMail(
                    kind="letter",
                    season_id=entry.season_id,
                    letter_id=letter.id,
                    recipient="school@example.org",
                    subject="Something is missing",
                    body="Dear school",
                    language="en",
                    state=state,
                    sent_at=utcnow() if state == "sent" else None,
                )
            )
        kept = {sent.id, printed.id}
    erase(context, entry.id)
    with context.database.session() as session:
        assert set(session.scalars(select(LetterItem.letter_id))) == kept
        assert set(session.scalars(select(Letter.body))) == {""}


def test_an_earlier_scan_that_was_replaced_goes_too(context: Context) -> None:
    uploader = make_person(context)
    child.hand_in(context, uploader, child.of_child())
    first = child.named(context, child.NAME)
    with context.database.session() as session:
        session.get_one(Submission, first.id).status = "superseded"
    child.hand_in(context, uploader, child.form(child.NAME, child.ESSAY, (child.EMAIL, "555-0199-378")))
    with context.database.session() as session:
        second = session.scalars(select(Submission).where(Submission.id != first.id)).one()
        session.execute(delete(DuplicatePair))
        session.add(
            DuplicatePair(
                season_id=first.season_id,
                first_id=first.id,
                second_id=second.id,
                likenesses=[],
                strength="sure",
                decision="replace",
                decided_by=uploader,
                decided_at=utcnow(),
            )
        )
        second_id = second.id
    erase(context, second_id)
    assert where_found(context, child.TRACES) == []


def test_a_letter_that_a_worker_sends_is_waited_for(context: Context, entry: Submission) -> None:
    with context.database.session() as session:
        letter = factories.make_letter(session, session.get_one(Submission, entry.id))
        session.add(
            OutgoingMail(
                kind="letter",
                season_id=entry.season_id,
                letter_id=letter.id,
                recipient="school@example.org",
                subject="Something is missing",
                body="Dear school",
                language="en",
                lease_owner="a worker",
                lease_until=utcnow() + timedelta(minutes=2),
            )
        )
    with pytest.raises(ConflictError):
        erase(context, entry.id)
