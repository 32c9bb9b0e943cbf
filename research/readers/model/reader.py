"""The reader that asks a language model, and lets the rules read what the model could not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from core.llm import Model
from research.material import SourceText
from research.meaning import Meaning
from research.memo import CatalogCandidate, Gap
from research.memo.worker_result import Finding
from research.readers.protocol import (
    Agreement,
    Asked,
    Draft,
    DraftSentence,
    Evidence,
    FaultySentence,
    Plan,
    Queries,
    QueryTask,
    ReaderLog,
    SectionOutline,
    SectionRequest,
    Statement,
    Value,
)
from research.readers.rules.reader import RulesReader


@dataclass
class ModelReader:
    """See `research.readers.protocol.Reader`."""

    name: ClassVar[str] = "model"

    model: Model
    meaning: Meaning
    rules: RulesReader
    #: The same as that of the rules, which write into it too.
    log: ReaderLog = field(init=False)

    def __post_init__(self) -> None:
        self.log = self.rules.log

    def plan(self, asked: Asked, most_questions: int) -> Plan:
        """See `Reader.plan`."""
        return self.rules.plan(asked, most_questions)

    def queries(self, asked: Asked, tasks: Sequence[QueryTask], most: int) -> Mapping[str, Queries]:
        """See `Reader.queries`."""
        return self.rules.queries(asked, tasks, most)

    def findings(
        self, asked: Asked, questions: Sequence[str], sources: Mapping[str, SourceText]
    ) -> Mapping[str, list[Finding]]:
        """See `Reader.findings`."""
        return self.rules.findings(asked, questions, sources)

    def items(
        self, asked: Asked, sources: Mapping[str, SourceText], known: Sequence[str] = ()
    ) -> list[CatalogCandidate]:
        """See `Reader.items`."""
        return self.rules.items(asked, sources, known)

    def proven(self, asked: Asked, values: Sequence[Value]) -> list[bool]:
        """See `Reader.proven`."""
        return self.rules.proven(asked, values)

    def agreement(self, pairs: Sequence[tuple[Statement, Statement]]) -> list[Agreement]:
        """See `Reader.agreement`."""
        return self.rules.agreement(pairs)

    def gaps(self, asked: Asked, plan: Plan, findings: Mapping[str, Sequence[Finding]]) -> list[Gap]:
        """See `Reader.gaps`."""
        return self.rules.gaps(asked, plan, findings)

    def outline(self, asked: Asked, plan: Plan, evidence: Sequence[Evidence]) -> list[SectionOutline]:
        """See `Reader.outline`."""
        return self.rules.outline(asked, plan, evidence)

    def draft(self, request: SectionRequest) -> Draft:
        """See `Reader.draft`."""
        return self.rules.draft(request)

    def mended(self, asked: Asked, faulty: Sequence[FaultySentence]) -> list[DraftSentence | None]:
        """See `Reader.mended`."""
        return self.rules.mended(asked, faulty)
