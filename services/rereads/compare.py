"""Compare what an entry has with what was read anew; what a person decided stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.models import BulkEffect
from pipeline.profiles.declared import derived_fields
from pipeline.schema import FIELD_NAMES, SubmissionRecord
from pipeline.validate import can_approve_record
from pipeline.validation.policy import Policy


@dataclass(frozen=True)
class Comparison:
    """What differs, and what would become of the entry."""

    #: {field: [value that it has, value read anew]}
    changes: dict[str, list[str | None]]
    effect: BulkEffect
    missing: list[str]


def compare(before: SubmissionRecord, after: SubmissionRecord, policy: Policy) -> Comparison:
    """Compare the record of an entry with the one that it would have."""
    changes = {
        name: [before.value_of(name), after.value_of(name)]
        for name in _shown(FIELD_NAMES)
        if (before.value_of(name) or None) != (after.value_of(name) or None)
    }
    _, missing_before = can_approve_record(before, policy)
    _, missing = can_approve_record(after, policy)
    effect = BulkEffect.NONE
    if set(missing) - set(missing_before):
        effect = BulkEffect.LACKS
    elif missing_before and not missing:
        effect = BulkEffect.COMPLETES
    return Comparison(changes, effect, missing)


def _shown(names: Sequence[str]) -> list[str]:
    return [name for name in names if name not in derived_fields()]
