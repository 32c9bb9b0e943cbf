"""Precision of unseen completion, of fields and of entries, from settled audits. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from services.trust.drawing import Stratum
from services.trust.reliability import Judged
from services.trust.stratified import Audited, stratified_share
from services.trust.wanting import audits_wanting
from services.trust.wilson import Share

_ANY = Stratum("", "", "", 0)
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
    #: What the entry was drawn by.
    stratum: Stratum = _ANY

    @property
    def right(self) -> bool | None:
        """Whether the machine is right; None where it cannot be told."""
        return True if self.finding in _RIGHT else False if self.finding in _WRONG else None


@dataclass(frozen=True, slots=True)
class Precision:
    """A precision, and how many audits are wanting to know it within three points."""

    #: Name of the field; None for all required fields of an entry together.
    name: str | None
    share: Share
    wanting: int
    #: How many passed unseen, of which this is the precision.
    population: int


def submissions_judged(found: Iterable[Found]) -> list[Judged]:
    """Return the audited entries: right where every required field is.

    An entry that is wrong in nothing, and of which something cannot be told, is left out.
    """
    return [judged for _, judged in _whole_submissions(found)]


def fields_judged(found: Iterable[Found]) -> list[Judged]:
    """Return the audited values with their own confidence."""
    return [_judged(field) for field in found if field.right is not None]


def _judged(field: Found) -> Judged:
    return Judged(field.confidence, field.right is True, 1 / field.probability)


def _whole_submissions(found: Iterable[Found]) -> Iterator[tuple[list[Found], Judged]]:
    by_audit: dict[object, list[Found]] = {}
    for field in found:
        if field.required:
            by_audit.setdefault(field.audit, []).append(field)
    for fields in by_audit.values():
        rights = [field.right for field in fields]
        if False in rights or None not in rights:
            yield fields, Judged(fields[0].entry_confidence, False not in rights, 1 / fields[0].probability)


def precisions(found: Sequence[Found], passed: Mapping[Stratum, int]) -> list[Precision]:
    """Return the precision of all required fields together, then of each field in the order in which they come.

    `passed` are the entries that passed unseen, by stratum.
    """
    judged = [(fields[0].stratum, one) for fields, one in _whole_submissions(found)]
    result = [_precision(None, judged, passed)]
    audits = Counter({field.audit: field.stratum for field in found}.values())
    for name in dict.fromkeys(field.name for field in found):
        own = [
            (field.stratum, _judged(field)) for field in found if field.name == name and field.right is not None
        ]
        # Not every entry has every field: as many of a stratum have it as of those audited there.
        having = Counter(stratum for stratum, _ in own)
        populations = {
            stratum: passed.get(stratum, 0) * count / audits[stratum] for stratum, count in having.items()
        }
        result.append(_precision(name, own, populations))
    return result


def _precision(
    name: str | None, judged: Sequence[tuple[Stratum, Judged]], passed: Mapping[Stratum, float]
) -> Precision:
    of: dict[Stratum, list[tuple[bool, float]]] = {stratum: [] for stratum in passed}
    for stratum, one in judged:
        of.setdefault(stratum, []).append((one.right, one.weight))
    share = stratified_share(Audited(stratum, passed.get(stratum, 0), given) for stratum, given in of.items())
    population = max(sum(passed.values()), share.judged)
    return Precision(name, share, audits_wanting(share, population or math.inf), round(population))
