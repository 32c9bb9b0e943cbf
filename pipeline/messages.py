"""Codes of what the pipeline refuses."""

from __future__ import annotations

from core.messages import MessageCode


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
    )
    "The model could not be reached"
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
    NEEDS_DECISION = (
        "needs_decision",
        "%(reasons)s: needs a decision.",
    )
    "Something uncertain needs a decision"
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
    ALSO_READ = "also_read", "Also read: “%(value)s”, from %(way)s."


class ReadingWay(MessageCode):
    """How a second reading came by a value."""

    PAGE_BY_ITSELF = "way_page_by_itself", "page %(page)s on its own"
    CLOSER_LOOK = "way_closer_look", "a closer look at page %(page)s (%(times)s times as large)"
    SHARPENED = "way_sharpened", "the page after sharpening"
    SCHOOL_LIST = "way_school_list", "the school list"
    MODEL = "way_model", "the language model"
    SECOND = "way_second_reading", "a second reading"


class DefaultWay(MessageCode):
    """How a value came to stand that no page gives."""

    GIVEN_BY = "way_default_given_by", "given by %(who)s"


class TogetherWay(MessageCode):
    """What a value was respelled by when entries that came together were compared."""

    AS_IN_FILE = "way_as_in_file", "as in %(count)s other entries of this file"
    AS_IN_UPLOAD = "way_as_in_upload", "as in %(count)s other entries of this upload"
    FAMILY_NAME = "way_family_name", "as the family name of %(field)s"
