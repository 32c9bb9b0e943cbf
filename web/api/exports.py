"""Exports: ask for a file of entries, follow it, fetch it, remove it."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from flask import url_for
from flask.typing import ResponseReturnValue
from pydantic import Field, computed_field

from core.models.operations import ExportFormat, ExportKind, ExportStatus
from services.exports.request import ExportRequest, find_export, list_exports, remove_export, request_export
from web.access import get_context, get_person
from web.api.entry_shapes import SubmissionFilters
from web.api.operation import Media, operation
from web.api.protocol import ListPage, PageQuery, RequestModel, ResponseModel, ShortText, Told
from web.office.exports import download


class ExportFilter(SubmissionFilters):
    """Which entries of which season."""

    season: uuid.UUID | None = Field(None, description="None: the current one.")


class NewExport(RequestModel):
    """An export to be made."""

    kind: ExportKind = ExportKind.ENTRIES
    format: ExportFormat
    filter: ExportFilter = ExportFilter()
    columns: list[ShortText] = Field(
        [], max_length=100, description="Keys of columns in order; none: all there are."
    )


class ExportShape(ResponseModel):
    """One export."""

    id: uuid.UUID
    status: ExportStatus
    kind: ExportKind
    format: ExportFormat
    columns: list[str]
    season: str
    rows_total: int | None = Field(description="How many entries; null until they were counted.")
    rows_done: int
    byte_size: int | None
    error: Told | None
    created_at: datetime
    finished_at: datetime | None
    kept_until: datetime

    @computed_field(description="The address of the file; null until it is done.")  # type: ignore[prop-decorator]
    @property
    def file(self) -> str | None:
        """The address."""
        if self.status is not ExportStatus.DONE:
            return None
        return url_for("api.get_export_file", export_id=self.id)


class ExportList(ListPage[ExportShape]):
    """Exports, newest first."""


@operation("GET", "/exports", rule="reader", scope="exports", answer=ExportList)
def list_own_exports(query: PageQuery) -> Any:
    """List this person's exports; an admin sees everybody's."""
    return list_exports(get_context(), get_person(), query.cursor or None, query.limit)


@operation("POST", "/exports", rule="reader", scope="exports", answer=ExportShape, status=202)
def ask_for_export(body: NewExport) -> Any:
    """Ask for a file of entries.

    It is made in the background and kept for 7 days.
    """
    asked = ExportRequest(
        body.kind, body.format.value, body.filter.wanted(), body.columns, season_id=body.filter.season
    )
    return find_export(get_context(), get_person(), request_export(get_context(), get_person(), asked))


@operation("GET", "/exports/<uuid:export_id>", rule="reader", scope="exports", answer=ExportShape)
def get_export(export_id: uuid.UUID) -> Any:
    """Show one export and how far it is."""
    return find_export(get_context(), get_person(), export_id)


@operation(
    "GET",
    "/exports/<uuid:export_id>/file",
    rule="reader",
    scope="exports",
    answer=Media("*/*", "The file, under the content type of its format."),
    problems=(409,),
)
def get_export_file(export_id: uuid.UUID) -> ResponseReturnValue:
    """Fetch the file; 409 while it is not done."""
    return download(export_id)


@operation("DELETE", "/exports/<uuid:export_id>", rule="reader", scope="exports", answer=None)
def delete_export(export_id: uuid.UUID) -> None:
    """Remove an export with its file; one that is being made is stopped."""
    remove_export(get_context(), get_person(), export_id)
