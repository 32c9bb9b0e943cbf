"""Ask a model for the fields that rules did not find; keep only what the document says."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, create_model

from core.llm import Model, Usage
from core.log import get_logger
from pipeline.extraction.values.found_in_text import found_in_text
from pipeline.extraction.values.grades import parse_grade
from pipeline.extraction.values.text import tidy
from pipeline.prompts import CUT, FIELD_MEANINGS, MISSING_FIELDS_SYSTEM

log = get_logger(__name__)

#: Characters of a document that are sent, about 6,000 tokens: the header stands at the start or at the end.
MAX_DOCUMENT = 24_000
_KEPT_AT_START = 16_000
#: No field that is asked for is longer.
MAX_VALUE = 200


class Rejection(StrEnum):
    """Why a value of the model was dropped."""

    NOT_IN_TEXT = "not_in_text"
    TOO_LONG = "too_long"
    NO_GRADE = "no_grade"


@dataclass(frozen=True, slots=True)
class ModelFields:
    """What the model found, what it made up, and what asking took."""

    values: dict[str, str] = field(default_factory=dict)
    #: By field; the values themselves are gone, so that nobody can use them.
    rejected: dict[str, Rejection] = field(default_factory=dict)
    usage: Usage | None = None


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", coerce_numbers_to_str=True)


def extract_missing_fields_only(raw_text: str, missing_fields: list[str], *, model: Model) -> dict[str, str]:
    """The missing fields that a model reads in the text, each found there. See `read_missing_fields`."""
    return read_missing_fields(raw_text, missing_fields, model=model).values


def read_missing_fields(
    raw_text: str, missing_fields: Iterable[str], *, model: Model, deadline: float | None = None
) -> ModelFields:
    """Ask for the missing fields alone. Fields that no model is asked for (the essay) are passed over.

    Raises what `Model.ask` raises.
    """
    wanted = [name for name in FIELD_MEANINGS if name in set(missing_fields)]
    if not wanted or not raw_text.strip():
        return ModelFields()
    reply, usage = model.ask(
        MISSING_FIELDS_SYSTEM,
        _question(raw_text, wanted),
        _schema(wanted),
        purpose="missing_fields",
        deadline=deadline,
    )
    return _kept(reply, raw_text, usage)


def _question(raw_text: str, wanted: list[str]) -> str:
    """As JSON, so that nothing in the document can pass for the end of the document."""
    fields = {name: FIELD_MEANINGS[name] for name in wanted}
    return json.dumps({"fields": fields, "document": _bounded(raw_text)}, ensure_ascii=False)


def _bounded(text: str) -> str:
    if len(text) <= MAX_DOCUMENT:
        return text
    kept_at_end = MAX_DOCUMENT - _KEPT_AT_START - len(CUT)
    return text[:_KEPT_AT_START] + CUT + text[-kept_at_end:]


def _schema(wanted: list[str]) -> type[BaseModel]:
    fields = dict.fromkeys(wanted, (str | None, None))
    return create_model("MissingFields", __base__=_Closed, **fields)  # type: ignore[call-overload, no-any-return]


def _kept(reply: BaseModel, raw_text: str, usage: Usage) -> ModelFields:
    result = ModelFields(usage=usage)
    for name, said in reply.model_dump(exclude_none=True).items():
        value = tidy(said)
        if not value:
            continue
        if fault := _fault(name, value, raw_text):
            result.rejected[name] = fault
        else:
            result.values[name] = (parse_grade(value).value or value) if name == "grade" else value
    if result.rejected:
        log.info("model_values_rejected", fields={name: str(why) for name, why in result.rejected.items()})
    return result


def _fault(name: str, value: str, raw_text: str) -> Rejection | None:
    if len(value) > MAX_VALUE:
        return Rejection.TOO_LONG
    if name == "grade" and parse_grade(value).value is None:
        return Rejection.NO_GRADE
    return None if found_in_text(name, value, raw_text) else Rejection.NOT_IN_TEXT
