"""Validate a record by the season's policy. The only module that sets `needs_review`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from core.errors import InvalidInputError
from core.messages import Message
from core.plain_data import storable
from pipeline.extraction.readings import same_value
from pipeline.extraction.values.kinds import as_stored, explicit_grades, of_pattern, parse_grade
from pipeline.extraction.values.names import has_school_word, holds_label_word, match_school, person_certainty
from pipeline.extraction.values.text import tidied
from pipeline.pages.page_model import Source
from pipeline.profiles import (
    FieldKind,
    declared_fields,
    derived_fields,
    field_kind,
    fields_of_form,
    fields_of_kind,
    freeform_profile,
    known_profile,
    swappable_fields,
    text_fields,
    unlike_fields,
)
from pipeline.reason_codes import OF_FILES, OF_MISSING, DefaultWay, ReasonCode, WrongValue, blocking
from pipeline.schema import FIELD_NAMES, FieldReading, SubmissionRecord
from pipeline.validation.certainty import (
    as_record,
    essay_word_count,
    filled_fields,
    missing_fields,
    record_confidence,
    weak_fields,
)
from pipeline.validation.policy import Policy, over_limit

#: Mean confidence of recognition below which a page is hard to read.
LOW_OCR = 0.75
#: Least likeness at which a school's name is replaced with the listed spelling.
SCHOOL_LIKENESS = 90.0
#: Reasons found by other parts of the product, which validation must not drop.
_KEPT = (
    ReasonCode.DUPLICATE_SUBMISSION,
    ReasonCode.TEMPLATE_ONLY,
    ReasonCode.EXTRACTION_FALLBACK_USED,
    ReasonCode.UNEXPLAINED_WORDS,
    *OF_FILES,
)
_NOT_OF_KIND = {
    FieldKind.GRADE: WrongValue.NOT_A_GRADE,
    FieldKind.DATE: WrongValue.NOT_A_DATE,
    FieldKind.NUMBER: WrongValue.NOT_A_PLAIN_NUMBER,
}


#: The fields that each blocking reason concerns.
FIELDS_OF_CODE: Mapping[str, tuple[str, ...]] = {
    ReasonCode.INVALID_GRADE_RANGE: ("grade",),
    ReasonCode.UNKNOWN_SCHOOL: ("school_name",),
    ReasonCode.POSSIBLE_FIELD_SWAP: swappable_fields(),
}
#: The fields that settle a reason once a person decides them.
_ABOUT = {**FIELDS_OF_CODE, ReasonCode.SHORT_ESSAY: ("essay_text", "word_count")}


def validate_record(
    partial: SubmissionRecord | Mapping[str, Any], policy: Policy | None = None
) -> tuple[SubmissionRecord, dict[str, Any]]:
    """Return the record with reason codes and `needs_review`, and a report of missing and weak fields."""
    policy = policy or Policy()
    record = as_record(partial)
    record = record.model_copy(update=_in_stored_form(record))
    missing = missing_fields(record, policy)
    weak = weak_fields(record, policy)
    # Doubts that a person settled for an earlier reading do not return.
    codes = settled_reason_codes(record, policy)
    confidence = record_confidence(record, policy)
    needs_review = not policy.may_complete(missing, weak, blocking(codes), confidence)
    record = record.model_copy(update={"review_reason_codes": codes, "needs_review": needs_review})
    report = {
        "missing_fields": missing,
        "weak_fields": weak,
        "reason_codes": codes,
        "confidence": confidence,
        "needs_review": needs_review,
    }
    return record, report


def can_approve_record(
    record: SubmissionRecord | Mapping[str, Any], policy: Policy | None = None
) -> tuple[bool, list[str]]:
    """Return whether a person may settle a record, and the required fields that it lacks.

    A possible duplicate cannot be settled until a person has compared the two.
    """
    checked = as_record(record)
    missing = missing_fields(checked, policy or Policy())
    return not missing and ReasonCode.DUPLICATE_SUBMISSION not in checked.review_reason_codes, missing


def with_duplicate(record: SubmissionRecord) -> SubmissionRecord:
    """Return the record marked as a possible duplicate, which needs a person."""
    codes = list(dict.fromkeys([*record.review_reason_codes, ReasonCode.DUPLICATE_SUBMISSION.value]))
    return record.model_copy(update={"review_reason_codes": codes, "needs_review": True})


def without_duplicate(record: SubmissionRecord) -> SubmissionRecord:
    codes = [code for code in record.review_reason_codes if code != ReasonCode.DUPLICATE_SUBMISSION]
    return record.model_copy(update={"review_reason_codes": codes})


def clean_person_value(name: str, value: str | None) -> str | None:
    """Return a typed value without outer spaces and control characters; spelling is not changed.

    Grades, dates and numbers are normalised. Raises InvalidInputError for an invalid one, and for a value that
    does not match the pattern of its field.
    """
    text = storable(value or "").strip()
    if not text:
        return None
    declared = declared_fields().get(name)
    if name in derived_fields() and not text.isdigit():
        raise InvalidInputError(WrongValue.NOT_A_NUMBER, field=name)
    if declared is None or name in text_fields():
        return text if declared else tidied(text)
    value = as_stored(declared, tidied(text))
    if value is None:
        raise InvalidInputError(_NOT_OF_KIND[declared.kind], field=name)
    if not of_pattern(declared, value):
        raise InvalidInputError(WrongValue.NOT_OF_PATTERN, field=name)
    return value


def settled_reason_codes(record: SubmissionRecord, policy: Policy) -> list[str]:
    """Return the reasons that remain after a person's decision; values that the person entered are settled."""
    decided = {name for name, reading in record.readings.items() if reading.is_decided}
    decided.update(record.waived)
    missing = missing_fields(record, policy)
    settled = {code for code, fields in _ABOUT.items() if decided & set(fields)}
    if decided and not missing:
        settled |= {ReasonCode.OCR_LOW_CONFIDENCE, ReasonCode.TEMPLATE_ONLY, ReasonCode.CONTENT_MISMATCH}
        settled |= {ReasonCode.DOC_TYPE_UNKNOWN, ReasonCode.EXTRACTION_FALLBACK_USED, ReasonCode.UNEXPLAINED_WORDS}
        settled |= {ReasonCode.SPELLED_AS_OTHERS, *OF_FILES}
    return [code for code in _codes(record, policy, missing) if code not in settled]


def with_missing_codes(codes: Sequence[str], missing: Sequence[str]) -> list[str]:
    """Return the reasons with those of missing fields updated; the others are kept."""
    of_fields = {code.value for code in OF_MISSING.values()}
    now = [code.value for field, code in OF_MISSING.items() if field in missing]
    return list(dict.fromkeys([*now, *(code for code in codes if code not in of_fields)]))


def _in_stored_form(record: SubmissionRecord) -> dict[str, str | None]:
    """Return the grades in stored form; an invalid one is kept for a person to correct."""
    values = {name: (record.value_of(name) or "").strip() for name in fields_of_kind(FieldKind.GRADE)}
    return {name: (parse_grade(value).value or value) if value else None for name, value in values.items()}


def _codes(record: SubmissionRecord, policy: Policy, missing: list[str]) -> list[str]:
    found = [c for c in _KEPT if c.value in record.review_reason_codes]
    found += [code for field, code in OF_MISSING.items() if field in missing]
    found += _own_codes(record, missing)
    found += _grade_codes(record) + _essay_codes(record, missing) + _trust_codes(record, policy)
    found += [ReasonCode.OVER_LIMIT] if over_limit(record, policy) else []
    return list(dict.fromkeys(code.value for code in found))


def _grade_codes(record: SubmissionRecord) -> list[ReasonCode]:
    reading = record.readings.get("grade")
    tried = reading is not None and reading.value is None and reading.unfit
    valid = record.grade is not None and parse_grade(record.grade).value == record.grade
    return (
        [ReasonCode.INVALID_GRADE_RANGE]
        if (record.grade is not None and not valid) or (record.grade is None and tried)
        else []
    )


def has_nothing(record: SubmissionRecord) -> bool:
    """Whether an entry has no essay, name, school and grade. Unread writing is something."""
    identity = fields_of_kind(FieldKind.PERSON, FieldKind.SCHOOL, FieldKind.GRADE)
    named = any(record.value_of(name) for name in identity) or essay_word_count(record) > 0
    return not named and ReasonCode.UNREAD_CONTENT not in record.review_reason_codes


def _own_codes(record: SubmissionRecord, missing: list[str]) -> list[ReasonCode]:
    """Return the reasons of an entry of a form in the database, whose fields have no reasons of their own."""
    form = known_profile(record.profile, record.profile_version)
    if form is None or form.version is None:
        return []
    if not form.has_essay and not filled_fields(record) and not _is_template(record):
        return [ReasonCode.BLANK_SUBMISSION]
    lacking = [name for name in missing if name not in OF_MISSING and name not in text_fields()]
    tried = [name for name in lacking if _tried(record, name)]
    return [
        *([ReasonCode.MISSING_REQUIRED_FIELD] if len(tried) < len(lacking) else []),
        *([ReasonCode.INVALID_VALUE] if tried else []),
    ]


def _tried(record: SubmissionRecord, name: str) -> bool:
    """Whether something was written in a field that lacks a value."""
    reading = record.readings.get(name)
    return bool(record.value_of(name)) or (reading is not None and reading.unfit)


def _is_template(record: SubmissionRecord) -> bool:
    return ReasonCode.TEMPLATE_ONLY.value in record.review_reason_codes


def _essay_codes(record: SubmissionRecord, missing: list[str]) -> list[ReasonCode]:
    if "essay_text" not in missing:
        return []
    if essay_word_count(record) > 0:
        return [ReasonCode.SHORT_ESSAY]
    empty = has_nothing(record) and not _is_template(record)
    return [ReasonCode.EMPTY_ESSAY, *([ReasonCode.BLANK_SUBMISSION] if empty else [])]


def _trust_codes(record: SubmissionRecord, policy: Policy) -> list[ReasonCode]:
    codes = []
    if record.ocr_confidence_avg is not None and record.ocr_confidence_avg < LOW_OCR:
        codes.append(ReasonCode.OCR_LOW_CONFIDENCE)
    if any(r.source is Source.MODEL and not r.is_decided for r in record.readings.values()):
        codes.append(ReasonCode.EXTRACTION_FALLBACK_USED)
    if record.profile in (None, freeform_profile().key) and not (record.student_name and record.school_name):
        codes.append(ReasonCode.DOC_TYPE_UNKNOWN)
    if policy.known_schools and record.school_name and not _known(record.school_name, policy):
        codes.append(ReasonCode.UNKNOWN_SCHOOL)
    if _swapped(record):
        codes.append(ReasonCode.POSSIBLE_FIELD_SWAP)
    # Only a respelled reading has both. Where the second reader has that spelling too, nobody need compare it.
    respelled = {
        name
        for name, r in record.readings.items()
        if r.disagrees_with and r.way and not (r.is_agreed and policy.agreed_completes)
    }
    if respelled:
        codes.append(ReasonCode.SPELLED_AS_OTHERS)
    required = set(policy.required_of(record))
    if any(r.disagrees_with and not r.way for name, r in record.readings.items() if name in required):
        codes.append(ReasonCode.CONTENT_MISMATCH)
    if unexplained_fields(record):
        codes.append(ReasonCode.UNEXPLAINED_WORDS)
    return codes


def unexplained_fields(record: SubmissionRecord) -> list[str]:
    """Return the fields with unexplained words next to them, or with a word of a label in their values."""
    named = fields_of_kind(FieldKind.PERSON, FieldKind.SCHOOL)
    form = record.profile or freeform_profile().key
    return [
        name
        for name, reading in record.readings.items()
        if reading.unaccounted
        or (
            name in named
            and not reading.is_decided
            and reading.source is not Source.BATCH_DEFAULT
            and holds_label_word(field_kind(name), record.value_of(name) or "", form)
        )
    ]


def _known(school: str, policy: Policy) -> bool:
    return match_school(school, policy.schools, SCHOOL_LIKENESS) is not None


def _swapped(record: SubmissionRecord) -> bool:
    """Whether values seem swapped: a school as name, a grade or address as school, one value in unlike fields."""
    name, school = record.student_name or "", record.school_name or ""
    if has_school_word(name) or "@" in name + school:
        return True
    if school and not has_school_word(school) and explicit_grades(school):
        return True
    if any(_same(record, one, other) for one, other in unlike_fields().items()):
        return True
    return bool(name) and person_certainty(name) == 0.0


def _same(record: SubmissionRecord, one: str, other: str) -> bool:
    """Whether two fields hold one value."""
    value, others = record.value_of(one), record.value_of(other)
    return bool(value and others) and same_value(field_kind(one), value or "", others or "")


# Default values, which a person gave for the batch, for fields that the pages of an entry do not give. Pure.


#: Fields that may have a default for a batch.
DEFAULT_FIELDS = ("school_name", "grade", "teacher_name")
#: Key of the language, stored with them.
LANGUAGE = "language"
#: Less than for a typed value: it was given for many entries, and nobody has looked at this one.
CONFIDENCE = 0.9
METHOD = "batch_default"


class Defaults(BaseModel):
    """The default values of a batch, and who gave them."""

    model_config = ConfigDict(frozen=True)

    #: Values by the names of `DEFAULT_FIELDS`; fields without one are left out.
    values: dict[str, str] = Field(default_factory=dict)
    #: "en" or "es", None if not given.
    language: str | None = None
    given_by: str = ""

    @property
    def way(self) -> Message:
        """The message about who gave them, shown with each value."""
        return Message.of(DefaultWay.GIVEN_BY, who=self.given_by)


NO_DEFAULTS = Defaults()


def takes_default(value: str | None, source: str | None, unfit: bool) -> bool:
    """Whether a field may have a default: nothing was written there, or it has a default already."""
    return source == Source.BATCH_DEFAULT or (value is None and not unfit)


def with_defaults(record: SubmissionRecord, defaults: Defaults) -> SubmissionRecord:
    """Return the record with defaults for fields that its pages do not give; earlier defaults are removed first.

    An entry without any reading gets none: a blank page stays blank.
    """
    bare = without_defaults(record)
    if not any(bare.value_of(name) for name in FIELD_NAMES):
        return bare
    readings, given = dict(bare.readings), {}
    asked = fields_of_form(record.profile, record.profile_version)
    for name, value in defaults.values.items():
        if name not in asked:
            continue
        reading = readings.get(name, FieldReading())
        if not takes_default(bare.value_of(name), None, reading.unfit):
            continue
        given[name] = value
        readings[name] = FieldReading(
            value=value,
            confidence=CONFIDENCE,
            source=Source.BATCH_DEFAULT,
            method=METHOD,
            way=defaults.way.to_json(),
            unaccounted=reading.unaccounted,
        )
    return bare.model_copy(update={**given, "readings": readings})


def has_defaults(record: SubmissionRecord, defaults: Defaults) -> bool:
    """Whether the record has these defaults where it takes one, and no others."""
    taken = with_defaults(record, defaults)
    return all(taken.value_of(name) == record.value_of(name) for name in DEFAULT_FIELDS)


def without_defaults(record: SubmissionRecord) -> SubmissionRecord:
    had = [
        name
        for name, reading in record.readings.items()
        if reading.source is Source.BATCH_DEFAULT and not reading.is_decided
    ]
    if not had:
        return record
    bare = {name: FieldReading(unaccounted=record.readings[name].unaccounted) for name in had}
    return record.model_copy(update={**dict.fromkeys(had), "readings": {**record.readings, **bare}})
