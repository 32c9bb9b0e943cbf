"""Sentences with a figure, a date or a name that nothing is cited for."""

from __future__ import annotations

from research.citations import uncited_claims
from research.document import ReportDocument
from research.supervision.types import Issue, Severity

#: From so many in one section on, it is more than an oversight.
_SEVERAL = 2


def unsupported_claims(document: ReportDocument) -> list[tuple[Issue, float]]:
    """An issue for each section that has some, with how sure it is."""
    found = []
    for section in document.sections:
        alone = document.model_copy(update={"sections": (section,)})
        claims = uncited_claims(alone)
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
        rationale=f"{len(claims)} statements in “{heading}” with a figure, a date or a name have no source."[
            :2000
        ],
        suggested_queries=tuple(claim[:200] for claim in claims[:3]),
        integration_guidance="Cite a source that says so, or say that none was found.",
    )
