"""A child who does not exist, in a stack between two others, read by the real pipeline in this process."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import select

from core.confined.mupdf import pymupdf
from core.models import Run, Submission, Upload, UploadBatch
from pipeline.mupdf.assembly import join_pdfs
from services.context import Context
from services.recovery.kinds import BATCHES, RUNS, TOGETHER, UPLOADS
from services.runs.joint_pass import decide_batch, decide_together
from services.runs.run import run_submission
from services.uploads.submissions import analyse_upload
from services.uploads.submit import IncomingFile, submit_files
from tests.support.reading.entries import ESSAY as ENTRY_ESSAY
from tests.support.reading.entries import acroform

NAME, EMAIL, PHONE = "Zebulon Quarrington", "zq.quarrington@example.org", "555-0199-377"
SENTENCES = (
    "My stepfather Barnabus carves tiny wooden otters for the whole street on rainy Thursdays.",
    "He whistles an old marching song whenever the lighthouse ferry comes home late at night.",
    "In this season he taught me that fathers listen before they answer any question from their children.",
)
ESSAY = (
    " ".join(SENTENCES)
    + " "
    + " ".join(
        f"On day {number} my father helped me and the other children with our homework." for number in range(1, 6)
    )
)
#: What must not be found anywhere once the child is erased.
QUOTED = "my father helped me and the other children with our homework"
TRACES = ("Zebulon", "Quarrington", EMAIL, PHONE, *SENTENCES, QUOTED)
OTHERS = ("Tomas Alder", "Ines Calloway")
OTHER_ESSAY = (
    "Our father repairs bicycles in the yard and lets us hold the wrench and never loses his patience. When the"
    " river rose he carried both dogs up the hill. I want to be as calm as he is when I have children."
    " He says that children learn what fathers do and not what they say, and this season I saw that it is true."
)
SCHOOL = "Lakeview Elementary School"


def form(name: str, essay: str, more: Sequence[str] = ()) -> bytes:
    """A filled form of one page; `more` stands in print below the labels."""
    data = acroform({"Student's Name": name, "Grade": "4", "School": SCHOOL}, essay)
    if not more:
        return data
    with pymupdf.open("pdf", data) as document:
        for place, text in zip(((90, 160), (290, 160)), more, strict=True):
            document[0].insert_text(place, text, fontsize=9)
        return bytes(document.tobytes())


def of_child() -> bytes:
    """The child's form."""
    return form(NAME, ESSAY, (EMAIL, PHONE))


def stack() -> bytes:
    """The child between two others."""
    first, last = (form(name, essay) for name, essay in zip(OTHERS, (OTHER_ESSAY, ENTRY_ESSAY), strict=True))
    return join_pdfs([first, of_child(), last])


def hand_in(context: Context, uploader: uuid.UUID, *files: bytes, one_entry: bool = False) -> uuid.UUID:
    """Upload the files, the first under the child's name, and read them; return the batch."""
    incoming = [
        IncomingFile(f"scan {number}.pdf" if number else f"{NAME}.pdf", data) for number, data in enumerate(files)
    ]
    batch = submit_files(context, uploader, incoming, one_entry=one_entry)
    read_all(context)
    return batch


def read_all(context: Context) -> None:
    """Do what workers would do, until there is nothing left."""
    steps = (
        (Upload.id, UPLOADS, analyse_upload),
        (Run.run_id, RUNS, run_submission),
        (Upload.id, TOGETHER, decide_together),
        (UploadBatch.id, BATCHES, decide_batch),
    )
    for _ in range(5):
        for key, work, do in steps:
            due = context.database.scalars(select(key).where(work.due))
            for one in due:
                do(context, one)  # type: ignore[operator]


def named(context: Context, name: str) -> Submission:
    """The entry of this name that is in force."""
    return context.database.one(
        select(Submission).where(Submission.student_name == name, Submission.status != "superseded")
    )
