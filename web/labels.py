"""What people read where the database holds a key."""

from __future__ import annotations

import re

from core.models import SubmissionStatus, UploadStatus
from pipeline.profiles.declared import derived_fields, text_fields
from services.accounts.roles import Role
from web.i18n import mark, sentence, translated

STATUSES: dict[str, str] = {
    SubmissionStatus.QUEUED: mark("Queued"),
    SubmissionStatus.PROCESSING: mark("Being read"),
    SubmissionStatus.COMPLETED: mark("Completed"),
    SubmissionStatus.SUGGESTED: mark("Proposal waits"),
    SubmissionStatus.ESCALATED: mark("Needs a person"),
    SubmissionStatus.RESOLVED: mark("Settled"),
    SubmissionStatus.REJECTED: mark("Rejected"),
    SubmissionStatus.SUPERSEDED: mark("Superseded"),
    SubmissionStatus.FAILED: mark("Failed"),
}
#: How a run of the supervisor ended; the entry may stand elsewhere by now.
OUTCOMES: dict[str, str] = {
    SubmissionStatus.COMPLETED: mark("Completed"),
    SubmissionStatus.SUGGESTED: mark("Proposed"),
    SubmissionStatus.ESCALATED: mark("Escalated"),
    SubmissionStatus.FAILED: mark("Failed"),
}
FILE_STATUSES: dict[str, str] = {
    UploadStatus.STORED: mark("Waiting"),
    UploadStatus.ANALYSING: mark("Looking into it"),
    UploadStatus.SPLIT: mark("No entry found"),
    UploadStatus.FAILED: mark("Failed"),
    UploadStatus.DUPLICATE: mark("Uploaded before"),
    UploadStatus.JOINED: mark("Part of one entry"),
    UploadStatus.SUPERSEDED: mark("Superseded"),
}
FIELDS: dict[str, str] = {
    "student_name": mark("Student"),
    "school_name": mark("School"),
    "grade": mark("Grade"),
    "teacher_name": mark("Teacher"),
    "city_or_location": mark("City"),
    "father_figure_name": mark("Father or father figure"),
    "phone": mark("Phone"),
    "email": mark("E-mail"),
    "writing_about": mark("Writing about"),
    "essay_text": mark("Essay"),
    "word_count": mark("Words"),
    "parent_reaction": mark("Reaction of the parent"),
    "reason": mark("Reason"),
}
#: Fields of an entry and of other forms, for what was typed into one that was not taken.
TYPED: dict[str, str] = {**FIELDS, "query": mark("Question"), "questions": mark("Questions")}
SOURCES: dict[str, str] = {
    "acroform": mark("form field"),
    "text_layer": mark("text of the PDF"),
    "ocr": mark("recognised from the picture"),
    "model": mark("proposed by a language model"),
    "school_list": mark("school list"),
    "person": mark("typed by a person"),
}
DOC_CLASSES: dict[str, str] = {
    "SINGLE_TYPED": mark("One typed page"),
    "SINGLE_SCANNED": mark("One scanned page"),
    "MULTI_PAGE_SINGLE": mark("One entry over several pages"),
    "BULK_SCANNED_BATCH": mark("Scanned stack"),
    "MULTI_ENTRY_PARENT": mark("File with several entries"),
}
EVENTS: dict[str, str] = {
    "read": mark("Read"),
    "completed": mark("Completed by the supervisor"),
    "suggested": mark("Proposed to a reviewer"),
    "escalated": mark("Escalated to a person"),
    "failed": mark("Reading failed"),
    "field_approved": mark("Proposal approved"),
    "field_edited": mark("Proposal edited"),
    "field_kept": mark("Kept as read"),
    "field_rejected": mark("Proposal rejected"),
    "suggestion_decided": mark("Proposal decided"),
    "escalation_resolved": mark("Settled"),
    "rejected": mark("Entry rejected"),
    "edited": mark("Value changed"),
    "reopened": mark("Reopened"),
    "undone": mark("Decision taken back"),
    "superseded": mark("Superseded"),
    "read_again": mark("Sent to be read again"),
}
STEPS: dict[str, str] = {
    "run_pipeline": mark("Read and checked the entry"),
    "retry_with_llm": mark("Asked the language model for what was missing"),
    "review_agent": mark("Looked for proposals"),
    "save_complete": mark("Completed the entry"),
    "mark_for_human": mark("Handed the entry to a person"),
}
DECISIONS: dict[str, str] = {
    "pending": mark("Not decided"),
    "approved": mark("Approved"),
    "edited": mark("Edited"),
    "kept": mark("Kept as read"),
    "rejected": mark("Left open"),
}
#: Of a proposal or an escalation as a whole.
QUEUE_STATUSES: dict[str, str] = {
    "pending": mark("Waiting"),
    "approved": mark("Decided"),
    "resolved": mark("Settled"),
    "rejected": mark("Rejected"),
    "superseded": mark("Superseded"),
}
ROLES: dict[str, str] = {
    Role.UPLOADER: mark("Uploader"),
    Role.OFFICER: mark("Programme officer"),
    Role.REVIEWER: mark("Reviewer"),
    Role.AUDITOR: mark("Auditor"),
    Role.ADMIN: mark("Admin"),
}
#: Words that stand in a sentence of a service where a value has its place.
SAID = (
    mark("approved"),
    mark("rejected"),
    mark("resolved"),
    mark("superseded"),
    mark("queued"),
    mark("processing"),
    mark("completed"),
    mark("suggested"),
    mark("escalated"),
    mark("failed"),
    mark("running"),
    mark("awaiting_plan"),
    mark("done"),
    mark("cancelled"),
    mark("kind of researcher"),
    mark("provider"),
    mark("proposal"),
    mark("escalation"),
    mark("revision"),
    mark("accepted"),
    mark("edited"),
    mark("applied"),
    mark("entry"),
    mark("the machine"),
    mark("ok"),
    mark("down"),
)
#: Fields that people read in several lines.
LONG_FIELDS = text_fields()
#: Worked out from others; nobody types them.
DERIVED_FIELDS = derived_fields()
GRADES = ("K", *(str(grade) for grade in range(1, 13)))

#: A key is a word of its own or, where it is a common word, what a sentence begins with or lists.
_FIELD_KEY = re.compile(
    r"\b(" + "|".join(name for name in FIELDS if "_" in name) + r")\b"
    r"|(?:(?<=^)|(?<=: )|(?<=, ))(" + "|".join(name for name in FIELDS if "_" not in name) + r")(?=:|,|$)"
)


def in_words(text: str) -> str:
    """A sentence of a service in the person's language, with the keys of fields as people know them."""
    return _FIELD_KEY.sub(lambda found: translated(FIELDS[found[1] or found[2]]), sentence(text))


def label(table: dict[str, str], key: str | None) -> str:
    """The label, or the key in readable form where a key is younger than the table."""
    if key is None:
        return ""
    if key in table:
        return translated(table[key])
    return key.replace("_", " ").lower().capitalize()
