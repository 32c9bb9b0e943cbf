"""SQLAlchemy models; they map onto `supabase/migrations/`, which is the schema in every environment."""

from core.models.account import AccountToken, ApiToken, Profile, Season
from core.models.base import Base
from core.models.library import LibraryDocument, LibraryKind, LibraryPassage, LibraryStatus
from core.models.orchestration import ModelCallRow, OrchestratorDaily, OrchestratorLog
from core.models.report import (
    Report,
    ReportCall,
    ReportClaim,
    ReportGap,
    ReportPassage,
    ReportRound,
    ReportSource,
    ReportStatus,
    ReportTask,
    ReportVersion,
    TaskStatus,
)
from core.models.review import (
    DecisionKind,
    Escalation,
    EscalationStatus,
    FieldDecision,
    ReviewDecision,
    ReviewSuggestion,
    ReviewSuggestionField,
    SuggestionStatus,
)
from core.models.school import School, SchoolAlias
from core.models.submission import (
    FieldEvidence,
    ReviewEvent,
    Run,
    RunStatus,
    Submission,
    SubmissionField,
    SubmissionStatus,
)
from core.models.supervision import ReportRevision, ReportSupervision, RevisionStatus, SupervisionStatus
from core.models.upload import Page, SplitStatus, Upload, UploadBatch, UploadSplit, UploadStatus

__all__ = [
    "AccountToken",
    "ApiToken",
    "Base",
    "DecisionKind",
    "Escalation",
    "EscalationStatus",
    "FieldDecision",
    "FieldEvidence",
    "LibraryDocument",
    "LibraryKind",
    "LibraryPassage",
    "LibraryStatus",
    "ModelCallRow",
    "OrchestratorDaily",
    "OrchestratorLog",
    "Page",
    "Profile",
    "Report",
    "ReportCall",
    "ReportClaim",
    "ReportGap",
    "ReportPassage",
    "ReportRevision",
    "ReportRound",
    "ReportSource",
    "ReportStatus",
    "ReportSupervision",
    "ReportTask",
    "ReportVersion",
    "ReviewDecision",
    "ReviewEvent",
    "ReviewSuggestion",
    "ReviewSuggestionField",
    "RevisionStatus",
    "Run",
    "RunStatus",
    "School",
    "SchoolAlias",
    "Season",
    "SplitStatus",
    "Submission",
    "SubmissionField",
    "SubmissionStatus",
    "SuggestionStatus",
    "SupervisionStatus",
    "TaskStatus",
    "Upload",
    "UploadBatch",
    "UploadSplit",
    "UploadStatus",
]
