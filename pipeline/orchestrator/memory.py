"""A recorder in memory, for the regression check and for tests."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.llm import MemoryLedger
from pipeline.orchestrator.context import Proposal, StepLog


@dataclass
class MemoryRecorder:
    """Keeps steps and the proposal in memory; idempotent like the database's recorder."""

    ledger: MemoryLedger = field(default_factory=MemoryLedger)
    steps: dict[int, StepLog] = field(default_factory=dict)
    proposal: Proposal | None = None

    def log_step(self, entry: StepLog) -> None:
        """Keep the step unless one with its number exists."""
        self.steps.setdefault(entry.step, entry)

    def propose(self, proposal: Proposal) -> str:
        """Keep the proposal unless there is one already."""
        if self.proposal is None:
            self.proposal = proposal
        return "proposal"

    def proposed(self) -> str | None:
        """Return the id of the proposal, None before there is one."""
        return None if self.proposal is None else "proposal"
