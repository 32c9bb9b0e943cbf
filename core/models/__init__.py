"""SQLAlchemy models; they map onto `supabase/migrations/`, which is the schema in every environment."""

from core.models.account import AccountToken, ApiToken, Profile, Season
from core.models.base import Base
from core.models.orchestration import ModelCallRow, OrchestratorDaily, OrchestratorLog
from core.models.review import (
    Escalation,
    EscalationStatus,
    FieldDecision,
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
from core.models.upload import Page, Upload, UploadBatch, UploadStatus

__all__ = [
    "AccountToken",
    "ApiToken",
    "Base",
    "Escalation",
    "EscalationStatus",
    "FieldDecision",
    "FieldEvidence",
    "ModelCallRow",
    "OrchestratorDaily",
    "OrchestratorLog",
    "Page",
    "Profile",
    "ReviewEvent",
    "ReviewSuggestion",
    "ReviewSuggestionField",
    "Run",
    "RunStatus",
    "School",
    "SchoolAlias",
    "Season",
    "Submission",
    "SubmissionField",
    "SubmissionStatus",
    "SuggestionStatus",
    "Upload",
    "UploadBatch",
    "UploadStatus",
]
