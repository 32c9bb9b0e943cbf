"""Values that stand where the pages of an entry give none, because somebody said them of the whole batch. Pure."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from core.messages import Message
from pipeline.messages import DefaultWay
from pipeline.pages.page_model import Source
from pipeline.profiles.declared import fields_of_form
from pipeline.schema import FIELD_NAMES, FieldReading, SubmissionRecord

#: Fields that whole batches have in common.
DEFAULT_FIELDS = ("school_name", "grade", "teacher_name")
#: Key of the language beside them, where they are kept.
LANGUAGE = "language"
#: Less than a value typed for this very page: it was said of many, and nobody has looked at this one.
CONFIDENCE = 0.9
METHOD = "batch_default"


class Defaults(BaseModel):
    """What was said of a batch, and by whom."""

    model_config = ConfigDict(frozen=True)

    #: By the names of `DEFAULT_FIELDS`; those without a value are left out.
    values: dict[str, str] = Field(default_factory=dict)
    #: "en" or "es", None where nothing was said.
    language: str | None = None
    #: The person's name.
    given_by: str = ""

    @property
    def way(self) -> Message:
        """Who gave them, as it is shown beside each value."""
        return Message.of(DefaultWay.GIVEN_BY, who=self.given_by)


NO_DEFAULTS = Defaults()


def takes_default(value: str | None, source: str | None, unfit: bool) -> bool:
    """Whether a default may stand in a field: nothing was written there, or it has a default already."""
    return source == Source.BATCH_DEFAULT or (value is None and not unfit)


def with_defaults(record: SubmissionRecord, defaults: Defaults) -> SubmissionRecord:
    """Return the record with the defaults where its pages give nothing; those it had before are taken away first.

    An entry of which nothing was read gets none: a blank page stays blank.
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


def without_defaults(record: SubmissionRecord) -> SubmissionRecord:
    """Return the record as its pages give it."""
    had = [
        name
        for name, reading in record.readings.items()
        if reading.source is Source.BATCH_DEFAULT and not reading.is_decided
    ]
    if not had:
        return record
    bare = {name: FieldReading(unaccounted=record.readings[name].unaccounted) for name in had}
    return record.model_copy(update={**dict.fromkeys(had), "readings": {**record.readings, **bare}})
