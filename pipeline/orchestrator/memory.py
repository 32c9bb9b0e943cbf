"""A recorder that keeps everything in memory: for the regression check and for tests."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.llm import MemoryLedger
from pipeline.orchestrator.context import Proposal, StepLog


@dataclass
class MemoryRecorder:
    """Takes what would be logged and suggested; as idempotent as the database's."""

    ledger: MemoryLedger = field(default_factory=MemoryLedger)
    steps: dict[int, StepLog] = field(default_factory=dict)
    proposal: Proposal | None = None

    def log_step(self, entry: StepLog) -> None:
        """Keep the step; the first of a number stays."""
        self.steps.setdefault(entry.step, entry)

    def propose(self, proposal: Proposal) -> str:
        """Keep the proposal; the first stays."""
        if self.proposal is None:
            self.proposal = proposal
        return "proposal"

    def proposed(self) -> str | None:
        """Whether there is one."""
        return None if self.proposal is None else "proposal"
