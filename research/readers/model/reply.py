"""The base of what a model is asked to reply with."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict


def _bare(schema: dict[str, Any]) -> None:
    """Remove what describes the class to programmers, and titles, which repeat the names of the keys."""
    for part in (schema, *schema.get("properties", {}).values()):
        part.pop("title", None)
    schema.pop("description", None)


class Reply(BaseModel):
    """A part of a reply. Keys that were not asked for are ignored."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True, json_schema_extra=_bare)
