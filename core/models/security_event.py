"""The record of events: sign-ins, rights, exports, and who saw which entry (migration 020)."""

from __future__ import annotations

import uuid

from sqlalchemy import BigInteger, text
from sqlalchemy.orm import Mapped, mapped_column

from core.labels import LabelledEnum
from core.models.base import Base, CreatedAt, JsonObject, UuidKey


class SecurityEventKind(LabelledEnum):
    """What happened."""

    SIGN_IN = "sign_in", "Signed in"
    SIGN_IN_FAILED = "sign_in_failed", "Sign-in failed"
    LOCKED_OUT = "locked_out", "Attempts were blocked"
    SIGN_OUT = "sign_out", "Signed out"
    SESSIONS_ENDED = "sessions_ended", "Ended sessions"
    PASSWORD_CHANGED = "password_changed", "Changed the password"
    PASSWORD_RESET = "password_reset", "Set a password using a link"
    ACCOUNT_MADE = "account_made", "Created an account"
    INVITED = "invited", "Invited someone"
    INVITATION_ACCEPTED = "invitation_accepted", "Accepted an invitation"
    RESET_LINK_MADE = "reset_link_made", "Created a password reset link"
    NAME_CHANGED = "name_changed", "Changed their name"
    ROLE_CHANGED = "role_changed", "Changed a role"
    ACCOUNT_CLOSED = "account_closed", "Closed an account"
    ACCOUNT_REOPENED = "account_reopened", "Reopened an account"
    TOKEN_MADE = "token_made", "Created a token"
    TOKEN_REVOKED = "token_revoked", "Revoked a token"
    TOKEN_NARROWED = "token_narrowed", "A token lost permissions or days"
    SECOND_FACTOR_ON = "second_factor_on", "Turned two-step verification on"
    SECOND_FACTOR_OFF = "second_factor_off", "Turned two-step verification off"
    RECOVERY_CODE_USED = "recovery_code_used", "Used a recovery code"
    CODE_FAILED = "code_failed", "A code was incorrect"
    POLICY_CHANGED = "policy_changed", "Changed the rules of a season"
    SEASON_DESCRIBED = "season_described", "Changed the name or dates of a season"
    SEASON_OPENED = "season_opened", "Opened a season"
    SEASON_CLOSED = "season_closed", "Closed a season"
    FORM_SAVED = "form_saved", "Saved a form"
    FORM_RETIRED = "form_retired", "Took a form out of use"
    FORM_BROUGHT_BACK = "form_brought_back", "Put a form into use"
    SET_UP = "set_up", "Completed a setup step"
    EXPORTED = "exported", "Exported data"
    LETTERS_SENT = "letters_sent", "Wrote letters asking for missing information"
    ERASED = "erased", "Erased entries"
    SUBMISSION_VIEWED = "submission_viewed", "Viewed an entry"
    PAGES_VIEWED = "pages_viewed", "Viewed pages of an entry"
    JOBS_RETRIED = "jobs_retried", "Retried a failed job"
    JOB_CANCELLED = "job_cancelled", "Took a job off the queue"
    ORIGINAL_DOWNLOADED = "original_downloaded", "Downloaded an original file"


class SecurityEvent(Base):
    """One event. Rows are only added; the ids refer to no table, so that the record outlives what it names."""

    __tablename__ = "security_events"

    id: Mapped[UuidKey]
    created_at: Mapped[CreatedAt]
    #: A key of `SecurityEventKind`.
    kind: Mapped[str]
    #: Who did it; None for the command line and for somebody unknown.
    actor_id: Mapped[uuid.UUID | None]
    #: The account that it was done to.
    subject_id: Mapped[uuid.UUID | None]
    submission_id: Mapped[uuid.UUID | None]
    upload_id: Mapped[uuid.UUID | None]
    network: Mapped[str] = mapped_column(server_default=text("''"))
    details: Mapped[JsonObject]
    #: Of what is recorded once in some minutes: the number of these minutes.
    slot: Mapped[int | None] = mapped_column(BigInteger)
