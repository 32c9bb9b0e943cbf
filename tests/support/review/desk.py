"""Rows as a reviewer meets them: an entry with pages and fields, waiting with a proposal or an escalation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import update
from sqlalchemy.orm import Session

from core.confined.mupdf import pymupdf
from core.messages import Message
from core.models import DuplicatePair, Escalation, Profile, ReviewSuggestion, Submission, SubmissionField, Upload
from pipeline.reason_codes import EscalationReason, ProposalReason, ReadingWay, RunReason
from services.context import Context
from tests.support import factories

ESSAY = (
    "My father drives the night bus. When he comes home he makes pancakes and asks me what I dreamed about. "
    "He fixes my bike and lets me hold the wrench. He says that a good father listens first and talks later. "
    "Last winter he walked with me to school every day because the road was icy, although he had not slept. "
    "I want to be as patient as he is."
)
#: Where the printed values stand, in points.
LINES = {
    "student_name": ("Student's Name", "Marisol Quintero", 90),
    "father_figure_name": ("Father's Name", "Ernesto Quintero", 114),
    "school_name": ("School", "Lakeview Elementary School", 138),
    "grade": ("Grade", "4", 162),
    "phone": ("Phone", "555-0142", 186),
}
_VALUE_X = 170
_WIDTH, _HEIGHT = 612.0, 792.0


@cache
def entry_pdf(pages: int = 1, student: str | None = None, essay: str = ESSAY) -> bytes:
    """A small form with the values of LINES at known places, or with another child's name and essay."""
    with pymupdf.open() as document:
        for _ in range(pages):
            page = document.new_page(width=_WIDTH, height=_HEIGHT)
            page.insert_text((60, 55), "What my father means to me", fontsize=18)
            for label, value, y in LINES.values():
                if student is not None and value == LINES["student_name"][1]:
                    value = student
                page.insert_text((60, y), label, fontsize=9, color=(0.35, 0.35, 0.35))
                page.insert_text((_VALUE_X, y), value, fontsize=12)
            page.insert_textbox(pymupdf.Rect(60, 220, 550, 560), essay, fontsize=12, lineheight=1.5)
        return bytes(document.tobytes())


def place(name: str) -> dict[str, Any]:
    """Where a value of LINES stands, 0-1 of the page."""
    _, value, y = LINES[name]
    width = pymupdf.get_text_length(value, fontsize=12)
    return {
        "page": 1,
        "x0": _VALUE_X / _WIDTH,
        "y0": (y - 11) / _HEIGHT,
        "x1": (_VALUE_X + width) / _WIDTH,
        "y1": (y + 3) / _HEIGHT,
    }


@dataclass
class Entry:
    """What was made for one entry."""

    submission: Submission
    upload: Upload
    owner: Profile
    suggestion: ReviewSuggestion | None = None
    escalation: Escalation | None = None


def make_entry(context: Context, session: Session, owner: Profile | None = None, **values: Any) -> Entry:
    """An entry with its file, a page, all fields and their evidence."""
    owner = owner or factories.make_profile(session)
    batch = factories.make_batch(session, owner)
    upload = factories.make_upload(session, batch, content_type="application/pdf", page_count=1, entry_count=1)
    upload.pdf_key = upload.storage_key
    context.store.put(upload.storage_key, entry_pdf())
    factories.make_page(session, upload)
    given = {
        "student_name": LINES["student_name"][1],
        "school_name": LINES["school_name"][1],
        "grade": None,
        "confidence": 0.74,
        **values,
    }
    submission = factories.make_submission(session, upload, **given)
    said = ("student_name", "father_figure_name", "school_name", "grade", "phone")
    values_read = {name: value for name in said if (value := given.get(name, LINES[name][1])) is not None}
    empty = {*said, "teacher_name", "city_or_location", "email", "writing_about", "parent_reaction"} - {
        *values_read
    }
    typed = {"source": "text_layer"}
    fields = factories.make_fields(
        session,
        submission,
        [
            *({"name": name, "value": value, **place(name)} for name, value in values_read.items()),
            {"name": "essay_text", "value": ESSAY, "page": 1, **typed},
            {"name": "word_count", "value": str(len(ESSAY.split())), **typed},
            *({"name": name, "value": None, "source": None, "confidence": 0} for name in sorted(empty)),
        ],
    )
    ids = {field.name: field.id for field in fields}
    lines = [(222 + 18 * line) / _HEIGHT for line in range(4)]
    factories.make_pieces(
        session,
        [
            *({"field_id": ids[name], **place(name)} for name in values_read),
            *(
                {"field_id": ids["essay_text"], "ordinal": line, "x0": 0.098, "y0": y, "x1": 0.9, "y1": y + 0.02}
                for line, y in enumerate(lines)
            ),
        ],
    )
    return Entry(submission, upload, owner)


def make_proposal(
    context: Context, session: Session, owner: Profile | None = None, student: str = "Marisol Quintero"
) -> Entry:
    """An entry whose grade is missing and proposed, whose school is proposed in another spelling."""
    entry = make_entry(
        context,
        session,
        owner,
        status="suggested",
        student_name=student,
        missing_fields=["grade"],
        review_reason_codes=["MISSING_GRADE", "UNKNOWN_SCHOOL"],
    )
    run = factories.make_run(session, entry.submission, outcome="suggested")
    missing = Message.of(RunReason.MISSING, fields=["grade"])
    doubt = Message.of(RunReason.DOUBTS, reasons=["UNKNOWN_SCHOOL"])
    why = Message.of(RunReason.PROPOSED, problems=[missing, doubt])
    factories.make_log(
        session, run, reason=Message.of(RunReason.READ, confidence=0.74, problems=[missing]), duration_ms=412
    )
    factories.make_log(session, run, step=2, action_taken="review_agent", reason=missing, duration_ms=88)
    factories.make_event(session, entry.submission, message=why, run_no=1)
    entry.suggestion = factories.make_suggestion(session, run, proposed_updates={"grade": "4"}, reason=why)
    factories.make_suggestion_field(
        session,
        entry.suggestion,
        reason=Message.of(ProposalReason.NOT_READ, way=Message.of(ReadingWay.SECOND), problems=[]),
        confidence=0.83,
        preferred="proposed",
        **place("grade"),
    )
    factories.make_suggestion_field(
        session,
        entry.suggestion,
        name="school_name",
        current_value="Lakeview Elementary School",
        proposed_value="Lakeview Elementary",
        source="school_list",
        confidence=0.91,
        preferred="proposed",
        reason=Message.of(ProposalReason.READ_DIFFERENTLY, way=Message.of(ReadingWay.SCHOOL_LIST), problems=[]),
        **place("school_name"),
    )
    return entry


def make_doubtful(
    context: Context,
    session: Session,
    owner: Profile | None = None,
    student: str = "Marisol Quintero",
    **values: Any,
) -> Entry:
    """An entry whose school was read a second time, and worse."""
    entry = make_entry(
        context, session, owner, status="suggested", grade="4", student_name=student, school_name="Sterling Oaks"
    )
    run = factories.make_run(session, entry.submission, outcome="suggested")
    weak = Message.of(RunReason.WEAK, fields=["school_name"])
    entry.suggestion = factories.make_suggestion(
        session, run, proposed_updates={"school_name": "Dierning UAKS Pree"}, reason=weak
    )
    given = {
        "name": "school_name",
        "current_value": "Sterling Oaks",
        "proposed_value": "Dierning UAKS Pree",
        "confidence": 0.76,
        "preferred": "as_read",
        "reason": Message.of(ProposalReason.READ_DIFFERENTLY, way=Message.of(ReadingWay.SHARPENED), problems=[]),
        **place("school_name"),
        **values,
    }
    factories.make_suggestion_field(session, entry.suggestion, **given)
    return entry


def make_merged(context: Context, session: Session) -> tuple[Entry, Entry, DuplicatePair]:
    """Two entries with the values of the first, as of merged forms that share fields; each page shows its own."""
    first, second, pair = make_twice(context, session, student=LINES["student_name"][1])
    context.store.put(second.upload.storage_key, entry_pdf(student="Anselm Okoye", essay=ESSAY[::-1]))
    return first, second, pair


def make_twice(
    context: Context, session: Session, owner: Profile | None = None, student: str = "Marlsol Quintero"
) -> tuple[Entry, Entry, DuplicatePair]:
    """Two entries of one child, read a little differently; the second waits for a person."""
    first = make_entry(context, session, owner, status="completed", grade="4")
    waits: dict[str, Any] = {"status": "escalated", "review_reason_codes": ["DUPLICATE_SUBMISSION"]}
    second = make_entry(context, session, owner, grade="4", student_name=student, **waits)
    factories.make_run(session, first.submission, outcome="completed")
    run = factories.make_run(session, second.submission, outcome="escalated")
    second.escalation = factories.make_escalation(
        session, run, reason=Message.of(EscalationReason.SENT_BEFORE), payload={}
    )
    pair = DuplicatePair(
        season_id=first.submission.season_id,
        first_id=first.submission.id,
        second_id=second.submission.id,
        likenesses=["essay", "name", "school_and_grade"],
        strength="sure",
        essay=0.97,
    )
    session.add(pair)
    session.flush()
    return first, second, pair


def make_halves(context: Context, session: Session) -> tuple[Entry, Entry, DuplicatePair]:
    """A form without its essay, and an essay without its form, each a file of its own."""
    waits: dict[str, Any] = {"status": "escalated"}
    form = make_entry(context, session, grade="4", missing_fields=["essay_text"], **waits)
    essay = make_entry(context, session, school_name=None, missing_fields=["school_name", "grade"], **waits)
    for one, name in ((form, "essay_text"), (essay, "school_name")):
        field = SubmissionField
        session.execute(
            update(field)
            .where(field.submission_id == one.submission.id, field.name == name)
            .values(value=None, source=None, confidence=0)
        )
        run = factories.make_run(session, one.submission, status="interrupted", outcome="escalated")
        one.escalation = factories.make_escalation(session, run)
    pair = DuplicatePair(
        season_id=form.submission.season_id,
        first_id=form.submission.id,
        second_id=essay.submission.id,
        likenesses=["name", "halves"],
        strength="sure",
    )
    session.add(pair)
    session.flush()
    return form, essay, pair


def make_escalated(context: Context, session: Session, owner: Profile | None = None, **values: Any) -> Entry:
    """An entry that waits at its interrupt because its grade is missing."""
    entry = make_entry(
        context,
        session,
        owner,
        **{"status": "escalated", "missing_fields": ["grade"], "review_reason_codes": ["MISSING_GRADE"], **values},
    )
    run = factories.make_run(session, entry.submission, status="interrupted", outcome="escalated")
    entry.escalation = factories.make_escalation(session, run)
    return entry
