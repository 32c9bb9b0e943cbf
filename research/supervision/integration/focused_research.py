"""Research one gap with the researchers of a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from research.config import ResearchConfig
from research.document import ReportDocument
from research.material import SourceText
from research.memo.worker_result import Finding, Kind
from research.plan.planned_task import PlannedTask
from research.plan.task_queries import with_queries
from research.researchers.nodes import fetch_node, search_node
from research.researchers.results import result_of
from research.running.context import RoundContext
from research.running.state import ResearcherState
from research.stops import BudgetSpentError
from research.storage.sources import is_provisional
from research.supervision.integration.evidence import findings_for
from research.supervision.loop.context import Expansion
from research.supervision.storage.desk import SUPERVISION_ROUND, SupervisionDesk
from research.supervision.storage.keyed_sources import give_keys
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
#: A researcher's steps without the last, which ends the task.
_STEPS = (search_node, fetch_node)


@dataclass(frozen=True)
class FocusedResearch:
    """See `Expander`. Finished tasks are not repeated; a source has one key in a report."""

    context: RoundContext
    desk: SupervisionDesk

    def expand(self, document: ReportDocument, issue: Issue, iteration: int, depth: Depth) -> Expansion:
        """See `Expander.expand`. Without findings, the remaining kinds of researchers are tried too."""
        context = self._at(depth, document)
        tasks = with_queries(context.reader, context.brief.asked, self._tasks(document, issue, iteration))
        for sent, task in enumerate(tasks, start=1):
            if sent > TASKS[depth] and self._found(issue, iteration).findings:
                break
            self._send(context, document, issue, task)
        expansion = self._found(issue, iteration)
        if not expansion.findings and context.budget.exhausted is not None:
            raise BudgetSpentError(f"no {context.budget.exhausted} left")
        return expansion

    def recall(self, iteration: int, source_keys: Sequence[str]) -> Expansion:
        """See `Expander.recall`."""
        expansion = self._found(self.desk.rounds.issue(self._prefix(iteration)), iteration)
        return Expansion(
            tuple(finding for finding in expansion.findings if finding.source_key in source_keys),
            {key: source for key, source in expansion.sources.items() if key in source_keys},
        )

    def _at(self, depth: Depth, document: ReportDocument) -> RoundContext:
        config = replace(_CONFIG[depth], language=document.language)
        return replace(self.context, brief=replace(self.context.brief, config=config))

    def _tasks(self, document: ReportDocument, issue: Issue, iteration: int) -> list[PlannedTask]:
        kinds = _KINDS.get(issue.issue_type, _SCHOLARLY)
        question, queries = asked(document, issue)
        return [
            PlannedTask(
                task_id=f"{self._prefix(iteration)}{kind}",
                kind=kind,
                question=question,
                queries=queries,
                instructions=f"{issue.rationale} {issue.integration_guidance}".strip(),
            )
            for kind in kinds
            if kind in self.context.brief.kinds
        ]

    def _prefix(self, iteration: int) -> str:
        return f"s{self.desk.held.supervision_id.hex[:8]}_{iteration}_"

    def _send(self, context: RoundContext, document: ReportDocument, issue: Issue, task: PlannedTask) -> None:
        self.desk.rounds.add(task, issue)
        if self.desk.rounds.task(task.task_id).result is None:
            _research(context, task)
        give_keys(self.desk, task.task_id, document.references)

    def _found(self, issue: Issue, iteration: int) -> Expansion:
        """Return findings on the issue from the report's sources, including those of this iteration."""
        tasks = self.desk.rounds.of_iteration(self._prefix(iteration))
        found = [finding for task in tasks if task.result is not None for finding in task.result.findings]
        findings = findings_for(issue, self._texts(), _once(found))
        texts = self._texts({finding.source_key for finding in findings})
        return Expansion(tuple(findings), texts)

    def _texts(self, keys: Iterable[str] | None = None) -> dict[str, SourceText]:
        wanted = None if keys is None else set(keys)
        return {
            row.key: self.desk.sources.text(row)
            for row in self.desk.sources.all()
            if row.status == "read" and not is_provisional(row.key) and (wanted is None or row.key in wanted)
        }


def asked(document: ReportDocument, issue: Issue) -> tuple[str, tuple[str, ...]]:
    """Return a researcher's question and first queries.

    The document's title is added to headings, which are too short alone; a statement is also searched by its
    section's subject, because no source contains all of its words.
    """
    heading = next((one.heading for one in document.sections if one.key == issue.section), "")
    subject = f"{heading} {document.title}".strip()
    match issue.issue_type:
        case "thin_section":
            return f"{issue.topic} {document.title}".strip(), (subject, document.title)
        case "unsupported_claim":
            return issue.topic, (subject, issue.topic)
        case _:
            return issue.topic, issue.suggested_queries[:2]


def _once(findings: Iterable[Finding]) -> list[Finding]:
    """Drop duplicates, since two researchers may find the same sentence."""
    return list({(one.source_key, one.start_char): one for one in findings}.values())


def _research(context: RoundContext, task: PlannedTask) -> None:
    """Run a researcher's steps; each stores its result, which is reused if it is repeated after a crash."""
    state: ResearcherState = {"task_id": task.task_id, "round_index": SUPERVISION_ROUND}
    for work in _STEPS:
        context.store.progress.stop_if_asked()
        state = {**state, **work(task.kind, state, context)}
    result = result_of(context, task, state)
    keys = {entry.key for entry in result.sources if entry.has_evidence}
    texts = {row.key: context.store.sources.text(row) for row in context.store.sources.all() if row.key in keys}
    findings = context.reader.findings(context.brief.asked, [task.question], texts)[task.question] if texts else []
    context.store.rounds.finish_task(replace(result, findings=findings))
