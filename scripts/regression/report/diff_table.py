"""The two modes side by side, as it is printed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: So many differing values are printed; the report holds all.
_SHOWN = 20
#: That these differ is the supervisor's work; they are counted, not listed.
_DECISIONS = ("outcome", "needs_review", "review_reason_codes")


def diff_table(diff: Mapping[str, Any]) -> str:
    """Counts by field, then the differing values, then the outcomes against each other."""
    left, right = diff["modes"]
    return "\n".join(
        (
            f"== {left} beside {right}: {diff['entries']} entries, "
            f"{diff['entries_with_other_values']} with other values ==",
            _counts(diff["fields"]),
            *_value_lines(diff, left, right),
            *_outcome_lines(diff["outcomes"], left, right),
        )
    )


def _counts(fields: Mapping[str, int]) -> str:
    differing = ", ".join(f"{name} {count}" for name, count in fields.items() if count)
    return f"differing: {differing or 'nothing'}"


def _value_lines(diff: Mapping[str, Any], left: str, right: str) -> list[str]:
    found = [row for row in diff["differences"] if row["field"] not in _DECISIONS]
    lines = [
        f"  {row['file']} p. {row['pages'][0]}–{row['pages'][1]} {row['field']}: "
        f"{left} {row[left]!r}, {right} {row[right]!r}" + (f", true {row['true']!r}" if "true" in row else "")
        for row in found[:_SHOWN]
    ]
    more = [f"  … and {len(found) - _SHOWN} more in report.json"] if len(found) > _SHOWN else []
    return lines + more


def _outcome_lines(outcomes: list[Mapping[str, Any]], left: str, right: str) -> list[str]:
    head = f"{'outcome: ' + left:<28}{right:<20}{'entries':>8}"
    return [head, *(f"{row[left] or 'none':<28}{row[right] or 'none':<20}{row['entries']:>8}" for row in outcomes)]
