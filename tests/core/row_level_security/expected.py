"""What ADR 27 says, as data: who reads which rows of which table, and which columns no client reads."""

from __future__ import annotations

ROLES = ("uploader", "officer", "reviewer", "auditor", "admin")

#: Rows that an active person reads, in the order of `ROLES`: a all, o one's own, - none, x refused with an error.
READS = {
    "account_tokens": "xxxxx",
    "api_tokens": "xxxxx",
    "audit_fields": "---aa",
    "audit_strata": "xxxxx",
    "audits": "---aa",
    "auth_sessions": "xxxxx",
    "bulk_change_items": "xxxxx",
    "bulk_changes": "xxxxx",
    "batch_defaults": "xxxxx",
    "duplicate_keys": "xxxxx",
    "duplicate_pairs": "--aaa",
    "erasures": "---aa",
    "escalations": "--aaa",
    "essay_words": "xxxxx",
    "exports": "xxxxx",
    "field_evidence": "ooaaa",
    "form_draft_steps": "xxxxx",
    "form_drafts": "xxxxx",
    "form_generation": "xxxxx",
    "form_profiles": "xxxxx",
    "form_samples": "xxxxx",
    "job_failures": "xxxxx",
    "letter_items": "xxxxx",
    "letter_texts": "xxxxx",
    "letters": "xxxxx",
    "library_documents": "-aaaa",
    "library_passages": "-aaaa",
    "mails": "xxxxx",
    "model_calls": "---aa",
    "orchestrator_counts": "---aa",
    "orchestrator_logs": "---aa",
    "page_fingerprints": "xxxxx",
    "page_ranges": "xxxxx",
    "pages": "ooaaa",
    "policy_changes": "---aa",
    "profiles": "ooooa",
    "queue_samples": "xxxxx",
    "reconciler_passes": "xxxxx",
    "recovery_codes": "xxxxx",
    "report_calls": "xxxxx",
    "report_claims": "-aaaa",
    "report_gaps": "-aaaa",
    "report_passages": "-aaaa",
    "report_revisions": "-aaaa",
    "report_rounds": "-aaaa",
    "report_sources": "-aaaa",
    "report_supervisions": "-aaaa",
    "report_tasks": "-aaaa",
    "report_versions": "-aaaa",
    "reports": "-aaaa",
    "reset_requests": "xxxxx",
    "reread_items": "xxxxx",
    "rereads": "xxxxx",
    "review_decisions": "--aaa",
    "review_efforts": "xxxxx",
    "review_events": "ooaaa",
    "review_suggestion_fields": "--aaa",
    "review_suggestions": "--aaa",
    "run_facts": "---aa",
    "runs": "---aa",
    "saved_filters": "xxxxx",
    "school_aliases": "--aaa",
    "schools": "--aaa",
    "seasons": "aaaaa",
    "second_factors": "xxxxx",
    "security_events": "xxxxx",
    "sessions": "xxxxx",
    "set_up_steps": "xxxxx",
    "submission_fields": "ooaaa",
    "submissions": "ooaaa",
    "upload_batches": "ooaaa",
    "upload_splits": "--aaa",
    "uploads": "ooaaa",
}

_LEASE = {"lease_owner", "lease_until"}
_TOGETHER = {"together_enqueued_at", "together_attempts"}
_HOLD = {"claimed_by", "claimed_until"}
_HOLD_OF_ITEM = {*_HOLD, "held_since"}

#: Columns of readable tables that no client but `service_role` reads.
HIDDEN = {
    "audits": _HOLD,
    "escalations": {"decision", "resumed_at", *_HOLD_OF_ITEM},
    "library_documents": {"submission_id", "storage_key", "sha256", "enqueued_at", "attempts", *_LEASE},
    "profiles": {
        "auth_due",
        "export_columns",
        "language",
        "notices",
        "list_columns",
        "password_hash",
        "is_demo",
        "session_version",
        "last_sign_in_at",
        "theme",
    },
    "report_revisions": {"resumed_at", *_HOLD},
    "report_supervisions": {"enqueued_at", "attempts", "pruned_at", *_LEASE},
    "reports": {"plan_resumed_at", "enqueued_at", "attempts", "pruned_at", *_LEASE},
    "review_suggestions": _HOLD_OF_ITEM,
    "runs": {"together", "batch_due", "enqueued_at", "attempts", "pruned_at", *_LEASE},
    "upload_batches": {"told", "together_at", *_TOGETHER, *_LEASE},
    "uploads": {
        "duplicate_of",
        "storage_key",
        "pdf_key",
        "sha256",
        "erased_pages",
        "erased_at",
        "enqueued_at",
        "attempts",
        *_TOGETHER,
        *_LEASE,
    },
}

#: What `service_role` may not do, though it may read, add, change and delete everywhere else.
REFUSED_TO_SERVICE_ROLE = {
    table: {"update", "delete"} for table in ("security_events", "erasures", "policy_changes")
}
