"""Research one gap with the researchers of a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.messages import Message
from research.config import ResearchConfig
from research.document import ReportDocument
from research.material import SourceText
from research.memo.worker_result import Kind
from research.plan.planned_task import PlannedTask
from research.plan.task_queries import with_queries
from research.researchers.graph import create_researcher
from research.researchers.searching import LIBRARY
from research.rounds.source_keys import source_keys
from research.running.context import RoundContext
from research.running.state import ResearcherState
from research.stops import BudgetSpentError
from research.storage.sources import is_provisional
from research.supervision.analysis.examination import unread
from research.supervision.integration.evidence import usable
from research.supervision.loop.context import Expansion
from research.supervision.storage.desk import SUPERVISION_ROUND, SupervisionDesk
from research.supervision.tiers import Depth
from research.supervision.types import Issue, IssueType

#: Number of researchers per expansion.
TASKS: dict[Depth, int] = {"quick": 1, "standard": 2, "comprehensive": 3}
_CONFIG: dict[Depth, ResearchConfig] = {
    "quick": ResearchConfig(hits_per_query=6, sources_per_task=4, max_domain_share=0.5),
    "standard": ResearchConfig(hits_per_query=8, sources_per_task=6, max_domain_share=0.5),
    "comprehensive": ResearchConfig(hits_per_query=12, sources_per_task=10, max_domain_share=0.35),
}
_SCHOLARLY: tuple[Kind, ...] = ("academic", "book", "web")
#: Kinds of researchers by type of issue, in order.
_KINDS: dict[IssueType, tuple[Kind, ...]] = {
    "thin_section": ("web", "academic", "book"),
    "unsupported_claim": ("web", "academic", "book"),
    "unifying_threads": ("academic", "web", "book"),
}


@dataclass(frozen=True)
class FocusedResearch:
    """See `Expander`. Finished tasks are not repeated; a source has one key in a report."""

    context: RoundContext
    desk: SupervisionDesk

    def expand(self, document: ReportDocument, issue: Issue, iteration: int, depth: Depth) -> Expansion:
        """See `Expander.expand`. Without findings, the remaining kinds of researchers are tried too."""
        context = self._at(depth, document)
        expansion = Expansion()
        tasks = self._tasks(context, document, issue, iteration)
        for sent, task in enumerate(tasks, start=1):
            self._send(context, document, issue, task)
            if sent >= min(TASKS[depth], len(tasks)):
                expansion = self._found(document, issue, iteration)
                if expansion.findings:
                    break
        if not expansion.findings and context.budget.exhausted is not None:
            raise BudgetSpentError(f"no {context.budget.exhausted} left")
        return expansion

    def recall(self, document: ReportDocument, iteration: int, source_keys: Sequence[str]) -> Expansion:
        """See `Expander.recall`."""
        expansion = self._found(document, self.desk.rounds.issue(self._prefix(iteration)), iteration)
        return Expansion(
            tuple(finding for finding in expansion.findings if finding.source_key in source_keys),
            {key: source for key, source in expansion.sources.items() if key in source_keys},
        )

    def nothing_to_ask(self) -> Message | None:
        """See `Expander.nothing_to_ask`: an empty library says nothing where other providers may be asked."""
        for kind in self.context.brief.kinds:
            if any(provider.name != LIBRARY for provider in self.context.providers(kind)):
                return None
        library = self.desk.progress.library_state()
        return None if library.ready else unread(library)

    def _at(self, depth: Depth, document: ReportDocument) -> RoundContext:
        config = replace(_CONFIG[depth], language=document.language)
        return replace(self.context, brief=replace(self.context.brief, config=config))

    def _tasks(
        self, context: RoundContext, document: ReportDocument, issue: Issue, iteration: int
    ) -> list[PlannedTask]:
        question, queries = asked(document, issue)
        tasks = [
            PlannedTask(
                task_id=f"{self._prefix(iteration)}{kind}",
                kind=kind,
                question=question,
                queries=queries,
                instructions=f"{issue.rationale} {issue.integration_guidance}".strip(),
            )
            for kind in _KINDS.get(issue.issue_type, _SCHOLARLY)
            if kind in context.brief.kinds
        ]
        # A model has named its searches with the gap.
        return tasks if issue.grounds is None else with_queries(context.reader, context.brief.asked, tasks)

    def _prefix(self, iteration: int) -> str:
        return f"s{self.desk.held.supervision_id.hex[:8]}_{iteration}_"

    def _send(self, context: RoundContext, document: ReportDocument, issue: Issue, task: PlannedTask) -> None:
        """Run a researcher's graph without checkpoints: each step stores its result and finds it after a crash."""
        self.desk.rounds.add(task, issue)
        if self.desk.rounds.task(task.task_id).result is None:
            researcher = create_researcher(task.kind).copy({"checkpointer": False})
            state: ResearcherState = {"task_id": task.task_id, "round_index": SUPERVISION_ROUND}
            # A thread of its own: with the loop's it would inherit a durability that needs checkpoints.
            researcher.invoke(state, {"configurable": {"thread_id": task.task_id}}, context=context)
        self._give_keys(document, task.task_id)

    def _give_keys(self, document: ReportDocument, task_id: str) -> None:
        """Give the sources of an ended task their keys, if they have none yet; works of the report keep theirs."""
        rows = [row for row in self.desk.sources.all() if row.task_id == task_id or not is_provisional(row.key)]
        task = self.desk.rounds.task(task_id)
        keys = source_keys(rows, [task], {}, document.references)
        if keys.final:
            results = [] if task.result is None else [keys.of(task.result)]
            self.desk.rounds.give_keys(keys.renamed, keys.duplicates, results)

    def _found(self, document: ReportDocument, issue: Issue, iteration: int) -> Expansion:
        """Return what the sources read for this iteration say on the issue and the document does not."""
        results = [task.result for task in self.desk.rounds.of_iteration(self._prefix(iteration)) if task.result]
        texts = self._texts({entry.key for result in results for entry in result.sources})
        question, _ = asked(document, issue)
        about = replace(
            self.context.brief.asked, query=document.query or document.title, language=document.language
        )
        found = self.context.reader.findings(about, [question], texts)[question] if texts else []
        findings = usable(document, issue, found, texts)
        return Expansion(tuple(findings), {key: texts[key] for key in {one.source_key for one in findings}})

    def _texts(self, keys: Iterable[str]) -> dict[str, SourceText]:
        wanted = set(keys)
        return {
            row.key: self.desk.sources.text(row)
            for row in self.desk.sources.all()
            if row.status == "read" and row.key in wanted and not is_provisional(row.key)
        }


def asked(document: ReportDocument, issue: Issue) -> tuple[str, tuple[str, ...]]:
    """Return a researcher's question and first queries.

    The document's title is added to headings, which are too short alone; a statement is also searched by its
    section's subject, because no source contains all of its words.
    """
    heading = next((one.heading for one in document.sections if one.key == issue.section), "")
    subject = f"{heading} {document.title}".strip()
    match issue.issue_type:
        case "thin_section" if issue.grounds:
            return f"{issue.topic} {document.title}".strip(), (subject, document.title)
        case "unsupported_claim" if issue.grounds:
            return issue.topic, (subject, issue.topic)
        case _:
            return issue.topic, issue.suggested_queries
