"""What a run of the graph came to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.messages import Message
from pipeline.orchestrator_state import Outcome
from pipeline.schema import Report, SubmissionRecord


@dataclass(frozen=True, slots=True)
class RunResult:
    """Result of a run when the graph has stopped."""

    #: The record as read, including the essay; values of a model are in the proposals, not here.
    record: SubmissionRecord
    #: The report of `process_submission`.
    report: Report
    outcome: Outcome
    reason: Message
    tools_used: list[str]
    confidence: float
    missing_fields: list[str]
    weak_fields: list[str]
    #: The payload of the pending interrupt; None unless the run waits for a person.
    interrupt: dict[str, Any] | None = None
