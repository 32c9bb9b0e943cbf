"""A memo as JSON, for `report_rounds.memo` and the state of the graph, and back without a loss."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from research.memo_types import CatalogMemo, ResearchMemo

_CATALOG = TypeAdapter(CatalogMemo)
_NARRATIVE = TypeAdapter(ResearchMemo)


def memo_to_json(memo: ResearchMemo) -> dict[str, Any]:
    """The memo in JSON types only; a catalog's is known by its `candidates`."""
    if isinstance(memo, CatalogMemo):
        data: dict[str, Any] = _CATALOG.dump_python(memo, mode="json")
        return data
    data = _NARRATIVE.dump_python(memo, mode="json")
    return data


def memo_from_json(data: Mapping[str, Any]) -> ResearchMemo:
    """The memo that `memo_to_json` wrote. Raises pydantic.ValidationError for what is none."""
    if "candidates" in data:
        return _CATALOG.validate_python(dict(data))
    return _NARRATIVE.validate_python(dict(data))
