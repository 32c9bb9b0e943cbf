"""Kinds of what is held of a child, as previews and receipts count them."""

from __future__ import annotations

from core.labels import LabelledEnum


class HeldKind(LabelledEnum, places=("held_kind",)):
    """Kinds, in the order in which they are shown."""

    ENTRIES = "entries", "Entries"
    EARLIER_ENTRIES = "earlier_entries", "Replaced entries with the same pages"
    PAGES = "pages", "Pages"
    FILES = "files", "Files removed completely, including duplicates and parts"
    UNREAD_FILES = "unread_files", "Files without an entry that are named after the child"
    CHANGED_FILES = "changed_files", "Files kept for other entries, with these pages blanked out"
    READINGS = "readings", "Stored readings, with the text of the pages"
    FIELDS = "fields", "Fields"
    EVIDENCE = "evidence", "Positions of values on the pages"
    RUNS = "runs", "Runs of the supervisor"
    LOG_ROWS = "log_rows", "Rows in the supervisor's log"
    CHECKPOINTS = "checkpoints", "Checkpoints of runs and reports"
    MODEL_CALLS = "model_calls", "Records of language model calls"
    SUGGESTIONS = "suggestions", "Proposals"
    ESCALATIONS = "escalations", "Escalations"
    DECISIONS = "decisions", "Decisions, with the values before them"
    AUDITS = "audits", "Blind audits, with the values typed"
    EVENTS = "events", "History events"
    SET_ASIDES = "set_asides", "Notes and dates of parked entries"
    LETTERS = "letters", "Letters asking for missing information, with their e-mails"
    DUPLICATE_KEYS = "duplicate_keys", "Fingerprints used to find duplicates"
    FINGERPRINTS = "fingerprints", "Page fingerprints"
    DUPLICATE_PAIRS = "duplicate_pairs", "Comparisons with another entry"
    ESSAY_WORDS = "essay_words", "Words in the essay that could be names"
    ESSAYS = "essays", "Essays in the library"
    LIBRARY_PASSAGES = "library_passages", "Passages of these essays"
    REPORTS = "reports", "Reports that quote these essays"
    REPORT_PASSAGES = "report_passages", "Passages of these essays that reports keep"
    SAMPLES = "samples", "Samples in the form studio that may show the child"
    DRAFTS = "drafts", "Drafts in the form studio that may show or name the child"
    BLANKS = "blanks", "Blank pages of saved forms that show or name the child"
    BULK_CHANGES = "bulk_changes", "Bulk edits that include it, with the values before and after"
    REREADS = "rereads", "New readings for comparison"
    SAVED_FILTERS = "saved_filters", "Saved filters that search for the name"
    WATCHED_FILES = "watched_files", "Files in watched folders"
    EXPORTS = "exports", "Export files of the season, which may name the child"
    STAYING_FILES = (
        "staying_files",
        "Not erased: other files of the season without an entry. Check whether they show the child.",
    )
