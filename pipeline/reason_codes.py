"""Why an entry needs a person: reasons with a label, advice for the reviewer, and whether they block."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple


class ReasonInfo(NamedTuple):
    """What a person is told about a reason."""

    label: str
    advice: str
    #: Whether the machine must not complete an entry with it.
    blocks: bool = True


class ReasonCode(StrEnum):
    """Stored keys of the reasons."""

    MISSING_STUDENT_NAME = "MISSING_STUDENT_NAME"
    MISSING_SCHOOL_NAME = "MISSING_SCHOOL_NAME"
    MISSING_GRADE = "MISSING_GRADE"
    INVALID_GRADE_RANGE = "INVALID_GRADE_RANGE"
    EMPTY_ESSAY = "EMPTY_ESSAY"
    SHORT_ESSAY = "SHORT_ESSAY"
    OCR_LOW_CONFIDENCE = "OCR_LOW_CONFIDENCE"
    EXTRACTION_FALLBACK_USED = "EXTRACTION_FALLBACK_USED"
    TEMPLATE_ONLY = "TEMPLATE_ONLY"
    DOC_TYPE_UNKNOWN = "DOC_TYPE_UNKNOWN"
    UNKNOWN_SCHOOL = "UNKNOWN_SCHOOL"
    POSSIBLE_FIELD_SWAP = "POSSIBLE_FIELD_SWAP"
    CONTENT_MISMATCH = "CONTENT_MISMATCH"
    BLANK_SUBMISSION = "BLANK_SUBMISSION"
    DUPLICATE_SUBMISSION = "DUPLICATE_SUBMISSION"


_INFO: dict[ReasonCode, ReasonInfo] = {
    ReasonCode.MISSING_STUDENT_NAME: ReasonInfo(
        "No student name", "Find the name on the page, or ask the school."
    ),
    ReasonCode.MISSING_SCHOOL_NAME: ReasonInfo("No school", "Find the school on the page, or ask the sender."),
    ReasonCode.MISSING_GRADE: ReasonInfo("No grade", "Find the grade on the page, or ask the school."),
    ReasonCode.INVALID_GRADE_RANGE: ReasonInfo(
        "Not a grade", "What stands in the grade field is no grade from K to 12; it may be a room number."
    ),
    ReasonCode.EMPTY_ESSAY: ReasonInfo("No essay", "Check whether a page was left out of the upload."),
    ReasonCode.SHORT_ESSAY: ReasonInfo("Short essay", "Check whether part of the essay was not read or uploaded."),
    ReasonCode.OCR_LOW_CONFIDENCE: ReasonInfo("Hard to read", "Compare each value with the page."),
    ReasonCode.EXTRACTION_FALLBACK_USED: ReasonInfo(
        "Read by the language model", "Check the model's value against the page.", blocks=False
    ),
    ReasonCode.TEMPLATE_ONLY: ReasonInfo(
        "Blank form", "Nobody has filled in this form. Reject it, or ask for the filled one."
    ),
    ReasonCode.DOC_TYPE_UNKNOWN: ReasonInfo(
        "Unknown layout", "No known form was recognised; check all values.", blocks=False
    ),
    ReasonCode.UNKNOWN_SCHOOL: ReasonInfo(
        "School not on the list", "Choose the school from the list, or add it there if it is new."
    ),
    ReasonCode.POSSIBLE_FIELD_SWAP: ReasonInfo(
        "Fields may be swapped", "A value looks as if it belonged to another field."
    ),
    ReasonCode.CONTENT_MISMATCH: ReasonInfo(
        "Places disagree", "Two places of the entry say different things; choose the right one."
    ),
    ReasonCode.BLANK_SUBMISSION: ReasonInfo("Nothing on the page", "Reject it, or ask for a better scan."),
    ReasonCode.DUPLICATE_SUBMISSION: ReasonInfo(
        "Sent before", "The same entry seems to exist already; keep one of them."
    ),
}


def reason_info(code: str) -> ReasonInfo:
    """What to tell about a code; a code of another version is shown as it is and blocks."""
    if code in ReasonCode.__members__:
        return _INFO[ReasonCode(code)]
    return ReasonInfo(code.replace("_", " ").capitalize(), "Look at the entry as a whole.")


def blocks(code: str) -> bool:
    """Whether a code keeps the machine from completing an entry."""
    return reason_info(code).blocks


def blocking(codes: Iterable[str]) -> list[str]:
    """Those of the codes that keep the machine from completing an entry."""
    return [code for code in codes if blocks(code)]
