"""A loop in memory: a small document, a store, and actors that do as a schedule says."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

from langgraph.checkpoint.memory import InMemorySaver

from core.errors import AppError, ModelUnavailableError
from core.graphs import StrictSerializer
from core.messages import Message
from research.config import BudgetSpentError, CancelRequestedError
from research.document import Reference, ReportDocument, Section
from research.memo import Finding
from research.readers.protocol import SourceText
from research.sources.base import Passage
from research.supervision.loop.graph import SupervisionContext, SupervisionGraph, create_supervision_graph
from research.supervision.loop.routing import SupervisionState
from research.supervision.revisions import Decision, Revisions
from research.supervision.types import (
    AttemptOutcome,
    Depth,
    Ended,
    Expansion,
    Integration,
    InvalidDecisionError,
    Issue,
    Mode,
    SupervisionTier,
    SupervisorDecision,
)

#: Errors that a step can meet, by the word of a schedule.
ERRORS: dict[str, Callable[[], AppError]] = {
    "fails": ModelUnavailableError,
    "invalid": InvalidDecisionError,
    "budget": BudgetSpentError,
    "cancel": CancelRequestedError,
}


def document() -> ReportDocument:
    """Two sections, two citations."""
    return ReportDocument(
        title="Fathers and reading",
        sections=(
            Section(key="one", heading="Reading aloud", body="Reading aloud helps [@ortiz2019#c1]. " * 5),
            Section(key="two", heading="Cost", body="It costs little [@lee2021#c2]. " * 5),
        ),
        references=(Reference(key="ortiz2019", title="Aloud"), Reference(key="lee2021", title="Cost")),
    )


def issue(topic: str = "attachment theory", **values: object) -> Issue:
    """An issue of weight."""
    given = {
        "topic": topic,
        "section": "one",
        "issue_type": "foundational_concepts",
        "severity": "significant",
        "rationale": "It is what the findings rest on.",
        "suggested_queries": (topic,),
        **values,
    }
    return Issue.model_validate(given)


def revised(before: ReportDocument, key: str) -> ReportDocument:
    """The document with a sentence more and its source."""
    first, *rest = before.sections
    body = f"{first.body} A theory explains it [@{key}]."
    return before.model_copy(
        update={
            "sections": (first.model_copy(update={"body": body}), *rest),
            "references": (*before.references, Reference(key=key, title="Theory")),
        }
    )


@dataclass(frozen=True)
class Attempt:
    """What a loop recorded."""

    issue: Issue | None
    outcome: AttemptOutcome
    reasons: list[Message]
    integration: Integration | None


@dataclass
class MemoryStore:
    """Versions and attempts in memory; decisions come from `decide`."""

    decide: Callable[[Attempt], str] = field(default=lambda _: "accepted")
    mode: Mode = "automatic"
    versions: list[ReportDocument] = field(default_factory=lambda: [document()])
    attempts: dict[int, Attempt] = field(default_factory=dict)
    applied: dict[str, int] = field(default_factory=dict)
    decisions: dict[str, Decision] = field(default_factory=dict)
    #: How it ended, and the last good version.
    finished: list[tuple[Ended, int]] = field(default_factory=list)

    def document(self, version_no: int) -> ReportDocument:
        return self.versions[version_no - 1]

    def record(
        self,
        state: SupervisionState,
        outcome: AttemptOutcome,
        integration: Integration | None = None,
        source_keys: Sequence[str] = (),
    ) -> str:
        gap = Issue.model_validate(state["issue"]) if state.get("issue") else None
        reasons = [Message.from_json(one) for one in state.get("reasons", ())]
        self.attempts.setdefault(state["iteration"], Attempt(gap, outcome, reasons, integration))
        return str(state["iteration"])

    def apply(self, revision_id: str) -> int:
        if revision_id not in self.applied:
            integration = self.attempts[int(revision_id)].integration
            assert integration is not None
            self.versions.append(integration.document)
            self.applied[revision_id] = len(self.versions)
        return self.applied[revision_id]

    def decision(self, revision_id: str) -> Decision | None:
        if self.mode == "automatic":
            return Decision(self.apply(revision_id))
        if revision_id not in self.decisions:
            said = self.decide(self.attempts[int(revision_id)])
            if said == "waits":
                return None
            made = None if said == "rejected" else self.apply(revision_id)
            self.decisions[revision_id] = Decision(made)
        return self.decisions[revision_id]

    def finish(self, state: SupervisionState) -> None:
        self.finished.append((Ended(str(state["ended_because"])), state["version_no"]))


@dataclass
class Actors:
    """Analyst, expander and integrator; what happens at each of their steps is drawn from `words`."""

    words: Callable[[str], str]
    analyses: int = 0
    integrations: int = 0
    expanded: dict[int, Expansion] = field(default_factory=dict)

    def analyse(
        self, document: ReportDocument, explored: Sequence[str], iteration: int, tier: SupervisionTier
    ) -> SupervisorDecision:
        self.analyses += 1
        word = self._word("analyse")
        if word == "approves":
            return SupervisorDecision(reasoning="It stands.")
        if word == "minor":
            found = issue(f"detail {self.analyses}", severity="minor")
        else:
            found = issue(TOPICS[0 if word == "again" else self.analyses % len(TOPICS)])
        return SupervisorDecision(found, "A gap.")

    def expand(self, document: ReportDocument, issue: Issue, iteration: int, depth: Depth) -> Expansion:
        if iteration not in self.expanded:
            self.expanded[iteration] = Expansion() if self._word("expand") == "nothing" else _found(iteration)
        return self.expanded[iteration]

    def integrate(
        self, document: ReportDocument, issue: Issue, expansion: Expansion, refused: Sequence[Message]
    ) -> Integration | None:
        self.integrations += 1
        word, key = self._word("integrate"), min(expansion.sources)
        if word == "skips":
            return None
        if word == "loses":
            return Integration(revised(document, key).model_copy(update={"sections": document.sections[1:]}))
        if word == "invents":
            return Integration(revised(revised(document, key), "nobody1999").model_copy(update={"references": ()}))
        return Integration(revised(document, key))

    def _word(self, step: str) -> str:
        word = self.words(step)
        if word in ERRORS:
            raise ERRORS[word]()
        return word


def _found(iteration: int) -> Expansion:
    key, text = f"theory{iteration}", "A theory explains it."
    source = SourceText(Reference(key=key, title="Theory"), "example.org", (Passage(text, 0, len(text)),))
    return Expansion((Finding(key, text, 0, len(text)),), {key: source})


TOPICS = (
    "attachment theory",
    "role identity",
    "social capital",
    "ecological systems",
    "self-determination",
    "dual coding",
    "sampling bias",
)


def drawn(seed: int) -> Callable[[str], str]:
    """Words at random, the same for the same seed."""
    draw = random.Random(seed)
    likely = draw.choice([0.3, 0.6, 0.9])
    choices = {
        "analyse": ["approves", "minor", "again", "fails", "invalid", "budget", "cancel"],
        "expand": ["nothing", "nothing", "fails", "budget", "cancel"],
        "integrate": ["loses", "invents", "skips", "fails", "budget", "cancel"],
        "decide": ["rejected", "edited"],
        "stop": ["budget", "cancel"],
    }
    return lambda step: "well" if draw.random() < likely else draw.choice(choices[step])


def loop(
    words: Callable[[str], str], tier: SupervisionTier, mode: Mode = "automatic", store: MemoryStore | None = None
) -> tuple[SupervisionGraph, SupervisionContext, Actors, MemoryStore]:
    """A graph in memory, and what it works with."""
    actors, store = Actors(words), store or MemoryStore()
    store.mode = mode
    context = SupervisionContext(tier, cast(Revisions, store), actors.analyse, actors.expand, actors.integrate)
    return create_supervision_graph(InMemorySaver(serde=StrictSerializer())), context, actors, store
