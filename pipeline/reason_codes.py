"""Reasons why an entry needs a person, and codes of what the pipeline refuses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Self

from core.messages import LabelledEnum, MessageCode, readable
from pipeline.profiles import ProfileKind, known_profile


class ReasonInfo(NamedTuple):
    """Label and advice of a reason, and whether it blocks."""

    label: str
    advice: str
    #: Whether the machine must not complete an entry with it.
    blocks: bool = True


class ReasonCode(LabelledEnum, places=("reason", "reasons")):
    """Stored keys of the reasons, with a label, advice, and whether the machine must not complete the entry."""

    advice: str
    blocks: bool
    #: Advice if the entry's form does not ask for the field; "" if that makes no difference.
    not_on_form: str

    def __new__(
        cls, key: str, label: str = "", advice: str = "", blocks: bool = True, not_on_form: str = ""
    ) -> Self:
        member = str.__new__(cls, key)
        member._value_, member.label, member.advice, member.blocks = key, label, advice, blocks
        member.not_on_form = not_on_form
        return member

    MISSING_STUDENT_NAME = (
        "MISSING_STUDENT_NAME",
        "No student name",
        "Find the name on the page, or ask the school.",
    )
    MISSING_SCHOOL_NAME = (
        "MISSING_SCHOOL_NAME",
        "No school",
        "Find the school on the page, or ask the sender.",
        True,
        "This form does not ask for the school. Use the school of the upload, or ask the sender.",
    )
    MISSING_GRADE = (
        "MISSING_GRADE",
        "No grade",
        "Find the grade on the page, or ask the school.",
        True,
        "This form does not ask for the grade. Use the grade of the upload, or ask the school.",
    )
    INVALID_GRADE_RANGE = (
        "INVALID_GRADE_RANGE",
        "Not a grade",
        "The grade field does not have a grade from K to 12; it may be a room number.",
    )
    MISSING_REQUIRED_FIELD = (
        "MISSING_REQUIRED_FIELD",
        "A required field is empty",
        "Find the value on the page, or ask the sender.",
    )
    INVALID_VALUE = (
        "INVALID_VALUE",
        "Not valid for this field",
        "The value is not what the form asks for. Compare it with the page.",
    )
    EMPTY_ESSAY = "EMPTY_ESSAY", "No essay", "Check whether a page is missing from the upload."
    SHORT_ESSAY = (
        "SHORT_ESSAY",
        "Short essay",
        "Check whether part of the essay was not read or uploaded. If it is all there, it can be accepted.",
    )
    OCR_LOW_CONFIDENCE = "OCR_LOW_CONFIDENCE", "Hard to read", "Compare each value with the page."
    EXTRACTION_FALLBACK_USED = (
        "EXTRACTION_FALLBACK_USED",
        "Read by the language model",
        "Check the model's value against the page.",
        False,
    )
    TEMPLATE_ONLY = (
        "TEMPLATE_ONLY",
        "Blank form",
        "Nobody filled in this form. Reject it, or ask for a completed one.",
    )
    DOC_TYPE_UNKNOWN = (
        "DOC_TYPE_UNKNOWN",
        "Unknown layout",
        "The form was not recognized. Check all values.",
        False,
    )
    UNKNOWN_SCHOOL = (
        "UNKNOWN_SCHOOL",
        "School not on the list",
        ("Choose the school from the list, add it if it is new, or say which school this spelling refers to."),
    )
    POSSIBLE_FIELD_SWAP = (
        "POSSIBLE_FIELD_SWAP",
        "Fields may be swapped",
        "A value looks like it belongs to another field.",
    )
    CONTENT_MISMATCH = (
        "CONTENT_MISMATCH",
        "Conflicting values",
        "Two places in the entry have different values. Choose the right one.",
    )
    UNEXPLAINED_WORDS = (
        "UNEXPLAINED_WORDS",
        "Unexplained words",
        "A word in the header does not belong to any field, or a value may contain words from "
        "another field. Compare with the page.",
    )
    SPELLED_AS_OTHERS = (
        "SPELLED_AS_OTHERS",
        "Spelling changed to match",
        "A word was read differently and changed to match other entries or another field. Compare "
        "it with the page.",
    )
    OVER_LIMIT = (
        "OVER_LIMIT",
        "Longer than the form allows",
        ("Compare the length with the page. The office decides whether a text that is too long can take part."),
        False,
    )
    BLANK_SUBMISSION = "BLANK_SUBMISSION", "Blank page", "Reject it, or ask for a better scan."
    NOT_AS_SHOWN = (
        "NOT_AS_SHOWN",
        "The page shows something else",
        "What the file says differs from what its page shows. Compare each value with the page.",
    )
    MORE_IN_FILE = (
        "MORE_IN_FILE",
        "More in the file",
        "The file holds more documents or pictures than were read. Open the original and check for other entries.",
    )
    ATTACHMENTS = (
        "ATTACHMENTS",
        "Files attached",
        "Other files are attached to this file and were not read. Open the original and upload them separately.",
    )
    DYNAMIC_FORM = (
        "DYNAMIC_FORM",
        "Form needs Adobe Reader",
        "The page only shows what was filled in when it is opened in Adobe Reader. Print it to PDF there and "
        "upload that.",
    )
    SPLIT_UNCERTAIN = (
        "SPLIT_UNCERTAIN",
        "Pages may belong to another entry",
        "It is not certain where this entry begins and ends. Check its pages and correct the split.",
    )
    UNREAD_CONTENT = (
        "UNREAD_CONTENT",
        "Part of the page was not read",
        "Part of what the file shows could not be read. Compare with the original.",
    )
    DUPLICATE_SUBMISSION = (
        "DUPLICATE_SUBMISSION",
        "Possible duplicate",
        "This entry may have been sent before. Compare the two and keep one.",
    )


#: The reasons of missing fields, by field.
OF_MISSING = {
    "student_name": ReasonCode.MISSING_STUDENT_NAME,
    "school_name": ReasonCode.MISSING_SCHOOL_NAME,
    "grade": ReasonCode.MISSING_GRADE,
}


#: The reasons that depend on the pages or the file, not on the values.
OF_FILES = (
    ReasonCode.NOT_AS_SHOWN,
    ReasonCode.MORE_IN_FILE,
    ReasonCode.ATTACHMENTS,
    ReasonCode.DYNAMIC_FORM,
    ReasonCode.SPLIT_UNCERTAIN,
    ReasonCode.UNREAD_CONTENT,
)


#: Reasons of an entry with nothing to read or to propose.
BLANK_CODES = frozenset({ReasonCode.TEMPLATE_ONLY.value, ReasonCode.BLANK_SUBMISSION.value})


def reason_info(code: str, form: str | None = None, version: int | None = None) -> ReasonInfo:
    """Return the label and advice of a code; an unknown code (of another version) is made readable and blocks.

    `form` and `version` are those that the entry was read with. If the form does not ask for a missing field, the
    advice is not to look for it on the page.
    """
    if code in ReasonCode.__members__:
        known = ReasonCode[code]
        advice = known.not_on_form if known.not_on_form and not _asks(form, version, known) else known.advice
        return ReasonInfo(known.label, advice, known.blocks)
    return ReasonInfo(readable(code), "Look at the entry as a whole.")


def _asks(form: str | None, version: int | None, code: ReasonCode) -> bool:
    """Whether the form asks for the field that is missing; a page without a form may hold anything."""
    profile = known_profile(form, version)
    if profile is None or profile.kind is ProfileKind.FREEFORM:
        return True
    return any(name in profile.fields for name, missing in OF_MISSING.items() if missing is code)


def blocks(code: str) -> bool:
    """Whether a code keeps the machine from completing an entry."""
    return reason_info(code).blocks


def blocking(codes: Iterable[str]) -> list[str]:
    """Return the codes that keep the machine from completing an entry."""
    return [code for code in codes if blocks(code)]


# Codes of what the pipeline refuses.


class WrongValue(MessageCode):
    """Why a value or a decision does not fit."""

    NOT_A_GRADE = "not_a_grade", "%(field)s: K or a number from 1 to 12"
    NOT_A_NUMBER = "not_a_number", "%(field)s: a whole number"
    NOT_A_PLAIN_NUMBER = "not_a_plain_number", "%(field)s: a number"
    NOT_A_DATE = "not_a_date", "%(field)s: a date, such as 2015-07-14"
    NOT_OF_PATTERN = "not_of_pattern", "%(field)s: not in the format this field requires"
    DECISION_UNKNOWN = "graph_decision_unknown", "action must be one of %(choices)s"


class RunReason(MessageCode):
    """Why a step of the supervisor did what it did: names of fields, never their values."""

    READ = "entry_read", "Read the entry; confidence %(confidence)s. %(problems)s", "The entry was read"
    READ_WITHOUT_SUPERVISOR = "read_without_supervisor", "Read without the supervisor."
    MISSING = "missing", "Missing: %(fields)s.", "Required fields are missing"
    WEAK = "weak", "Low confidence: %(fields)s.", "Some fields have low confidence"
    DOUBTS = "doubts", "%(reasons)s.", "Something is uncertain"
    TO_CONFIRM = "to_confirm", "To be confirmed: %(fields)s.", "Some fields need to be confirmed"
    CONFIDENT = (
        "confident",
        "Everything required was read, no field has low confidence, and the confidence of "
        "%(confidence)s reaches %(threshold)s.",
        "Everything was read well",
    )
    MODEL_FAILED = (
        "model_failed",
        "The model could not be reached (%(technical)s).",
        "The model could not be reached",
    )
    MODEL_FOUND_NOTHING = (
        "model_found_nothing",
        "Asked the model for %(fields)s; it found nothing in the text.",
        "The model found nothing",
    )
    MODEL_READ = (
        "model_read",
        "Asked the model for %(asked)s; it read %(fields)s, which must still be approved.",
        "The model read something",
    )
    SECOND_READER_LOOKED = (
        "second_reader_looked",
        "A second reader looked at page %(page)s. %(problems)s",
        "A second reader looked at the page",
    )
    SECOND_READER_SAW_NOTHING = "second_reader_saw_nothing", "There was no picture for a second reader."
    BOTH_AGREE = "both_readers_agree", "Both readers agree: %(fields)s.", "Both readers agree"
    BOTH_DIFFER = "both_readers_differ", "They differ: %(fields)s.", "The two readers differ"
    ONLY_SECOND = "only_second_reader", "Only the second reader has: %(fields)s.", "Only the second reader has it"
    SECOND_REFUSED = (
        "second_reader_refused",
        "Not used, because it cannot be right: %(fields)s.",
        "A value of the second reader could not be right",
    )
    NOTHING_ON_BLANK = "nothing_on_blank_form", "The form is blank, so there is nothing to propose."
    PROPOSED_BEFORE = "proposed_before_interruption", "Proposed before the run was interrupted."
    FOUND_NOTHING = "found_nothing_to_propose", "Found nothing to propose."
    PROPOSES = "proposes", "Proposes: %(fields)s.", "Proposals were made"
    PROPOSED = "proposed_because", "%(problems)s", "Proposals were made"
    SETTLED_BY_PERSON = "settled_by_person", "A person settled it."
    REJECTED_BY_PERSON = "rejected_by_person", "A person rejected it."
    DECIDED_BY_PERSON = "decided_by_person", "A person decided it."
    REOPENED_BY_PERSON = "reopened_by_person", "A person reopened it."
    TYPED_IN_BY_PERSON = "typed_in_by_person", "A person typed it in."


class EscalationReason(MessageCode):
    """Why a person has to look; statistics count them by code."""

    BLANK_FORM = "blank_form", "The form is blank."
    LIMIT_OF_STEPS = "limit_of_steps", "The maximum number of steps was reached."
    NOTHING_TO_PROPOSE = (
        "nothing_to_propose",
        "Missing: %(fields)s; nothing to propose. %(problems)s",
        "Something is missing, and there is nothing to propose",
    )
    NEEDS_DECISION = ("needs_decision", "%(reasons)s: needs a decision.", "Something uncertain needs a decision")
    LOW_CONFIDENCE = "low_confidence", "Low confidence, and nothing better was found."
    UNSURE = "unsure", "Low confidence."
    REOPENED = "reopened", "A person reopened it."
    SENT_BEFORE = "sent_before", "This may be a duplicate: compare it with the other entry."
    STILL_INCOMPLETE = "still_incomplete", "Still missing: %(fields)s.", "Something is still missing"


class ProposalReason(MessageCode):
    """Why a value is proposed for a field."""

    NOTHING = "nothing_proposed_for_field", "Nothing to propose."
    AS_READ = "confirm_as_read", "Please confirm. %(problems)s", "To be confirmed as read"
    NOT_READ = (
        "not_read_at_first",
        "The first reading found nothing; this is from %(way)s. %(problems)s",
        "Not found at first",
    )
    AS_OTHERS = "spelled_as_others", "Spelled %(way)s. %(problems)s", "Spelled as others do"
    READ_DIFFERENTLY = (
        "read_differently_at_first",
        "The first reading was different; this is from %(way)s. %(problems)s",
        "First read differently",
    )
    BOTH_READERS = "both_readers_have_it", "Both readers agree. %(problems)s", "Both readers agree"
    ALSO_READ = "also_read", "Also read: “%(value)s”, from %(way)s."


class ReadingWay(MessageCode):
    """How a second reading came by a value."""

    PAGE_BY_ITSELF = "way_page_by_itself", "page %(page)s on its own"
    CLOSER_LOOK = "way_closer_look", "a closer look at page %(page)s (%(times)s times as large)"
    SHARPENED = "way_sharpened", "the page after sharpening"
    SCHOOL_LIST = "way_school_list", "the school list"
    MODEL = "way_model", "the language model"
    SECOND = "way_second_reading", "a second reading"
    SECOND_READER = "way_second_reader", "the second reader"


class SecondWay(MessageCode):
    """What the second reader says of a value, shown beside it."""

    AGREES = "second_reader_agrees", "the second reader agrees"
    DIFFERS = "second_reader_differs", "the second reader: “%(value)s”"
    EMPTY = "second_reader_reads_nothing", "the second reader could not read it"


class DefaultWay(MessageCode):
    """The origin of a value that no page gives."""

    GIVEN_BY = "way_default_given_by", "given by %(who)s"


class TogetherWay(MessageCode):
    """Why a value was respelled when the entries of a batch were compared."""

    AS_IN_FILE = "way_as_in_file", "as in %(count)s other entries of this file"
    AS_IN_UPLOAD = "way_as_in_upload", "as in %(count)s other entries of this upload"
    FAMILY_NAME = "way_family_name", "as the family name of %(field)s"
