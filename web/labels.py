"""What people read where the database holds a key."""

from __future__ import annotations

import re

from core.models import SubmissionStatus, UploadStatus

STATUSES: dict[str, str] = {
    SubmissionStatus.QUEUED: "Queued",
    SubmissionStatus.PROCESSING: "Being read",
    SubmissionStatus.COMPLETED: "Completed",
    SubmissionStatus.SUGGESTED: "Proposal waits",
    SubmissionStatus.ESCALATED: "Needs a person",
    SubmissionStatus.RESOLVED: "Settled",
    SubmissionStatus.REJECTED: "Rejected",
    SubmissionStatus.SUPERSEDED: "Superseded",
    SubmissionStatus.FAILED: "Failed",
}
#: How a run of the supervisor ended; the entry may stand elsewhere by now.
OUTCOMES: dict[str, str] = {
    SubmissionStatus.COMPLETED: "Completed",
    SubmissionStatus.SUGGESTED: "Proposed",
    SubmissionStatus.ESCALATED: "Escalated",
    SubmissionStatus.FAILED: "Failed",
}
FILE_STATUSES: dict[str, str] = {
    UploadStatus.STORED: "Waiting",
    UploadStatus.ANALYSING: "Looking into it",
    UploadStatus.SPLIT: "No entry found",
    UploadStatus.FAILED: "Failed",
    UploadStatus.DUPLICATE: "Uploaded before",
    UploadStatus.JOINED: "Part of one entry",
}
FIELDS: dict[str, str] = {
    "student_name": "Student",
    "school_name": "School",
    "grade": "Grade",
    "teacher_name": "Teacher",
    "city_or_location": "City",
    "father_figure_name": "Father or father figure",
    "phone": "Phone",
    "email": "E-mail",
    "writing_about": "Writing about",
    "essay_text": "Essay",
    "word_count": "Words",
    "parent_reaction": "Reaction of the parent",
    "reason": "Reason",
}
SOURCES: dict[str, str] = {
    "acroform": "form field",
    "text_layer": "text of the PDF",
    "ocr": "recognised from the picture",
    "model": "proposed by a language model",
    "school_list": "school list",
    "person": "typed by a person",
}
DOC_CLASSES: dict[str, str] = {
    "SINGLE_TYPED": "One typed page",
    "SINGLE_SCANNED": "One scanned page",
    "MULTI_PAGE_SINGLE": "One entry over several pages",
    "BULK_SCANNED_BATCH": "Scanned stack",
    "MULTI_ENTRY_PARENT": "File with several entries",
}
EVENTS: dict[str, str] = {
    "read": "Read",
    "completed": "Completed by the supervisor",
    "suggested": "Proposed to a reviewer",
    "escalated": "Escalated to a person",
    "failed": "Reading failed",
    "field_approved": "Proposal approved",
    "field_edited": "Proposal edited",
    "field_rejected": "Proposal rejected",
    "suggestion_decided": "Proposal decided",
    "escalation_resolved": "Settled",
    "rejected": "Entry rejected",
    "edited": "Value changed",
    "reopened": "Reopened",
    "undone": "Decision taken back",
    "superseded": "Superseded",
    "read_again": "Sent to be read again",
}
STEPS: dict[str, str] = {
    "run_pipeline": "Read and checked the entry",
    "retry_with_llm": "Asked the language model for what was missing",
    "review_agent": "Looked for proposals",
    "save_complete": "Completed the entry",
    "mark_for_human": "Handed the entry to a person",
}
DECISIONS: dict[str, str] = {
    "pending": "Not decided",
    "approved": "Approved",
    "edited": "Edited",
    "rejected": "Left as it was",
}
#: Of a proposal or an escalation as a whole.
QUEUE_STATUSES: dict[str, str] = {
    "pending": "Waiting",
    "approved": "Decided",
    "resolved": "Settled",
    "rejected": "Rejected",
    "superseded": "Superseded",
}
#: Fields that people read in several lines.
LONG_FIELDS = frozenset({"essay_text", "parent_reaction"})
#: Worked out from others; nobody types them.
DERIVED_FIELDS = frozenset({"word_count"})
GRADES = ("K", *(str(grade) for grade in range(1, 13)))

_FIELD_KEY = re.compile(r"\b(" + "|".join(name for name in FIELDS if "_" in name) + r")\b")


def in_words(text: str) -> str:
    """A sentence of a service, with the keys of fields as people know them."""
    return _FIELD_KEY.sub(lambda found: FIELDS[found[1]], text)


def label(table: dict[str, str], key: str | None) -> str:
    """The label, or the key in readable form where a key is younger than the table."""
    if key is None:
        return ""
    return table.get(key) or key.replace("_", " ").lower().capitalize()
