"""The memo: the bounded summary that each round passes to the next."""

from research.memo.context import memo_to_planner_context
from research.memo.types import (
    CatalogCandidate,
    CatalogMemo,
    Claim,
    FieldStatus,
    FieldValue,
    Gap,
    GapState,
    KnownFinding,
    ResearchMemo,
    SourceEntry,
    gap_from_json,
    memo_from_json,
    memo_to_json,
)

__all__ = [
    "CatalogCandidate",
    "CatalogMemo",
    "Claim",
    "FieldStatus",
    "FieldValue",
    "Gap",
    "GapState",
    "KnownFinding",
    "ResearchMemo",
    "SourceEntry",
    "gap_from_json",
    "memo_from_json",
    "memo_to_json",
    "memo_to_planner_context",
]
