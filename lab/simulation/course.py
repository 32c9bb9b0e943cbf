"""The steps of a drawn entry's run, its model calls, and what people did afterwards."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from core.messages import Message
from lab.simulation.plan import REQUIRED, Plan
from lab.simulation.season import Entry
from lab.simulation.values import misread, read_value, true_value
from pipeline.reason_codes import EscalationReason, RunReason

MODEL, MODEL_PROVIDER = "llama-3.3-70b-versatile", "groq"
_DOLLARS_IN, _DOLLARS_OUT = 0.59e-6, 0.79e-6


@dataclass(frozen=True, slots=True)
class Call:
    """One request to the model."""

    attempt: int
    error_code: str | None
    tokens_in: int
    tokens_out: int
    latency_ms: int

    @property
    def cost(self) -> float:
        return self.tokens_in * _DOLLARS_IN + self.tokens_out * _DOLLARS_OUT


@dataclass(frozen=True, slots=True)
class Step:
    """One execution of a node."""

    action: str
    #: The edge that followed; None at the end.
    route: str | None
    reason: Message
    tools: tuple[str, ...]
    outcome: str | None
    duration_ms: int
    at: datetime
    tries: int
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposed:
    """One field of a proposal, and what a person decided on it."""

    name: str
    current: str | None
    proposed: str | None
    confidence: float
    source: str | None
    method: str | None
    preferred: str
    #: "pending" until it is decided.
    decision: str
    final: str | None


@dataclass(frozen=True, slots=True)
class Course:
    """All that happened to an entry."""

    steps: list[Step]
    proposed: list[Proposed] = field(default_factory=list)
    #: When a person decided it; None for not yet.
    decided_at: datetime | None = None
    #: Number of the reviewer.
    reviewer: int = 0

    @property
    def settled_at(self) -> datetime:
        return self.steps[-1].at


def course_of(plan: Plan, entry: Entry) -> Course:
    """Return the course of an entry: the same for the same plan and number."""
    random = Random(plan.seed * 1_000_003 + entry.number)
    steps = _steps(plan, entry, random)
    decided_at = None
    if entry.decided:
        decided_at = steps[-1].at + timedelta(seconds=60 + random.expovariate(1 / 90_000))
    reviewer = random.randrange(4)
    proposed = _proposed(entry, random) if entry.outcome == "suggested" else []
    return Course(steps, proposed, decided_at, reviewer)


def _steps(plan: Plan, entry: Entry, random: Random) -> list[Step]:
    at, tools, steps = entry.at, ["run_pipeline"], []
    duration = round(random.lognormvariate(5.0 if entry.provider == "text" else 7.6, 0.5))

    def add(action: str, route: str | None, reason: Message, ms: int, **values: Any) -> None:
        nonlocal at
        at += timedelta(milliseconds=ms)
        steps.append(Step(action, route, reason, tuple(tools), values.pop("outcome", None), ms, at, **values))

    asks = plan.model and bool(entry.missing) and entry.confidence < 0.5
    read = Message.of(RunReason.READ, confidence=entry.confidence, problems=_problems(entry))
    route = "complete" if entry.unseen else "retry" if asks else "review"
    add("run_pipeline", route, read, duration, tries=1)
    tries = 1
    if asks:
        tools.append("retry_with_llm")
        tries, calls = 2, _calls(random)
        if calls[-1].error_code:
            reason = Message.of(RunReason.MODEL_FAILED, technical=calls[-1].error_code)
        else:
            reason = Message.of(RunReason.MODEL_READ, asked=entry.missing, fields=entry.missing[:1])
        add("retry_with_llm", "review", reason, sum(call.latency_ms for call in calls), tries=2, calls=calls)
    if entry.unseen:
        reason = Message.of(RunReason.CONFIDENT, confidence=entry.confidence, threshold=plan.threshold)
        add("save_complete", None, reason, 1 + round(random.expovariate(0.2)), tries=tries, outcome=entry.outcome)
        return steps
    tools.append("review_agent")
    suggested = entry.outcome == "suggested"
    names = [name for name in (*REQUIRED, "teacher_name") if name in (*entry.missing, *entry.weak)]
    reason = Message.of(RunReason.PROPOSES, fields=names) if suggested else Message.of(RunReason.FOUND_NOTHING)
    outcome = entry.outcome if suggested else None
    took = round(random.lognormvariate(6.0, 0.6))
    add("review_agent", "suggested" if suggested else "escalate", reason, took, tries=tries, outcome=outcome)
    if not suggested:
        add("mark_for_human", None, why_escalated(entry), 0, tries=tries, outcome="escalated")
    return steps


def _problems(entry: Entry) -> list[Message]:
    found = [Message.of(RunReason.MISSING, fields=entry.missing)] if entry.missing else []
    return found + ([Message.of(RunReason.WEAK, fields=entry.weak)] if entry.weak else [])


def why_escalated(entry: Entry) -> Message:
    """Return why a person has to look, as the supervisor says it."""
    if entry.missing:
        return Message.of(EscalationReason.NOTHING_TO_PROPOSE, fields=entry.missing, problems=[])
    if entry.codes:
        return Message.of(EscalationReason.NEEDS_DECISION, reasons=entry.codes)
    return Message.of(EscalationReason.LOW_CONFIDENCE)


def _calls(random: Random) -> tuple[Call, ...]:
    """One call, up to two more after errors."""
    found = []
    for attempt in (1, 2, 3):
        failed = random.random() < 0.08
        latency = round(random.lognormvariate(6.6, 0.5))
        if failed:
            code = random.choice(("model_rate_limited", "model_timeout", "model_unreachable"))
            found.append(Call(attempt, code, 0, 0, latency))
            continue
        found.append(Call(attempt, None, random.randint(400, 1_600), random.randint(20, 120), latency))
        break
    return tuple(found)


def _proposed(entry: Entry, random: Random) -> list[Proposed]:
    names = [name for name in REQUIRED if name in entry.missing or name in entry.weak]
    return [_field(entry, name, random) for name in names or REQUIRED]


def _field(entry: Entry, name: str, random: Random) -> Proposed:
    current, true = read_value(entry, name), true_value(entry, name)
    confidence = entry.confidences.get(name, 0.0)
    kind = random.random()
    if current is None and kind < 0.3:
        proposed, source, method, confidence = None, None, None, 0.0
    elif current is not None and (current == true or kind < 0.4):
        proposed, source, method = current, _source(entry), "as_read"
    else:
        good = random.random() < 0.8
        proposed = true if good else misread(misread(true))
        source, method = ("model", "model") if kind > 0.8 else ("ocr", "zone")
        confidence = 0.5 if source == "model" else round(0.6 + 0.35 * random.random(), 4)
    preferred = "neither" if proposed is None else "proposed" if confidence >= 0.5 else "as_read"
    if not entry.decided:
        return Proposed(name, current, proposed, confidence, source, method, preferred, "pending", None)
    decision = "approved" if proposed == true else "kept" if current == true else "edited"
    return Proposed(name, current, proposed, confidence, source, method, preferred, decision, true)


def _source(entry: Entry) -> str:
    return "text_layer" if entry.provider == "text" else "ocr"
