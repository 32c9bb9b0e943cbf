"""The columns in which each table keeps its leases: of a worker, or of a person who has an item open."""

from __future__ import annotations

from core.lease import Leases
from core.models.account import ResetRequest
from core.models.library import LibraryDocument
from core.models.mail import OutgoingMail
from core.models.office import BulkChange, FormDraft, FormSample, RereadItem
from core.models.operations import Export, SetUpStep
from core.models.report import Report, ReportRevision, ReportSupervision
from core.models.review import Escalation, ReviewSuggestion
from core.models.submission import Run
from core.models.trust import Audit
from core.models.upload import BatchDefault, PageRange, Upload, UploadBatch

UPLOAD_LEASES = Leases(Upload, Upload.id, Upload.lease_owner, Upload.lease_until)
BATCH_LEASES = Leases(UploadBatch, UploadBatch.id, UploadBatch.lease_owner, UploadBatch.lease_until)
PAGE_RANGE_LEASES = Leases(PageRange, PageRange.id, PageRange.lease_owner, PageRange.lease_until)
RUN_LEASES = Leases(Run, Run.run_id, Run.lease_owner, Run.lease_until)
DOCUMENT_LEASES = Leases(
    LibraryDocument, LibraryDocument.id, LibraryDocument.lease_owner, LibraryDocument.lease_until
)
EXPORT_LEASES = Leases(Export, Export.id, Export.lease_owner, Export.lease_until)
MAIL_LEASES = Leases(OutgoingMail, OutgoingMail.id, OutgoingMail.lease_owner, OutgoingMail.lease_until)
BATCH_DEFAULT_LEASES = Leases(BatchDefault, BatchDefault.id, BatchDefault.lease_owner, BatchDefault.lease_until)
BULK_LEASES = Leases(BulkChange, BulkChange.id, BulkChange.lease_owner, BulkChange.lease_until)
SET_UP_LEASES = Leases(SetUpStep, SetUpStep.step, SetUpStep.lease_owner, SetUpStep.lease_until)
FORM_DRAFT_LEASES = Leases(FormDraft, FormDraft.id, FormDraft.lease_owner, FormDraft.lease_until)
FORM_SAMPLE_LEASES = Leases(FormSample, FormSample.id, FormSample.lease_owner, FormSample.lease_until)
RESET_LEASES = Leases(ResetRequest, ResetRequest.id, ResetRequest.lease_owner, ResetRequest.lease_until)
REREAD_LEASES = Leases(RereadItem, RereadItem.id, RereadItem.lease_owner, RereadItem.lease_until)
REPORT_LEASES = Leases(Report, Report.id, Report.lease_owner, Report.lease_until)
SUPERVISION_LEASES = Leases(
    ReportSupervision, ReportSupervision.id, ReportSupervision.lease_owner, ReportSupervision.lease_until
)

SUGGESTION_HOLDS = Leases(
    ReviewSuggestion,
    ReviewSuggestion.id,
    ReviewSuggestion.claimed_by,
    ReviewSuggestion.claimed_until,
    ReviewSuggestion.resolved_by_user_id,
    ReviewSuggestion.held_since,
)
ESCALATION_HOLDS = Leases(
    Escalation,
    Escalation.id,
    Escalation.claimed_by,
    Escalation.claimed_until,
    Escalation.decided_by,
    Escalation.held_since,
)
AUDIT_HOLDS = Leases(Audit, Audit.id, Audit.claimed_by, Audit.claimed_until, Audit.auditor_id)
REVISION_HOLDS = Leases(
    ReportRevision,
    ReportRevision.id,
    ReportRevision.claimed_by,
    ReportRevision.claimed_until,
    ReportRevision.decided_by,
)
