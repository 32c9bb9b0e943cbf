"""Texts that people and documents gave stay texts on every page, whatever they hold."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import Table, select, update
from sqlalchemy.exc import DBAPIError

from core.models import FormDraft
from core.models.base import Base
from pipeline.blanks.marks import FormMarks
from pipeline.profiles import derived_fields
from services.context import Context
from tests.support.every_page import filled

#: Columns that hold what somebody wrote, by table.
WRITTEN = {
    "api_tokens": ("name",),
    "audit_fields": ("value", "typed"),
    "bulk_changes": ("old_value", "new_value", "reason"),
    "bulk_change_items": ("before_value", "after_value"),
    "essay_words": ("word",),
    "form_drafts": ("original_filename",),
    "form_profiles": ("label",),
    "form_samples": ("original_filename",),
    "letter_texts": ("office", "contact"),
    "letters": ("addressed_to", "addressee", "subject", "body"),
    "library_documents": ("collection", "title", "publisher", "original_filename"),
    "library_passages": ("heading", "text"),
    "mails": ("recipient", "subject", "body"),
    "profiles": ("display_name",),
    "report_claims": ("sentence", "quote"),
    "report_gaps": ("description", "candidate_name", "missing_topic", "suggested_query"),
    "report_passages": ("text",),
    "report_revisions": ("reasoning",),
    "report_sources": ("title", "publisher"),
    "report_supervisions": ("reasoning",),
    "report_tasks": ("question",),
    "report_versions": ("note",),
    "reports": ("query", "title", "allocation_reasoning"),
    "review_events": ("before_value", "after_value", "reason"),
    "review_suggestion_fields": ("current_value", "proposed_value", "final_value"),
    "saved_filters": ("name",),
    "school_aliases": ("alias",),
    "school_spellings": ("spelling",),
    "schools": ("name", "city", "district", "email"),
    "seasons": ("name",),
    "set_asides": ("note",),
    "submission_fields": ("value",),
    "submissions": ("student_name", "school_name", "grade", "file_name"),
    "uploads": ("original_filename",),
}
MARKUP = "</textarea></title><b id=planted>"
#: Markup, templates, formats, writing directions, formulas, wildcards and lines that end a header.
HOSTILE = (
    f"\"'>{MARKUP}<script>planted()</script> {{{{ 7*'planted' }}}}{{% raise %}}${{7*7}} %s %(name)s "
    "{0} {name!r} %n \u202egnp.exe\u2066 محمد \u200f=1;@SUM(1)\t|cmd "
    "%_\\' OR 1=1; -- \r\nSet-Cookie: planted=1\r\n\r\n\u2028b"
)
LONG = "W" * 3000


def plant(context: Context) -> int:
    """Put a hostile text into every written column that takes it, long where it may be; return how many did."""
    planted = 0
    for name, columns in WRITTEN.items():
        for column in columns:
            table = Base.metadata.tables[name]
            planted += any(_planted_in(context, table, column, text) for text in (HOSTILE + LONG, HOSTILE))
    return planted


def _planted_in(context: Context, table: Table, column: str, text: str) -> bool:
    size = getattr(table.c[column].type, "length", None)
    try:
        with context.database.session() as session:
            # What is empty stays empty: it says that something was not there.
            change = update(table).where(table.c[column] != "").values({column: text[:size]})
            if table.name == "submission_fields":
                # The machine counts these itself.
                change = change.where(table.c["name"].not_in(derived_fields()))
            session.execute(change)
    except DBAPIError:
        return False
    return True


def label_fields(context: Context, text: str) -> None:
    """Name every field of the drafts of forms with the text."""
    with context.database.session() as session:
        for draft in session.scalars(select(FormDraft).where(FormDraft.marks.is_not(None))):
            marks = FormMarks.model_validate(draft.marks)
            fields = tuple(one.model_copy(update={"label_en": text, "label_es": text}) for one in marks.fields)
            draft.marks = marks.model_copy(update={"fields": fields}).model_dump(mode="json")


@pytest.mark.slow
def test_on_every_page(app: Flask, signed_in, context: Context) -> None:
    pages, found, seen = filled(context), [], 0
    clients = {role: app.test_client() if role is None else signed_in(role) for role in pages}
    assert plant(context) > 30
    label_fields(context, HOSTILE)
    for client, address in ((clients[role], address) for role in pages for address in pages[role]):
        answer = client.get(address)
        seen += "planted" in answer.text
        if answer.status_code >= 500 or MARKUP in answer.text or "plantedplanted" in answer.text:
            found.append(f"{answer.status_code} {address}")
        found += [f"{address}: {name}" for name, value in answer.headers if "planted" in f"{name}{value}"]
    assert found == [] and seen > 40, (found, seen)
