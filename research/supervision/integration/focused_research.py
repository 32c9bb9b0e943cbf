"""Research one gap with the researchers of a report, and choose the findings that can close it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from core.messages import Message
from research.codes import BudgetSpentError
from research.config import ResearchConfig
from research.document import ReportDocument
from research.material import SourceText
from research.memo.worker_result import Finding, PlannedTask
from research.readers.query_tidying import distinct, tidy
from research.readers.statements import is_statement
from research.researchers.graph import create_researcher
from research.rounds.source_keys import source_keys
from research.running.context import RoundContext
from research.running.state import ResearcherState
from research.sources.library import LibrarySource
from research.storage.sources import is_provisional
from research.supervision.analysis.related_sources import unread
from research.supervision.outline import is_said, plain_of
from research.supervision.types import Depth, Expansion, Issue
from research.text import split_sentences

#: Number of researchers per expansion, and their limits.
_DEPTHS: dict[Depth, tuple[int, ResearchConfig]] = {
    "quick": (1, ResearchConfig(hits_per_query=6, sources_per_task=4, max_domain_share=0.5)),
    "standard": (2, ResearchConfig(hits_per_query=8, sources_per_task=6, max_domain_share=0.5)),
    "comprehensive": (3, ResearchConfig(hits_per_query=12, sources_per_task=10, max_domain_share=0.35)),
}
#: Most findings, and most of one source.
_MOST, _MOST_OF_A_SOURCE = 12, 4


@dataclass(frozen=True)
class FocusedResearch:
    """Researches gaps for a report. Finished tasks are not repeated; a source has one key in a report."""

    context: RoundContext

    def expand(self, document: ReportDocument, issue: Issue, iteration: int, depth: Depth) -> Expansion:
        """See `SupervisionContext.expand`. Without findings, the remaining kinds of researchers are tried too."""
        researchers, config = _DEPTHS[depth]
        brief, query = self.context.brief, document.query or document.title
        about = replace(brief.asked, query=query, language=document.language)
        context = replace(self.context, brief=replace(brief, asked=about, config=config))
        # A heading alone says too little.
        question = f"{issue.topic} {document.title}" if issue.issue_type == "thin_section" else issue.topic
        is_fact = issue.issue_type in ("thin_section", "unsupported_claim")
        # The web first for what a section or statement says, last for concepts.
        kinds = sorted(brief.kinds, key=lambda kind: ((kind == "web") != is_fact, kind))
        sources, read = context.store.sources, set[str]()
        for sent, kind in enumerate(kinds, start=1):
            queries = tuple(distinct(tidy(query, kind) for query in issue.suggested_queries))
            task_id = f"s{str(context.store.held.supervision_id)[:8]}_{iteration}_{kind}"
            read |= _researched(context, document, PlannedTask(task_id, kind, question, queries))
            if sent >= min(researchers, len(kinds)):
                texts = sources.texts(row for row in sources.keyed() if row.key in read)
                found = context.reader.findings(about, [question], texts)[question] if texts else []
                if findings := usable(document, found, texts):
                    keys = sorted({one.source_key for one in findings})
                    return Expansion(tuple(findings), {key: texts[key] for key in keys})
        if context.budget.exhausted is not None:
            raise BudgetSpentError(f"no {context.budget.exhausted} left")
        return Expansion()

    def nothing_to_ask(self) -> Message | None:
        """Return why no source could be searched: the library has nothing to say, and no other may be asked."""
        for kind in self.context.brief.kinds:
            if any(provider.name != LibrarySource.name for provider in self.context.providers(kind)):
                return None
        library = self.context.store.progress.library_state()
        return None if library.ready else unread(library)


def _researched(context: RoundContext, document: ReportDocument, task: PlannedTask) -> set[str]:
    """Run a task in a researcher's graph, give its sources their keys, and return the keys.

    The graph needs no checkpoints: each step stores its result and finds it after a crash.
    """
    rounds, sources = context.store.rounds, context.store.sources
    rounds.begin_focused(task)
    if rounds.task(task.task_id).result is None:
        researcher = create_researcher().copy({"checkpointer": False})
        state: ResearcherState = {"task_id": task.task_id}
        # A thread of its own: with the loop's it would inherit a durability that needs checkpoints.
        researcher.invoke(state, {"configurable": {"thread_id": task.task_id}}, context=context)
    stored = rounds.task(task.task_id)
    if stored.result is None:
        return set()
    rows = [row for row in sources.all() if row.task_id == task.task_id or not is_provisional(row.key)]
    keys = source_keys(rows, [stored], {}, document.references)
    result = keys.of(stored.result)
    if keys.final:
        rounds.join(keys.renamed, keys.duplicates, [result])
    return {entry.key for entry in result.sources}


def usable(
    document: ReportDocument, findings: Iterable[Finding], sources: Mapping[str, SourceText]
) -> list[Finding]:
    """Return the statements that the document does not have, in their order; may be empty."""
    said, taken, chosen = plain_of(document), Counter[str](), list[Finding]()
    for finding in findings:
        quote, language = " ".join(finding.quote.split()), sources[finding.source_key].language
        if len(chosen) == _MOST or taken[finding.source_key] == _MOST_OF_A_SOURCE or is_said(quote, said):
            continue
        sentences = (quote[start:end].strip() for start, end in split_sentences(quote, language))
        if any(map(is_statement, sentences)):
            taken[finding.source_key] += 1
            chosen.append(finding)
            said = f"{said}\n{quote}"
    return chosen
