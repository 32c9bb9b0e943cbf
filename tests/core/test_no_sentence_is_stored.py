"""What happened is stored as a code: every column of text is a key, content, or a name of something."""

from __future__ import annotations

import ast

from sqlalchemy import Text, text

from core.config import ROOT
from core.database import Database
from core.models import Base
from core.models.base import MessageColumn

#: What people, models and documents wrote. A new column of text is one of these, or it is a key.
CONTENT = {
    "profiles": {"email", "display_name"},
    "seasons": {"name"},
    "api_tokens": {"name"},
    "schools": {"name", "name_key", "city", "district", "email"},
    "bulk_changes": {"reason"},
    "letter_texts": {"office", "contact"},
    "letters": {"addressee", "subject", "body"},
    "mails": {"recipient", "subject", "body"},
    "set_asides": {"note"},
    "school_aliases": {"alias", "alias_key"},
    "uploads": {"original_filename"},
    "submissions": {"student_name", "school_name", "grade"},
    "submission_fields": {"value"},
    "review_suggestion_fields": {"current_value", "proposed_value", "final_value"},
    "review_events": {"before_value", "after_value", "reason"},
    "set_up_steps": {"read_text"},
    "reports": {"query", "title", "allocation_reasoning"},
    "report_claims": {"sentence", "quote"},
    "report_excerpts": {"note"},
    "report_gaps": {"description", "candidate_name", "missing_topic", "suggested_query"},
    "report_tasks": {"question"},
    "report_sources": {"title", "publisher"},
    "report_passages": {"text"},
    "report_supervisions": {"reasoning"},
    "report_revisions": {"reasoning", "reason"},
    "report_versions": {"note"},
    "library_documents": {"collection", "title", "publisher", "original_filename"},
    "library_passages": {"heading", "text"},
}
#: Words that a column of sentences is called by.
TELLING = ("message", "reason", "help", "detail", "explanation", "description", "note", "why", "text", "sentence")
#: Columns with such a name that hold the key of a code.
CODES = {"run_facts.reason", "erasures.reason", "set_asides.ended_why"}


def test_no_column_holds_sentences_of_the_product() -> None:
    suspects = {
        f"{table.name}.{column.name}"
        for table in Base.metadata.sorted_tables
        for column in table.columns
        if isinstance(column.type, Text) and any(word in column.name for word in TELLING)
    }
    content = {f"{table}.{name}" for table, names in CONTENT.items() for name in names}
    assert suspects - content - CODES == set(), "store a `Message`, or declare what people wrote as content"
    known = {f"{table.name}.{column.name}" for table in Base.metadata.sorted_tables for column in table.columns}
    assert content <= known


def test_messages_are_checked_by_the_database(database_url: str) -> None:
    """What is no message is refused, whoever writes it."""
    database = Database(database_url)
    with database.session() as session:
        defined = session.scalars(text("select pg_get_constraintdef(oid) from pg_constraint where contype = 'c'"))
        checks = " ".join(defined)
    database.dispose()
    for table in Base.metadata.sorted_tables:
        for column in table.columns:
            if isinstance(column.type, MessageColumn):
                assert f"jsonb_typeof({column.name})" in checks, f"{table.name}.{column.name}"


def test_what_an_error_says_is_never_stored() -> None:
    """`help_message` is for logs, commands and pages; rows keep `told`."""
    for layer in ("services", "pipeline", "research", "jobs"):
        for path in (ROOT / layer).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                named = node.attr if isinstance(node, ast.Attribute) else ""
                assert named not in ("help_message", "error_message"), f"{path.name}:{node.lineno}"
