"""The writer's fixed phrases and labels, by language."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from research.config import Language


class Wording(BaseModel):
    """The fixed phrases of one language; those in braces are filled in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    left: str
    right: str
    in_short: str
    found: str
    differ: str
    how_far: str
    confirmed: str
    contradicted: str
    not_confirmed: str
    untitled: str
    comparison: str
    items: str
    table_says: str
    not_found: str
    two_sources: str
    nothing: str
    #: Of a catalog without items.
    no_items: str
    looked_for: str
    topic_open: str
    fewer: str
    field_missing: str
    only_said: str
    by_rule: str
    dropped: str
    items_left_out: str
    unproven: str
    tasks_failed: str
    few_domains: str
    #: Lead of a quotation by the kind of proof.
    strength: dict[str, str]
    #: Names of the parts of `ReaderLog.parts_by_rule`; a section's part is its heading.
    part: dict[str, str]


def wording(language: Language) -> Wording:
    """Return the phrases of a language."""
    return _wordings()[language]


@cache
def _wordings() -> dict[str, Wording]:
    told = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {language: Wording.model_validate(phrases) for language, phrases in told.items()}
