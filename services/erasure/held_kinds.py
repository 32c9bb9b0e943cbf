"""Kinds of what is held of a child, as previews and receipts count them."""

from __future__ import annotations

from core.labels import LabelledEnum


class HeldKind(LabelledEnum, places=("held_kind",)):
    """Kinds, in the order in which they are shown."""

    ENTRIES = "entries", "Entries"
    EARLIER_ENTRIES = "earlier_entries", "Replaced entries of the same pages"
    PAGES = "pages", "Pages"
    FILES = "files", "Files removed whole, duplicates and parts included"
    CHANGED_FILES = "changed_files", "Files kept for other entries, with these pages made blank"
    READINGS = "readings", "Stored readings, with the text of the pages"
    FIELDS = "fields", "Fields"
    EVIDENCE = "evidence", "Places of values on the pages"
    RUNS = "runs", "Runs of the supervisor"
    LOG_ROWS = "log_rows", "Rows of the supervisor's log"
    CHECKPOINTS = "checkpoints", "Checkpoints of runs and reports"
    MODEL_CALLS = "model_calls", "Records of calls of a language model"
    SUGGESTIONS = "suggestions", "Proposals"
    ESCALATIONS = "escalations", "Escalations"
    DECISIONS = "decisions", "Decisions, with the values before them"
    AUDITS = "audits", "Blind audits, with the values typed"
    EVENTS = "events", "Events of the history"
    SET_ASIDES = "set_asides", "What was set aside, with the notes"
    LETTERS = "letters", "Letters that ask for what is missing, with their mails"
    DUPLICATE_KEYS = "duplicate_keys", "Numbers by which the same entry would be found"
    FINGERPRINTS = "fingerprints", "Maps of the ink of pages"
    DUPLICATE_PAIRS = "duplicate_pairs", "Comparisons with another entry"
    ESSAY_WORDS = "essay_words", "Words of the essay that could be names"
    ESSAYS = "essays", "Essays in the library"
    LIBRARY_PASSAGES = "library_passages", "Passages of these essays"
    REPORTS = "reports", "Reports that quote these essays"
    REPORT_PASSAGES = "report_passages", "Passages of these essays that reports keep"
    SAMPLES = "samples", "Samples in the form studio, which may show the child"
    BULK_CHANGES = "bulk_changes", "Changes together with other entries, with the values before and after"
    REREADS = "rereads", "Readings to compare"
    SAVED_FILTERS = "saved_filters", "Filters that search for the name"
    EXPORTS = "exports", "Exported files of the season, which may name the child"
