"""Every page of the site by role, empty and filled: for tests that look at all of them."""

from __future__ import annotations

from sqlalchemy import select

from core.clock import utcnow
from core.config import ROOT
from core.models import (
    BulkKind,
    Erasure,
    JobFailure,
    QueueSample,
    ReconcilerPass,
    ReportRevision,
    ReviewSuggestionField,
)
from services.accounts.mailed_links import invite_user
from services.accounts.person import Role, person_of
from services.batches.typed_in import type_in_submission
from services.context import Context
from services.many.bulk_change import run_change
from services.many.bulk_request import ChangeRequest, request_change
from services.policy import change_policy
from tests.support import factories
from tests.support.form_drafts import make_read_draft
from tests.support.past_run import make_past_run
from tests.support.reading.orchestration import ENTRIES, FakeModel
from tests.support.research import reports, supervisions
from tests.support.research.library import add_and_read
from tests.support.review import desk
from tests.support.stats.filled import fill_statistics

PAPER = min((ROOT / "samples" / "library").rglob("*.pdf"))
_NOWHERE = "/review/suggestions/00000000-0000-0000-0000-000000000000"
#: Pages that can be opened without data; `tests/browser/test_accessibility.py` holds them against the routes.
EMPTY = {
    None: [
        "/sign-in",
        "/sign-in/code",
        "/sign-in/link",
        "/forgotten-password",
        "/invitation/no-such-link",
        "/password-reset/no-such-link",
    ],
    "uploader": [
        "/upload",
        "/submissions/by-school",
        "/submissions",
        "/submissions/filters",
        "/tokens",
        "/account",
        "/account/second-factor",
        "/confirm",
        "/admin/users",
    ],
    "officer": [
        "/research",
        "/research/new",
        "/research/library",
        "/research/library/add",
        "/research/documents/new",
        "/review/suggestions/reports",
        "/research/00000000-0000-0000-0000-000000000000",
    ],
    "reviewer": [
        "/review",
        "/review?place=parked",
        "/review/suggestions",
        "/review/escalations",
        "/review/suggestions/bulk",
        "/exports",
        "/submissions/duplicates",
        "/submissions/changes",
        "/submissions/changes/new",
        "/submissions/missing",
        "/letters",
        "/letters/texts",
        "/submissions/rereads",
        "/submissions/rereads/new",
        "/schools",
        "/research/library/essays/words",
        _NOWHERE,
    ],
    "auditor": [
        "/submissions",
        "/review/suggestions",
        "/admin/orchestrator_stats",
        "/admin/orchestrator_stats/submissions?kind=run",
        "/admin/queue",
        "/admin/mails",
        "/admin/system",
        "/admin/events",
        "/audits",
        "/admin/trust",
        "/admin/seasons",
        "/erasures",
    ],
    "admin": [
        "/admin/orchestrator_stats",
        "/admin/queue",
        "/admin/forms",
        "/admin/system",
        "/admin/users",
        "/admin/tokens",
        "/admin/events",
        "/admin/seasons",
        "/admin/set-up",
        "/upload",
        "/schools",
    ],
}


def filled(context: Context) -> dict[str | None, list[str]]:
    """Pages of entries in every state."""
    with context.database.session() as session:
        proposal = desk.make_proposal(context, session)
        desk.make_proposal(context, session, student="Theo Okafor")
        doubtful = desk.make_doubtful(context, session, student="Lucy Garrison")
        desk.make_doubtful(context, session, student="Ana Ruiz", preferred="neither")
        waiting = desk.make_escalated(context, session)
        done = desk.make_entry(context, session, status="completed")
        twice = f"/submissions/duplicates/{desk.make_twice(context, session)[2].id}"
        passed = desk.make_entry(context, session, status="completed", grade="4")
        audit = f"/audits/{factories.make_audit(session, passed.submission).id}/of/{passed.submission.id}"
        audited = {"grade": ("4", "5", "auditor"), "student_name": ("Ana Ruiz", "Ana Ruiz", "same")}
        made = {"status": "settled", "typed_at": utcnow(), "settled_at": utcnow(), "fields": audited}
        auditor = factories.make_profile(session, "auditor").id
        seen = factories.make_audit(session, done.submission, auditor_id=auditor, **made)
        found = f"/audits/{seen.id}/of/{done.submission.id}"
        failed = factories.make_submission(session, waiting.upload, status="failed", chunk_index=1)
        frames = [["services/runs/run.py", 40, "run_submission"]]
        where = [{"kind": "core.errors.StorageError", "code": "storage_error", "frames": frames}]
        session.add(JobFailure(kind="run", key=f"{failed.id}:1", errors=where))
        session.add(QueueSample(sampled_at=utcnow(), queued=4, running=2, scheduled=1, failed=1, workers=2))
        session.add(ReconcilerPass(requeued={"run": 1}, pruned={"run": 2}, essays=1))
        fill_statistics(session)
        decided = desk.make_proposal(context, session, student="Ana Ruiz").suggestion
        assert proposal.suggestion is not None and decided is not None and waiting.escalation is not None
        decided.status, decided.resolved_at = "approved", decided.created_at
        decided.resolved_by_user_id = proposal.owner.id
        for field in session.query(ReviewSuggestionField).filter_by(suggestion_id=decided.id):
            field.decision, field.decided_at = "approved", decided.created_at
        assert doubtful.suggestion is not None
        item = f"/review/suggestions/{proposal.suggestion.id}"
        worse = f"/review/suggestions/{doubtful.suggestion.id}"
        waits = f"/review/escalations/{waiting.escalation.id}/of/{waiting.submission.id}"
        written = reports.make_finished_report(session).id
        under_way = reports.make_running_report(session).id
        planned = reports.make_waiting_report(session).id
        waits_for = supervisions.make_waiting_supervision(session)
        over = supervisions.make_ended_supervision(session)
        loops = [f"/research/{one.report_id}/supervision/{one.id}" for one in (waits_for, over)]
        attempts = select(ReportRevision.id).order_by(ReportRevision.supervision_id, ReportRevision.iteration)
        revisions = [f"/research/revisions/{one}" for one in session.scalars(attempts)]
        listed = factories.make_school(session, name="Juniper Hill Elementary", city="Amberly")
        factories.make_school_alias(session, listed, "Juniper Hill")
        school = f"/schools/{listed.id}"
        erased = Erasure(
            season_id=done.submission.season_id,
            reason="asked",
            submission_ids=[proposal.submission.id],
            counts={"entries": 1, "fields": 12},
        )
        session.add(erased)
        session.flush()
        receipt = f"/erasures/{erased.id}"
        erasing = f"/submissions/{done.submission.id}/erase"
        season = f"/admin/seasons/{done.submission.season_id}"
        past = make_past_run(context, session, ENTRIES["hardly_read"](), model=FakeModel({}))
        factories.make_model_call(session, past, error_code="model_unavailable", status="failed")
        run = f"/admin/runs/{past.run_id}"
        for made_so_far in (
            {"status": "running", "rows_total": 1200, "rows_done": 300},
            {"status": "done", "format": "xlsx", "rows_total": 1200, "rows_done": 1200, "byte_size": 480_000},
            {"status": "failed", "kind": "judges", "format": "zip", "error_code": "storage_error"},
        ):
            factories.make_export(session, **made_so_far)
        letter = factories.make_letter(session, waiting.submission)
        factories.make_letter(session, done.submission, way="print", body="", subject="", addressee="")
        asked = f"/letters/{letter.id}"
        factories.make_mail(session, letter_id=letter.id)
        factories.make_mail(session, state="sent", sent_at=utcnow(), kind="letter")
        factories.make_mail(session, state="failed", error_code="mail_recipient", attempts=1)
        broken = reports.make_running_report(session, status="failed", error_code="storage_error").id
        owner = person_of(factories.make_profile(session, "reviewer"))
        differs = {
            "status": "differs",
            "version": 1,
            "changes": {"grade": ["4", "5"], "phone": [None, "555-0143"]},
        }
        reread = factories.make_reread_item(session, done.submission, decided=["school_name"], **differs).reread_id
    renamed = ChangeRequest(BulkKind.RENAME, "school_name", "Lakeview School", "Lakeview Elementary School")
    typed = type_in_submission(context, owner, "freeform", {"student_name": "Noor Haddad"})
    changes = [request_change(context, owner, renamed) for _ in range(2)]
    run_change(context, changes[0])
    change_policy(context, None, done.submission.season_id, {"min_essay_words": 40, "retention_days": 400})
    form = f"/admin/forms/drafts/{make_read_draft(context, auditor)}"
    paper = add_and_read(context, PAPER.read_bytes(), PAPER.name)
    text = add_and_read(context, "# Boats\n\nFathers build a boat.", collection="Clubs")
    invitation = invite_user(context, "new@example.org", Role.REVIEWER, "Noor Haddad")
    return {
        None: [f"/invitation/{invitation}"],
        "uploader": ["/tokens"],
        "officer": [
            "/research",
            "/research?q=nobody",
            "/research/new?query=List+5+programmes",
            f"/research/{written}",
            f"/research/{written}?version=1",
            f"/research/{under_way}",
            f"/research/{planned}",
            f"/research/{broken}",
            f"/research/{written}/sources/okafor2019?claim=c1",
            f"/research/{written}/own",
            f"/research/{written}/sources/gone",
            f"/research/{written}/supervision",
            f"/research/{written}/compare",
            f"/research/{written}/compare?from=1&to=2&view=side",
            f"/research/{written}/versions/1/restore",
            f"/research/{written}/export/pdf?version=1",
            f"/research/{over.report_id}",
            *loops,
            *revisions,
            f"{revisions[1]}?view=side&edit=document",
            "/review/suggestions/reports",
            "/research/library",
            "/research/library?q=boat",
            f"/research/library/{paper}",
            f"/research/library/{text}?passage=0",
        ],
        "reviewer": [
            "/submissions",
            "/submissions?q=nobody",
            "/submissions/by-school",
            "/submissions/changes",
            *(f"/submissions/changes/{one}" for one in changes),
            "/submissions/missing?mark=all",
            "/submissions/missing?by=parent",
            "/letters",
            asked,
            f"{asked}/print",
            "/submissions/rereads",
            f"/submissions/rereads/{reread}",
            f"/submissions/{done.submission.id}",
            f"/submissions/{waiting.submission.id}",
            f"/submissions/{failed.id}",
            f"/submissions/{done.submission.id}/essay",
            f"/batches/{waiting.upload.batch_id}",
            f"/uploads/{done.upload.id}/split",
            "/review",
            "/review?place=asked",
            "/review/suggestions?grade=9",
            item,
            worse,
            "/review/suggestions/bulk?mark=all",
            f"/review/suggestions/{decided.id}",
            "/review/suggestions/bulk",
            "/review/escalations",
            waits,
            "/schools?q=nobody",
            "/submissions?late=yes",
            "/submissions/typed-in",
            f"/submissions/{typed.id}",
            f"/batches/{waiting.upload.batch_id}/defaults?default_grade=5&default_language=es",
        ],
        "auditor": [
            "/schools",
            school,
            item,
            waits,
            f"/submissions/{waiting.submission.id}",
            f"/research/{planned}",
            "/audits",
            audit,
            found,
            twice,
            season,
            run,
        ],
        "admin": [
            "/admin/forms",
            form,
            f"{form}/samples",
            f"{form}/save",
            "/exports?status=completed&q=ana",
            "/letters/texts",
            "/admin/trust?threshold=0.95&wanted=0.98",
            "/admin/orchestrator_stats",
            "/admin/queue",
            "/admin/mails",
            "/admin/users",
            "/admin/seasons",
            season,
            f"{season}/preview?complete_confidence=0.93",
            run,
            "/upload",
            "/schools",
            school,
            erasing,
            receipt,
            "/erasures",
        ],
    }
