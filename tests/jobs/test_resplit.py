"""Two entries taken for one are parted by a reviewer, and read, through the real queue and a real worker."""

from __future__ import annotations

from services.context import Context
from services.uploads.resplit import resplit_upload, undo_resplit
from services.uploads.submit import IncomingFile, submit_files
from tests.support.office import entries_of, make_person, run_of, settled, uploads_of, wait_until, working
from tests.support.reading.entries import COMPLETE, ESSAY, acroform
from tests.support.reading.stacks import planned, versions_of

OTHER = {"Student's Name": "Tomas Alder", "Grade": "7", "School": "Cedar Bend Middle School"}


def test_two_entries_taken_for_one(context: Context) -> None:
    files = [
        IncomingFile("one.pdf", acroform(COMPLETE)),
        IncomingFile("two.pdf", acroform(OTHER, essay=ESSAY.replace("bakery", "harbor"))),
    ]
    batch = submit_files(context, make_person(context), files, one_entry=True)
    reviewer = make_person(context, "reviewer")
    with working(context):
        wait_until(lambda: settled(context, batch), "the wrong entry")
        (wrong,) = entries_of(context, batch)
        upload = uploads_of(context, batch)[0]
        resplit = resplit_upload(
            context, reviewer, [upload.id], versions_of([wrong]), [planned((upload, 2)), planned((upload, 1))]
        )
        wait_until(lambda: settled(context, batch), "the two entries")
    made = {entry.id: entry for entry in entries_of(context, batch) if entry.id != wrong.id}
    assert [(made[found].student_name, made[found].grade) for found in resplit.submission_ids] == [
        ("Tomas Alder", "7"),
        ("Marisol Quintero", "4"),
    ]
    assert {run_of(context, found).status for found in made} <= {"settled", "interrupted"}
    undo_resplit(context, reviewer, resplit.split_id)
    stand = {entry.id: entry.status for entry in entries_of(context, batch)}
    assert stand == {wrong.id: wrong.status, **dict.fromkeys(resplit.submission_ids, "superseded")}
