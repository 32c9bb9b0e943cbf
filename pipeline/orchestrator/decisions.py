"""Decisions of the supervisor: the table of rules, reasons and trace of a step, a replay by other rules. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from core.llm.ledger import ModelCall
from core.messages import LabelledEnum, Message
from pipeline.orchestrator_routing import (
    REVIEW_AGENT,
    SECOND_READER,
    Route,
    blocking_codes,
    is_blank,
    open_on_pictures,
    route_after_pipeline,
)
from pipeline.orchestrator_state import AgentState
from pipeline.pages.page_model import Source
from pipeline.profiles import text_fields
from pipeline.reason_codes import EscalationReason, ReasonCode, RunReason
from pipeline.schema import FIELD_NAMES, Agreement, DocClass, FieldReading, SecondReading
from pipeline.second_reader.reader import HeaderReading
from pipeline.validate import has_nothing
from pipeline.validation.certainty import (
    as_record,
    confidence_of,
    essay_word_count,
    field_is_weak,
    is_present,
    standing_of,
)
from pipeline.validation.policy import Policy


class Step(LabelledEnum):
    """What the supervisor does in a run, by the name of the node."""

    RUN_PIPELINE = "run_pipeline", "Read and checked the entry"
    SECOND_READER = "second_reader", "Had a second reader look at the page"
    RETRY_WITH_LLM = "retry_with_llm", "Asked the language model for what was missing"
    REVIEW_AGENT = "review_agent", "Looked for proposals"
    SAVE_COMPLETE = "save_complete", "Completed the entry"
    MARK_FOR_HUMAN = "mark_for_human", "Sent the entry to a person"


# The decision table of the supervisor at one step: each rule, number and threshold, from its `trace_json`. Pure.


class TableRule(LabelledEnum):
    """The rules of the table in order; the first that holds decides. Named after their outcomes."""

    LIMIT = "limit", "The maximum number of steps is reached: a person decides"
    COMPLETE = "complete", "Nothing is open: completed without review"
    LOOK = "look", "A second reader can look at the page: ask it"
    RETRY = "retry", "A model can help: ask it"
    REVIEW = "review", "No proposals were looked for yet: the review agent looks"
    OTHERWISE = "otherwise", "Otherwise: a person decides"


class Check(LabelledEnum):
    """What a rule compares."""

    STEPS = "steps", "Steps taken"
    AUTO_COMPLETE = "auto_complete", "May be completed without review"
    MISSING = "missing_fields", "Missing"
    BLOCKING = "blocking_codes", "Reasons that prevent completion"
    WEAK = "weak_fields", "Low confidence"
    CONFIDENCE = "confidence", "Confidence"
    RETRY_CONFIDENCE = "retry_confidence", "Confidence"
    TRIES = "tries", "Readings"
    OPEN = "pictured_fields", "Open on recognized pages"
    VISION = "vision", "A second reader is set up"
    LOOKED = "looked", "The second reader has looked"
    MODEL = "model", "A model is set up"
    REVIEWED = "reviewed", "The review agent has looked"


@dataclass(frozen=True, slots=True)
class Compared:
    check: Check
    #: A number, a switch, or keys of fields or reasons.
    value: Any
    #: "≥", "<", or "" for a switch or a list that must be empty or not.
    comparison: str
    threshold: float | int | None
    holds: bool


@dataclass(frozen=True, slots=True)
class TableRow:
    """One rule with its comparisons; it holds if all of them do."""

    rule: TableRule
    compared: tuple[Compared, ...]

    @property
    def holds(self) -> bool:
        return all(one.holds for one in self.compared)


def decision_table(trace: Mapping[str, Any], tools_used: Sequence[str]) -> list[TableRow]:
    """Return the table down to the rule that decided, which is the last row; empty if the trace lacks numbers."""
    values, limits = trace.get("values") or {}, trace.get("thresholds") or {}
    if values.get("confidence") is None or not limits:
        return []
    rows: list[TableRow] = []
    for row in _rows(trace, values, limits, tools_used):
        rows.append(row)
        if row.holds:
            break
    return rows


def _rows(
    trace: Mapping[str, Any], values: Mapping[str, Any], limits: Mapping[str, Any], tools_used: Sequence[str]
) -> list[TableRow]:
    has_model, has_vision = bool(trace.get("model_configured")), bool(trace.get("vision_configured"))
    confidence, tries = values["confidence"], values.get("tries", 0)
    missing = list(values.get("missing_fields", ()))
    reviewed, looked = REVIEW_AGENT in tools_used, SECOND_READER in tools_used
    pictured = list(values.get("pictured_fields", ()))
    complete = (
        Compared(Check.AUTO_COMPLETE, limits["auto_complete"], "", None, bool(limits["auto_complete"])),
        *(
            Compared(check, names := list(values.get(check.value, ())), "", None, not names)
            for check in (Check.MISSING, Check.BLOCKING, Check.WEAK)
        ),
        _at_least(Check.CONFIDENCE, confidence, limits["complete_confidence"]),
    )
    look = (
        Compared(Check.VISION, has_vision, "", None, has_vision),
        Compared(Check.LOOKED, looked, "", None, not looked),
        Compared(Check.OPEN, pictured, "", None, bool(pictured)),
    )
    retry = (
        Compared(Check.MODEL, has_model, "", None, has_model),
        _below(Check.RETRY_CONFIDENCE, confidence, limits["retry_confidence"]),
        _below(Check.TRIES, tries, limits["max_tries"]),
        Compared(Check.MISSING, missing, "", None, bool(missing)),
    )
    return [
        TableRow(TableRule.LIMIT, (_at_least(Check.STEPS, len(tools_used), limits["max_steps"]),)),
        TableRow(TableRule.COMPLETE, complete),
        # Without a second reader its row says nothing.
        *([TableRow(TableRule.LOOK, look)] if has_vision else []),
        TableRow(TableRule.RETRY, retry),
        TableRow(TableRule.REVIEW, (Compared(Check.REVIEWED, reviewed, "", None, not reviewed),)),
        TableRow(TableRule.OTHERWISE, ()),
    ]


def _at_least(check: Check, value: float, threshold: float) -> Compared:
    return Compared(check, value, "≥", threshold, value >= threshold)


def _below(check: Check, value: float, threshold: float) -> Compared:
    return Compared(check, value, "<", threshold, value < threshold)


# Why a step did what it did, as codes. Names of fields, never their values.


#: Codes of a missing required field, with that field.
MISSING_FIELD: Mapping[str, str] = {
    ReasonCode.MISSING_STUDENT_NAME: "student_name",
    ReasonCode.MISSING_SCHOOL_NAME: "school_name",
    ReasonCode.MISSING_GRADE: "grade",
    ReasonCode.EMPTY_ESSAY: "essay_text",
    ReasonCode.SHORT_ESSAY: "essay_text",
}


def what_was_read(state: AgentState) -> Message:
    """Describe the reading: what is missing or weak, and its confidence."""
    found = []
    if missing := state.get("missing_fields"):
        found.append(Message.of(RunReason.MISSING, fields=missing))
    if weak := state.get("weak_fields"):
        found.append(Message.of(RunReason.WEAK, fields=weak))
    if codes := [code for code in _codes(state) if code not in MISSING_FIELD]:
        found.append(Message.of(RunReason.DOUBTS, reasons=codes))
    return Message.of(RunReason.READ, confidence=state.get("confidence", 0.0), problems=found)


def why_completed(state: AgentState, policy: Policy) -> Message:
    """Explain why the machine completed the entry."""
    return Message.of(
        RunReason.CONFIDENT, confidence=state.get("confidence", 0.0), threshold=policy.complete_confidence
    )


def why_escalated(state: AgentState, policy: Policy) -> Message:
    """Explain why a person has to look; statistics count the codes."""
    if is_blank(state):
        return Message.of(EscalationReason.BLANK_FORM)
    tools = state.get("tools_used", [])
    if REVIEW_AGENT not in tools and len(tools) >= state.get("max_steps", policy.max_steps):
        return Message.of(EscalationReason.LIMIT_OF_STEPS)
    if missing := state.get("missing_fields"):
        doubts = _doubts(state)
        return Message.of(EscalationReason.NOTHING_TO_PROPOSE, fields=missing, problems=doubts)
    if codes := blocking_codes(state):
        return Message.of(EscalationReason.NEEDS_DECISION, reasons=codes)
    return Message.of(EscalationReason.LOW_CONFIDENCE)


def why_proposed(state: AgentState) -> Message:
    """Explain why the entry needs a person, most important reason first."""
    found = []
    if missing := state.get("missing_fields"):
        found.append(Message.of(RunReason.MISSING, fields=missing))
    found += _doubts(state)
    if weak := state.get("weak_fields"):
        found.append(Message.of(RunReason.TO_CONFIRM, fields=weak))
    return Message.of(RunReason.PROPOSED, problems=found) if found else Message.of(EscalationReason.UNSURE)


def what_the_model_said(found: Mapping[str, object], missing: list[str]) -> Message:
    """Name the fields that the model was asked for, and those that it read."""
    if not found:
        return Message.of(RunReason.MODEL_FOUND_NOTHING, fields=missing)
    return Message.of(RunReason.MODEL_READ, asked=missing, fields=list(found))


def what_the_second_reader_saw(header: HeaderReading | None) -> Message:
    """Name the fields of each agreement of the second reader, and those whose value was refused."""
    if header is None:
        return Message.of(RunReason.SECOND_READER_SAW_NOTHING)
    named = (
        (RunReason.BOTH_AGREE, header.fields_with(Agreement.AGREE)),
        (RunReason.BOTH_DIFFER, header.fields_with(Agreement.DIFFER)),
        (RunReason.ONLY_SECOND, header.fields_with(Agreement.ONLY_SECOND)),
        (RunReason.SECOND_REFUSED, list(header.dropped)),
    )
    found = [Message.of(code, fields=fields) for code, fields in named if fields]
    return Message.of(RunReason.SECOND_READER_LOOKED, page=header.page, problems=found)


def _doubts(state: AgentState) -> list[Message]:
    """Return the blocking reasons other than missing fields, which are listed by name."""
    missing = set(state.get("missing_fields", []))
    codes = [code for code in blocking_codes(state) if MISSING_FIELD.get(code) not in missing]
    return [Message.of(RunReason.DOUBTS, reasons=codes)] if codes else []


def _codes(state: AgentState) -> list[str]:
    return list((state.get("record") or {}).get("review_reason_codes", []))


# The logged facts of a reading, and the route that the supervisor would take from it by other rules. Pure.


ESSAY = "essay_text"
#: Reasons that follow from missing fields and vanish when none is missing.
_OF_ABSENCE = frozenset({*map(str, MISSING_FIELD), ReasonCode.BLANK_SUBMISSION.value})


@dataclass(frozen=True, slots=True)
class RecordedReading:
    """A reading of a run, by the `trace_json` of its step. Older rows lack some values (None)."""

    doc_class: DocClass | None
    #: The fields that were required then, and the least words of an essay.
    required: tuple[str, ...]
    min_words: int
    missing: frozenset[str]
    blocking: tuple[str, ...]
    #: The readings without values.
    fields: Mapping[str, FieldReading]
    model_configured: bool
    #: The tools that the run had used.
    tools_used: tuple[str, ...] = ("run_pipeline",)
    #: A recognised page that a second reader could be shown, if one was set up.
    has_picture: bool = False
    #: No name, school, grade or essay: blank where an essay is required.
    has_nothing: bool = False
    #: Fields other than texts with a value that satisfies a requirement.
    filled: frozenset[str] | None = None
    #: Fields with different values at two places.
    disputed: frozenset[str] | None = None
    #: Respelled fields: they hold the entry unless the agreement of two readers counts.
    respelled: frozenset[str] = frozenset()
    words: int | None = None
    #: The form that the entry was read with, and its version if it is in the database.
    profile: str | None = None
    profile_version: int | None = None


def recorded_reading(
    trace: Mapping[str, Any], doc_class: str | None, policy: Policy, tools_used: Sequence[str] = ("run_pipeline",)
) -> RecordedReading | None:
    """Return the reading in the `trace_json` of a step `run_pipeline` or `second_reader`; None if it has none.

    `tools_used` are those of the run up to this step. `doc_class` and `policy` supply the entry's class and the
    required fields, which older rows lack.
    """
    values = trace.get("values") or {}
    if values.get("confidence") is None or "readings" not in values:
        return None
    key = values.get("doc_class", doc_class)
    known = DocClass(key) if key in {one.value for one in DocClass} else None
    required = values.get("required")
    return RecordedReading(
        doc_class=known,
        required=tuple(policy.required_for(known) if required is None else required),
        profile=values.get("profile"),
        profile_version=values.get("profile_version"),
        min_words=int((trace.get("thresholds") or {}).get("min_essay_words", policy.min_essay_words)),
        missing=frozenset(values.get("missing_fields", ())),
        blocking=tuple(values.get("blocking_codes", ())),
        fields={
            name: FieldReading(
                confidence=one.get("confidence") or 0.0,
                source=one.get("source"),
                second=SecondReading(agreement=one["second"]) if one.get("second") else None,
            )
            for name, one in values["readings"].items()
        },
        model_configured=bool(trace.get("model_configured")),
        tools_used=tuple(tools_used),
        has_picture=bool(trace.get("vision_configured")) and bool(values.get("recognized")),
        has_nothing=bool(values.get("has_nothing")),
        filled=_set(values.get("filled")),
        disputed=_set(values.get("disputed")),
        respelled=frozenset(values.get("respelled", ())),
        words=values.get("words"),
    )


def route_by(reading: RecordedReading, policy: Policy) -> Route | None:
    """Return the route that the supervisor would take from this reading by these rules.

    None if the rules need something that was not recorded.
    """
    required = policy.required_for(reading.doc_class, reading.profile, reading.profile_version)
    present = {name: _is_present(reading, name, policy) for name in required}
    codes = _blocking(reading, required, policy)
    if codes is None or None in present.values():
        return None
    there, missing = ([name for name in required if present[name] is holds] for holds in (True, False))
    looks = reading.has_picture and not (reading.has_nothing and ESSAY in missing)
    state: AgentState = {
        "record": {"review_reason_codes": codes, "ocr_confidence_avg": 1.0},
        "missing_fields": missing,
        "weak_fields": [name for name in there if field_is_weak(_field(reading, name), policy)],
        "confidence": _confidence(reading, there, required, policy),
        "tries": 1,
        "tools_used": list(reading.tools_used),
    }
    return route_after_pipeline(state, policy, model_configured=reading.model_configured, vision_configured=looks)


def _confidence(reading: RecordedReading, there: Sequence[str], required: Sequence[str], policy: Policy) -> float:
    if required or reading.profile_version is None:
        return confidence_of([standing_of(_field(reading, name), policy) for name in there], len(required))
    # If a form of the database requires nothing, its fields with a value count.
    counting = [name for name in reading.filled or () if name in reading.fields]
    return confidence_of([standing_of(_field(reading, name), policy) for name in counting], len(counting))


def _is_present(reading: RecordedReading, name: str, policy: Policy) -> bool | None:
    if name == ESSAY:
        return _has_essay(reading, max(policy.min_essay_words, 1))
    if name in reading.required:
        return name not in reading.missing
    return None if reading.filled is None else name in reading.filled


def _has_essay(reading: RecordedReading, wanted: int) -> bool | None:
    if reading.words is not None:
        return reading.words >= wanted
    if ESSAY not in reading.required:
        return None
    # It is only known whether there were as many words as were required then.
    had, then = ESSAY not in reading.missing, max(reading.min_words, 1)
    return had if (wanted <= then if had else wanted >= then) else None


def _field(reading: RecordedReading, name: str) -> FieldReading:
    if name == ESSAY and name not in reading.fields:
        name = "word_count"
    return reading.fields.get(name, FieldReading())


def _blocking(reading: RecordedReading, required: Sequence[str], policy: Policy) -> list[str] | None:
    """Return the reasons other than missing fields that alone keep an entry from completing."""
    mismatch, spelled = ReasonCode.CONTENT_MISMATCH.value, ReasonCode.SPELLED_AS_OTHERS.value
    others = [code for code in reading.blocking if code not in _OF_ABSENCE and code != mismatch]
    if reading.respelled:
        agreed = {name for name, one in reading.fields.items() if one.is_agreed and policy.agreed_completes}
        others = [
            *(code for code in others if code != spelled),
            *([spelled] if reading.respelled - agreed else []),
        ]
    if reading.disputed is not None:
        return others + ([mismatch] if reading.disputed & set(required) else [])
    if mismatch in reading.blocking and set(required) >= set(reading.required):
        return [*others, mismatch]
    return others if set(required) == set(reading.required) else None


def _set(names: Sequence[str] | None) -> frozenset[str] | None:
    return None if names is None else frozenset(names)


# The values behind a step's decision, for `orchestrator_logs.trace_json`: numbers, keys of fields and codes.
#
# It holds no values of the entry and no text of a person or a model. Pure.


#: The rules of a policy that are numbers or switches; its school list, which holds names, is left out.
THRESHOLDS = (
    "auto_complete",
    "complete_confidence",
    "retry_confidence",
    "weak_field_confidence",
    "agreed_completes",
    "agreed_confidence",
    "min_essay_words",
    "max_tries",
    "max_steps",
)


def decision_trace(
    state: AgentState,
    policy: Policy,
    route: str | None,
    model_configured: bool,
    calls: Sequence[ModelCall],
    vision_configured: bool = False,
) -> dict[str, Any]:
    """Return the state after a node, the thresholds that apply to it, and the node's model calls.

    `state` is the state after the node. `route` is the edge that follows from it, None at the end of a run.
    """
    return {
        "route": route,
        "values": {
            "confidence": state.get("confidence"),
            "tries": state.get("tries", 0),
            "steps": len(state.get("tools_used", [])),
            "missing_fields": list(state.get("missing_fields", [])),
            "weak_fields": list(state.get("weak_fields", [])),
            "blocking_codes": blocking_codes(state),
            "pictured_fields": open_on_pictures(state),
            "readings": _readings(state.get("record") or {}),
            **_for_other_rules(state.get("record"), policy),
        },
        "thresholds": policy.model_dump(mode="json", include=set(THRESHOLDS)),
        "model_configured": model_configured,
        "vision_configured": vision_configured,
        "model_calls": [
            {name: value for name, value in asdict(call).items() if name not in ("status", "node")}
            for call in calls
        ],
        "retries": sum(call.attempt > 1 for call in calls),
    }


def _readings(record: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the confidence and source of each field, and the second reader's agreement, by key.

    A value that a person decided has a person's.
    """
    decided = {"confidence": 1.0, "source": Source.PERSON.value}
    return {
        name: decided
        if reading.get("decided_at")
        else {
            "confidence": reading.get("confidence"),
            "source": reading.get("source"),
            **({"second": reading["second"]["agreement"]} if reading.get("second") else {}),
        }
        for name, reading in (record.get("readings") or {}).items()
    }


def _for_other_rules(record: Mapping[str, Any] | None, policy: Policy) -> dict[str, Any]:
    """Return what is needed to decide by other rules: keys of fields and a number."""
    if record is None:
        return {}
    read = as_record(record)
    return {
        "doc_class": None if read.doc_class is None else read.doc_class.value,
        "profile": read.profile,
        "profile_version": read.profile_version,
        "required": list(policy.required_of(read)),
        "filled": [name for name in FIELD_NAMES if name not in text_fields() and is_present(read, name, policy)],
        "disputed": [name for name, one in read.readings.items() if one.disagrees_with and not one.way],
        "respelled": [name for name, one in read.readings.items() if one.disagrees_with and one.way],
        "recognized": read.ocr_confidence_avg is not None,
        "has_nothing": has_nothing(read),
        # The text itself is not in the state, its number of words is.
        "words": essay_word_count(read),
    }
