"""The record of one entry, produced by the pipeline."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from core.messages import LabelledEnum, declare_labels
from core.plain_data import storable
from pipeline.pages.page_model import Box, Source
from pipeline.profiles.fields import FieldNames, field_label

#: Names of the fields of entries, in the order of their declaration; follows the form profiles in use.
FIELD_NAMES = FieldNames()


declare_labels(("field", "fields", "asked"), field_label)


class DocClass(LabelledEnum):
    """What kind of file, or part of a file, an entry came in."""

    SINGLE_TYPED = "SINGLE_TYPED", "One typed page"
    SINGLE_SCANNED = "SINGLE_SCANNED", "One scanned page"
    MULTI_PAGE_SINGLE = "MULTI_PAGE_SINGLE", "One entry over several pages"
    BULK_SCANNED_BATCH = "BULK_SCANNED_BATCH", "Scanned stack"
    MULTI_ENTRY_PARENT = "MULTI_ENTRY_PARENT", "File with several entries"


class DocFormat(StrEnum):
    """What the pages of a file are made of."""

    NATIVE_TEXT = "native_text"
    IMAGE_ONLY = "image_only"
    HYBRID = "hybrid"


class Structure(StrEnum):
    """How many entries a file holds."""

    SINGLE = "single"
    MULTI = "multi"
    TEMPLATE = "template"


class Preferred(StrEnum):
    """Which value of a proposed field is the likelier one, by the scorer that made the proposal."""

    #: The one proposed, which may be the one read.
    PROPOSED = "proposed"
    #: The one read at first; another is proposed.
    AS_READ = "as_read"
    #: None of them is plausible, or nothing is proposed.
    NEITHER = "neither"


class EvidenceBox(BaseModel):
    """One piece of a page that a value was read from."""

    model_config = ConfigDict(frozen=True)

    page: int
    box: Box


class FieldReading(BaseModel):
    """One reading of one field: value, confidence and evidence."""

    value: str | None = None
    #: 0-1. What the value was read from; 0 where there is none.
    confidence: float = 0.0
    source: Source | None = None
    #: In reading order; a value that wraps has several.
    evidence: list[EvidenceBox] = Field(default_factory=list)
    #: Why this value and not another ("label", "zone", "widget", "header_line", "rule:…", "school_list").
    method: str | None = None
    #: How a second reading came by it, or what it was respelled after, as a `Message` in JSON; else None.
    way: dict[str, Any] | None = None
    #: Something is written there, and it is no value of the field's kind.
    unfit: bool = False
    #: Words beside it belong to nothing, or it was put together across columns: a person must see it.
    unaccounted: bool = False
    #: Another reading of the same field that says something else (header page against essay page), or the value
    #: before it was respelled.
    disagrees_with: str | None = None
    #: What the recogniser considered on the value's lines: a lattice for each crop, as `pipeline/spelling/lattice`
    #: writes it. Empty where the value was not recognised line by line.
    considered: tuple[str, ...] = ()
    #: What was measured on the way to the value, by name: the recogniser's `score` before it was held down, the
    #: `share` of the crops of its line that have it, what the `line` says of it; and what
    #: `pipeline/validation/certainty` makes of these.
    signals: dict[str, float] = Field(default_factory=dict)
    #: How probable it is that the value is right (0-1), by `pipeline/validation/certainty`: for people to see, not
    #: what decides whether the value may pass. None where nothing was estimated.
    probability: float | None = None
    #: Id of who confirmed or gave the value, and when; None of a value that nobody but the machine has seen. Of a
    #: decided value the id is None where it is not known any more who it was.
    decided_by: str | None = None
    decided_at: datetime | None = None

    @field_validator("value", "disagrees_with", mode="before")
    @classmethod
    def _storable(cls, given: Any) -> Any:
        """Drop what cannot be stored, whatever way a value came in."""
        return storable(given) if isinstance(given, str) else given

    @property
    def is_decided(self) -> bool:
        """Whether a person stands by the value, however it was read."""
        return self.decided_at is not None or self.source is Source.PERSON

    @property
    def standing(self) -> float:
        """The confidence that counts for the entry: certain where a person stands by the value."""
        return 1.0 if self.is_decided else self.confidence


class SubmissionRecord(BaseModel):
    """One entry. Values are attributes named after the fields; `readings` holds the origin of each.

    The fields of the common kinds are attributes. The others that are declared, in `pipeline/profiles/fields.toml`
    or by a form, are attributes as well, set from the declaration: None where nothing was read.
    """

    model_config = ConfigDict(extra="allow")

    submission_id: str
    artifact_dir: str = ""
    doc_class: DocClass | None = None
    doc_format: DocFormat | None = None
    #: Key of the form profile that it was read with.
    profile: str | None = None
    #: Its version, where it is one of the database.
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
        """Give every declared field a value, and drop what is no field, as pydantic does by default.

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


#: The report that stands beside a record: JSON types only. Keys: `raw_text` (text of the pages in reading
#: order; kept out of graph state), `ocr_summary` {confidence_avg, pages_recognised, provider, cached},
#: `extraction_debug`, `missing_fields`, `reason_codes`, `timings_ms`.
Report = dict[str, Any]
