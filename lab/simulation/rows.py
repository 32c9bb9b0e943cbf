"""The rows of the product's tables that a drawn season would have left behind."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import timedelta
from hashlib import blake2b
from typing import Any

from core.messages import Message
from lab.simulation.course import MODEL, MODEL_PROVIDER, Call, Course, Proposed, Step, course_of, why_escalated
from lab.simulation.plan import FIELDS, REQUIRED
from lab.simulation.season import Entry, Season
from lab.simulation.values import read_value, school_name, true_value
from pipeline.reason_codes import ProposalReason, RunReason
from services.stats.lists import fields_named
from services.trust.audit_sample import Stratum, band_of

#: Table and row.
Row = tuple[str, dict[str, Any]]

REVIEWERS = 4
#: Entries of one batch.
_BATCH = 25


class Keys:
    """Ids that are the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def __call__(self, kind: str, number: int | str = 0) -> uuid.UUID:
        """Return the id of the so many'th thing of a kind."""
        digest = blake2b(f"{self._seed}:{kind}:{number}".encode(), digest_size=16).digest()
        return uuid.UUID(bytes=digest, version=4)


def heads(season: Season, season_id: uuid.UUID | None = None) -> Iterator[Row]:
    """Yield what entries refer to: the season, unless there is one, people, schools and batches."""
    key = Keys(season.plan.seed)
    of_season = season_id or key("season")
    if season_id is None:
        yield "seasons", {"id": of_season, "name": f"Invented season {season.plan.seed}"}
    for role, count in (("uploader", 1), ("reviewer", REVIEWERS), ("auditor", 1)):
        for number in range(count):
            name = f"Invented {role} {number + 1}"
            email = f"{role}-{number + 1}-{season.plan.seed}@example.org"
            yield "profiles", {"id": key(role, number), "email": email, "display_name": name, "role": role}
    for number in range(season.plan.schools):
        name = school_name(number)
        yield (
            "schools",
            {"id": key("school", number), "season_id": of_season, "name": name, "name_key": name.casefold()},
        )
    for number in range((len(season.entries) + _BATCH - 1) // _BATCH):
        yield (
            "upload_batches",
            {
                "id": key("batch", number),
                "season_id": of_season,
                "uploaded_by": key("uploader"),
                "file_count": _BATCH,
                "created_at": season.entries[number * _BATCH].at - timedelta(minutes=1),
            },
        )


def rows_of(season: Season, entry: Entry, season_id: uuid.UUID | None = None) -> Iterator[Row]:
    """Yield every row of one entry, each after those that it refers to."""
    key = Keys(season.plan.seed)
    of_season = season_id or key("season")
    course = course_of(season.plan, entry)
    ids = {"season_id": of_season, "submission_id": key("submission", entry.number)}
    run_id = f"{ids['submission_id']}:1"
    yield from _upload(key, entry, of_season)
    yield "submissions", _submission(key, entry, course, of_season)
    yield from _fields(key, entry, course, ids)
    yield "runs", _run(entry, course, ids, run_id)
    yield "run_facts", _fact(key, entry, course, ids, run_id)
    for number, step in enumerate(course.steps, start=1):
        yield from _step(key, entry, step, number, ids, run_id)
    if course.proposed:
        yield from _suggestion(key, entry, course, ids, run_id)
    if entry.outcome == "escalated":
        yield "escalations", _escalation(key, entry, course, ids, run_id)
    yield from _events(key, entry, course, ids)
    if entry.drawn is not None:
        yield from _audit(key, entry, course, ids, run_id)


def strata(season: Season, season_id: uuid.UUID | None = None) -> Iterator[Row]:
    """Yield where the draw of each stratum stands."""
    of_season = season_id or Keys(season.plan.seed)("season")
    seen = Counter(Stratum(*entry.stratum, band_of(entry.confidence)) for entry in season.entries if entry.unseen)
    for stratum, total in season.strata.items():
        yield "audit_strata", {"season_id": of_season, **asdict(stratum), "total": total, "seen": seen[stratum]}


def _upload(key: Keys, entry: Entry, season_id: uuid.UUID) -> Iterator[Row]:
    upload = key("upload", entry.number)
    yield (
        "uploads",
        {
            "id": upload,
            "season_id": season_id,
            "batch_id": key("batch", entry.number // _BATCH),
            "uploaded_by": key("uploader"),
            "position": entry.number % _BATCH,
            "original_filename": f"entry-{entry.number + 1}.pdf",
            "content_type": "application/pdf",
            "byte_size": 180_000,
            "sha256": blake2b(upload.bytes, digest_size=32).hexdigest(),
            "storage_key": f"originals/{upload}",
            "pdf_key": f"originals/{upload}",
            "status": "split",
            "page_count": 1,
            "entry_count": 1,
            "created_at": entry.at - timedelta(minutes=1),
        },
    )
    yield "pages", {"upload_id": upload, "page_no": 1, "width": 612, "height": 792, "role": "header"}


def _submission(key: Keys, entry: Entry, course: Course, season_id: uuid.UUID) -> dict[str, Any]:
    settled = course.decided_at is not None
    values = {name: _standing(entry, course, name) for name in REQUIRED}
    return {
        "id": key("submission", entry.number),
        "season_id": season_id,
        "batch_id": key("batch", entry.number // _BATCH),
        "upload_id": key("upload", entry.number),
        "owner_user_id": key("uploader"),
        "chunk_index": 0,
        "page_start": 1,
        "page_end": 1,
        "doc_class": "SINGLE_TYPED" if entry.provider == "text" else "SINGLE_SCANNED",
        "doc_format": "native_text" if entry.provider == "text" else "image_only",
        "profile": entry.form,
        "language": entry.language or None,
        "status": "resolved" if settled else entry.outcome,
        "version": 3 if settled else 2,
        "needs_review": not (settled or entry.unseen),
        "review_reason_codes": [] if settled else list(entry.codes),
        "missing_fields": [] if settled else list(entry.missing),
        "confidence": entry.confidence,
        "ocr_confidence_avg": min(entry.confidences.values(), default=None),
        **values,
        "word_count": 198,
        "created_at": entry.at,
        "updated_at": course.decided_at or course.settled_at,
    }


def _standing(entry: Entry, course: Course, name: str) -> str | None:
    """The value of a field at the end: a person's decision makes it right."""
    return read_value(entry, name) if course.decided_at is None else true_value(entry, name)


def _fields(key: Keys, entry: Entry, course: Course, ids: Mapping[str, Any]) -> Iterator[Row]:
    for place, name in enumerate((*FIELDS, "word_count")):
        if name == "word_count":
            value: str | None = "198"
        else:
            value = _standing(entry, course, name) if name in REQUIRED else read_value(entry, name)
        typed = name in REQUIRED and value != read_value(entry, name)
        confidence = 1.0 if typed or name == "word_count" else entry.confidences.get(name, 0.0)
        read = value is not None and not typed
        yield (
            "submission_fields",
            {
                "id": key(name, entry.number),
                **ids,
                "name": name,
                "value": value,
                "confidence": confidence,
                "source": "person" if typed else _source(entry) if read else None,
                "method": "zone" if read else None,
                "decided_at": (course.decided_at or course.settled_at) if typed else None,
                "page": 1 if read else None,
                **({"x0": 0.28, "y0": 0.1 + 0.03 * place, "x1": 0.5, "y1": 0.12 + 0.03 * place} if read else {}),
                "updated_at": course.decided_at or course.settled_at,
            },
        )


def _source(entry: Entry) -> str:
    return "text_layer" if entry.provider == "text" else "ocr"


def _run_reason(entry: Entry, course: Course) -> Message:
    return course.steps[-1].reason if entry.outcome != "escalated" else why_escalated(entry)


def _run(entry: Entry, course: Course, ids: Mapping[str, Any], run_id: str) -> dict[str, Any]:
    settled = course.decided_at is not None
    waits = entry.outcome == "escalated" and not settled
    return {
        "run_id": run_id,
        **ids,
        "run_no": 1,
        "status": "interrupted" if waits else "settled",
        "outcome": "resolved" if settled else entry.outcome,
        "reason": _run_reason(entry, course).to_json(),
        "tools_used": list(course.steps[-1].tools),
        "confidence": entry.confidence,
        "ready": entry.ready,
        "started_at": entry.at,
        "settled_at": None if waits else course.settled_at,
        "created_at": entry.at - timedelta(seconds=20),
    }


def _fact(key: Keys, entry: Entry, course: Course, ids: Mapping[str, Any], run_id: str) -> dict[str, Any]:
    """What the statistics count the run under."""
    reason = _run_reason(entry, course)
    return {
        "run_id": run_id,
        **ids,
        "batch_id": key("batch", entry.number // _BATCH),
        "ended_at": course.settled_at,
        "outcome": entry.outcome,
        "reason": reason.code,
        "fields": fields_named(reason),
        "doubts": list(entry.codes),
        "tools": list(course.steps[-1].tools),
        "profile": entry.form,
        "language": entry.language or None,
        "ocr_provider": None if entry.provider == "text" else entry.provider,
        "school_id": key("school", entry.school),
        "steps": len(course.steps),
    }


def _step(key: Keys, entry: Entry, step: Step, number: int, ids: Mapping[str, Any], run_id: str) -> Iterator[Row]:
    seen = {
        "confidence": entry.confidence,
        "tries": step.tries,
        "missing_fields": list(entry.missing),
        "weak_fields": list(entry.weak),
    }
    yield (
        "orchestrator_logs",
        {
            "id": key("log", f"{entry.number}:{number}"),
            **ids,
            "run_id": run_id,
            "step": number,
            "timestamp": step.at,
            "state_json": {**seen, "review_reason_codes": list(entry.codes)},
            "action_taken": step.action,
            "reason": step.reason.to_json(),
            "tools_used": list(step.tools),
            "final_outcome": step.outcome,
            "duration_ms": step.duration_ms,
            "model": MODEL if step.calls else None,
            "tokens_in": sum(call.tokens_in for call in step.calls),
            "tokens_out": sum(call.tokens_out for call in step.calls),
            "cost_usd": round(sum(call.cost for call in step.calls), 6),
            "trace_json": {
                "route": step.route,
                "values": {**seen, "steps": len(step.tools), "blocking_codes": list(entry.codes)},
                "thresholds": {"complete_confidence": 0.9, "weak_field_confidence": 0.8},
                "model_configured": bool(step.calls),
                "model_calls": [_traced(call) for call in step.calls],
                "retries": sum(call.attempt > 1 for call in step.calls),
            },
            "owner_user_id": key("uploader"),
        },
    )
    for call in step.calls:
        yield (
            "model_calls",
            {
                "id": key("call", f"{entry.number}:{number}:{call.attempt}"),
                "run_id": run_id,
                "submission_id": ids["submission_id"],
                "purpose": "missing_fields",
                "provider": MODEL_PROVIDER,
                "model": MODEL,
                "tokens_in": call.tokens_in,
                "tokens_out": call.tokens_out,
                "latency_ms": call.latency_ms,
                "cost_usd": round(call.cost, 6),
                "status": "failed" if call.error_code else "ok",
                "error_code": call.error_code,
                "attempt": call.attempt,
                "node": step.action,
                "created_at": step.at,
            },
        )


def _traced(call: Call) -> dict[str, Any]:
    return {
        "purpose": "missing_fields",
        "provider": MODEL_PROVIDER,
        "model": MODEL,
        "tokens_in": call.tokens_in,
        "tokens_out": call.tokens_out,
        "latency_ms": call.latency_ms,
        "attempt": call.attempt,
        "error_code": call.error_code,
    }


def _suggestion(key: Keys, entry: Entry, course: Course, ids: Mapping[str, Any], run_id: str) -> Iterator[Row]:
    suggestion = key("suggestion", entry.number)
    decided = course.decided_at
    reviewer = key("reviewer", course.reviewer) if decided else None
    yield (
        "review_suggestions",
        {
            "id": suggestion,
            **ids,
            "run_id": run_id,
            "proposed_updates": {
                item.name: item.proposed for item in course.proposed if item.proposed is not None
            },
            "status": "approved" if decided else "pending",
            "version": 2 if decided else 1,
            "reason": course.steps[-1].reason.to_json(),
            "created_at": course.settled_at,
            "resolved_at": decided,
            "resolved_by_user_id": reviewer,
        },
    )
    for item in course.proposed:
        yield (
            "review_suggestion_fields",
            {
                "id": key(f"suggested {item.name}", entry.number),
                "suggestion_id": suggestion,
                "name": item.name,
                "current_value": item.current,
                "proposed_value": item.proposed,
                "final_value": item.final,
                "confidence": item.confidence,
                "source": item.source,
                "method": item.method,
                "reason": _proposal_reason(item).to_json(),
                "preferred": item.preferred,
                "decision": item.decision,
                "decided_by": reviewer,
                "decided_at": decided,
            },
        )
    if decided:
        yield "review_decisions", _decision(key, entry, course, ids, "suggestion", suggestion)


def _audit(key: Keys, entry: Entry, course: Course, ids: Mapping[str, Any], run_id: str) -> Iterator[Row]:
    audit, made = key("audit", entry.number), entry.audited
    at = course.settled_at + timedelta(days=1)
    form, language, provider = entry.stratum
    yield (
        "audits",
        {
            "id": audit,
            **ids,
            "run_id": run_id,
            "form": form,
            "language": language,
            "provider": provider,
            "band": band_of(entry.confidence),
            "confidence": entry.confidence,
            "probability": entry.drawn,
            "status": "settled" if made else "pending",
            "auditor_id": key("auditor") if made else None,
            "typed_at": at if made else None,
            "settled_at": at if made else None,
            "created_at": course.settled_at,
        },
    )
    for name, confidence in entry.confidences.items():
        wrong = name in entry.wrong
        yield (
            "audit_fields",
            {
                "audit_id": audit,
                "name": name,
                "required": name in REQUIRED,
                "value": read_value(entry, name),
                "confidence": confidence,
                "typed": true_value(entry, name) if made else None,
                "finding": ("auditor" if wrong else "same") if made else None,
            },
        )


def _proposal_reason(item: Proposed) -> Message:
    if item.proposed is None:
        return Message.of(ProposalReason.NOTHING)
    return Message.of(ProposalReason.AS_READ, problems=[])


def _escalation(key: Keys, entry: Entry, course: Course, ids: Mapping[str, Any], run_id: str) -> dict[str, Any]:
    decided = course.decided_at
    return {
        "id": key("escalation", entry.number),
        **ids,
        "run_id": run_id,
        "reason": why_escalated(entry).to_json(),
        "payload": {"missing_fields": list(entry.missing), "weak_fields": list(entry.weak)},
        "status": "resolved" if decided else "pending",
        "version": 2 if decided else 1,
        "decision": {"action": "settle"} if decided else None,
        "decided_by": key("reviewer", course.reviewer) if decided else None,
        "decided_at": decided,
        "resumed_at": decided,
        "created_at": course.settled_at,
    }


def _decision(
    key: Keys, entry: Entry, course: Course, ids: Mapping[str, Any], kind: str, item: uuid.UUID
) -> dict[str, Any]:
    return {
        "id": key("decision", entry.number),
        **ids,
        "actor_id": key("reviewer", course.reviewer),
        "kind": kind,
        "item_id": item,
        "version": 3,
        "before": {
            "run": {"run_id": f"{ids['submission_id']}:1"},
            "counted": {"outcome": "resolved", "reason": RunReason.DECIDED_BY_PERSON.value},
        },
        "created_at": course.decided_at,
    }


def _events(key: Keys, entry: Entry, course: Course, ids: Mapping[str, Any]) -> Iterator[Row]:
    reason = _run_reason(entry, course).to_json()
    row = {**ids, "kind": entry.outcome, "message": reason, "run_no": 1, "version": 2}
    yield "review_events", {**row, "created_at": course.settled_at}
    if course.decided_at is None:
        return
    if entry.outcome == "escalated":
        escalation = key("escalation", entry.number)
        yield "review_decisions", _decision(key, entry, course, ids, "escalation", escalation)
    kind = "suggestion_decided" if entry.outcome == "suggested" else "escalation_resolved"
    decided = {**ids, "kind": kind, "actor_id": key("reviewer", course.reviewer), "run_no": 1, "version": 3}
    yield "review_events", {**decided, "created_at": course.decided_at}
