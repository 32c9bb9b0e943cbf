"""Integration without a model: verbatim sentences in an added passage; nothing else is changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.messages import Message
from research.document import ReportDocument
from research.memo.worker_result import Finding
from research.supervision.integration.claims import RevisionClaims
from research.supervision.integration.placing import with_paragraph, with_references
from research.supervision.loop.context import Expansion, Integration
from research.supervision.types import Issue

_LEAD = {"en": "On {topic}", "es": "Sobre {topic}"}
#: Most sentences of a passage.
_MOST = 3


class RuleIntegrator:
    """See `Integrator`."""

    def integrate(
        self, document: ReportDocument, issue: Issue, expansion: Expansion, refused: Sequence[Message]
    ) -> Integration | None:
        """See `Integrator.integrate`. The result is deterministic, so a refused one would be refused again."""
        claims, said = RevisionClaims(expansion), list[str]()
        for finding in _in_turn(expansion.findings):
            quote = " ".join(finding.quote.split())
            if len(said) < _MOST and (claim := claims.verified(quote, finding.source_key)):
                said.append(f"“{quote}” {claims.publish(claim, quote)}")
        if not said:
            return None
        lead = _LEAD[document.language].format(topic=issue.topic.rstrip(" .:;"))
        after = with_paragraph(document, issue.section, f"> **{lead}.** {' '.join(said)}")
        return Integration(with_references(after, expansion), claims.all)


def _in_turn(findings: Sequence[Finding]) -> list[Finding]:
    """Return the best finding of each source, then the second of each."""
    taken: Counter[str] = Counter()
    turns = []
    for finding in findings:
        taken[finding.source_key] += 1
        turns.append((taken[finding.source_key], finding))
    return [finding for _, finding in sorted(turns, key=lambda one: one[0])]
