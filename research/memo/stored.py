"""Convert a memo to JSON, for `report_rounds.memo` and the graph's state, and back without loss."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from research.memo.types import CatalogMemo, Gap, ResearchMemo

_CATALOG = TypeAdapter(CatalogMemo)
_NARRATIVE = TypeAdapter(ResearchMemo)
_GAP = TypeAdapter(Gap)


def memo_to_json(memo: ResearchMemo) -> dict[str, Any]:
    """Return the memo in JSON types; a catalog's memo is recognised by its `candidates`."""
    if isinstance(memo, CatalogMemo):
        data: dict[str, Any] = _CATALOG.dump_python(memo, mode="json")
        return data
    data = _NARRATIVE.dump_python(memo, mode="json")
    return data


def memo_from_json(data: Mapping[str, Any]) -> ResearchMemo:
    """Restore a memo written by `memo_to_json`. Raises pydantic.ValidationError for invalid data."""
    if "candidates" in data:
        return _CATALOG.validate_python(dict(data))
    return _NARRATIVE.validate_python(dict(data))


def gap_from_json(data: Mapping[str, Any]) -> Gap:
    """Restore a gap of a stored memo. Raises pydantic.ValidationError for invalid data."""
    return _GAP.validate_python(dict(data))
