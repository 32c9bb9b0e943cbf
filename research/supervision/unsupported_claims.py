"""Find sentences with a number, date or name that have no citation."""

from __future__ import annotations

from core.messages import Message
from research.citations import uncited_claims
from research.document import ReportDocument
from research.supervision.codes import RationaleCode
from research.supervision.types import Issue, Severity

#: Number of such sentences in a section from which the issue is moderate.
_SEVERAL = 2
#: Largest number in words that is ignored, since it may only structure the text: "three kinds of programme".
_FEW = 12


def unsupported_claims(document: ReportDocument) -> list[tuple[Issue, float]]:
    """Return an issue with its confidence for each section that has such sentences."""
    found = []
    for section in document.sections:
        alone = document.model_copy(update={"sections": (section,)})
        claims = uncited_claims(alone, above=_FEW)
        if claims:
            severity: Severity = "moderate" if len(claims) >= _SEVERAL else "minor"
            found.append((_issue(section.key, section.heading, claims, severity), 0.6))
    return found


def _issue(key: str, heading: str, claims: list[str], severity: Severity) -> Issue:
    return Issue(
        topic=claims[0][:200],
        section=key,
        issue_type="unsupported_claim",
        severity=severity,
        rationale="",
        grounds=Message.of(RationaleCode.CLAIMS_UNSUPPORTED, heading=heading, count=len(claims)),
        suggested_queries=tuple(claim[:200] for claim in claims[:3]),
    )
