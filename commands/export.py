"""`flask export`: entries of a season as a file."""

from __future__ import annotations

import uuid
from pathlib import Path

import click

from commands.opened import opened_context
from core.config import get_settings
from core.labels import keys_of
from core.models import ExportFormat, ExportKind, SubmissionStatus
from services.entries.submission_filter import SubmissionFilter
from services.exports.export_to_path import export_to_path
from services.exports.request_export import ExportRequest


@click.command("export")
@click.option("--season", required=True, help="The name of the season.")
@click.option(
    "--kind", type=click.Choice(keys_of(ExportKind)), default=ExportKind.ENTRIES.value, show_default=True
)
@click.option("--format", "file_format", type=click.Choice(keys_of(ExportFormat)), required=True)
@click.option("--status", type=click.Choice(keys_of(SubmissionStatus)), help="Only entries with this status.")
@click.option("--school", help="Only entries from this school, spelled as in the list of entries.")
@click.option("--grade", help="Only entries in this grade.")
@click.option("--batch", type=click.UUID, help="Only entries from the upload with this id.")
@click.option(
    "--column",
    "columns",
    multiple=True,
    help="A column to include; repeat for more, in order. Default: all columns.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The file to write; it must be new.",
)
def export(
    season: str,
    kind: str,
    file_format: str,
    status: str | None,
    school: str | None,
    grade: str | None,
    batch: uuid.UUID | None,
    columns: tuple[str, ...],
    out: Path,
) -> None:
    """Write entries as a table, as a ZIP file of their pages, or as a packet for the judges.

    They are children's data: for the office's own machine. The export is recorded.
    """
    wanted = SubmissionFilter(status=status, school=school, grade=grade, batch_id=batch)
    with opened_context(get_settings()) as context:
        try:
            done = export_to_path(
                context, out, season, ExportRequest(ExportKind(kind), file_format, wanted, columns)
            )
        except OSError as error:
            raise click.ClickException(f"{out}: {error.strerror}") from error
    click.echo(f"{out}: {done} entries; it may have names, addresses, and essays of children")
