"""Ask a model for the fields that rules did not find; keep only values that are found in the document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, create_model

from core.config import Settings, get_settings
from core.errors import ConfigurationError
from core.llm import Model, Usage, open_model
from core.log import get_logger
from pipeline.extraction.model_text import options_of, text_for
from pipeline.extraction.values.fitting import of_kind
from pipeline.extraction.values.found_in_text import can_be_found, found_in_text
from pipeline.extraction.values.grades import parse_grade
from pipeline.extraction.values.text import tidy
from pipeline.profiles import FieldKind
from pipeline.profiles.declared import declared_fields, field_meanings, kind_of
from pipeline.prompts import MISSING_FIELDS_SYSTEM

log = get_logger(__name__)

#: Maximum characters of a value.
MAX_VALUE = 200


class Rejection(StrEnum):
    """Reasons to reject a value of the model."""

    NOT_IN_TEXT = "not_in_text"
    TOO_LONG = "too_long"
    NO_GRADE = "no_grade"


@dataclass(frozen=True, slots=True)
class ModelFields:
    """Values that the model found, values that were rejected, and the usage."""

    values: dict[str, str] = field(default_factory=dict)
    #: Fields among `values` that the model marked as uncertain.
    uncertain: frozenset[str] = frozenset()
    #: Reason by field; the rejected values are not kept, so that they cannot be used.
    rejected: dict[str, Rejection] = field(default_factory=dict)
    usage: Usage | None = None


def extract_missing_fields_only(
    raw_text: str, missing_fields: Iterable[str], *, model: Model | None = None
) -> dict[str, str]:
    """Return {field: value} of the missing fields that a model reads in the text; each value is found there.

    `model` defaults to the configured one. Raises ConfigurationError if there is none, so that "nothing was asked"
    cannot be taken for "nothing was found". See `read_missing_fields`.
    """
    settings = get_settings()
    asked = model or open_model(settings)
    if asked is None:
        raise ConfigurationError(
            "No language model is configured: set GROQ_API_KEY or LLM_BASE_URL, or pass model=…."
        )
    return read_missing_fields(raw_text, missing_fields, model=asked, settings=settings).values


def read_missing_fields(
    raw_text: str,
    missing_fields: Iterable[str],
    *,
    model: Model,
    settings: Settings,
    known: Mapping[str, str | None] | None = None,
    deadline: float | None = None,
) -> ModelFields:
    """Ask the model for the missing fields, sending only the lines that can hold them (see `text_for`).

    `known` holds values of other fields, which are removed from the text. The essay is sent if LLM_SEND_ESSAY is
    set. Skips fields that are never asked for (the essay itself) and fields for which the lines hold no
    acceptable answer; sends nothing if none remains. Raises what `Model.ask` raises.
    """
    meanings = field_meanings()
    askable = frozenset(missing_fields) & meanings.keys()
    text = text_for(raw_text, askable, known, whole=settings.llm_send_essay)
    wanted = [name for name in meanings if name in askable and can_be_found(name, text)]
    if not wanted:
        return ModelFields()
    reply, usage = model.ask(
        MISSING_FIELDS_SYSTEM,
        _question(text, wanted),
        _schema(wanted),
        purpose="missing_fields",
        deadline=deadline,
    )
    return _kept(reply, raw_text, text, usage)


def _question(text: str, wanted: list[str]) -> str:
    """Encode the question as JSON, so that no text of the document can be mistaken for its end."""
    fields = {name: field_meanings()[name] for name in wanted}
    return json.dumps({"fields": fields, "text": text}, ensure_ascii=False)


def _bare(schema: dict[str, Any]) -> None:
    """Remove keys of a JSON schema that do not help the model; the schema is sent with each call."""
    for noise in ("title", "description"):
        schema.pop(noise, None)
    for inner in schema.get("properties", {}).values():
        for noise in ("title", "default"):
            inner.pop(noise, None)
        if kinds := inner.pop("anyOf", None):
            enum = kinds[0].get("enum")
            inner.update({"enum": [*enum, None]} if enum else {"type": [kinds[0]["type"], "null"]})


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid", coerce_numbers_to_str=True, json_schema_extra=_bare)

    uncertain: list[str] = []


def _schema(wanted: list[str]) -> type[_Reply]:
    fields = {name: (_type(name) | None, None) for name in wanted}
    return create_model("MissingFields", __base__=_Reply, **fields)  # type: ignore[call-overload, no-any-return]


def _type(name: str) -> Any:
    """Return the type of a field: text, or one of the options that forms print for it."""
    options = options_of(name)
    return Literal[options] if options else str


def _kept(reply: _Reply, raw_text: str, shown: str, usage: Usage) -> ModelFields:
    values: dict[str, str] = {}
    rejected: dict[str, Rejection] = {}
    for name, said in reply.model_dump(exclude_none=True, exclude={"uncertain"}).items():
        value = tidy(said)
        if not value:
            continue
        if fault := _fault(name, value, raw_text, shown):
            rejected[name] = fault
        else:
            values[name] = of_kind(declared_fields()[name], value) or value
    if rejected:
        log.info("model_values_rejected", fields={name: str(why) for name, why in rejected.items()})
    return ModelFields(values, frozenset(reply.uncertain) & values.keys(), rejected, usage)


def _fault(name: str, value: str, raw_text: str, shown: str) -> Rejection | None:
    if len(value) > MAX_VALUE:
        return Rejection.TOO_LONG
    if kind_of(name) is FieldKind.GRADE and parse_grade(value).value is None:
        return Rejection.NO_GRADE
    # Every form prints all options, so the value must be one that was shown with a mark beside it.
    found = f"<{value}>" in shown if options_of(name) else found_in_text(name, value, raw_text)
    return None if found else Rejection.NOT_IN_TEXT
