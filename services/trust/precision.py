"""Precision of unseen completion, of fields and of entries, from settled audits. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from services.trust.reliability import Judged
from services.trust.wanting import audits_wanting
from services.trust.wilson import Share, weighted_share

#: Findings that say that the machine is right, or wrong; any other says neither.
_RIGHT, _WRONG = ("same", "machine"), ("auditor",)


@dataclass(frozen=True, slots=True)
class Found:
    """One field of a settled audit."""

    #: Whatever tells one audit from another.
    audit: object
    #: Confidence of the whole entry, and with which probability it was drawn.
    entry_confidence: float
    probability: float
    name: str
    required: bool
    confidence: float
    #: A key of `AuditFinding`.
    finding: str | None

    @property
    def right(self) -> bool | None:
        """Whether the machine is right; None where it cannot be told."""
        return True if self.finding in _RIGHT else False if self.finding in _WRONG else None


@dataclass(frozen=True, slots=True)
class Precision:
    """A precision, and how many audits are wanting before it may be stated."""

    #: Name of the field; None for all required fields of an entry together.
    name: str | None
    share: Share
    wanting: int


def submissions_judged(found: Iterable[Found]) -> list[Judged]:
    """Return the audited entries: right where every required field is.

    An entry that is wrong in nothing, and of which something cannot be told, is left out.
    """
    by_audit: dict[object, list[Found]] = {}
    for field in found:
        if field.required:
            by_audit.setdefault(field.audit, []).append(field)
    judged = []
    for fields in by_audit.values():
        rights = [field.right for field in fields]
        if False in rights or None not in rights:
            judged.append(Judged(fields[0].entry_confidence, False not in rights, 1 / fields[0].probability))
    return judged


def fields_judged(found: Iterable[Found]) -> list[Judged]:
    """Return the audited values with their own confidence."""
    return [
        Judged(field.confidence, field.right, 1 / field.probability) for field in found if field.right is not None
    ]


def precisions(found: Sequence[Found]) -> list[Precision]:
    """Return the precision of all required fields together, then of each field in the order in which they come."""
    whole = weighted_share((one.right, one.weight) for one in submissions_judged(found))
    result = [Precision(None, whole, audits_wanting(whole))]
    for name in dict.fromkeys(field.name for field in found):
        own = fields_judged(field for field in found if field.name == name)
        share = weighted_share((one.right, one.weight) for one in own)
        result.append(Precision(name, share, audits_wanting(share)))
    return result
