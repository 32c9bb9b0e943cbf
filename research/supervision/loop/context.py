"""The context of a loop: analyst, expander, integrator, store, and the types that they exchange."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Protocol

from core.errors import AppError
from core.messages import Message, MessageCode
from research.codes import ResearchCode
from research.document import CheckedClaim, ReportDocument
from research.material import SourceText
from research.memo.worker_result import Finding
from research.supervision.loop.state import SupervisionState
from research.supervision.types import Depth, Ended, Issue, Outcome, SupervisionTier, SupervisorDecision

Mode = Literal["automatic", "supervised"]


class InvalidDecisionError(AppError):
    """The reply of the analysis could not be used, also after one repair."""

    code: ClassVar[MessageCode] = ResearchCode.INVALID_DECISION


@dataclass(frozen=True)
class Expansion:
    """The result of a focused research; empty if nothing was found."""

    findings: tuple[Finding, ...] = ()
    #: The findings' sources by citation key; the document may already cite them.
    sources: dict[str, SourceText] = field(default_factory=dict)


@dataclass(frozen=True)
class Integration:
    """A revised document, and the checked claims for its new text."""

    document: ReportDocument
    claims: tuple[CheckedClaim, ...] = ()


@dataclass(frozen=True)
class Decision:
    """What was decided on a revision: the version that it became; None if it was rejected."""

    version_no: int | None


class Analyst(Protocol):
    """Finds the most severe gap."""

    def analyse(
        self, document: ReportDocument, explored: Sequence[str], iteration: int, tier: SupervisionTier
    ) -> SupervisorDecision:
        """Return a decision. Raises InvalidDecisionError or another AppError. `explored`: see `explored_key`."""
        ...


class Expander(Protocol):
    """Researches one gap."""

    def expand(self, document: ReportDocument, issue: Issue, iteration: int, depth: Depth) -> Expansion:
        """Research an issue; repeated for the iteration, it returns what was found, without fetching again.

        Raises AppError if the research fails; an empty result is not a failure.
        """
        ...

    def nothing_to_ask(self) -> Message | None:
        """Return why no source could be searched, or None if one could."""
        ...


class Integrator(Protocol):
    """Integrates findings into the document."""

    def integrate(
        self, document: ReportDocument, issue: Issue, expansion: Expansion, refused: Sequence[Message]
    ) -> Integration | None:
        """Integrate findings; None if none of them closes the gap. Raises AppError.

        `refused`: the guard's reasons for refusing the previous try.
        """
        ...


class RevisionStore(Protocol):
    """Storage of documents and attempts. Every write is idempotent and may raise LeaseLostError."""

    def document(self, version_no: int) -> ReportDocument:
        """Return a version of the document."""
        ...

    def record(
        self,
        state: SupervisionState,
        outcome: Outcome,
        integration: Integration | None = None,
        source_keys: Sequence[str] = (),
    ) -> str:
        """Store the attempt that a state tells of, once per iteration, and return the revision's id.

        In automatic mode an integration becomes the newest version at once.
        """
        ...

    def decision(self, revision_id: str) -> Decision | None:
        """Return what was decided, or None while the revision waits for a person."""
        ...

    def finish(self, state: SupervisionState) -> None:
        """Store the end of the loop that a state tells of."""
        ...


@dataclass(frozen=True)
class SupervisionContext:
    """The context passed to every node through LangGraph's `Runtime`; it is not checkpointed."""

    tier: SupervisionTier
    store: RevisionStore
    analyst: Analyst
    expander: Expander
    integrator: Integrator
    #: Called before each step; returns the end if a person cancelled or the budget is spent.
    stop: Callable[[], Ended | None] = field(default=lambda: None)
    #: Called with the name of each node as it begins, for display.
    begins: Callable[[str], None] = field(default=lambda node: None)
