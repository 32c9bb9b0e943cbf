"""One factory a model: a row that fits, with what the test cares about; parents are made where none are given."""

from __future__ import annotations

import hashlib
import itertools
import uuid
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.messages import Message
from core.models import (
    ApiToken,
    Audit,
    AuditField,
    BatchDefault,
    BulkChange,
    Escalation,
    Export,
    FieldEvidence,
    FormDraft,
    FormSample,
    Letter,
    LetterItem,
    ModelCallRow,
    OrchestratorCount,
    OrchestratorLog,
    OutgoingMail,
    Page,
    Profile,
    Reread,
    RereadItem,
    ResetRequest,
    ReviewDecision,
    ReviewEvent,
    ReviewSuggestion,
    ReviewSuggestionField,
    Run,
    RunFact,
    School,
    SchoolAlias,
    Season,
    SetUpStep,
    Submission,
    SubmissionField,
    Upload,
    UploadBatch,
)
from pipeline.reason_codes import EscalationReason

_numbers = itertools.count(1)


def _add(session: Session, row: Any) -> Any:
    return _add_all(session, [row])[0]


def _add_all(session: Session, rows: list[Any]) -> list[Any]:
    session.add_all(rows)
    session.flush()
    return rows


def make_season(session: Session, **values: Any) -> Season:
    """The current season; the one there is, unless a name is given."""
    if not values and (found := session.scalar(select(Season).where(Season.is_current))):
        return found
    return _add(session, Season(**{"name": f"Season {next(_numbers)}", "is_current": not values, **values}))


def make_profile(session: Session, role: str = "uploader", **values: Any) -> Profile:
    number = next(_numbers)
    given = {"email": f"{role}-{number}@example.org", "display_name": f"{role.title()} {number}", **values}
    return _add(session, Profile(role=role, **given))


def make_api_token(session: Session, profile: Profile | None = None, **values: Any) -> ApiToken:
    profile = profile or make_profile(session)
    return _add(
        session, ApiToken(profile_id=profile.id, **{"name": "script", "token_hash": uuid.uuid4().hex, **values})
    )


def make_school(session: Session, **values: Any) -> School:
    name = values.pop("name", f"Juniper School {next(_numbers)}")
    return _add(session, School(season_id=make_season(session).id, name=name, name_key=name.casefold(), **values))


def make_school_alias(session: Session, school: School | None = None, alias: str = "Juniper") -> SchoolAlias:
    school = school or make_school(session)
    return _add(session, SchoolAlias(school_id=school.id, alias=alias, alias_key=alias.casefold()))


def make_batch(session: Session, owner: Profile | None = None, **values: Any) -> UploadBatch:
    owner = owner or make_profile(session)
    return _add(
        session,
        UploadBatch(season_id=make_season(session).id, uploaded_by=owner.id, **{"file_count": 1, **values}),
    )


def make_upload(session: Session, batch: UploadBatch | None = None, **values: Any) -> Upload:
    batch = batch or make_batch(session)
    key = uuid.uuid4().hex
    given = {
        "position": 0,
        "original_filename": "entry.pdf",
        "byte_size": 1234,
        "sha256": hashlib.sha256(key.encode()).hexdigest(),
        "storage_key": f"originals/{key}",
        "status": "split",
        **values,
    }
    return _add(
        session, Upload(season_id=batch.season_id, batch_id=batch.id, uploaded_by=batch.uploaded_by, **given)
    )


def make_page(session: Session, upload: Upload | None = None, **values: Any) -> Page:
    upload = upload or make_upload(session)
    given = {"page_no": 1, "width": 612.0, "height": 792.0, "role": "header", **values}
    return _add(session, Page(upload_id=upload.id, **given))


def make_submission(session: Session, upload: Upload | None = None, **values: Any) -> Submission:
    upload = upload or make_upload(session)
    status = values.get("status", "suggested")
    given = {
        "chunk_index": 0,
        "page_start": 1,
        "page_end": 1,
        "doc_class": "SINGLE_TYPED",
        "doc_format": "native_text",
        "status": status,
        "needs_review": status not in ("completed", "resolved", "rejected"),
        **({"error_code": "damaged_document"} if status == "failed" else {}),
        **values,
    }
    return _add(
        session,
        Submission(
            season_id=upload.season_id,
            batch_id=upload.batch_id,
            upload_id=upload.id,
            owner_user_id=upload.uploaded_by,
            **given,
        ),
    )


def make_field(session: Session, submission: Submission | None = None, **values: Any) -> SubmissionField:
    return make_fields(session, submission or make_submission(session), [values])[0]


def make_fields(
    session: Session, submission: Submission, given: Sequence[Mapping[str, Any]]
) -> list[SubmissionField]:
    """Several fields of an entry, in as few statements as can be."""
    known = {"submission_id": submission.id, "season_id": submission.season_id}
    usual = {"name": "grade", "value": "4", "confidence": 0.95, "source": "ocr"}
    return _add_all(session, [SubmissionField(**{**known, **usual, **values}) for values in given])


def make_evidence(session: Session, field: SubmissionField | None = None, **values: Any) -> FieldEvidence:
    return make_pieces(session, [{"field_id": (field or make_field(session)).id, **values}])[0]


def make_pieces(session: Session, given: Sequence[Mapping[str, Any]]) -> list[FieldEvidence]:
    """Several pieces of pages, in as few statements as can be; each says the id of its field."""
    usual = {"ordinal": 0, "page": 1, "x0": 0.1, "y0": 0.1, "x1": 0.3, "y1": 0.13}
    return _add_all(session, [FieldEvidence(**{**usual, **values}) for values in given])


def make_run(session: Session, submission: Submission | None = None, **values: Any) -> Run:
    submission = submission or make_submission(session)
    given = {"run_no": submission.run_no, "status": "settled", **values}
    return _add(
        session,
        Run(
            run_id=f"{submission.id}:{given['run_no']}",
            submission_id=submission.id,
            season_id=submission.season_id,
            **given,
        ),
    )


def make_fact(session: Session, run: Run, **values: Any) -> RunFact:
    """What the run is counted under; it is not counted."""
    submission = session.get_one(Submission, run.submission_id)
    given = {"outcome": run.outcome or "completed", "reason": "unsure", **values}
    return _add(
        session,
        RunFact(
            run_id=run.run_id,
            submission_id=submission.id,
            season_id=run.season_id,
            batch_id=submission.batch_id,
            **given,
        ),
    )


def make_event(session: Session, submission: Submission | None = None, **values: Any) -> ReviewEvent:
    submission = submission or make_submission(session)
    given = {"kind": "suggested", **values}
    return _add(session, ReviewEvent(submission_id=submission.id, season_id=submission.season_id, **given))


def make_log(session: Session, run: Run | None = None, **values: Any) -> OrchestratorLog:
    run = run or make_run(session)
    given = {"step": 1, "action_taken": "run_pipeline", **values}
    return _add(
        session,
        OrchestratorLog(run_id=run.run_id, submission_id=run.submission_id, season_id=run.season_id, **given),
    )


def make_model_call(session: Session, run: Run | None = None, **values: Any) -> ModelCallRow:
    run = run or make_run(session)
    given = {
        "id": uuid.uuid4(),
        "purpose": "missing_fields",
        "provider": "groq",
        "model": "small",
        "status": "ok",
        **values,
    }
    return _add(session, ModelCallRow(run_id=run.run_id, submission_id=run.submission_id, **given))


def make_count(session: Session, kind: str, *keys: str, **values: Any) -> OrchestratorCount:
    """A count of today."""
    given: dict[str, Any] = {"day": utcnow().date(), "scope": "day", "number": 1, **values}
    return _add(session, OrchestratorCount(season_id=make_season(session).id, kind=kind, keys=keys, **given))


def make_mail(session: Session, **values: Any) -> OutgoingMail:
    given = {
        "kind": "letter",
        "season_id": make_season(session).id,
        "recipient": "family@example.org",
        "subject": "What is missing",
        "body": "The grade.",
        "language": "en",
        **values,
    }
    return _add(session, OutgoingMail(**given))


def make_letter(session: Session, *submissions: Submission, **values: Any) -> Letter:
    """A letter that asks for the grades of entries."""
    given = {
        "way": "mail",
        "addressed_to": "school",
        "addressee": "Juniper Hill Elementary",
        "subject": "Something is missing",
        "body": "Dear school,\n\n– Ana Ruiz: Grade\n\nThank you!",
        "language": "en",
        "answer_until": utcnow().date() - timedelta(days=1),
        **values,
    }
    asker = make_profile(session, "reviewer").id
    letter = _add(session, Letter(season_id=make_season(session).id, asked_by=asker, **given))
    _add_all(
        session, [LetterItem(letter_id=letter.id, submission_id=one.id, fields=["grade"]) for one in submissions]
    )
    return letter


def make_export(session: Session, owner: Profile | None = None, **values: Any) -> Export:
    owner = owner or make_profile(session, "reviewer")
    given = {"kind": "entries", "format": "csv", **values}
    return _add(session, Export(season_id=make_season(session).id, requested_by=owner.id, **given))


def make_reset_request(session: Session, **values: Any) -> ResetRequest:
    return _add(session, ResetRequest(**{"language": "en", **values}))


def make_set_up_step(session: Session, **values: Any) -> SetUpStep:
    given = {"step": f"step-{next(_numbers)}", "state": "open", **values}
    return _add(session, SetUpStep(**given))


def make_form_draft(session: Session, owner: Profile | None = None, **values: Any) -> FormDraft:
    owner = owner or make_profile(session, "admin")
    given = {"original_filename": "blank.pdf", "byte_size": 1, **values}
    return _add(session, FormDraft(created_by=owner.id, **given))


def make_form_sample(session: Session, draft: FormDraft | None = None, **values: Any) -> FormSample:
    draft = draft or make_form_draft(session)
    given = {"original_filename": "sample.pdf", **values}
    return _add(session, FormSample(draft_id=draft.id, requested_by=draft.created_by, **given))


def make_batch_default(session: Session, batch: UploadBatch | None = None, **values: Any) -> BatchDefault:
    batch = batch or make_batch(session)
    given = {"version": 1, "given_by": batch.uploaded_by, "applied_by": batch.uploaded_by, "given": {"grade": "5"}}
    row = {"status": "applying", **given, **values}
    return _add(session, BatchDefault(season_id=batch.season_id, batch_id=batch.id, **row))


def make_bulk_change(session: Session, owner: Profile | None = None, **values: Any) -> BulkChange:
    owner = owner or make_profile(session, "reviewer")
    given = {"kind": "set", "field_name": "grade", "new_value": "5", "filter": {}, **values}
    return _add(session, BulkChange(season_id=make_season(session).id, requested_by=owner.id, **given))


def make_reread_item(session: Session, submission: Submission | None = None, **values: Any) -> RereadItem:
    submission = submission or make_submission(session)
    owner = make_profile(session, "reviewer")
    reread = _add(session, Reread(season_id=submission.season_id, requested_by=owner.id, items_total=1))
    return _add(session, RereadItem(reread_id=reread.id, submission_id=submission.id, **values))


def make_suggestion(session: Session, run: Run | None = None, **values: Any) -> ReviewSuggestion:
    run = run or make_run(session)
    given = {"proposed_updates": {}, **values}
    return _add(
        session,
        ReviewSuggestion(submission_id=run.submission_id, season_id=run.season_id, run_id=run.run_id, **given),
    )


def make_suggestion_field(
    session: Session, suggestion: ReviewSuggestion | None = None, **values: Any
) -> ReviewSuggestionField:
    suggestion = suggestion or make_suggestion(session)
    given = {"name": "grade", "proposed_value": "4", "confidence": 0.7, "source": "ocr", **values}
    return _add(session, ReviewSuggestionField(suggestion_id=suggestion.id, **given))


def make_escalation(session: Session, run: Run | None = None, **values: Any) -> Escalation:
    run = run or make_run(session, status="interrupted")
    given = {"reason": Message.of(EscalationReason.NOTHING_TO_PROPOSE, fields=["grade"], problems=[]), **values}
    return _add(
        session, Escalation(submission_id=run.submission_id, season_id=run.season_id, run_id=run.run_id, **given)
    )


def make_decision(session: Session, submission: Submission | None = None, **values: Any) -> ReviewDecision:
    """An edit of now."""
    submission = submission or make_submission(session)
    given = {
        "kind": "edit",
        "version": 1,
        "before": {},
        "actor_id": make_profile(session, "reviewer").id,
        **values,
    }
    return _add(session, ReviewDecision(season_id=submission.season_id, submission_id=submission.id, **given))


def make_audit(session: Session, submission: Submission | None = None, **values: Any) -> Audit:
    """A drawn audit of an entry that passed unseen; `fields` are {name: (value, typed, finding)}."""
    submission = submission or make_submission(session, status="completed")
    fields = values.pop("fields", {"student_name": ("Marisol Quintero", None, None), "grade": ("4", None, None)})
    run_id = f"{submission.id}:{submission.run_no}"
    if session.get(Run, run_id) is None:
        make_run(session, submission, outcome="completed", status="settled", confidence=0.95, ready=True)
    given = {
        "form": "ifi_2026",
        "language": "en",
        "provider": "rapidocr",
        "band": 93,
        "confidence": 0.95,
        "probability": 0.05,
        **values,
    }
    audit = _add(
        session, Audit(season_id=submission.season_id, submission_id=submission.id, run_id=run_id, **given)
    )
    for name, (value, typed, finding) in fields.items():
        required = name in ("student_name", "school_name", "grade")
        row = {"value": value, "typed": typed, "finding": finding, "confidence": 0.92, "required": required}
        _add(session, AuditField(audit_id=audit.id, name=name, **row))
    return audit
