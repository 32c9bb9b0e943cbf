"""The record of one entry, produced by the pipeline."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from core.messages import LabelledEnum, declare_labels
from core.plain_data import storable
from pipeline.pages.page_model import Box, Source
from pipeline.profiles import FieldNames, field_label

#: Names of the fields of entries, in the order of their declaration; follows the form profiles in use.
FIELD_NAMES = FieldNames()


declare_labels(("field", "fields", "asked"), field_label)


class DocClass(LabelledEnum):
    """The kind of file, or part of a file, that an entry came in."""

    SINGLE_TYPED = "SINGLE_TYPED", "One typed page"
    SINGLE_SCANNED = "SINGLE_SCANNED", "One scanned page"
    MULTI_PAGE_SINGLE = "MULTI_PAGE_SINGLE", "One entry over several pages"
    BULK_SCANNED_BATCH = "BULK_SCANNED_BATCH", "Scanned stack"
    MULTI_ENTRY_PARENT = "MULTI_ENTRY_PARENT", "File with several entries"


class DocFormat(StrEnum):
    """The content of a file's pages."""

    NATIVE_TEXT = "native_text"
    IMAGE_ONLY = "image_only"
    HYBRID = "hybrid"


class Structure(StrEnum):
    """How many entries a file holds."""

    SINGLE = "single"
    MULTI = "multi"
    TEMPLATE = "template"


class Preferred(StrEnum):
    """The likelier value of a proposed field, by the scorer that made the proposal."""

    #: The proposed value, which may be the one that was read.
    PROPOSED = "proposed"
    #: The value of the first reading; another one is proposed.
    AS_READ = "as_read"
    #: Neither is plausible, or nothing is proposed.
    NEITHER = "neither"


class EvidenceBox(BaseModel):
    """One piece of a page that a value was read from."""

    model_config = ConfigDict(frozen=True)

    page: int
    box: Box


class Agreement(LabelledEnum, places=("agreement",)):
    """What the readings of a field by the recognizer and by the second reader mean together."""

    AGREE = "agree", "Both readers agree"
    DIFFER = "differ", "The two readers differ"
    ONLY_FIRST = "only_first", "Only the first reader has a value"
    ONLY_SECOND = "only_second", "Only the second reader has a value"
    NEITHER = "neither", "Neither reader has a value"


class SecondReading(BaseModel):
    """What the second reader, a vision model, read for a field, and how it compares with the first reading."""

    model_config = ConfigDict(frozen=True)

    value: str | None = None
    agreement: Agreement
    #: Mean log-likelihood per letter of its value by the recognizer's lattices, relative to their likeliest text;
    #: 0 is as likely, -1 improbable. None if the two agree or there is no lattice.
    likelihood: float | None = None
    #: Where the recognizer was asked about it: the field's place.
    place: EvidenceBox | None = None

    @property
    def is_other(self) -> bool:
        """Whether it has a value that the first reading has not."""
        return self.agreement in (Agreement.DIFFER, Agreement.ONLY_SECOND)

    @field_validator("value", mode="before")
    @classmethod
    def _storable(cls, given: Any) -> Any:
        """Drop characters that cannot be stored: a model may write anything."""
        return storable(given) if isinstance(given, str) else given


class FieldReading(BaseModel):
    """One reading of one field: value, confidence and evidence."""

    value: str | None = None
    #: 0-1; 0 without a value.
    confidence: float = 0.0
    source: Source | None = None
    #: In reading order; a wrapped value has several.
    evidence: list[EvidenceBox] = Field(default_factory=list)
    #: Why this value and not another ("label", "zone", "widget", "header_line", "rule:…", "school_list").
    method: str | None = None
    #: How a second reading found it, or why it was respelled, as a `Message` in JSON; else None.
    way: dict[str, Any] | None = None
    #: Something is written there that is not a value of the field's kind.
    unfit: bool = False
    #: Words next to it belong to nothing, or it was joined across columns: a person must see it.
    unaccounted: bool = False
    #: Another value of the same field (such as on the essay page), or the value before it was respelled.
    disagrees_with: str | None = None
    #: The recogniser's lattices of the value's lines, one for each crop, packed by `pipeline/spelling/lattice`.
    #: Empty if the value was not recognised line by line.
    considered: tuple[str, ...] = ()
    #: Measurements of the value by name: the recogniser's `score` before it was capped, the `share` of the crops
    #: of its line that have it, the likelihood by its `line`, and the signals of `pipeline/validation/certainty`.
    signals: dict[str, float] = Field(default_factory=dict)
    #: Probability (0-1) that the value is right, by `pipeline/validation/certainty`: shown to people, but it does
    #: not decide whether the value may pass. None if it was not estimated.
    probability: float | None = None
    #: What the second reader read; None if it was not asked for the field.
    second: SecondReading | None = None
    #: Id of the person who confirmed or gave the value, and when; both None if only the machine has seen it. The
    #: id of a decided value is None if the person is no longer known.
    decided_by: str | None = None
    decided_at: datetime | None = None

    @field_validator("value", "disagrees_with", mode="before")
    @classmethod
    def _storable(cls, given: Any) -> Any:
        """Drop characters that cannot be stored, wherever a value came from."""
        return storable(given) if isinstance(given, str) else given

    @property
    def is_decided(self) -> bool:
        """Whether a person confirmed or gave the value."""
        return self.decided_at is not None or self.source is Source.PERSON

    @property
    def standing(self) -> float:
        """Its confidence; 1 if a person confirmed or gave the value."""
        return 1.0 if self.is_decided else self.confidence

    @property
    def is_agreed(self) -> bool:
        """Whether the second reader read the same value."""
        return self.second is not None and self.second.agreement is Agreement.AGREE


class SubmissionRecord(BaseModel):
    """One entry. Values are attributes named after the fields; `readings` holds the origin of each.

    The fields of the common kinds are attributes. Others that `pipeline/profiles/fields.toml` or a form declares
    are attributes as well, set from the declaration: None if nothing was read.
    """

    model_config = ConfigDict(extra="allow")

    submission_id: str
    artifact_dir: str = ""
    doc_class: DocClass | None = None
    doc_format: DocFormat | None = None
    #: Key of the form profile that it was read with.
    profile: str | None = None
    #: Its version, if it is in the database.
    profile_version: int | None = None
    page_start: int = 1
    page_end: int = 1

    student_name: str | None = None
    school_name: str | None = None
    #: "K" or "1"…"12".
    grade: str | None = None
    teacher_name: str | None = None
    city_or_location: str | None = None
    phone: str | None = None
    email: str | None = None
    essay_text: str | None = None
    word_count: int | None = None

    readings: dict[str, FieldReading] = Field(default_factory=dict)
    needs_review: bool = True
    review_reason_codes: list[str] = Field(default_factory=list)
    ocr_confidence_avg: float | None = None
    #: Required fields that a person has accepted as they are.
    waived: list[str] = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _declared_only(cls, given: Any) -> Any:
        """Give every declared field a value, and drop unknown keys, as pydantic does by default.

        Characters that cannot be stored are dropped.
        """
        if not isinstance(given, dict):
            return given
        known = {
            name: storable(value) if isinstance(value, str) else value
            for name, value in given.items()
            if name in cls.model_fields or name in FIELD_NAMES
        }
        return {**{name: None for name in FIELD_NAMES if name not in cls.model_fields}, **known}

    def value_of(self, name: str) -> str | None:
        """The value of a declared field, as text. Raises AttributeError for any other name."""
        # A field that was declared since the record was made is not set.
        value = getattr(self, name, None) if name in FIELD_NAMES else getattr(self, name)
        return None if value is None else str(value)


#: The report that accompanies a record: JSON types only. Keys: `raw_text` (text of the pages in reading
#: order; kept out of graph state), `ocr_summary` {confidence_avg, pages_recognised, provider, cached},
#: `extraction_debug`, `missing_fields`, `reason_codes`, `timings_ms`.
Report = dict[str, Any]
