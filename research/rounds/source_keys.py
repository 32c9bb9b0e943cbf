"""Give the sources of tasks their citation keys, in order of tasks, and find those that are there already.

The result does not depend on the order in which researchers finish. Until a round is joined, or a focused research
has ended, its sources have provisional keys: the task's id and a number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.models import ReportSource
from research.citations import CitationRegistry
from research.document import Reference
from research.material import SourceText
from research.meaning import NoMeaning, Text, near_duplicates
from research.memo.worker_result import WorkerResult
from research.storage.rounds import StoredTask
from research.storage.sources import is_provisional, place_of, reference_of

_FIGURE = re.compile(r"\d+")


@dataclass(frozen=True)
class SourceKeys:
    """The citation keys for provisional keys."""

    #: Citation key by provisional key, including those of duplicates.
    final: Mapping[str, str]
    #: Provisional keys of sources that are kept under another key.
    duplicates: Sequence[str]

    @property
    def renamed(self) -> dict[str, str]:
        """The keys of the sources that are kept."""
        return {old: new for old, new in self.final.items() if old not in self.duplicates}

    def of(self, result: WorkerResult) -> WorkerResult:
        """Return a result with citation keys, each source once."""
        sources = [replace(entry, key=self.final.get(entry.key, entry.key)) for entry in result.sources]
        return replace(result, sources=list({entry.key: entry for entry in sources}.values()))


def source_keys(
    rows: Sequence[ReportSource],
    stored: Sequence[StoredTask],
    texts: Mapping[str, SourceText],
    cited: Sequence[Reference] = (),
) -> SourceKeys:
    """Return the keys for the new ones among `rows`; a work of `cited`, which has no row, keeps its key.

    A duplicate is the same work as an earlier source, or a copy of its text, as far as `texts` has them by key.
    """
    read = [row for row in rows if row.status == "read"]
    taken = [row for row in read if not is_provisional(row.key)]
    taken.sort(key=lambda row: (row.round_index, row.key))
    known = {row.key for row in taken}
    registry = CitationRegistry([*map(reference_of, taken), *(one for one in cited if one.key not in known)])
    order = [task.task.task_id for task in stored]
    new = [row for row in read if is_provisional(row.key) and row.task_id in order]
    new.sort(key=lambda row: (order.index(row.task_id or ""), place_of(row.key)))
    copies = _copies([row.key for row in [*taken, *new] if row.key in texts], texts)
    final: dict[str, str] = {}
    duplicates = []
    for row in new:
        first = copies.get(row.key)
        final[row.key] = key = registry.add(reference_of(row)) if first is None else final.get(first, first)
        if key in known:
            duplicates.append(row.key)
        known.add(key)
    return SourceKeys(final, duplicates)


def _copies(keys: Sequence[str], texts: Mapping[str, SourceText]) -> dict[str, str]:
    """Return the first source for each later one whose text is nearly the same, with the same figures."""
    # By words alone: a whole text is longer than an embedder reads.
    pairs = near_duplicates([Text(texts[key].text, texts[key].language) for key in keys], NoMeaning())
    figures = [set(_FIGURE.findall(texts[key].text)) for key in keys]
    found: dict[str, str] = {}
    for one, other in pairs:
        if figures[one] == figures[other]:
            found.setdefault(keys[other], found.get(keys[one], keys[one]))
    return found
