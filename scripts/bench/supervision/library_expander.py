"""Research of one gap in the library alone: what its documents say to the issue's queries, read by rule."""

from __future__ import annotations

from dataclasses import dataclass, field

from research.document import ReportDocument
from research.material import SourceText
from research.meaning import NoMeaning
from research.readers.choice import open_reader
from research.readers.protocol import Asked
from research.report_type import ReportType
from research.supervision.analysis.related_sources import LibrarySearch
from research.supervision.integration.focused_research import usable
from research.supervision.types import Depth, Expansion, Issue

#: Sources read for one query.
_SOURCES = 8
_YEAR = 2026


@dataclass
class LibraryExpander:
    """Researches in the library of a search."""

    search: LibrarySearch
    _brought: dict[int, Expansion] = field(default_factory=dict)

    def expand(self, document: ReportDocument, issue: Issue, iteration: int, depth: Depth) -> Expansion:
        """See `SupervisionContext.expand`."""
        if iteration in self._brought:
            return self._brought[iteration]
        found: dict[str, SourceText] = {}
        for query in issue.suggested_queries:
            found.update(self.search(query)[:_SOURCES])
        asked = Asked(document.query, ReportType.NARRATIVE, document.language, _YEAR)
        read = open_reader(None, NoMeaning()).findings(asked, [issue.topic], found)[issue.topic]
        findings = usable(document, issue, read, found)
        keys = {finding.source_key for finding in findings}
        self._brought[iteration] = Expansion(tuple(findings), {key: found[key] for key in sorted(keys)})
        return self._brought[iteration]
