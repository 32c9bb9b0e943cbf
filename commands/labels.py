"""`flask labels export`: settled and audited entries as files with labels."""

from __future__ import annotations

from pathlib import Path

import click

from commands.opened import opened_context
from core.config import get_settings
from services.labels.export_labels import export_labels


@click.group("labels")
def labels() -> None:
    """Entries with labels, for the regression script."""


@labels.command("export")
@click.option("--season", required=True, help="The name of the season.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The folder to write, new or empty.",
)
def export(season: str, out: Path) -> None:
    """Write settled and audited entries of a season. Children's data: keep it on the office's own machine."""
    with opened_context(get_settings()) as context:
        try:
            done = export_labels(context, season, out)
        except OSError as error:
            raise click.ClickException(f"{out}: {error.strerror}") from error
    click.echo(f"{out}: {done.entries} entries with labels; it has names, addresses, and essays of children")
    if done.left_out:
        click.echo(f"{done.left_out} entries were left out because their pages are gone", err=True)
