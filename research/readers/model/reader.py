"""The reader that asks a language model, and lets the rules read what the model could not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from core.llm import Model
from research.material import SourceText
from research.meaning import Meaning
from research.memo import CatalogCandidate, Gap
from research.memo.worker_result import Finding
from research.readers.model.agreement import agreement_of
from research.readers.model.asking import Asking
from research.readers.model.drafting import draft_of, mended_of
from research.readers.model.findings import findings_of
from research.readers.model.items import items_of
from research.readers.model.outline import outline_of
from research.readers.model.planning import gaps_of, plan_of
from research.readers.model.proven import proven_of
from research.readers.model.queries import queries_of
from research.readers.protocol import (
    Agreement,
    Asked,
    Draft,
    DraftSentence,
    Evidence,
    FaultySentence,
    Outline,
    Plan,
    Queries,
    QueryTask,
    ReaderLog,
    SectionRequest,
    Statement,
    Value,
)
from research.readers.rules.reader import RulesReader


@dataclass
class ModelReader:
    """See `research.readers.protocol.Reader`."""

    name: ClassVar[str] = "model"
    judges: ClassVar[bool] = True

    model: Model
    meaning: Meaning
    rules: RulesReader
    #: The same as that of the rules, which write into it too.
    log: ReaderLog = field(init=False)

    def __post_init__(self) -> None:
        self.log = self.rules.log
        self._asking = Asking(self.model, self.log)

    def plan(self, asked: Asked, most_questions: int) -> Plan:
        """See `Reader.plan`."""
        return plan_of(self._asking, asked, most_questions) or self.rules.plan(asked, most_questions)

    def queries(self, asked: Asked, tasks: Sequence[QueryTask], most: int) -> Mapping[str, Queries]:
        """See `Reader.queries`."""
        found = queries_of(self._asking, asked, tasks, most)
        missing = [task for task in tasks if task.task_id not in found]
        by_rule = self.rules.queries(asked, missing, most)
        return found | {key: replace(queries, fallback=True) for key, queries in by_rule.items()}

    def findings(
        self, asked: Asked, questions: Sequence[str], sources: Mapping[str, SourceText]
    ) -> Mapping[str, list[Finding]]:
        """See `Reader.findings`."""
        found = findings_of(self._asking, asked, questions, sources, self.meaning)
        return self.rules.findings(asked, questions, sources) if found is None else found

    def items(
        self, asked: Asked, sources: Mapping[str, SourceText], known: Sequence[str] = ()
    ) -> list[CatalogCandidate]:
        """See `Reader.items`."""
        found = items_of(self._asking, asked, sources, known, self.meaning)
        return self.rules.items(asked, sources, known) if found is None else found

    def proven(self, asked: Asked, values: Sequence[Value], sources: Mapping[str, SourceText]) -> list[str | None]:
        """See `Reader.proven`."""
        found = proven_of(self._asking, asked, values, sources)
        return self.rules.proven(asked, values, sources) if found is None else found

    def agreement(self, pairs: Sequence[tuple[Statement, Statement]]) -> list[Agreement]:
        """See `Reader.agreement`."""
        return agreement_of(self._asking, pairs, self.rules)

    def gaps(self, asked: Asked, plan: Plan, findings: Mapping[str, Sequence[Finding]]) -> list[Gap]:
        """See `Reader.gaps`."""
        return gaps_of(self._asking, asked, plan, findings)

    def outline(self, asked: Asked, plan: Plan, evidence: Sequence[Evidence]) -> Outline:
        """See `Reader.outline`."""
        found = outline_of(self._asking, asked, plan, evidence, self.meaning)
        return found or self.rules.outline(asked, plan, evidence)

    def draft(self, request: SectionRequest) -> Draft:
        """See `Reader.draft`."""
        return draft_of(self._asking, request) or self.rules.draft(request)

    def mended(self, asked: Asked, faulty: Sequence[FaultySentence]) -> list[DraftSentence | None]:
        """See `Reader.mended`."""
        return mended_of(self._asking, asked, faulty)
